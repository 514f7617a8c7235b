"""Signing in with OpenID Connect, against a provider on this machine."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.processes import forked
from tests.support.sample import copied_into


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Path:
    """A DATA_DIR whose database lacks nothing but the tables of sign-in with a provider, where it is SQLite."""
    made = tmp_path_factory.mktemp("openid")
    with django_db_blocker.unblock():
        copied_into(made)
    return made


@pytest.fixture(scope="module")
def walked(folder: Path) -> dict[str, Any]:
    result = forked("-m", "tests.support.openid_walk", DATA_DIR=str(folder), DEBUG="1", LOG_LEVEL="ERROR", timeout=180)
    assert result.returncode == 0, result.stderr
    return dict(json.loads(result.stdout))


def test_the_page_offers_it_and_the_policy_lets_the_form_through(walked: dict[str, Any]) -> None:
    assert walked["button"]
    assert walked["policy"]


def test_a_verified_address_signs_in_at_once(walked: dict[str, Any]) -> None:
    assert walked["new"]["account"] == "dana@example.com"
    assert walked["taken along"]


def test_who_is_known_there_is_known_here_whatever_the_address(walked: dict[str, Any]) -> None:
    assert walked["moved"]["account"] == "dana@example.com"


@pytest.mark.parametrize("case", ["unverified", "unverified in words", "without address"])
def test_without_a_verified_address_nothing_is_made(walked: dict[str, Any], case: str) -> None:
    assert walked[case]["account"] == ""
    assert any("has not verified" in said for said in walked[case]["said"])


def test_a_forged_answer_signs_nobody_in(walked: dict[str, Any]) -> None:
    assert walked["forged"]["account"] == ""
    assert walked["forged"]["heading"] == "Not signed in"


def test_an_account_with_the_verified_address_is_connected(walked: dict[str, Any]) -> None:
    assert walked["known"]["account"] == "alice@example.com"
    assert walked["password kept"]


def test_an_account_is_not_taken_by_an_address_that_either_side_has_not_verified(walked: dict[str, Any]) -> None:
    assert walked["known, by an unverified claim"]["account"] == ""
    assert walked["unverified here"]["account"] == ""


def test_nobody_else_got_an_account(walked: dict[str, Any]) -> None:
    assert walked["users"] == ["alice@example.com", "dana@example.com", "grace@example.com"]


def test_the_connection_is_exported_and_goes_with_the_account(walked: dict[str, Any]) -> None:
    assert walked["exported"] == ["1"]
    assert walked["left"]


SWITCHED_OFF = """
import json, django
django.setup()
from django.db import connection
from accounts import account_deletion
from accounts.models import User
alice = User.objects.get(email="alice@example.com")
kept = [row["uid"] for row in account_deletion.account(alice)["connected"]]
account_deletion.delete(alice)
connection.check_constraints()
print(json.dumps([kept, User.objects.filter(email="alice@example.com").exists()]))
"""


def test_switched_off_it_is_exported_and_goes_with_the_account_all_the_same(
    walked: dict[str, Any], folder: Path
) -> None:
    result = forked("-c", SWITCHED_OFF, DATA_DIR=str(folder), DEBUG="1", LOG_LEVEL="ERROR")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == [["5"], False]
