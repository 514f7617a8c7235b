"""Queries made by hand, and what a table is made with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from agent.numbers.facts.fact_selection import Selection
from agent.numbers.registry import registry
from agent.numbers.registry.registry import Registry
from agent.numbers.tables.table import tabulate
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import Alignment, Basis, Last, Measure, Operation, Own, Query, Row, Span, Years
from agent.state.tables import Cell, Table
from filings.edgar.registrant_names import everyday_name
from filings.models import Company

TODAY = date(2026, 11, 21)


@dataclass(frozen=True)
class Everybody:
    """Whoever asks may ask about these companies; all of them where none are named."""

    ciks: frozenset[int] | None = None

    def covers(self, cik: int) -> bool:
        return self.ciks is None or cik in self.ciks


@dataclass(frozen=True)
class Deps:
    """What `tabulate` needs."""

    registry: Registry = field(default_factory=registry.load)
    today: date = TODAY
    selections: dict[int, Selection] = field(default_factory=dict)
    grant: Everybody = field(default_factory=Everybody)


def ref(of: Company, **fields: object) -> CompanyRef:
    """The company as a question names it."""
    symbol = of.tickers.first()
    given = {
        "covered": True,
        "short": everyday_name(of.cik, of.name),
        "symbol": symbol.symbol if symbol else "",
    } | fields
    return CompanyRef(cik=of.cik, name=of.name, **given)  # type: ignore[arg-type]


def fiscal(year: int) -> Period:
    return Period(form=PeriodForm.FISCAL, year=year)


def years(*wanted: int) -> Years:
    return Years(periods=tuple(map(fiscal, wanted)))


def span(first: int, last: int | None) -> Span:
    return Span(first=fiscal(first), last=fiscal(last) if last else None)


def query(
    of: Company | Sequence[Company],
    periods: Years | Span | Last,
    *measures: Measure,
    operations: tuple[Operation, ...] = (),
    own: tuple[Own, ...] = (),
    rows: tuple[Row, ...] = (),
    align: Alignment | None = None,
    basis: Basis | None = None,
    as_of: date | None = None,
) -> Query:
    """A query of measures, or of rows where more than a measure is said of them."""
    companies = [of] if isinstance(of, Company) else of
    return Query(
        companies=tuple(map(ref, companies)),
        periods=periods,
        own=own,
        rows=rows or tuple(Row(measure=one) for one in measures),
        operations=operations,
        align=align,
        basis=basis,
        as_of=as_of,
    )


def table(
    of: Company | Sequence[Company],
    periods: Years | Span | Last,
    *measures: Measure,
    operations: tuple[Operation, ...] = (),
    rows: tuple[Row, ...] = (),
    own: tuple[Own, ...] = (),
    align: Alignment | None = None,
    basis: Basis | None = None,
    as_of: date | None = None,
    deps: Deps | None = None,
) -> Table:
    """The table of such a query."""
    asked_for = query(
        of, periods, *measures, operations=operations, rows=rows, own=own, align=align, basis=basis, as_of=as_of
    )
    return tabulate(asked_for, deps or Deps())


def asked(made: Table) -> list[Cell]:
    """The cells that were asked."""
    return [one for one in made.cells if one.asked]


def only(made: Table) -> Cell:
    """The one cell that was asked."""
    (cell,) = asked(made)
    return cell
