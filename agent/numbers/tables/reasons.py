"""Reasons of a judgement that compare figures: whether they hold by the table, and how they are said."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from agent.numbers.facts.render import shown
from agent.numbers.tables.comparisons import holds as compares
from agent.numbers.tables.table_text import measure
from agent.refusals.grammar import capitalized, lower_first
from agent.state import Cell, Scale, Table
from agent.state.judgement import Reason, Term

HUNDRED = Decimal(100)
# Units whose figures move by points, and those that a bare number bounds.
OF_A_HUNDRED = frozenset({"percent", "points"})
BOUNDED = OF_A_HUNDRED | {"ratio", "days"}


def term_of(cell: Cell) -> Term:
    """The place of an asserted cell in its table."""
    year = cell.fiscal_year or 0
    return Term(row=cell.row, measure=cell.measure, cik=cell.cik, fiscal_year=year, fiscal_period=cell.fiscal_period)


def cell_of(term: Term, table: Table) -> Cell | None:
    """The asserted cell at a place; None where there is none, or several are."""
    found = [one for one in table.asserted if term_of(one) == term]
    return found[0] if len(found) == 1 else None


def course(cell: Cell, table: Table) -> list[Cell]:
    """The asserted cells of a cell's row and company by period, the oldest first; those of one length of period."""
    found = [
        one
        for one in table.asserted
        if (one.row, one.cik, one.measure, one.reading) == (cell.row, cell.cik, cell.measure, cell.reading)
        and one.fiscal_period.days == cell.fiscal_period.days
    ]
    return sorted(found, key=lambda one: one.place)


def is_so(reason: Reason, table: Table) -> bool:
    """Whether a comparison follows from the figures of a table; also that it compares what can be compared."""
    cell = cell_of(reason.figure, table) if reason.figure else None
    if cell is None or cell.value is None:
        return False
    match reason.relation:
        case "higher than" | "lower than" | "about equal to":
            other = cell_of(reason.other, table) if reason.other else None
            if other is None or other.value is None or other == cell or other.unit != cell.unit:
                return False
            if reason.relation == "about equal to":
                return reason.within > 0 and _near(cell.value, other.value, reason.within, cell.unit)
            return compares(cell.value, ">" if reason.relation == "higher than" else "<", other.value)
        case "above" | "below":
            bound = reason.bound
            fits = bound is not None and cell.unit in BOUNDED
            return (
                fits and bound is not None and compares(cell.value, ">" if reason.relation == "above" else "<", bound)
            )
        case "positive" | "negative":
            return compares(cell.value, ">" if reason.relation == "positive" else "<", Decimal(0))
        case "rises" | "falls" | "about level":
            return _is_course(reason, [one.value for one in course(cell, table) if one.value is not None], cell.unit)
    return False


def _is_course(reason: Reason, values: Sequence[Decimal], unit: str) -> bool:
    pairs = list(pairwise(values))
    if not pairs:
        return False
    if reason.relation == "about level":
        return reason.within > 0 and all(_near(after, before, reason.within, unit) for before, after in pairs)
    return all(after > before if reason.relation == "rises" else after < before for before, after in pairs)


def _near(value: Decimal, other: Decimal, within: int, unit: str) -> bool:
    """Whether two figures differ by no more than so many percent, or, of percentages, so many points."""
    most = Decimal(within) if unit in OF_A_HUNDRED else abs(other) * within / HUNDRED
    return abs(value - other) <= most


def _within(within: int, unit: str) -> str:
    if unit not in OF_A_HUNDRED:
        return f"{within}%"
    return f"{within} percentage point{'' if within == 1 else 's'}"


def sentence(reason: Reason, table: Table, scale: Scale | None) -> str:
    """A comparison in words, with its figures as the answer shows them; empty for one that is not so."""
    if reason.figure is None or not is_so(reason, table):
        return ""
    cell = cell_of(reason.figure, table)
    if cell is None:
        return ""
    own = course(cell, table)
    match reason.relation:
        case "rises" | "falls":
            text = f"{_name(cell)} {reason.relation} from {_dated(own[0], scale)} to {_dated(own[-1], scale)}"
        case "about level":
            text = (
                f"{_name(cell)} moves by no more than {_within(reason.within, cell.unit)} from period to period, "
                f"from {_dated(own[0], scale)} to {_dated(own[-1], scale)}"
            )
        case "above" | "below":
            text = f"{_of(cell, scale)} is {reason.relation} {_bound(reason.bound or Decimal(0), cell.unit)}"
        case "positive" | "negative":
            text = f"{_of(cell, scale)} is {reason.relation}"
        case _:
            other = cell_of(reason.other, table) if reason.other else None
            if other is None:
                return ""
            same = (other.row, other.measure) == (cell.row, cell.measure) and other.cik == cell.cik
            told = _dated(other, scale) if same else lower_first(_of(other, scale))
            near = (
                f"within {_within(reason.within, cell.unit)} of"
                if reason.relation == "about equal to"
                else reason.relation
            )
            text = f"{_of(cell, scale)} is {near} {told}"
    return f"{text}."


def _bound(bound: Decimal, unit: str) -> str:
    word = {"percent": "%", "points": " points", "days": " days"}.get(unit, "")
    return f"{format(bound, 'f')}{word}"


def _name(cell: Cell) -> str:
    return capitalized(f"{measure(cell)} of {cell.company}")


def _of(cell: Cell, scale: Scale | None) -> str:
    return f"{_name(cell)} ({_dated(cell, scale)})"


def _dated(cell: Cell, scale: Scale | None) -> str:
    """The figure and its period: 24.3 % in fiscal 2024."""
    value = shown(cell.value or Decimal(0), cell.unit, scale, reported=cell.fact is not None)
    return f"{value} in {cell.place.called}"
