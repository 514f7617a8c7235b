"""A form of another site: whoever is signed in posts nothing by it, at any address of the table of tests/test_access.py."""

from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from tests.support.access import World
from tests.support.access_table import QUESTION, TABLE
from tests.test_access import (
    ADDRESSES,
    ARGS,
    OF_ALLAUTH,
    OF_THE_ADMIN,
    WATCHED,
    Stage,
    address,
    admin_path,
    in_session,
    stage,
    world,
)

__all__ = ["stage", "world"]

# Addresses without the check, and why none is needed; programs with a token are asked nothing else, which
# tests/agent/api/test_ask.py tries.
EXEMPT = dict.fromkeys(WATCHED, "Answered before any session is read, and nothing is changed there.")
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


def posted(name: str, world: World) -> tuple[str, dict[str, Any]]:
    """The path of an address, and what is sent there."""
    if name in OF_ALLAUTH:
        return reverse(name, args=ARGS.get(name, [])), {}
    if name in OF_THE_ADMIN:
        return admin_path(name), {}
    row = TABLE[name]
    sent: dict[str, Any] = {"data": row.data(world)}
    if name.startswith("api:"):
        sent |= {"content_type": "application/json", "headers": row.headers}
    return address(name, row.args(world)), sent


def is_refused(response: HttpResponse) -> bool:
    """Whether the answer is that of the check, and of nothing else."""
    if "json" in response["Content-Type"]:
        return (response.status_code, response.json()["reason"]) == (403, "csrf_failed")
    return response.status_code == 403 and response.templates[0].name == "403_csrf.html"


@pytest.fixture(scope="module")
def cookies(stage: Stage, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """The cookie that a page of ours gives whoever is signed in; another site's form is sent with it, unread."""
    found = {}
    with django_db_blocker.unblock():
        # The owner, and who may do the most.
        for who in ("owner", "staff"):
            client = in_session(stage, who)
            client.get("/")
            found[who] = client.cookies["csrftoken"].value
    return found


@pytest.mark.parametrize("name", sorted(set(ADDRESSES) - set(EXEMPT)))
def test_no_other_site_posts_for_whoever_is_signed_in(
    name: str, stage: Stage, world: World, cookies: dict[str, str]
) -> None:
    path, sent = posted(name, world)
    # A browser says where a form stood.
    elsewhere = {**sent, "headers": {**sent.get("headers", {}), "Origin": "https://elsewhere.example"}}
    for who, cookie in cookies.items():
        client = in_session(stage, who, enforce_csrf_checks=True)
        with CaptureQueriesContext(connection) as made:
            bare = client.post(path, **sent)
            client.cookies["csrftoken"] = cookie
            there = client.post(path, **elsewhere)
        assert (is_refused(bare), is_refused(there)) == (True, True), (who, bare.status_code, there.status_code)
        assert [one["sql"] for one in made if one["sql"].startswith(WRITES)] == []


def test_with_its_token_a_form_of_our_own_is_taken(stage: Stage, db: None) -> None:
    client = in_session(stage, "owner", enforce_csrf_checks=True)
    client.get("/")
    token = client.cookies["csrftoken"].value
    sent = {"question": QUESTION, "csrfmiddlewaretoken": token}
    assert client.post("/ask", sent).status_code == 302
    assert is_refused(client.post("/ask", sent, headers={"Origin": "https://elsewhere.example"}))
