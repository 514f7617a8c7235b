"""What is offered while a question is typed: by address, and as the reader reads what is put in."""

import re
from html import unescape

import pytest
from django.test import Client

from agent.numbers.registry import registry
from agent.query.words.completion import MOST, Completion, Kind, called, completions
from agent.query.words.lexicon import lexicon_of
from agent.registrants.registrant_index import Companies
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.words.tokens import stems
from filings.edgar.registrant_names import everyday_name
from filings.models import Company
from tests.support.sample import Sample


def offered(text: str, caret: int | None = None) -> tuple[Completion, ...]:
    Companies.forget()
    return completions(text, len(text) if caret is None else caret, Companies.current(), registry.load())


def texts(text: str, kind: Kind | None = None) -> list[str]:
    return [one.text for one in offered(text) if kind in {None, one.kind}]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("app", "Apple"),
        ("AAP", "Apple"),
        ("What was micros", "Microsoft"),
        ("Compare Apple and faceb", "Meta"),  # a name that people use
        ("google", "Alphabet"),
        ("procter & g", "Procter & Gamble"),
        ("Apple's gross m", "gross margin"),
        ("What was Apple's R&D sp", "research and development expense"),
        ("Apple sales", "total revenue"),
        ("Apple capex", "capital expenditures"),
        ("Apple net income in fiscal 202", "fiscal 2025"),
        ("Apple net income FY", "FY2025"),
    ],
)
def test_the_words_before_the_caret_are_completed(sample: Sample, typed: str, first: str) -> None:
    found = offered(typed)[0]
    assert found.text == first
    assert typed.endswith(found.typed)


def test_a_name_of_before_finds_the_company_and_says_so(sample: Sample) -> None:
    Company.objects.filter(pk=sample["NVDA"].pk).update(former_names=["Quadrangle Graphics, Inc."])
    (found,) = offered("quadr")
    assert (found.text, found.found_by) == ("NVIDIA", "Quadrangle Graphics, Inc.")


def test_the_years_are_those_held_of_the_company_in_the_text(sample: Sample) -> None:
    filings = sample["ABT"].filings.filter(is_primary=True, facts_stored__gt=0, fiscal_year__gte=2015)
    held = sorted((filing.fiscal_year for filing in filings), reverse=True)
    found = offered("Abbott net income in fiscal ")
    assert [int(one.key) for one in found] == held[:MOST]
    assert found[0].ended == sample.filing("ABT", held[0]).period_end
    # It may be named behind the caret, and of no company there is no end of a year.
    behind = offered("In fiscal 202 what was Abbott's net income?", len("In fiscal 202"))
    assert [one.text for one in behind] == [f"fiscal {year}" for year in held if year >= 2020]
    assert {one.ended for one in offered("fiscal 202")} == {None}


@pytest.mark.parametrize(
    "typed", ["", " ", "a", "what was", "in", "(", "gross margin (", "xyzzyq", "\u00e9\u4e2d\U0001f600"]
)
def test_nothing_is_offered_where_nothing_begins_so(sample: Sample, typed: str) -> None:
    assert offered(typed) == ()


def test_in_the_midst_of_a_word_nothing_is_completed(sample: Sample) -> None:
    assert offered("apple", 3) == ()
    assert offered("app revenue", 3)[0].text == "Apple"


def test_a_company_that_is_not_held_is_offered_only_where_nothing_else_is(sample: Sample) -> None:
    Company.objects.create(cik=9_000_000_001, name="Applebrook, Inc.")
    Company.objects.create(cik=9_000_000_002, name="Zyxware Corp")
    assert "Applebrook" not in texts("appl")
    assert texts("zyxw") == ["Zyxware"]
    Company.objects.filter(pk=sample["AAPL"].pk).update(active=False)
    assert texts("appleb") == ["Applebrook"]


def test_an_everyday_word_is_no_company_that_is_not_held(sample: Sample) -> None:
    Company.objects.create(cik=9_000_000_001, name="Compare Group, Inc.")
    assert texts("compare") == []


