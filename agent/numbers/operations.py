"""Applies operations to a table's cells, in the order asked: each takes the results of the one before."""

from collections.abc import Sequence

from agent.numbers.aggregates import EXTREMES, over_years
from agent.numbers.comparisons import compared, differences, rank, threshold
from agent.numbers.operation_results import Outcome, RowValue, grouped
from agent.state.query import Difference, Operation, OverYears, Rank, Threshold


def apply(operations: Sequence[Operation], items: list[RowValue]) -> list[Outcome]:
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
