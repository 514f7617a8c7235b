"""Verifies what the results of operations say against the question and the cells: which operation, of what, over when."""

from collections.abc import Iterator
from decimal import Decimal

from agent.numbers.cells.row_expressions import PERCENTAGES, Version
from agent.numbers.verification.possible_values import Figures, alike, combined
from agent.numbers.verification.verify_labels import Labels
from agent.state.query import Difference, OverYears, Rank, Threshold
from agent.state.tables import Cell, Result, Table
from filings.xbrl.periods import Place

HUNDRED, ONE = Decimal(100), Decimal(1)
# Operations over years whose value follows from the measure in these years.
MADE = {"average", "sum", "growth", "change", "cagr"}


def problems(table: Table, labels: Labels) -> Iterator[str]:
    """Everything that a result says and the question or the cells do not, in sentences."""
    asked = set(operations(labels))
    for one in table.results:
        if one.gap is None:
            where = f"{one.operation} of {one.label}"
            if (one.operation, one.comparison, one.bound, one.highest) not in asked:
                yield f"{where}: this operation is not asked for."
            yield from (f"{where}: {said}" for said in of_result(one, table, labels))
    for one in table.moved:
        if one.gap is None:
            yield from (f"{one.operation} of {one.label}: {said}" for said in of_result(one, table, labels))


def operations(labels: Labels) -> Iterator[tuple[str, str, Decimal | None, bool]]:
    """What the question's operations may give: name, comparison, bound, and whether the highest comes first."""
    for one in labels.query.operations:
        match one:
            case OverYears(over=over):
                yield over.value, "", None, over.value != "lowest"
            case Rank(highest=highest):
                yield "rank", "", None, highest
            case Difference():
                yield from ((name, "", None, True) for name in ("difference", "growth", "change"))
            case Threshold(comparison=comparison, bound=bound):
                yield "threshold", comparison, bound, True


def of_result(one: Result, table: Table, labels: Labels) -> Iterator[str]:
    """What a result says that does not follow from the cells of its row and the facts that it cites."""
    row = [cell for cell in table.cells if cell.row == one.row and cell.value is not None]
    own = [cell for cell in row if one.cik in (None, cell.cik)]
    if not own:
        yield "no figure of this company is shown."
        return
    called = {*(cell.label for cell in own), *(version.label for version in labels.readings(one.row))}
    # Of the results of another operation: "Average of total revenue".
    if not any(one.label.casefold().endswith(label.casefold()) for label in called):
        yield "it is of another measure."
    if not set(one.places) <= {place for cell in own for place in (cell.place, cell.column)}:
        yield "it is of other periods than the figures shown."
    if one.operation == "rank" and one.cik is not None and len({cell.cik for cell in row if cell.asserted}) > 1:
        yield "it is of several companies."
    units = {cell.unit for cell in own} | {other.unit for other in table.results if other is not one}
    computed = one.operation in {"growth", "cagr", "change", "difference"}
    if one.unit not in units and not (computed and one.unit in PERCENTAGES):
        yield f"it is in {one.unit}, the figures are in {', '.join(sorted(units))}."
    if one.cik is not None and any(
        fact.cik not in {one.cik, *(of.cik for cell in own for of in cell.facts)} for fact in one.facts
    ):
        yield "a fact of another company is cited."
    version = labels.version(next((cell for cell in own if cell.label == one.label), own[-1]))
    # What is printed under a measure's name is no operand of its definition.
    printed = any(fact.as_printed for fact in one.facts)
    if version and not printed and one.operation in MADE and one.cik is not None and one.value is not None:
        figures = labels.figures(as_cell(one, own[-1]), version, labels.value)
        if not any(alike(one.value, value) for value in values(one, version, figures)):
            yield "the value does not follow from the facts cited."
    if one.operation == "difference" and len(one.order) == 2 and one.value is not None:
        first, second = ({placed.value} for placed in one.order)
        if not any(alike(one.value, value) for value in changed(second, first, one.unit, units)):
            yield "the value is not the difference of its terms."


def as_cell(one: Result, like: Cell) -> Cell:
    """A result as a cell that cites its facts."""
    return like.model_copy(update={"operands": one.operands, "fact": None})


def values(one: Result, version: Version, figures: Figures) -> set[Decimal]:
    """What an operation over years may give by the facts it cites."""
    places = one.places
    if not places:
        return set()
    first, *_, last = (figures.values(version.expr, place) for place in (places[0], *places))
    match one.operation:
        case "growth" | "change":
            return changed(first, last, one.unit, {version.unit})
        case "cagr":
            years = Decimal(places[-1].year - places[0].year)
            power = combined("**", combined("/", last, first), combined("/", {ONE}, {years}))
            return combined("*", {HUNDRED}, combined("-", power, {ONE}))
    return totals(places, version, figures, average=one.operation == "average")


def totals(places: tuple[Place, ...], version: Version, figures: Figures, *, average: bool) -> set[Decimal]:
    """The sum over periods, or their average."""
    found = {Decimal(0)}
    for place in places:
        found = combined("+", found, figures.values(version.expr, place))
    return combined("/", found, {Decimal(len(places))}) if average else found


def changed(first: set[Decimal], last: set[Decimal], unit: str, units: set[str]) -> set[Decimal]:
    """The change from one value to another: in percent, in points, or as an amount."""
    if unit == "percent" and not units <= set(PERCENTAGES):
        return combined("*", {HUNDRED}, combined("-", combined("/", last, first), {ONE}))
    gap = combined("-", last, first)
    return gap | combined("*", {HUNDRED}, gap) if unit == "points" else gap
