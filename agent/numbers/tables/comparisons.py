"""Applies operations in the order asked: rankings, differences and thresholds, between companies, measures or years."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from agent.numbers.cells.operation_results import (
    Outcome,
    RowValue,
    finished,
    grouped,
    left_out,
    merge,
    ordered,
    undecided,
)
from agent.numbers.cells.row_expressions import changed
from agent.numbers.facts.gaps import meaningless
from agent.numbers.tables.aggregates import EXTREMES, incomparable, over_years
from agent.numbers.tables.alignment import TOGETHER
from agent.refusals.grammar import listed, lower_first
from agent.state.query import Difference, Operation, Over, OverYears, Rank, Threshold
from agent.state.tables import Gap
from filings.xbrl.periods import Place


def compared(items: list[RowValue]) -> list[list[RowValue]]:
    """The groups that are compared: the companies of a row, year by year where all have the same years; the years of
    one company; or the rows of one company and year.
    """
    companies = {one.company_filings.company.cik for one in items}
    if len(companies) == 1:
        rows = grouped(items, lambda one: (one.row, one.version.key))
        return rows if any(len(row) > 1 for row in rows) else [items]
    found = []
    for row in grouped(items, lambda one: (one.row, one.version.key)):
        columns = {cik: {one.column for one in row if one.company_filings.company.cik == cik} for cik in companies}
        several = max(map(len, columns.values())) > 1
        found += grouped(row, lambda one: one.column) if several else [row]
    return found


def rank(items: list[RowValue], *, highest: bool, top: int | None) -> Outcome:
    """The items in order of their values; equal values share a rank."""
    last = items[-1]
    companies = {one.company_filings.company.cik for one in items}
    base = last.base("rank", _compared_under(items), alone=len(companies) == 1, highest=highest)
    held = [one for one in items if one.value is not None]
    if not held:
        return Outcome(base.model_copy(update={"gap": items[0].gap}))
    # All can be ordered without one missing value; the first place cannot be given.
    first_asked = top is not None or len(held) < 2
    if refused := unlike(held) or _apart(held) or _split(held) or (undecided(items) if first_asked else None):
        return Outcome(base.model_copy(update={"gap": refused}))
    order = ordered(held, highest=highest)
    shown = tuple(one for one in order if top is None or one.rank <= top)
    best = next(one for one in held if one.placed == shown[0].model_copy(update={"rank": 0}))
    update = {"value": best.value, "unit": best.unit, "order": shown, "notes": left_out(items)}
    return Outcome(base.model_copy(update=update))


def _split(items: list[RowValue]) -> Gap | None:
    """Why the years of one company cannot be ranked."""
    if len({(one.row, one.company_filings.company.cik) for one in items}) > 1:
        return None
    years = sorted(items, key=lambda one: one.place)
    return incomparable(years, [one.evaluated for one in years if one.evaluated])


def differences(items: list[RowValue], *, percent: bool) -> list[Outcome]:
    """First minus second company, first minus second measure, or later minus earlier year, where there are exactly two."""
    companies = grouped(items, lambda one: one.company_filings.company.cik)
    rows = grouped(items, lambda one: (one.row, one.version.key))
    if len(companies) == 2:
        groups = grouped(items, lambda one: (one.row, one.version.key, one.column))
        if any(len(group) != 2 for group in groups):
            groups = rows
    elif len(rows) == 2:
        groups = grouped(items, lambda one: (one.company_filings.company.cik, one.place))
    else:
        return [
            over_years(Over.GROWTH if percent else Over.CHANGE, sorted(group, key=lambda one: one.places))
            for group in grouped(items, lambda one: (one.row, one.version.key, one.company_filings.company.cik))
        ]
    return [difference(group, percent=percent) for group in groups]


def difference(items: list[RowValue], *, percent: bool) -> Outcome:
    """The first minus the second; in percent, relative to the second."""
    first, second = items[0], items[-1]
    places = _compared_under((first, second))
    alone = first.company_filings is second.company_filings
    base = first.base("difference", places, alone=alone)
    if len(items) != 2:
        return Outcome(base.model_copy(update={"gap": meaningless("A difference needs two figures.")}))
    if missing := next((one for one in items if one.value is None), None):
        return Outcome(base.model_copy(update={"gap": missing.gap}))
    if refused := unlike(items) or _apart(items):
        return Outcome(base.model_copy(update={"gap": refused}))
    if first.evaluated is None or second.evaluated is None:
        return Outcome(base.model_copy(update={"gap": meaningless("A difference needs two figures.")}))
    tree, unit = changed(first.evaluated.tree, second.evaluated.tree, first.unit, percent=percent)
    merged = merge(tree, [first.evaluated, second.evaluated])
    newest = max((first, second), key=lambda one: one.place)
    done = finished(base, merged, unit, newest, places)
    return replace(done, result=done.result.model_copy(update={"order": (first.placed, second.placed)}))


def _compared_under(items: Sequence[RowValue]) -> tuple[Place, ...]:
    """The columns of values, oldest first: calendar periods only where all of them stand under one."""
    if all(one.calendar for one in items):
        return tuple(sorted({place for one in items for place in one.calendar}))
    return tuple(sorted({place for one in items for place in one.places}))


def _apart(items: Sequence[RowValue]) -> Gap | None:
    """Why values of several companies are not compared: they are of different stretches of time.

    Years and quarters in one column are aligned, or each company's own are asked for; halves have no calendar period.
    """
    ends = {one.company_filings.company.called: one.end for one in items if one.end}
    in_one = len({one.column for one in items}) < 2 or not all(one.calendar for one in items)
    if len(ends) < 2 or (in_one and all(one.place.period.of_quarter or one.place.period.whole for one in items)):
        return None
    if max(ends.values()) - min(ends.values()) <= TOGETHER:
        return None
    said = listed([f"{name} {end:%-d %b %Y}" for name, end in ends.items()])
    return meaningless("Not compared: the periods end more than 45 days apart.", f"{said}.")


def unlike(items: Sequence[RowValue]) -> Gap | None:
    """Why values cannot be compared: their units differ."""
    units = {"percent" if one.unit == "points" else one.unit for one in items}
    if len(units) == 1:
        return None
    said = [
        f"{one.company_filings.company.called}'s {lower_first(one.version.label)} is in {one.unit}" for one in items
    ]
    return meaningless("Figures in different units cannot be compared.", f"{listed(list(dict.fromkeys(said)))}.")


def threshold(one: RowValue, comparison: str, bound: Decimal) -> Outcome:
    """Whether a value is above, below or at a bound in the value's unit."""
    base = one.base("threshold", one.places, value=one.value, comparison=comparison, bound=bound)
    if one.value is None:
        return Outcome(base.model_copy(update={"gap": one.gap}))
    return Outcome(base.model_copy(update={"holds": holds(one.value, comparison, bound)}), one)


