"""Comparisons of a judgement: computed again from the table, and never of figures that cannot be compared."""

from decimal import Decimal
from typing import Any

import pytest

from agent.numbers.tables.reasons import cell_of, is_so, sentence, term_of
from agent.state import Cell, Table
from agent.state.judgement import Reason
from tests.support import answers


def cell(value: str, year: int = 2024, unit: str = "percent", row: int = 0, **changes: Any) -> Cell:
    made = {"value": Decimal(value), "unit": unit, "fiscal_year": year, "row": row, "fact": None, "restated": ()}
    return answers.cell(**{**made, "label": f"Margin {row}", "measure": f"margin_{row}", **changes})


MARGINS = (cell("22.4", 2022), cell("22.5", 2023), cell("21.4", 2024))
AMOUNT = cell("21.4", unit="USD", row=1)
TABLE = Table(cells=(*MARGINS, AMOUNT))


def reason(first: Cell, relation: str, other: Cell | None = None, **fields: Any) -> Reason:
    told = {"figure": term_of(first), "relation": relation, "other": term_of(other) if other else None, **fields}
    return Reason.model_validate(told)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (reason(MARGINS[1], "higher than", MARGINS[0]), True),
        (reason(MARGINS[1], "lower than", MARGINS[0]), False),
        (reason(MARGINS[1], "about equal to", MARGINS[0], within=1), True),
        (reason(MARGINS[2], "about equal to", MARGINS[1], within=1), False),
        (reason(MARGINS[1], "about equal to", MARGINS[0]), False),
        (reason(MARGINS[2], "higher than", AMOUNT), False),
        (reason(MARGINS[2], "higher than", MARGINS[2]), False),
        (reason(MARGINS[2], "above", bound=Decimal(20)), True),
        (reason(MARGINS[2], "below", bound=Decimal(20)), False),
        (reason(AMOUNT, "above", bound=Decimal(20)), False),
        (reason(AMOUNT, "positive"), True),
        (reason(AMOUNT, "negative"), False),
        (reason(MARGINS[2], "rises"), False),
        (reason(MARGINS[2], "falls"), False),
        (reason(MARGINS[2], "about level", within=2), True),
        (reason(MARGINS[2], "about level", within=1), False),
        (reason(AMOUNT, "rises"), False),
    ],
)
def test_what_is_so_is_what_the_figures_say(made: Reason, expected: bool) -> None:
    assert is_so(made, TABLE) is expected
    assert bool(sentence(made, TABLE, None)) is expected


def test_percentages_move_by_points_and_amounts_by_percent() -> None:
    amounts = Table(cells=(cell("100", 2023, "USD"), cell("104", 2024, "USD")))
    assert not is_so(reason(amounts.cells[1], "about level", within=2), amounts)
    assert is_so(reason(amounts.cells[1], "about level", within=5), amounts)
    assert "2 percentage points" in sentence(reason(MARGINS[2], "about level", within=2), TABLE, None)


def test_a_figure_that_is_not_asserted_or_is_there_twice_is_none() -> None:
    context = cell("30", asked=False)
    assert cell_of(term_of(context), Table(cells=(context,))) is None
    assert cell_of(term_of(MARGINS[0]), Table(cells=(MARGINS[0], MARGINS[0]))) is None
