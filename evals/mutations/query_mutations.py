"""Corruptions of what a question is read as, behind plan: each asks for something else than its words say."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.state import CompanyRef
from agent.state.query import Breakdown, Last, Operation, OverYears, Query, Rank, Row, Span, Threshold, Years
from agent.state.references import Period

OVERS = {"highest": "lowest", "lowest": "highest", "average": "sum", "sum": "average", "cagr": "average"}
SIGNS = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


@dataclass(frozen=True, slots=True)
class Read:
    """A query, with the companies and rows of other questions to exchange with."""

    query: Query
    companies: Sequence[CompanyRef]
    rows: Sequence[Row]


def measure(read: Read) -> Iterator[Query]:
    """Each row of another measure, in the same words."""
    for at, row in enumerate(read.query.rows):
        if row.mention:
            continue
        known = {one.measure for one in read.query.rows}
        others = [
            one.measure for one in read.rows if one.measure.kind == row.measure.kind and one.measure not in known
        ]
        for other in others[:2]:
            yield _with(read.query, at, row.of(other))


def period(read: Read) -> Iterator[Query]:
    """The years before those asked."""

    def earlier(one: Period | None) -> Period | None:
        return one and one.model_copy(
            update={
                "year": one.year and one.year - 1,
                "end": one.end and one.end.replace(year=one.end.year - 1, day=28),
            }
        )

    match read.query.periods:
        case Years(periods=named) as asked if all(one.year or one.end for one in named):
            changed: Years | Span | Last = asked.model_copy(update={"periods": tuple(map(earlier, named))})
        case Span(first=first, last=last) as asked if first.year and last:
            changed = asked.model_copy(update={"first": earlier(first), "last": earlier(last)})
        case _:
            return
    yield read.query.model_copy(update={"periods": changed, "own": ()})


def company(read: Read) -> Iterator[Query]:
    """Another company in the place of the first."""
    rest = read.query.companies[1:]
    for other in [one for one in read.companies if one.cik not in {each.cik for each in read.query.companies}][:2]:
        yield read.query.model_copy(update={"companies": (other, *rest)})


def operations(read: Read) -> Iterator[Query]:
    """An operation left out, another in its place, in the other direction, or with another bound."""
    for at, one in enumerate(read.query.operations):
        for other in ((), *((other,) for other in otherwise(one))):
            changed = (*read.query.operations[:at], *other, *read.query.operations[at + 1 :])
            yield read.query.model_copy(update={"operations": changed})


def otherwise(one: Operation) -> Iterator[Operation]:
    match one:
        case OverYears(over=over) if over.value in OVERS:
            yield OverYears.model_validate({"over": OVERS[over.value]})
        case Rank(highest=highest):
            yield one.model_copy(update={"highest": not highest})
        case Threshold(comparison=comparison, bound=bound):
            yield one.model_copy(update={"bound": bound * 2 + 1})
            yield one.model_copy(update={"comparison": SIGNS.get(comparison, ">")})


def breakdown(read: Read) -> Iterator[Query]:
    """The parts of another kind, or those at the other end."""
    for at, row in enumerate(read.query.rows):
        if isinstance(row.measure, Breakdown):
            axis = "region" if row.measure.axis != "region" else "product"
            yield _with(read.query, at, row.of(row.measure.model_copy(update={"axis": axis})))
            if row.measure.extreme:
                turned = OVERS[row.measure.extreme]
                yield _with(read.query, at, row.of(row.measure.model_copy(update={"extreme": turned})))


def _with(query: Query, at: int, row: Row) -> Query:
    return query.model_copy(update={"rows": (*query.rows[:at], row, *query.rows[at + 1 :])})


CLASSES: Mapping[str, Callable[[Read], Iterator[Query]]] = {
    "query, measure": measure,
    "query, period": period,
    "query, company": company,
    "query, operation": operations,
    "query, parts": breakdown,
}