def holds(value: Decimal, comparison: str, bound: Decimal) -> bool:
    """Whether a comparison with a bound is true."""
    match comparison:
        case ">":
            return value > bound
        case ">=":
            return value >= bound
        case "<":
            return value < bound
        case "<=":
            return value <= bound
    return value == bound


def apply_operations(operations: Sequence[Operation], items: list[RowValue]) -> list[Outcome]:
    """The results of all operations, in order. Each takes the results of the one before where it can."""
    found: list[Outcome] = []
    for operation in operations:
        made = one_operation(operation, items)
        found += made
        # The highest and the lowest are of the same figures.
        if not (isinstance(operation, OverYears) and operation.over in EXTREMES):
            items = [one.item for one in made if one.item is not None] or items
    return found


def one_operation(operation: Operation, items: list[RowValue]) -> list[Outcome]:
    """The results of one operation."""
    match operation:
        case OverYears(over=over):
            groups = grouped(items, lambda one: (one.row, one.version.key, one.company_filings.company.cik))
            return [over_years(over, sorted(group, key=lambda one: one.places)) for group in groups]
        case Rank(highest=highest, top=top):
            return [rank(group, highest=highest, top=top) for group in compared(items)]
        case Difference(percent=percent):
            return differences(items, percent=percent)
        case Threshold(comparison=comparison, bound=bound):
            return [threshold(one, comparison, bound) for one in items]
    raise TypeError(f"{operation} is no operation.")
