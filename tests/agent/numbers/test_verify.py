"""A table is believed only while the database says it again, digit by digit."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agent.numbers.verification.verify import verify
from agent.state.query import Change, Concept, Metric, Over, OverYears, Rank, Statement, Threshold
from agent.state.tables import Cell, Result, Table
from filings.models import Fact
from tests.support.company_filings import company, fact, filing, filing_figures
from tests.support.sample import Sample
from tests.support.tables import asked, query, span, table, years

pytestmark = pytest.mark.django_db

GROWTH = Change(of=Concept(key="revenue"), percent=True)


@pytest.fixture
def growth() -> Table:
    of = filing_figures({"Revenues": "1200"})
    fact(of, "Revenues", "1000", end=date(2023, 12, 31))
    made = table(of.company, years(2024), GROWTH, operations=(Threshold(comparison=">", bound=Decimal(10)),))
    assert verify(made) == ()
    return made


def with_cell(made: Table, **update: object) -> Table:
    first, *rest = made.cells
    return made.model_copy(update={"cells": (first.model_copy(update=update), *rest)})


def with_result(made: Table, **update: object) -> Table:
    first, *rest = made.results
    return made.model_copy(update={"results": (first.model_copy(update=update), *rest)})


@pytest.mark.parametrize("year", [2023, 2024])
def test_a_fact_that_has_changed_is_found(growth: Table, year: int) -> None:
    Fact.objects.filter(tag="Revenues", end__year=year, filing__company__cik=9990001).update(value=Decimal(1001))
    problems = verify(growth)
    assert any("differs from the cited" in one for one in problems)
    assert any("is shown where" in one for one in problems)


def test_a_fact_that_is_gone_is_found(growth: Table) -> None:
    Fact.objects.filter(tag="Revenues", end__year=2023, filing__company__cik=9990001).delete()
    assert any("no longer stored" in one for one in verify(growth))


def formula(text: str) -> Callable[[Cell], dict[str, object]]:
    return lambda cell: {"formula": text}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda cell: {"value": cell.value + Decimal("1E-20")},
        formula("100 * (revenue / revenue[FY-1])"),
        formula("100 * (revenue[FY-1] / revenue - 1)"),
        formula("100 * (revenue / revenue[FY-2] - 1)"),
        lambda cell: {"operands": cell.operands[:1]},
        lambda cell: {"operands": tuple(reversed([one.model_copy(update={"name": other.name}) for one, other in zip(cell.operands, reversed(cell.operands), strict=True)]))},
        lambda cell: {"accession": "another"},
        lambda cell: {"cik": cell.cik + 1},
    ],
)  # fmt: skip
def test_a_cell_that_was_tampered_with_is_found(growth: Table, spoil: Callable[[Cell], dict[str, object]]) -> None:
    assert verify(with_cell(growth, **spoil(growth.cells[0])))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda result: {"holds": False},
        lambda result: {"bound": Decimal(30)},
        lambda result: {"comparison": "<"},
        lambda result: {"value": Decimal(21)},
    ],
)
def test_a_bound_that_was_tampered_with_is_found(growth: Table, spoil: Callable[[Result], dict[str, object]]) -> None:
    assert verify(with_result(growth, **spoil(growth.results[0])))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda made: with_cell(made, company="Another"), "the company is not the one asked about"),
        (lambda made: with_cell(made, period_end=date(2024, 9, 30)), "the period does not end on"),
        (lambda made: with_result(made, fiscal_years=(1999,)), "it is of other periods"),
        (lambda made: with_result(made, label="Net income"), "it is of another measure"),
    ],
)
def test_words_beside_a_figure_that_are_not_the_questions_are_found(
    spoil: Callable[[Table], Table], said: str
) -> None:
    parts = filing_figures({"Revenues": "1200"}).company, years(2024), Concept(key="revenue")
    over = (Threshold(comparison=">", bound=Decimal(10)),)
    made, question = table(*parts, operations=over), query(*parts, operations=over)
    assert verify(made, question) == ()
    assert any(said in one for one in verify(spoil(made), question))


def test_an_order_that_was_tampered_with_is_found(sample: Sample) -> None:
    made = table([sample["AAPL"], sample["MSFT"]], years(2023), Concept(key="revenue"), operations=(Rank(),))
    assert verify(made) == ()
    order = made.results[0].order
    assert verify(with_result(made, order=tuple(reversed(order))))
    assert verify(with_result(made, order=(order[0], order[1].model_copy(update={"value": Decimal(1)}))))
    assert verify(with_result(made, order=(order[0], order[1].model_copy(update={"rank": 1}))))
    assert verify(with_result(made, value=order[1].value))


def test_a_result_over_years_is_computed_again(sample: Sample) -> None:
    made = table(sample["AAPL"], span(2019, 2024), Concept(key="revenue"), operations=(OverYears(over=Over.CAGR),))
    assert verify(made) == ()
    value = made.results[0].value
    assert value is not None
    assert verify(with_result(made, value=value + Decimal("1E-20")))


def test_it_survives_being_written_and_read_again(sample: Sample) -> None:
    made = table(sample["AAPL"], span(2022, 2024), Metric(key="roic"), operations=(OverYears(over=Over.AVERAGE),))
    again = Table.model_validate_json(made.model_dump_json())
    assert again == made
    assert verify(again) == ()


def test_all_facts_are_read_in_one_query(sample: Sample) -> None:
    made = table(sample["AAPL"], span(2019, 2024), Metric(key="roa"), Concept(key="revenue"))
    assert len({one.fact for cell in asked(made) for one in cell.facts}) > 20
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert verify(made) == ()
    assert len(queries) == 1


def test_a_whole_statement_is_verified(sample: Sample) -> None:
    made = table(sample["AAPL"], span(2023, 2024), Statement(statement="balance"))
    assert len(made.cells) > 30
    assert verify(made) == ()


def test_many_rows_are_read_in_few_queries(sample: Sample) -> None:
    of = [sample[symbol] for symbol in ("AAPL", "MSFT", "NVDA")]
    few = (Concept(key="revenue"), Concept(key="net_income"), Concept(key="total_assets"))
    with CaptureQueriesContext(connection) as one:
        table(of[:1], span(2020, 2024), *few)
    with CaptureQueriesContext(connection) as three:
        made = table(of, span(2020, 2024), *few)
    assert sum(cell.value is not None for cell in made.cells) > 40
    assert len(three) - len(one) <= 4


def test_other_years_beside_a_figure_are_read_again(sample: Sample) -> None:
    made = table(sample["AAPL"], years(2023), Concept(key="revenue"))
    beside = next(cell for cell in made.cells if not cell.asked and cell.fact)
    assert beside.fact is not None
    Fact.objects.filter(pk=beside.fact.fact).update(value=Decimal(1))
    assert any("is shown where 1 is stored" in one for one in verify(made))


def test_the_parts_beside_a_figure_are_read_again(sample: Sample) -> None:
    made = table(sample["AAPL"], years(2024), Concept(key="total_debt"))
    part = next(one for cell in asked(made) for one in cell.breakdown)
    assert verify(made) == ()
    Fact.objects.filter(pk=part.fact.fact).update(value=Decimal(1))
    assert any("differs from the cited" in one for one in verify(made))


def test_another_companys_facts_are_not_a_cells_own() -> None:
    of, other = company(), company("Northwind Chips", cik=9990010, symbol="NWC")
    for one in (of, other):
        filing_figures({"Revenues": "1200"}, of=filing(of=one))
    made, foreign = (table(one, years(2024), Concept(key="revenue")) for one in (of, other))
    assert verify(with_cell(made, fact=foreign.cells[0].fact))
