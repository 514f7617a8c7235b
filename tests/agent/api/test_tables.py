"""Figures as tables by the API: measures by key, years by number, statements by line; no question, no English."""

from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import Meter, Reservation, User
from agent.numbers.registry import registry
from agent.web.tables import verified_tables
from filings.models import Company, Fact
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

TABLE = "/api/v1/table"
MANY = (
    "revenue",
    "net_income",
    "total_assets",
    "cfo",
    "rnd",
    "eps_diluted",
    "gross_margin",
    "roe",
    "roe:ending",
    "cash",
)


def rows(client: Client, **wanted: str) -> list[dict[str, object]]:
    response = client.get(TABLE, wanted)
    assert response.status_code == 200, response.content
    return response.json()["table"]


def test_a_figure_is_that_of_an_answer_with_its_fact(client: Client, sample: Sample) -> None:
    (row,) = rows(client, companies="AAPL", measures="rnd", years="2024")
    assert (row["value"], row["unit"], row["key"], row["fiscal_year"], row["gap"]) == (
        "31370000000", "USD", "rnd", 2024, None,
    )  # fmt: skip
    (fact,) = row["facts"]
    stored = Fact.objects.select_related("filing").get(pk=fact["fact"])
    assert (str(stored.value), stored.filing.accession) == (row["value"], fact["accession"])


def test_rows_run_by_measure_by_company_by_year(client: Client, sample: Sample) -> None:
    shown = client.get(
        TABLE,
        {"companies": "msft, 320193", "measures": "revenue,gross_margin", "years": "2023-2024", "align": "fiscal"},
    ).json()
    assert [one["symbol"] for one in shown["companies"]] == ["MSFT", "AAPL"]
    assert (shown["years"], shown["results"]) == ("2023-2024", [])
    assert [(one["key"], one["cik"], one["fiscal_year"]) for one in shown["table"] if one["asked"]] == [
        (key, cik, year) for key in ("revenue", "gross_margin") for cik in (789019, 320193) for year in (2023, 2024)
    ]


def test_a_computed_figure_has_its_formula_and_every_fact(client: Client, sample: Sample) -> None:
    (row,) = rows(client, companies="AAPL", measures="gross_margin", years="2024")
    assert row["formula"]
    assert len(row["facts"]) > 1
    assert row["unit"] == "percent"
    assert Decimal(row["value"]) == Decimal(row["value"]).normalize() or "." in row["value"]


@pytest.mark.parametrize(
    ("years", "count"), [("latest", 1), ("", 1), ("last3", 3), ("2024", 1), ("2022,2024", 2), ("2022-2024", 3)]
)
def test_years_are_listed_spanned_or_counted_back(client: Client, sample: Sample, years: str, count: int) -> None:
    wanted = {"companies": "AAPL", "measures": "revenue"} | ({"years": years} if years else {})
    found = [one["fiscal_year"] for one in rows(client, **wanted)]
    assert (len(found), found) == (count, sorted(found))


def test_a_definition_of_a_metric_is_asked_by_name(client: Client, sample: Sample) -> None:
    known = client.get("/api/v1/concepts").json()["metrics"]
    assert [one["key"] for one in known] == sorted(k for k, one in registry.load().metrics.items() if not one.hidden)
    several = next(one for one in known if one["key"] == "roe")["variants"]
    assert len(several) > 1
    for variant in several:
        (row,) = rows(client, companies="AAPL", measures=variant["key"], years="2024")
        assert (row["key"], row["asked"]) == (variant["key"], True)


def test_every_key_that_is_listed_is_taken(alices: Client, sample: Sample) -> None:
    known = alices.get("/api/v1/concepts").json()
    keys = [one["key"] for one in (*known["items"], *known["metrics"])]
    keys += [variant["key"] for one in known["metrics"] for variant in one["variants"]]
    for at in range(0, len(keys), 10):
        for row in rows(alices, companies="AAPL", measures=",".join(keys[at : at + 10]), years="2024"):
            assert (row["value"] is None) is (row["gap"] is not None)


def test_each_measure_is_of_each_part_of_the_one_company(client: Client, sample: Sample) -> None:
    wanted = {"companies": "9999999903", "measures": "revenue,operating_margin", "years": "2024"}
    found = rows(client, **wanted, members="turbines,StatementBusinessSegmentsAxis=GridMember")
    assert [one["measure"] for one in found] == [
        "Total revenue of Turbines", "Total revenue of Grid", "Operating margin of Turbines", "Operating margin of Grid",
    ]  # fmt: skip
    assert found[0]["value"] == "768000000"
    told = {(fact["axis"], fact["member"]) for one in found for fact in one["facts"]}
    assert told == {("Statement Business Segments", name) for name in ("Turbines", "Grid")}
    (whole,) = rows(client, companies="9999999903", measures="revenue", years="2024")
    assert {(fact["axis"], fact["member"]) for fact in whole["facts"]} == {("", "")}


