"""People whose addresses are confirmed, so that they can sign in by themselves."""

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User


def confirmed(user: User) -> User:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def alice(db: None) -> User:
    return confirmed(User.objects.create_user("alice@example.com", "wonderland-42"))


@pytest.fixture
def charlie(db: None) -> User:
    return confirmed(User.objects.create_superuser("charlie@example.com", "chocolate-42"))
