"""The e-mail address at which an account can be written to."""

from allauth.account.models import EmailAddress

from accounts.models import User


def verified_address(user: User | None) -> str:
    """The account's address, where it is active and has verified it; else ""."""
    if user is None or not user.is_active:
        return ""
    own = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    return user.email if own.exists() else ""