def test_what_is_put_in_is_read_as_the_measure_it_was_offered_as() -> None:
    held = registry.load()
    lexicon = lexicon_of(held)
    keys = [*held.concepts, *(key for key, metric in held.metrics.items() if not metric.hidden)]
    read = {key: lexicon.named(stems(called(key, held))) for key in keys}
    assert [
        key for key, named in read.items() if named is None or key not in {one.partition(":")[0] for one in named.keys}
    ] == []


def test_what_is_put_in_is_read_as_the_company_it_was_offered_as(sample: Sample) -> None:
    for company in Company.objects.covered():
        (found,) = [
            one
            for one in offered(everyday_name(company.cik, company.name))
            if one.kind is Kind.COMPANY and one.key == str(company.cik)
        ]
        answer = pipeline.answer(f"{found.text} total assets in the latest year", Deps.current())
        assert [one.cik for one in answer.plan.query.companies] == [company.cik]  # type: ignore[union-attr]


def test_a_list_is_short(sample: Sample) -> None:
    for typed in ("re", "in fiscal ", "net", "op", "ma"):
        assert 0 < len(offered(typed)) <= MOST


# --- by address ---


def listed(client: Client, **asked: object) -> list[tuple[str, ...]]:
    """The options: what is put in, what it takes the place of, its kind, and what it is."""
    response = client.get("/suggest", asked)
    assert response.status_code == 200
    shown = re.findall(
        r'role="option"[^>]* data-text="([^"]*)" data-typed="([^"]*)">\s*<span[^>]*>[^<]*</span>\s*'
        r"<span[^>]*>([^<]*)</span>\s*<span[^>]*>([^<]*)</span>",
        response.content.decode(),
    )
    return [tuple(map(unescape, one)) for one in shown]


def test_an_option_says_what_it_is(client: Client, sample: Sample) -> None:
    assert listed(client, q="app", at=3)[0] == ("Apple", "app", "Company", "AAPL, fiscal 2015 to 2025")
    margin = ("gross margin", "gross m", "Measure", "gross profit \u00f7 total revenue")
    assert listed(client, q="Apple gross m")[0] == margin
    assert ("operating income", "operating inc", "Measure", "US dollars") in listed(client, q="operating inc")
    assert ("total revenue", "net sales", "Measure", "also net sales; US dollars") in listed(client, q="net sales")
    ended = ("FY2024", "FY24", "Fiscal year", "ended 28 September 2024")
    assert listed(client, q="Apple FY24") == [ended]
    Company.objects.create(cik=9_000_000_002, name="Zyxware <b>Corp</b>")
    Companies.forget()
    assert listed(client, q="zyxw")[0][3] == "not loaded"


def test_it_makes_nobody_a_visitor_and_asks_nothing_of_the_quota(client: Client, sample: Sample, settings) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 1, "questions_in_all": 0}}
    for _ in range(3):
        assert listed(client, q="app")
    response = client.get("/suggest", {"q": "app"})
    assert response.cookies == {}
    assert response["Cache-Control"] == "private, max-age=60"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"q": "x" * 2001}, "q: Ensure this value has at most 2000 characters (it has 2001)."),
        ({"q": "x", "at": "2001"}, "at: Ensure this value is less than or equal to 2000."),
        ({"q": "x", "at": "-1"}, "at: Ensure this value is greater than or equal to 0."),
        ({"q": "x", "at": "end"}, "at: Enter a whole number."),
    ],
)
def test_what_is_wrong_is_told_with_its_name_and_its_limit(
    client: Client, db: None, asked: dict[str, str], told: str
) -> None:
    response = client.get("/suggest", asked)
    assert (response.status_code, response.content.decode()) == (400, told)


def test_the_longest_text_is_taken(client: Client, sample: Sample) -> None:
    assert listed(client, q="x " * 998 + "appl")[0][0] == "Apple"
    assert client.get("/suggest", {"q": "x", "at": "2000"}).status_code == 200


def test_only_reading_is_taken(client: Client, db: None) -> None:
    assert client.post("/suggest", {"q": "app"}).status_code == 405
