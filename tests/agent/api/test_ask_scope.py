"""A question limited to a document by the API."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.agent.api.test_ask import ask

pytestmark = pytest.mark.django_db

QUARTERLY = "9999999902-26-000007"
BRENOVA = "What does it say about generic versions of Brenova?"


def test_a_scope_limits_the_answer_and_is_told_with_it(alices: Client, worker: Callable[[], None]) -> None:
    shown = ask(alices, BRENOVA, scope={"document": QUARTERLY}, headers={}).json()
    assert (shown["outcome"], shown["scope"]["document"]) == ("passages", QUARTERLY)
    assert {one["accession"] for part in shown["answer"]["parts"] for one in part["passages"]} == {QUARTERLY}
    assert ask(alices, scope=None).json()["scope"] is None


@pytest.mark.parametrize(
    ("scope", "field"),
    [
        ({"document": "9999999902-26-999999"}, "scope.document"),
        ({"kind": "10-Z"}, "scope.kind"),
        ({"fiscal_year": 2026, "fiscal_quarter": 9}, "scope.fiscal_quarter"),
        ({"fiscal_year": -1}, "scope.fiscal_year"),
    ],
)
def test_a_wrong_scope_is_a_problem_of_its_field(alices: Client, scope: dict[str, object], field: str) -> None:
    response = ask(alices, BRENOVA, scope=scope)
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, field)


def test_a_key_stands_for_a_question_with_its_scope(alices: Client) -> None:
    headers = {"Prefer": "respond-async", "Idempotency-Key": "one"}
    first = ask(alices, BRENOVA, scope={"document": QUARTERLY}, headers=headers).json()["id"]
    assert ask(alices, BRENOVA, scope={"document": QUARTERLY}, headers=headers).json()["id"] == first
    assert ask(alices, BRENOVA, headers=headers).json()["reason"] == "idempotency_key_reused"
