"""Which values a filing holds for tags, unit and period, and where on its face."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from filings.models import Company, Fact, Filing, Statement, StatementKind
from filings.xbrl import facts
from filings.xbrl.facts import PeriodWanted
from filings.xbrl.stored_faces import FaceLine, faces
from filings.xbrl.stored_faces import face as face_of
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

CIK = 9_999_999_951


@pytest.fixture
def company() -> Company:
    return Company.objects.create(cik=CIK, name="Northwind Lanterns")


@pytest.fixture
def filing(company: Company) -> Filing:
    return report(company, 2024)


def report(company: Company, year: int, **told: Any) -> Filing:
    """The 10-K of a calendar year."""
    return Filing.objects.create(
        company=company,
        **{
            "accession": f"{CIK}-{(year + 1) % 100:02d}-000007",
            "form": "10-K",
            "filed": date(year + 1, 2, 20),
            "period_end": date(year, 12, 31),
            "fiscal_year": year,
            "is_primary": True,
            **told,
        },
    )


def put(filing: Filing, name: str, raw: str, start: date, end: date | None = None, **told: Any) -> Fact:
    """A stored fact; an instant has no `end`."""
    taxonomy, _, tag = name.partition(":")
    return Fact.objects.create(
        company=filing.company,
        filing=filing,
        **{
            "source": Fact.Source.COMPANYFACTS,
            "taxonomy": taxonomy,
            "tag": tag,
            "unit": "USD",
            "start": start,
            "end": end or start,
            "raw": raw,
            "value": Decimal(raw),
            "form": filing.form,
            "filed": filing.filed,
            **told,
        },
    )


def year(filing: Filing, name: str, raw: str, of: int = 2024, **told: Any) -> Fact:
    return put(filing, name, raw, date(of, 1, 1), date(of, 12, 31), **told)


def raws(values: list[facts.Value]) -> list[str]:
    return [value.fact.raw for value in values]


def test_a_flow_is_the_fiscal_year_that_ends_with_the_period_of_the_report(filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "1000")
    year(filing, "us-gaap:Revenues", "900", of=2023)
    put(filing, "us-gaap:Revenues", "270", date(2024, 10, 1), date(2024, 12, 31))
    put(filing, "us-gaap:Revenues", "760", date(2024, 4, 1), date(2024, 12, 31))
    assert raws(facts.held(filing, ["us-gaap:Revenues"])) == ["1000"]


@pytest.mark.parametrize(
    ("start", "kept"), [(date(2024, 1, 15), True), (date(2023, 12, 18), True), (date(2024, 2, 1), False)]
)
def test_a_year_has_350_to_380_days(filing: Filing, start: date, kept: bool) -> None:
    put(filing, "us-gaap:Revenues", "1000", start, date(2024, 12, 31))
    assert raws(facts.held(filing, ["us-gaap:Revenues"])) == (["1000"] if kept else [])


def test_a_balance_is_the_instant_at_the_period_end(filing: Filing) -> None:
    put(filing, "us-gaap:Assets", "800", date(2024, 12, 31))
    put(filing, "us-gaap:Assets", "720", date(2023, 12, 31))
    year(filing, "us-gaap:Assets", "1")
    assert raws(facts.held(filing, ["us-gaap:Assets"], period=PeriodWanted.INSTANT)) == ["800"]


def test_values_come_in_the_order_of_the_names_and_each_name_once(filing: Filing) -> None:
    for name, raw in (("us-gaap:A", "1"), ("us-gaap:B", "2"), ("us-gaap:C", "3")):
        year(filing, name, raw)
    assert raws(facts.held(filing, ["us-gaap:C", "us-gaap:A", "us-gaap:C", "us-gaap:Missing"])) == ["3", "1"]


def test_the_taxonomy_is_part_of_the_name(filing: Filing) -> None:
    year(filing, "nwl:Revenues", "1000")
    assert facts.held(filing, ["us-gaap:Revenues"]) == []


def test_another_unit_is_no_answer(filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "1000", unit="EUR")
    assert facts.held(filing, ["us-gaap:Revenues"], unit="USD") == []
    assert raws(facts.held(filing, ["us-gaap:Revenues"])) == ["1000"]


def test_another_filing_of_the_company_is_never_read(company: Company, filing: Filing) -> None:
    year(report(company, 2025), "us-gaap:Revenues", "1001")
    assert facts.held(filing, ["us-gaap:Revenues"]) == []


def test_facts_with_dimensions_are_no_answer(filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "700", dimensions="srt:ProductOrServiceAxis=nwl:LampsMember")
    assert facts.held(filing, ["us-gaap:Revenues"]) == []


def test_the_cover_count_is_dated_after_the_year_and_the_newest_comes_first(filing: Filing) -> None:
    name = "dei:EntityCommonStockSharesOutstanding"
    for raw, day in (
        ("1", date(2024, 6, 28)),
        ("2", date(2025, 1, 31)),
        ("3", date(2025, 2, 7)),
        ("4", date(2025, 3, 1)),
    ):
        put(filing, name, raw, day, unit="shares")
    assert raws(facts.held(filing, [name], unit="shares", period=PeriodWanted.COVER)) == ["3", "2"]


def test_only_cover_facts_answer_for_the_cover(filing: Filing) -> None:
    put(filing, "us-gaap:SharesOutstanding", "5", date(2025, 2, 7), unit="shares")
    assert facts.held(filing, ["us-gaap:SharesOutstanding"], period=PeriodWanted.COVER) == []


def test_the_public_float_is_dated_within_the_fiscal_year(filing: Filing) -> None:
    for raw, day in (("8", date(2023, 6, 30)), ("9", date(2024, 6, 28)), ("10", date(2025, 2, 7))):
        put(filing, "dei:EntityPublicFloat", raw, day)
    assert raws(facts.held(filing, ["dei:EntityPublicFloat"], period=PeriodWanted.SECOND_QUARTER)) == ["9"]


def test_the_year_before_is_read_from_the_same_filing(company: Company, filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "905", of=2023)
    year(filing, "us-gaap:Revenues", "800", of=2022)
    put(filing, "us-gaap:Assets", "720", date(2023, 12, 31))
    year(report(company, 2023), "us-gaap:Revenues", "900", of=2023)
    assert raws(facts.held(filing, ["us-gaap:Revenues"], period=PeriodWanted.PRIOR_ANNUAL)) == ["905"]
    assert raws(facts.held(filing, ["us-gaap:Assets"], period=PeriodWanted.PRIOR_INSTANT)) == ["720"]


def test_the_balance_a_year_before_is_that_at_the_end_of_the_year_before(filing: Filing) -> None:
    for name in ("us-gaap:Revenues", "us-gaap:NetIncomeLoss"):
        year(filing, name, "900", of=2023)
    put(filing, "us-gaap:Assets", "720", date(2023, 12, 31))
    for name in ("us-gaap:Assets", "us-gaap:Liabilities", "us-gaap:Goodwill", "us-gaap:Deposits"):
        put(filing, name, "721", date(2024, 1, 1))
    assert raws(facts.held(filing, ["us-gaap:Assets"], period=PeriodWanted.PRIOR_INSTANT)) == ["720"]


def test_a_filing_without_a_period_holds_no_values(company: Company) -> None:
    transition = report(company, 2024, period_end=None, is_primary=False)
    year(transition, "us-gaap:Revenues", "1000")
    for period in PeriodWanted:
        assert facts.held(transition, ["us-gaap:Revenues"], period=period) == []


def test_twins_of_two_sources_are_one_value_cited_from_the_document(filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "1000")
    year(filing, "us-gaap:Revenues", "1000", source=Fact.Source.DOCUMENT, statement="income", order=3, label="Sales")
    (value,) = facts.held(filing, ["us-gaap:Revenues"])
    assert (value.fact.label, value.sources, value.unequal) == ("Sales", ("document", "companyfacts"), False)


def test_unequal_twins_are_reported(filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "1001", source=Fact.Source.DOCUMENT)
    year(filing, "us-gaap:Revenues", "1000")
    (value,) = facts.held(filing, ["us-gaap:Revenues"])
    assert value.unequal
    assert (value.value, value.twin and value.twin.value) == (Decimal(1001), Decimal(1000))


def test_a_value_of_one_source_has_no_twin(filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "1000")
    (value,) = facts.held(filing, ["us-gaap:Revenues"])
    assert (value.twin, value.sources, value.unequal) == (None, ("companyfacts",), False)


def test_all_questions_about_one_year_cost_one_query(
    filing: Filing, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    year(filing, "us-gaap:Revenues", "1000")
    put(filing, "us-gaap:Assets", "800", date(2024, 12, 31))
    put(filing, "dei:EntityPublicFloat", "9", date(2024, 6, 28))
    with django_assert_num_queries(1):
        (value,) = facts.held(filing, ["us-gaap:Revenues"])
        assert facts.held(filing, ["us-gaap:Assets"], period=PeriodWanted.INSTANT)
        assert facts.held(filing, ["dei:EntityPublicFloat"], period=PeriodWanted.SECOND_QUARTER)
        assert not facts.held(filing, ["dei:EntityPublicFloat"], period=PeriodWanted.COVER)
        assert facts.held_names(filing) == ("us-gaap:Revenues",)
        assert value.fact.filing.company == filing.company


LINES = [
    {"order": 1, "tag": "us-gaap:Revenues", "label": "Sales", "dimensional": True},
    {"order": 2, "tag": "us-gaap:GrossProfit", "label": "Margin", "heading": "Profit:"},
    {"order": 3, "tag": "us-gaap:NetIncomeLoss", "label": "Net income"},
    {"order": 3, "tag": "us-gaap:IncomeTaxExpenseBenefit", "label": "Net income", "aside": True},
    {"order": 4, "tag": "us-gaap:NetIncomeLoss", "label": "Net income again"},
]


def put_face(filing: Filing) -> None:
    Statement.objects.create(filing=filing, kind="income", basis="inline", title="Statements of income", lines=LINES)


def test_a_face_has_its_title_and_lines(filing: Filing) -> None:
    put_face(filing)
    face = face_of(filing, "income")
    assert face is not None
    assert (face.title, face.basis) == ("Statements of income", "inline")
    assert face.lines[0] == FaceLine(2, "us-gaap:GrossProfit", "Margin", heading="Profit:")
    assert face.names == ("us-gaap:GrossProfit", "us-gaap:NetIncomeLoss", "us-gaap:IncomeTaxExpenseBenefit")
    assert [line.label for line in face.lines_of("us-gaap:NetIncomeLoss")] == ["Net income", "Net income again"]
    assert [line.aside for line in face.lines_of("us-gaap:IncomeTaxExpenseBenefit")] == [True]


def test_a_line_by_product_only_is_on_the_face_apart_from_the_others(filing: Filing) -> None:
    put_face(filing)
    face = faces(filing)[StatementKind.INCOME]
    assert "us-gaap:Revenues" not in face
    assert [line.name for line in face.dimensional] == ["us-gaap:Revenues"]


def test_an_unknown_face_is_none(filing: Filing) -> None:
    assert face_of(filing, "balance") is None


def test_later_values_are_those_of_later_reports_and_amendments_for_the_same_period(
    company: Company, filing: Filing
) -> None:
    fact = year(filing, "us-gaap:Revenues", "1000")
    after, amended = report(company, 2025), report(company, 2026, form="10-K/A", is_primary=False)
    last = report(company, 2027)
    year(last, "us-gaap:Revenues", "1003")
    year(after, "us-gaap:Revenues", "1002")
    year(after, "us-gaap:Revenues", "1002", source=Fact.Source.DOCUMENT)
    year(after, "us-gaap:Revenues", "1100", of=2025)
    year(amended, "us-gaap:Revenues", "5")
    year(report(company, 2023), "us-gaap:Revenues", "7")
    assert raws(facts.later_values(fact)) == ["1002", "5", "1003"]
    assert facts.later_values(fact)[0].sources == ("document", "companyfacts")


def test_a_value_known_from_two_sources_counts_once(filing: Filing) -> None:
    year(filing, "us-gaap:Revenues", "1000")
    year(filing, "us-gaap:Revenues", "1000", source=Fact.Source.DOCUMENT)
    year(filing, "us-gaap:Revenues", "900", of=2023)
    put(filing, "us-gaap:Assets", "800", date(2024, 12, 31))
    assert facts.count(filing) == 3


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("6.10", "6.1"),
        ("100", "100"),
        ("-0.500", "-0.5"),
        ("1234567890123456789012345678.123456789012", None),
        ("0", "0"),
    ],
)
def test_a_value_is_read_back_with_its_digits_and_no_other(sample: Sample, raw: str, kept: str | None) -> None:
    fact = Fact.objects.all()[0]
    Fact.objects.filter(pk=fact.pk).update(value=Decimal(raw))
    fact.refresh_from_db()
    assert format(fact.value, "f") == (kept or raw)
