"""A fact among what is reported under its tag: over the years, and by other filings for its own period."""

from datetime import date

import pytest
from django.test import Client

from filings.models import Company, Fact
from filings.web.charts import Chart
from filings.web.same_tag_facts import COLUMNS, OTHER_FACTS, same_tag
from tests.support.holdings import annual_fact, annual_report, northwind


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def of(company: Company, raw: str) -> Fact:
    return company.facts.get(raw=raw)


def drawn(chart: Chart | None) -> list[tuple[str, str]]:
    """The columns of a chart: label and words."""
    assert chart is not None
    return [(one.point.label, one.point.text) for one in chart.marks]


def test_a_column_a_year_says_what_the_first_filing_of_it_reports(company: Company) -> None:
    same = same_tag(of(company, "91530000"))
    assert drawn(same.over_years) == [("2023", "79.004"), ("2024", "86.214"), ("2025", "91.53")]
    assert same.unit == "US$ millions"
    assert same.over_years is not None
    assert [one.point.asked for one in same.over_years.marks] == [False, False, True]
    last = same.over_years.marks[-1].point
    assert last.href == same.fact.get_absolute_url()
    assert last.title == "31 Dec 2025: $91.53 million, 10-K filed 20 Feb 2026"


def test_filings_that_differ_on_one_period_stand_beside_each_other_and_are_marked(company: Company) -> None:
    same = same_tag(of(company, "86214000"))
    assert drawn(same.restated) == [("2025", "86.214"), ("2026", "85.702")]
    assert same.restated is not None
    asked, other = (one.point for one in same.restated.marks)
    assert (asked.asked, asked.differs, other.asked, other.differs) == (True, False, False, True)
    assert other.title.endswith("differs")
    # Seen from the later filing, the first is the one that differs.
    later = same_tag(of(company, "85702000")).restated
    assert later is not None
    assert [one.point.differs for one in later.marks] == [True, False]


def test_filings_that_agree_are_counted_and_not_drawn(client: Client, company: Company) -> None:
    annual_fact(company.filings.get(fiscal_year=2024), "Revenues", "79004000", year=2023)
    fact = company.facts.filter(raw="79004000").earliest("filed")
    assert same_tag(fact).restated is None
    page = client.get(fact.get_absolute_url()).content.decode()
    assert "by 2 filings, which agree." in page
    assert page.count("<figure") == 1


def test_a_value_alone_has_no_chart(client: Client, company: Company) -> None:
    fact = annual_fact(company.filings.get(fiscal_year=2025), "ProfitLoss", "1")
    same = same_tag(fact)
    assert (same.over_years, same.restated) == (None, None)
    page = client.get(fact.get_absolute_url()).content.decode()
    assert "<figure" not in page
    assert "In other" not in page


@pytest.mark.parametrize(("year", "first", "last"), [(2025, 2014, 2025), (1990, 1990, 2001), (1965, 1965, 1976)])
def test_of_sixty_years_those_around_the_fact_are_shown(company: Company, year: int, first: int, last: int) -> None:
    filing = annual_report(company, 2022)
    for one in range(1965, 2026):
        annual_fact(filing, "Assets", str(one * 1_000_000), year=one)
    same = same_tag(of(company, str(year * 1_000_000)))
    columns = drawn(same.over_years)
    assert (columns[0][0], columns[-1][0], len(columns)) == (str(first), str(last), COLUMNS)
    assert same.fact in same.listed
    assert len(same.listed) == OTHER_FACTS
    assert {one.point.href for one in same.over_years.marks} <= {one.get_absolute_url() for one in same.listed}  # type: ignore[union-attr]


def test_periods_that_end_in_one_year_are_told_apart_by_their_month(company: Company) -> None:
    filing = company.filings.get(fiscal_year=2025)
    for month in (3, 6):
        annual_fact(filing, "Revenues", str(month), start=date(2025, month, 30), end=date(2025, month, 30), unit="EUR")
    assert [label for label, _ in drawn(same_tag(of(company, "3")).over_years)] == ["Mar 2025", "Jun 2025"]


@pytest.mark.parametrize(
    ("unit", "raws", "words", "heading"),
    [
        ("USD", ("3875393000000", "4002814000000"), ["3,875.393", "4,002.814"], "US$ billions"),
        ("USD", ("52000", "-7"), ["52,000", "\u22127"], "US$"),
        ("shares", ("15116786000", "2"), ["15,116.786", "0.000002"], "Million shares"),
        ("USD/shares", ("6.1", "-0.05"), ["6.10", "\u22120.05"], "US$ per share"),
        ("pure", ("0.241", "0.2"), ["24.1%", "20%"], "%"),
        ("Rate", ("3", "4"), ["3", "4"], "Rate"),
    ],
)
def test_values_are_in_units_that_are_read_easily(
    company: Company, unit: str, raws: tuple[str, str], words: list[str], heading: str
) -> None:
    filing = company.filings.get(fiscal_year=2025)
    facts = [annual_fact(filing, "Goodwill", raw, year=2024 + at, unit=unit) for at, raw in enumerate(raws)]
    same = same_tag(facts[0])
    assert [text for _, text in drawn(same.over_years)] == words
    assert same.unit == heading
