"""Facts by the API: the one that answers a measure, chosen as an answer's is; and facts as filed."""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.identity import Identity
from accounts.models import Meter, Reservation, User
from agent.numbers.registry import registry
from agent.steps import pipeline
from agent.web.api.facts import measured
from filings.models import Company, Fact
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

ANSWER = "/api/v1/facts/answer"


@pytest.mark.parametrize(
    ("company", "concept", "year", "value"),
    [
        ("AAPL", "rnd", 2024, "31370000000"),
        ("AAPL", "R&D", 2024, "31370000000"),
        ("NVDA", "revenue", 2024, "60922000000"),  # year ended 28 January 2024
        ("320193", "Research and development expense", 2024, "31370000000"),
    ],
)
def test_it_is_the_figure_that_an_answer_gives(
    client: Client, sample: Sample, company: str, concept: str, year: int, value: str
) -> None:
    shown = client.get(ANSWER, {"company": company, "concept": concept, "fiscal_year": year}).json()
    assert (shown["refused"], [one["value"] for one in shown["values"]]) == (False, [value])
    fact = client.get(f"/api/v1/facts/{shown['values'][0]['fact']['id']}").json()
    assert (fact["value"], fact["accession"]) == (value, shown["values"][0]["accession"])


def test_a_year_is_never_taken_for_none(alice: User, sample: Sample) -> None:
    shown = measured(Identity(user=alice), "AAPL", "revenue", 0)
    assert (shown.fiscal_year, shown.refused, shown.values) == (0, True, [])


def test_without_a_year_it_is_of_the_newest_filing(client: Client, sample: Sample) -> None:
    shown = client.get(ANSWER, {"company": "AAPL", "concept": "revenue"}).json()
    newest = sample["AAPL"].filings.primary().order_by("-period_end").first()
    assert (shown["fiscal_year"], shown["values"][0]["accession"]) == (None, newest.accession)


@pytest.mark.parametrize(
    ("company", "concept", "year", "code", "stage"),
    [
        ("JPM", "gross_profit", 2024, "not_meaningful", "locate"),
        ("AAPL", "revenue", 2014, "year_before_2015", "fetch"),
        ("AAPL", "revenue", 2090, "future_period", "fetch"),
    ],
)
def test_a_refusal_is_typed(
    client: Client, sample: Sample, company: str, concept: str, year: int, code: str, stage: str
) -> None:
    response = client.get(ANSWER, {"company": company, "concept": concept, "fiscal_year": year})
    assert response.status_code == 200
    shown = response.json()
    assert (shown["refused"], shown["values"]) == (True, [])
    assert (shown["refusal"]["code"], shown["refusal"]["stage"]) == (code, stage)


def test_a_company_without_figures_is_refused(client: Client, alices: Client) -> None:
    Company.objects.create(cik=9_000_000_003, name="Unheard Of Corp")
    query = {"company": "9000000003", "concept": "revenue"}
    assert alices.get(ANSWER, query).json()["refusal"]["code"] == "company_not_covered"


def test_without_an_account_only_open_companies_are_answered(
    client: Client, alices: Client, sample: Sample, settings
) -> None:
    settings.ANON_TICKERS = ["NVDA"]
    query = {"company": "AAPL", "concept": "rnd", "fiscal_year": 2024}
    assert client.get(ANSWER, query).json()["refusal"]["code"] == "sign_in_required"
    assert not alices.get(ANSWER, query).json()["refused"]


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ({"company": "AAPL"}, 422, "invalid"),
        *(
            ({"company": "AAPL", "concept": "revenue", "fiscal_year": year}, 422, "invalid")
            for year in ("x", "0", "1989", "2101", "99999")
        ),
        ({"company": "NOBODY", "concept": "revenue"}, 404, "not_found"),
        ({"company": "AAPL", "concept": "phlogiston"}, 404, "not_found"),
    ],
)
def test_what_names_nothing_is_a_problem(
    client: Client, sample: Sample, query: dict[str, str], status: int, reason: str
) -> None:
    response = client.get(ANSWER, query)
    assert (response.status_code, response.json()["reason"]) == (status, reason)


@pytest.mark.parametrize(
    "path",
    ["/facts/answer?company=AAPL&concept=revenue&", "/filings?", "/runs?", "/companies?", "/facts?company=AAPL&"],
)
def test_a_parameter_that_is_not_known_is_told_and_not_left_out(client: Client, sample: Sample, path: str) -> None:
    response = client.get(f"/api/v1{path}year=2019")
    (error,) = response.json()["errors"]
    assert (response.status_code, error["field"]) == (422, "year")
    assert error["message"].startswith("Unknown parameter. This address takes: ")


def test_it_counts_as_one_of_all_questions_of_an_address(client: Client, sample: Sample, settings: Settings) -> None:
    settings.PLANS = {"anon": {"questions_in_all": 2}}
    wanted = {"company": "AAPL", "concept": "revenue", "fiscal_year": 2024}
    assert [client.get(ANSWER, wanted)["RateLimit"] for _ in range(2)] == [
        '"questions_in_all";r=1',
        '"questions_in_all";r=0',
    ]
    told = client.get(ANSWER, wanted).json()
    assert (told["reason"], told["auth_required"], told["limit"]["used"]) == ("questions_used_up", True, 2)
    assert client.post("/api/v1/ask", {"question": "x"}, content_type="application/json").status_code == 429


