"""Operands of one figure come from one filing where it has them; what later filings and checks say of them."""

import pytest

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import (
    Change,
    Concept,
    Metric,
    Share,
)
from tests.agent.numbers.years_of_figures import BEFORE, year
from tests.support.company_filings import END, filing_figures
from tests.support.tables import only, table, years

pytestmark = pytest.mark.django_db


def test_operands_of_two_years_come_from_the_later_filing_and_the_restatement_is_said() -> None:
    first = year(BEFORE, {"Revenues": "1001000000"})
    second = year(END, {"Revenues": "1200000000"}, {"Revenues": "1000000000"}, first.company)
    cell = only(table(first.company, years(2024), Change(of=Concept(key="revenue"), percent=True)))
    assert cell.value == 20
    assert {one.fact.accession for one in cell.operands} == {second.accession}
    assert cell.seams == ()
    assert "Fiscal 2023 total revenue first reported as 1,001,000,000 US dollars." in cell.notes


def test_a_year_that_the_filing_does_not_give_comes_from_its_own_and_marks_the_seam() -> None:
    first = year(BEFORE, {"Revenues": "1000"})
    second = year(END, {"Revenues": "1200"}, of=first.company)
    made = table(first.company, years(2024), Change(of=Concept(key="revenue"), percent=True))
    cell = only(made)
    assert cell.value == 20
    assert cell.formula == "100 * (revenue / revenue:fy2023[FY-1] - 1)"
    assert [one.fact.accession for one in cell.operands] == [second.accession, first.accession]
    assert cell.seams == (first.accession,)
    assert any("fiscal 2023 10-K is used" in note for note in cell.notes)
    assert verify(made) == ()


def test_a_prior_year_that_no_filing_gives_is_a_gap() -> None:
    of = filing_figures({"Revenues": "1200"})
    cell = only(table(of.company, years(2024), Change(of=Concept(key="revenue"), percent=True)))
    assert cell.gap is not None
    assert cell.gap.code is Code.CONCEPT_NOT_REPORTED


def test_an_optional_operand_that_only_the_own_filing_gives_is_not_taken_as_zero() -> None:
    first = year(BEFORE, {"Assets": "1000", "Goodwill": "400", "NetIncomeLoss": "1"})
    second = year(END, {"Assets": "1000", "Goodwill": "400", "NetIncomeLoss": "60"}, {"Assets": "1000"}, first.company)
    cell = only(table(first.company, years(2024), Metric(key="rota")))
    assert cell.value == 10
    assert {one.fact.accession for one in cell.operands} == {first.accession, second.accession}


def test_a_restated_figure_is_given_as_reported_with_what_came_later() -> None:
    first = year(BEFORE, {"Revenues": "1001000000"})
    year(END, {"Revenues": "1200000000"}, {"Revenues": "1000000000"}, first.company)
    cell = only(table(first.company, years(2023), Concept(key="revenue")))
    assert cell.value == 1001000000
    assert [(one.used, one.later.fact.value, one.later.change) for one in cell.restated] == [
        (1001000000, 1000000000, -1000000)
    ]


def test_a_value_that_a_later_filing_gives_a_thousand_times_larger_is_not_believed() -> None:
    first = year(BEFORE, {"Revenues": "1001000"})
    year(END, {"Revenues": "1200000000"}, {"Revenues": "1001000000"}, first.company)
    for measure in (Concept(key="revenue"), Share(part=Concept(key="revenue"), whole=Concept(key="revenue"))):
        cell = only(table(first.company, years(2023), measure))
        assert cell.gap is not None
        assert (cell.gap.code, "scale" in cell.gap.detail) == (Code.CONFLICT, True)


def test_an_operand_that_breaks_a_sum_of_its_filing_blocks_the_metric() -> None:
    of = filing_figures({"Revenues": "1001", "GrossProfit": "452", "CostOfRevenue": "601"})
    cell = only(table(of.company, years(2024), Metric(key="gross_margin")))
    assert cell.gap is not None
    assert cell.gap.code is Code.CONFLICT
    assert "gross profit" in cell.gap.detail.lower()
