"""Statements by the API: the lines of a fiscal year as printed, each with its fact."""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import Reservation
from filings.models import Company, Fact
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

STATEMENTS = "/api/v1/companies/{}/statements"


def lines(client: Client, company: str, **wanted: object) -> list[dict[str, object]]:
    response = client.get(STATEMENTS.format(company), wanted)
    assert response.status_code == 200, response.content
    return response.json()["table"]


@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
def test_a_statement_has_its_lines_with_their_facts(client: Client, sample: Sample, kind: str) -> None:
    found = lines(client, "AAPL", year=2024, statement=kind)
    assert len(found) > 10
    assert {(one["statement"], one["fiscal_year"], one["gap"]) for one in found} == {(kind, 2024, None)}
    stored = Fact.objects.in_bulk([one["facts"][0]["fact"] for one in found])
    for one in found:
        (cited,) = one["facts"]
        assert (one["key"], one["value"]) == (cited["tag"], format(stored[cited["fact"]].value, "f"))


def test_without_a_name_all_that_are_stored_are_given(client: Client, sample: Sample) -> None:
    found = lines(client, "AAPL", year=2024)
    assert {"income", "balance", "cashflow"} <= {one["statement"] for one in found}
    assert all(one["gap"] is None for one in found if one["statement"] in ("income", "balance", "cashflow"))
    one_by_one = [
        line
        for kind in dict.fromkeys(one["statement"] for one in found)
        for line in lines(client, "AAPL", year=2024, statement=kind)
    ]
    assert one_by_one == found


def test_without_a_year_it_is_the_newest(client: Client, sample: Sample) -> None:
    newest = sample["AAPL"].filings.primary().order_by("-period_end").first()
    shown = client.get(STATEMENTS.format("AAPL"), {"statement": "income"}).json()
    assert shown["years"] == "latest"
    assert {one["fiscal_year"] for one in shown["table"]} == {newest.fiscal_year}


@pytest.mark.parametrize("kind", [None, "income"])
def test_a_year_that_is_not_stored_is_one_gap(client: Client, sample: Sample, kind: str | None) -> None:
    wanted = {"year": 2014} | ({"statement": kind} if kind else {})
    (row,) = lines(client, "AAPL", **wanted)
    assert (row["value"], row["facts"], row["gap"]["code"]) == (None, [], "year_before_2015")


def test_a_company_that_is_closed_to_visitors_is_one_gap(
    client: Client, alices: Client, sample: Sample, settings: Settings
) -> None:
    settings.ANON_TICKERS = ["NVDA"]
    (row,) = lines(client, "AAPL", year=2024)
    assert (row["value"], row["gap"]["code"]) == (None, "sign_in_required")
    assert len(lines(alices, "AAPL", year=2024)) > 30


def test_a_company_without_figures_is_one_gap(alices: Client) -> None:
    Company.objects.create(cik=9_000_000_003, name="Unheard Of Corp")
    (row,) = lines(alices, "9000000003")
    assert row["gap"]["code"] == "company_not_covered"


@pytest.mark.parametrize(
    ("company", "query", "status"),
    [
        ("NOBODY", {}, 404),
        *(("AAPL", {"year": year}, 422) for year in ("x", "0", "1989", "2101")),
        ("AAPL", {"statement": "cover"}, 422),
        ("AAPL", {"fiscal_year": "2024"}, 422),
    ],
)
def test_what_names_nothing_is_a_problem(
    client: Client, sample: Sample, company: str, query: dict[str, str], status: int
) -> None:
    response = client.get(STATEMENTS.format(company), query)
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    assert not Reservation.objects.exists()


def test_what_is_held_already_is_not_sent_again(client: Client, sample: Sample) -> None:
    first = client.get(STATEMENTS.format("AAPL"), {"year": 2024, "statement": "income"})
    held = {"If-None-Match": first["ETag"]}
    again = client.get(STATEMENTS.format("AAPL"), {"year": 2024, "statement": "income"}, headers=held)
    assert (again.status_code, again.content) == (304, b"")