def test_it_counts_as_an_answer_of_the_month_with_its_tokens(
    client: Client, sample: Sample, alice: User, settings: Settings
) -> None:
    settings.PLANS = {"user": {"answers_per_month": 2}}
    client.force_login(alice)
    wanted = {"company": "AAPL", "concept": "revenue", "fiscal_year": 2024}
    assert client.get(ANSWER, wanted).status_code == 200
    # What is refused is none.
    assert client.get(ANSWER, {**wanted, "fiscal_year": 1990}).json()["refused"]
    meter = Meter.objects.get()
    assert (meter.questions, meter.month_answers, Reservation.objects.filter(state="settled").count()) == (2, 1, 2)
    assert 50 < meter.tokens < 600
    assert client.get(ANSWER, wanted).status_code == 200
    told = client.get(ANSWER, wanted).json()
    assert (told["reason"], told["limit"]["used"]) == ("month_used_up", 2)


def test_what_fails_holds_nothing(
    client: Client, sample: Sample, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr(pipeline, "advanced", broken)
    client.force_login(alice)
    client.raise_request_exception = False
    assert client.get(ANSWER, {"company": "AAPL", "concept": "revenue"}).status_code == 500
    assert (Reservation.objects.get().state, Meter.objects.get().questions) == ("released", 0)


def test_it_counts_among_the_requests_of_its_minute_and_holds_nothing(
    client: Client, sample: Sample, settings: Settings
) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 2, "questions_in_all": 3, "unfinished_runs": 1}}
    wanted = {"company": "AAPL", "concept": "revenue", "fiscal_year": 2024}
    # What names nothing is not counted.
    assert client.get(ANSWER, {**wanted, "company": "NOBODY"}).status_code == 404
    assert client.get(ANSWER, wanted)["RateLimit"].startswith('"requests_per_minute";r=1, "questions_in_all";r=2')
    assert client.get(ANSWER, wanted).status_code == 200
    refused = client.get(ANSWER, wanted)
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 0 < int(refused["Retry-After"]) <= 60
    told = refused.json()
    assert (told["reason"], told["auth_required"], told["limit"]["used"]) == ("too_many_questions", True, 2)
    assert Reservation.objects.count() == 2
    assert "sessionid" not in client.cookies


def test_it_costs_the_same_of_any_company(
    client: Client, sample: Sample, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    def ask(company: str) -> None:
        assert not client.get(ANSWER, {"company": company, "concept": "net_income", "fiscal_year": 2024}).json()[
            "refused"
        ]

    ask("NVDA")  # the first one makes the row that requests are counted by
    with django_assert_max_num_queries(37) as few:
        ask("AAPL")
    with django_assert_num_queries(len(few)):
        ask("MSFT")


# --- as filed ---


def test_all_facts_of_an_accession(client: Client, sample: Sample) -> None:
    filing = sample.filing("AAPL", 2024)
    shown = client.get("/api/v1/facts", {"accession": filing.accession, "size": 100}).json()
    assert shown["total"] == Fact.objects.filter(filing=filing, dimensions="").count()
    assert {one["accession"] for one in shown["items"]} == {filing.accession}


def test_a_tag_of_a_company_in_all_its_filings(client: Client, sample: Sample) -> None:
    query = {"company": "AAPL", "tag": "us-gaap:ResearchAndDevelopmentExpense", "size": 100}
    shown = client.get("/api/v1/facts", query).json()
    assert {one["tag"] for one in shown["items"]} == {query["tag"]}
    assert len({one["accession"] for one in shown["items"]}) > 1
    ends = [one["end"] for one in shown["items"]]
    assert ends == sorted(ends, reverse=True)


@pytest.mark.parametrize(
    "query", [{}, {"company": "AAPL"}, {"tag": "us-gaap:Assets"}, {"accession": "1"}, {"tag": "x"}]
)
def test_a_list_of_facts_needs_an_accession_or_a_tag_of_a_company(
    client: Client, sample: Sample, query: dict[str, str]
) -> None:
    assert client.get("/api/v1/facts", query).status_code == 422


@pytest.mark.parametrize("number", ["0", "999999999", "99999999999999999999999"])
def test_a_fact_that_is_not_there_is_not_found(client: Client, sample: Sample, number: str) -> None:
    assert client.get(f"/api/v1/facts/{number}").status_code == 404


def test_concepts_are_those_of_the_registry(client: Client, db: None) -> None:
    shown = client.get("/api/v1/concepts").json()["items"]
    assert [one["key"] for one in shown] == sorted(registry.load().concepts)
    rnd = next(one for one in shown if one["key"] == "rnd")
    assert (rnd["unit"], rnd["period"], rnd["tags"][0]) == (
        "USD",
        "duration",
        "us-gaap:ResearchAndDevelopmentExpense",
    )


def test_a_fact_of_a_part_names_it_in_words(client: Client, sample: Sample) -> None:
    fact = Fact.objects.filter(dimensions="StatementBusinessSegmentsAxis=TurbinesMember", tag="Revenues").first()
    assert fact is not None
    shown = client.get(f"/api/v1/facts/{fact.pk}").json()
    assert (shown["axis"], shown["member"], shown["dimensions"]) == (
        "Statement Business Segments", "Turbines", fact.dimensions,
    )  # fmt: skip
    whole = Fact.objects.filter(dimensions="", filing=fact.filing).first()
    assert whole is not None
    shown = client.get(f"/api/v1/facts/{whole.pk}").json()
    assert (shown["axis"], shown["member"], shown["dimensions"]) == ("", "", "")
