"""Variations of a table that change nothing that is true, and must be shown."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from agent.state import Cell, Table


def benign(table: Table) -> Iterator[tuple[str, Table]]:
    """The same table otherwise: the order of cells and operands, numbers written otherwise, white space."""

    def each(change: Callable[[Cell], dict[str, Any]]) -> Table:
        return table.model_copy(update={"cells": tuple(one.model_copy(update=change(one)) for one in table.cells)})

    yield "order of cells", table.model_copy(update={"cells": table.cells[::-1]})
    if any(len(one.operands) > 1 for one in table.cells):
        yield "order of operands", each(lambda one: {"operands": one.operands[::-1]})
        yield "white space of formulas", each(lambda one: {"formula": one.formula.replace(" / ", "/")})
    yield "zeros behind a value", each(lambda one: {"value": zeros(one.value)})
    yield (
        "order of context",
        table.model_copy(
            update={"cells": tuple(sorted(table.cells, key=lambda one: (one.asked, -(one.fiscal_year or 0))))}
        ),
    )


def zeros(value: Decimal | None) -> Decimal | None:
    """A number with two zeros behind the point."""
    if value is None or not value:
        return value
    sign, digits, exponent = value.as_tuple()
    return Decimal((sign, (*digits, 0, 0), int(exponent) - 2))
