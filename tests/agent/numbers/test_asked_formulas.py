"""Formulas that questions give, computed over filings: each operand is a stored fact, and the same Decimal code checks them."""

from decimal import Decimal

import pytest

from agent.numbers.tables.table import tabulate
from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import Concept, Formula, Operand, Query
from agent.state.tables import Table
from tests.agent.numbers.years_of_figures import operands, year
from tests.agent.query.conftest import query_of
from tests.support.company_filings import END, company
from tests.support.sample import Sample
from tests.support.tables import Deps, only, table, years

pytestmark = pytest.mark.django_db


def answered(question: str) -> Table:
    """The table of a question that is read whole; every value in it is computed again from what is stored."""
    found = query_of(question)
    assert isinstance(found, Query)
    assert not found.is_nearest
    made = tabulate(found, Deps())
    assert verify(made) == ()
    return made


def figure(measure: str, fiscal_year: int) -> Decimal:
    """A figure of AMD as its table gives it."""
    return value(f"AMD {measure} FY{fiscal_year}")


def value(question: str) -> Decimal:
    made = answered(question)
    held = [one.value for one in made.results] or [one.value for one in made.asserted]
    (found,) = held
    assert found is not None
    return found


def near(expected: Decimal) -> object:
    """Equal to 20 digits: a quotient has no end."""
    return pytest.approx(expected, rel=Decimal("1e-20"))


# --- arithmetic over one table ---


def test_a_sum_of_rows(sample: Sample) -> None:
    said = value("AMD FY2023: sum of R&D, SG&A and cost of sales")
    assert said == figure("R&D", 2023) + figure("SG&A", 2023) + figure("cost of sales", 2023)


def test_a_difference_of_two_years(sample: Sample) -> None:
    assert value("AMD inventory FY2023 minus inventory FY2022") == figure("inventory", 2023) - figure(
        "inventory", 2022
    )


def test_a_percent_change(sample: Sample) -> None:
    said = value("What was the percentage change in AMD's revenue from FY2022 to FY2023?")
    assert said == near(100 * (figure("revenue", 2023) / figure("revenue", 2022) - 1))


def test_an_average_over_years(sample: Sample) -> None:
    said = value("What was the average of AMD's R&D from FY2021 to FY2023?")
    assert said == near((figure("R&D", 2021) + figure("R&D", 2022) + figure("R&D", 2023)) / 3)


def test_a_share_of_a_total(sample: Sample) -> None:
    said = value("AMD goodwill as % of total assets FY2023")
    assert said == near(100 * figure("goodwill", 2023) / figure("total assets", 2023))


def test_the_quotient_of_a_balance_and_a_flow_is_computed_where_it_is_written(sample: Sample) -> None:
    assert value("AMD FY2023 inventory / revenue") == near(100 * figure("inventory", 2023) / figure("revenue", 2023))


def test_a_share_of_a_sum(sample: Sample) -> None:
    said = value("AMD FY2023 R&D / (R&D + SG&A), in percent")
    assert said == near(100 * figure("R&D", 2023) / (figure("R&D", 2023) + figure("SG&A", 2023)))


def test_an_average_balance_beside_a_flow(sample: Sample) -> None:
    said = value("AMD FY2023 R&D / average inventory between FY2022 and FY2023")
    assert said == near(2 * figure("R&D", 2023) / (figure("inventory", 2023) + figure("inventory", 2022)))


# --- what an answer holds of a formula ---


def test_a_definition_is_answered_with_its_formula_and_each_fact(sample: Sample) -> None:
    made = answered("What was AMD's zeta ratio in FY2023, defined as (R&D + change in inventory) / revenue?")
    (cell,) = made.asserted
    assert (cell.label, cell.reading) == ("Zeta ratio", "(R&D + change in inventory) / revenue")
    assert (cell.unit, cell.formula) == ("ratio", "(rnd + d(inventory)) / revenue")
    assert set(operands(cell)) == {"rnd", "inventory", "inventory[FY-1]", "revenue"}


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        ("rnd / revenue", "ratio"),
        ("100 * rnd / revenue", "percent"),
        ("365 * inventory / revenue", "days"),
        ("revenue / 365", "USD"),
        ("rnd + revenue", "USD"),
    ],
)
def test_its_unit_follows_from_its_operands(expression: str, unit: str) -> None:
    of = company()
    year(END, {"Revenues": "200", "ResearchAndDevelopmentExpense": "50", "InventoryNet": "20"}, of=of)
    cell = only(table(of, years(END.year), asked(expression)))
    assert cell.unit == unit
    assert cell.value is not None


@pytest.mark.parametrize("expression", ["revenue * rnd", "revenue + 1"])
def test_what_has_no_unit_has_no_figure(expression: str) -> None:
    of = company()
    year(END, {"Revenues": "200", "ResearchAndDevelopmentExpense": "50"}, of=of)
    assert only(table(of, years(END.year), asked(expression))).value is None


def test_what_is_divided_by_nothing_is_not_meaningful() -> None:
    of = company()
    year(END, {"Revenues": "0", "ResearchAndDevelopmentExpense": "50"}, of=of)
    gap = only(table(of, years(END.year), asked("rnd / revenue"))).gap
    assert gap is not None
    assert gap.code is Code.NOT_MEANINGFUL


def test_the_figure_is_rounded_as_asked_and_kept_exactly(sample: Sample) -> None:
    made = answered("AMD FY2023 R&D / (R&D + SG&A). Round your answer to three decimal places.")
    (cell,) = made.asserted
    assert cell.value is not None
    assert f"Rounded as asked: {round(cell.value, 3)}x." in made.notes
    assert cell.value != round(cell.value, 3)


def asked(expression: str) -> Formula:
    """A formula over registry concepts."""
    names = [name for name in ("revenue", "rnd", "inventory") if name in expression]
    return Formula(
        text=expression,
        expression=expression,
        operands=tuple(Operand(name=name, of=Concept(key=name)) for name in names),
    )
