"""What tables count: one answer up to fifty cells, one more for each further fifty begun, known before they are made."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.identity import Identity
from accounts.models import Meter, Reservation, User
from accounts.quotas import uses
from agent.web.tables import verified_tables
from filings.models import Company
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

TABLE = "/api/v1/table"
TEN = "revenue,net_income,total_assets,cfo,rnd,eps_diluted,gross_margin,roe,roe:ending,cash"


@pytest.mark.parametrize(
    ("measures", "years", "answers"),
    [
        ("revenue", "latest", 1),
        (TEN, "2020-2024", 1),
        (TEN, "2019-2024", 2),
        (TEN, "last10", 2),
        (TEN, "last11", 3),
        (TEN, "last20", 4),
    ],
)
def test_fifty_cells_are_one_answer(
    client: Client, sample: Sample, alice: User, measures: str, years: str, answers: int
) -> None:
    client.force_login(alice)
    response = client.get(TABLE, {"companies": "AAPL", "measures": measures, "years": years})
    assert response.status_code == 200
    meter = Meter.objects.get()
    assert (meter.questions, meter.answers, meter.month_answers) == (answers, answers, answers)
    assert Reservation.objects.get().answers == answers


def test_statements_count_one_each(client: Client, sample: Sample, alice: User) -> None:
    client.force_login(alice)
    assert client.get("/api/v1/companies/AAPL/statements?year=2024&statement=income").status_code == 200
    assert Meter.objects.get().month_answers == 1
    assert client.get("/api/v1/companies/AAPL/statements?year=2024").status_code == 200
    assert Meter.objects.get().month_answers == 6


def test_a_table_of_gaps_is_no_answer(client: Client, sample: Sample, alice: User) -> None:
    client.force_login(alice)
    wanted = {"companies": "AAPL", "measures": TEN, "years": "2000-2010"}
    assert client.get(TABLE, wanted).status_code == 200
    meter = Meter.objects.get()
    assert (meter.questions, meter.month_answers) == (3, 0)


@pytest.mark.parametrize(
    ("tier", "limit", "reason"),
    [("user", "answers_per_month", "month_used_up"), ("anon", "questions_in_all", "questions_used_up")],
)
def test_too_few_left_are_told_before_anything_is_computed(
    client: Client,
    sample: Sample,
    alice: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tier: str,
    limit: str,
    reason: str,
) -> None:
    settings.PLANS = {tier: {limit: 13}}
    if tier == "user":
        client.force_login(alice)
    small = {"companies": "AAPL", "measures": "revenue", "years": "2024"}
    assert client.get(TABLE, small).status_code == client.get(TABLE, small).status_code == 200
    held = list(Company.objects.covered().values_list("cik", flat=True))
    more = [
        Company.objects.create(cik=9_000_000_100 + at, name=f"Unheard Of {at}").cik for at in range(20 - len(held))
    ]
    great = {"companies": ",".join(map(str, [*held, *more])), "measures": TEN, "years": "2022-2024"}
    with monkeypatch.context() as patched:
        patched.setattr(verified_tables, "tabulate", lambda *_: pytest.fail("computed"))
        refused = client.get(TABLE, great)
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    told = refused.json()
    assert re.match(r"The table has 600 cells and takes 12 answers; 11 are left\.", told["detail"])
    assert (told["reason"], told["limit"]["name"], told["limit"]["limit"], told["limit"]["used"]) == (
        reason, limit, 13, 2,
    )  # fmt: skip
    assert refused.has_header("Retry-After") is (tier == "user")
    # What is refused has used nothing, and a smaller table is still made.
    fits = {"companies": "AAPL,MSFT,NVDA,AMZN,TSLA", "measures": TEN, "years": "2014-2024"}
    assert client.get(TABLE, fits).status_code == 200
    refused = client.get(TABLE, small)
    assert (refused.status_code, refused.json()["limit"]["used"]) == (429, 13)


def test_what_can_never_be_enough_is_not_waited_for(
    client: Client, sample: Sample, alice: User, settings: Settings
) -> None:
    settings.PLANS = {"user": {"answers_per_month": 1}}
    client.force_login(alice)
    refused = client.get(TABLE, {"companies": "AAPL", "measures": TEN, "years": "last10"})
    assert refused.json()["detail"] == "The table has 100 cells and takes 2 answers; 1 is left."
    assert not refused.has_header("Retry-After")


def test_a_table_in_the_making_holds_its_answers(
    client: Client, sample: Sample, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, seen = verified_tables.tabulate, []

    def watched(query: object, deps: object) -> object:
        seen.append(next(one.used for one in uses(Identity(user=alice)) if one.name == "answers_per_month"))
        return honest(query, deps)

    monkeypatch.setattr(verified_tables, "tabulate", watched)
    client.force_login(alice)
    assert client.get(TABLE, {"companies": "AAPL", "measures": TEN, "years": "last20"}).status_code == 200
    assert seen == [4]