@pytest.mark.parametrize(
    ("measure", "years", "code"),
    [("revenue", "2014", "year_before_2015"), ("revenue", "2090", "future_period")],
)
def test_a_gap_says_its_reason(client: Client, sample: Sample, measure: str, years: str, code: str) -> None:
    (row,) = rows(client, companies="AAPL", measures=measure, years=years)
    assert (row["value"], row["facts"], row["gap"]["code"]) == (None, [], code)


def test_a_company_that_is_closed_to_visitors_is_a_gap(
    client: Client, alices: Client, sample: Sample, settings: Settings
) -> None:
    settings.ANON_TICKERS = ["NVDA"]
    wanted = {"companies": "AAPL,NVDA", "measures": "revenue", "years": "2024"}
    closed, opened = rows(client, **wanted)
    assert (closed["value"], closed["gap"]["code"]) == (None, "sign_in_required")
    assert opened["value"] == "60922000000"
    assert all(one["value"] for one in rows(alices, **wanted))


def test_a_company_without_figures_is_a_gap(alices: Client) -> None:
    Company.objects.create(cik=9_000_000_003, name="Unheard Of Corp")
    (row,) = rows(alices, companies="9000000003", measures="revenue")
    assert row["gap"]["code"] == "company_not_covered"


def test_a_figure_that_is_not_as_stored_is_a_conflict(
    client: Client, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = verified_tables.tabulate

    def altered(query: object, deps: object) -> object:
        made = honest(query, deps)
        first, *others = made.cells
        return made.model_copy(update={"cells": (first.model_copy(update={"value": first.value + 1}), *others)})

    monkeypatch.setattr(verified_tables, "tabulate", altered)
    wrong, right = rows(client, companies="AAPL", measures="revenue", years="2023,2024")
    assert (wrong["value"], wrong["facts"], wrong["gap"]["code"]) == (None, [], "conflict")
    assert (right["value"], right["gap"]) == ("391035000000", None)


@pytest.mark.parametrize(
    ("query", "status", "field", "words"),
    [
        ({"measures": "revenue"}, 422, "companies", ""),
        ({"companies": "AAPL"}, 422, "measures", ""),
        ({"companies": "NOBODY,AAPL", "measures": "revenue"}, 404, "companies", "NOBODY"),
        ({"companies": "AAPL,", "measures": "revenue"}, 422, "companies", ""),
        ({"companies": ",".join(map(str, range(1, 22))), "measures": "revenue"}, 422, "companies", "At most 20"),
        ({"companies": "AAPL", "measures": "phlogiston"}, 404, "measures", "/api/v1/concepts"),
        ({"companies": "AAPL", "measures": "roe:phlogiston"}, 404, "measures", "/api/v1/concepts"),
        ({"companies": "AAPL", "measures": "revenue:ending"}, 404, "measures", "/api/v1/concepts"),
        ({"companies": "AAPL", "measures": "net_income_any"}, 404, "measures", "/api/v1/concepts"),
        ({"companies": "AAPL", "measures": ",".join(f"m{one}" for one in range(11))}, 422, "measures", "At most 10"),
        ({"companies": "9999999903", "measures": "revenue", "members": "Narnia"}, 404, "members", "Turbines; Services; Grid."),
        ({"companies": "AAPL", "measures": "revenue", "members": "iPhone"}, 404, "members", "No parts of it are loaded."),
        ({"companies": "9999999903,AAPL", "measures": "revenue", "members": "Grid"}, 422, "members", "one company"),
        ({"companies": "9999999903", "measures": "revenue", "members": " , "}, 422, "members", ""),
        *(
            ({"companies": "AAPL", "measures": "revenue", "years": years}, 422, "years", "")
            for years in (
                "", "x", "24", "1989", "2101", "2024-2022", "2000-2024", "last0", "last21", "last", "2024,", "2020-",
                "2020-2021,2023", "\u0662\u0660\u0662\u0664", "99999", ",".join(map(str, range(2000, 2021))),
            )
        ),
    ],
)  # fmt: skip
def test_what_names_nothing_is_a_problem(
    client: Client, sample: Sample, query: dict[str, str], status: int, field: str, words: str
) -> None:
    response = client.get(TABLE, query)
    told = response.json()
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    assert told["reason"] == ("not_found" if status == 404 else "invalid")
    (error,) = told["errors"]
    assert error["field"] == field
    assert words in error["message"]
    assert not Reservation.objects.exists()


def test_what_is_held_already_is_not_sent_again(client: Client, sample: Sample) -> None:
    wanted = {"companies": "AAPL", "measures": "revenue", "years": "2024"}
    first = client.get(TABLE, wanted)
    again = client.get(TABLE, wanted, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_counts_as_an_answer(client: Client, sample: Sample, alice: User) -> None:
    client.force_login(alice)
    rows(client, companies="AAPL", measures="revenue", years="2024")
    assert rows(client, companies="AAPL", measures="revenue", years="2014")[0]["gap"]
    meter = Meter.objects.get()
    assert (meter.questions, meter.month_answers, Reservation.objects.filter(state="settled").count()) == (2, 1, 2)


def test_what_fails_holds_nothing(
    client: Client, sample: Sample, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr(verified_tables, "tabulate", broken)
    client.force_login(alice)
    client.raise_request_exception = False
    assert client.get(TABLE, {"companies": "AAPL", "measures": "revenue"}).status_code == 500
    assert (Reservation.objects.get().state, Meter.objects.get().questions) == ("released", 0)


def test_a_great_table_takes_few_queries(alices: Client, sample: Sample, django_assert_max_num_queries) -> None:
    """20 companies, 10 measures, 3 years."""
    held = list(Company.objects.covered().values_list("cik", flat=True))
    made = [
        Company.objects.create(cik=9_000_000_100 + one, name=f"Unheard Of {one}").cik for one in range(20 - len(held))
    ]
    wanted = {"companies": ",".join(map(str, [*held, *made])), "measures": ",".join(MANY), "years": "2022-2024"}
    with django_assert_max_num_queries(150):
        found = rows(alices, **wanted)
    # Of a company without filings there is one gap a measure, and no year.
    assert len([one for one in found if one["asked"]]) == 30 * len(held) + 10 * len(made)
    assert all((one["value"] is None) is (one["gap"] is not None) for one in found)


def test_parts_of_years_are_asked_in_place_of_years(client: Client, sample: Sample) -> None:
    found = rows(client, companies="AAPL", measures="revenue", periods="2024Q3-2025Q1")
    assert [(one["fiscal_year"], one["fiscal_period"], one["value"]) for one in found if one["asked"]] == [
        (2024, "Q3", "85777000000"),
        (2024, "Q4", "94930000000"),
        (2025, "Q1", "124300000000"),
    ]
    several = rows(client, companies="AAPL", measures="revenue", periods="2024H1,20249M")
    assert [one["fiscal_period"] for one in several] == ["H1", "9M"]
    (trailing,) = rows(client, companies="AAPL", measures="revenue", periods="ttm")
    assert trailing["fiscal_period"].startswith(("TTM", "FY"))
    assert len(rows(client, companies="AAPL", measures="revenue", periods="last8")) == 8


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"periods": "2024"}, "Give quarters as"),
        ({"periods": "2024Q5"}, "Give quarters as"),
        ({"periods": "2024Q1-2024H1"}, "A span needs two quarters"),
        ({"periods": "2025Q1-2024Q1"}, "A span needs two quarters"),
        ({"periods": "2015Q1-2025Q4"}, "At most 20"),
        ({"periods": "2024Q1", "years": "2024"}, "Give either"),
        ({"periods": "x" * 300}, "200"),
    ],
)
def test_periods_that_are_none_are_told(client: Client, sample: Sample, wanted: dict[str, str], said: str) -> None:
    response = client.get(TABLE, {"companies": "AAPL", "measures": "revenue", **wanted})
    assert response.status_code == 422
    assert said in response.content.decode()


def test_years_that_end_apart_are_aligned_by_calendar_unless_it_asks_otherwise(client: Client, sample: Sample) -> None:
    wanted = {"companies": "AAPL,MSFT", "measures": "revenue", "years": "2024"}
    shown = client.get(TABLE, wanted).json()
    assert shown["aligned"] == "calendar"
    assert [(one["column"], one["fiscal_year"]) for one in shown["table"]] == [("CY2024", 2024), ("CY2024", 2025)]
    shown = client.get(TABLE, {**wanted, "align": "fiscal"}).json()
    assert shown["aligned"] == "fiscal"
    assert [(one["column"], one["fiscal_year"]) for one in shown["table"]] == [("FY2024", 2024), ("FY2024", 2024)]
    assert client.get(TABLE, {**wanted, "align": "mine"}).status_code == 422
