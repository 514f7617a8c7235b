"""Lists of the admin: a filter, a search or a selection that cannot be read is answered 400, and shows or changes nothing."""

from urllib.parse import urlencode

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

WRONG = [
    ("agent/run", "created__year", "0"),
    ("agent/run", "created__year", "10000"),
    ("agent/run", "created__year", "-1"),
    ("agent/run", "created__iso_year", "0"),
    ("agent/run", "created__gte", "9999-99-99"),
    ("agent/run", "created__range", "2024-01-01"),
    ("agent/run", "created__range", "2024-01-01,2024-12-31"),
    ("agent/run", "id__in", "1"),
    ("agent/run", "ms__in", "x"),
    ("agent/run", "ms__range", f"0,{10**30}"),
    ("agent/run", "question__regex", "((("),
    ("agent/run", "question__iregex", "(a+)+$"),
    ("agent/run", "nowhere", "1"),
    ("agent/run", "q", "a " * 1500),
    ("agent/run", "q", "a" * 60_000),
    ("filings/fact", "filing__in", str(10**30)),
    ("filings/fact", "filing__in", "x"),
    ("auth/group", "id__range", "1"),
    ("accounts/meter", "month__range", "1"),
    ("mfa/authenticator", "created_at__year", "0"),
    ("account/emailaddress", "q", "a " * 1500),
]


@pytest.mark.parametrize(("listed", "name", "value"), WRONG)
def test_what_no_list_can_be_asked_by_is_refused(as_charlie: Client, listed: str, name: str, value: str) -> None:
    response = as_charlie.get(f"/admin/{listed}/?{urlencode({name: value})}")
    assert response.status_code == 400
    assert "The address cannot be read" in response.content.decode()


@pytest.mark.parametrize(
    ("listed", "name", "value"),
    [
        ("agent/run", "created__year", "2024"),
        ("agent/run", "created__date__gte", "2024-01-01"),
        ("agent/run", "ms__in", f"1,{10**30}"),
        ("agent/run", "ms__gte", str(10**30)),
        ("agent/run", "user__isnull", "1"),
        ("agent/run", "status__exact", "done"),
        ("filings/fact", "filing__in", "1,2"),
        ("accounts/user", "q", "alice example"),
    ],
)
def test_what_a_list_can_be_asked_by_is_shown(as_charlie: Client, listed: str, name: str, value: str) -> None:
    assert as_charlie.get(f"/admin/{listed}/?{urlencode({name: value})}").status_code == 200


def test_a_time_before_the_first_year_is_shown_or_refused(as_charlie: Client) -> None:
    # In UTC it lies in the year before 1, which PostgreSQL has and Python has not.
    address = f"/admin/agent/run/?{urlencode({'created__gte': '0001-01-01T00:00:00+14:00'})}"
    assert as_charlie.get(address).status_code in {200, 400}


@pytest.mark.parametrize("key", ["x", "", "9" * 5000, "1.5", "\N{SUPERSCRIPT TWO}"])
def test_an_action_on_what_is_no_row_is_refused(as_charlie: Client, alice: User, key: str) -> None:
    sent = {"action": "delete_selected", "_selected_action": [alice.pk, key], "post": "yes"}
    assert as_charlie.post("/admin/accounts/user/", sent).status_code == 400
    assert User.objects.filter(pk=alice.pk).exists()


def test_a_row_that_is_not_there_is_acted_on_by_nobody(as_charlie: Client, alice: User) -> None:
    sent = {"action": "delete_selected", "_selected_action": [10**30], "post": "yes"}
    assert as_charlie.post("/admin/accounts/user/", sent).status_code == 302
    assert User.objects.filter(pk=alice.pk).exists()


def test_an_action_behind_a_filter_that_cannot_be_read_changes_nothing(as_charlie: Client, alice: User) -> None:
    sent = {"action": "delete_selected", "_selected_action": "1", "select_across": "1", "post": "yes"}
    for query in ("date_joined__year=0", "q=" + "a+" * 1500):
        assert as_charlie.post(f"/admin/accounts/user/?{query}", sent).status_code == 400
    assert User.objects.filter(pk=alice.pk).exists()


def test_a_user_is_put_into_no_group_that_cannot_be(as_charlie: Client, alice: User) -> None:
    sent = {"email": alice.email, "groups": [10**30], "user_permissions": ["x"]}
    response = as_charlie.post(f"/admin/accounts/user/{alice.pk}/change/", sent)
    assert set(response.context["adminform"].form.errors) == {"groups", "user_permissions"}


def test_a_row_named_by_an_empty_column_is_named_by_its_key(as_charlie: Client, alice: User) -> None:
    for page in ("change", "delete"):
        assert as_charlie.get(f"/admin/accounts/user/{alice.pk}/{page}/?_to_field=").status_code == 200


@pytest.mark.parametrize("key", ["x", "9999-12-31", str(10**30), "9" * 5000, " "])
def test_a_form_with_a_row_that_cannot_be_is_shown_again(as_charlie: Client, key: str) -> None:
    response = as_charlie.post("/admin/accounts/override/add/", {"user": key, "plan": key, "reason": "?"})
    assert response.status_code == 200
    assert {"user", "plan"} <= set(response.context["adminform"].form.errors)
