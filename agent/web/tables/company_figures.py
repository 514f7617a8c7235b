"""Tables of a company's and a filing's page: key figures over the years, and statements as filed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from agent.numbers.cells.measure_keys import measure_of
from agent.numbers.facts.filed_statements import FiledStatement, filed_statements
from agent.numbers.tables.table import tabulate
from agent.state import Period, PeriodForm, Table
from agent.state.query import Basis, Last, Periods, Query, Row, Years
from agent.state.references import RelativePeriod
from agent.steps.deps import Deps
from agent.web.tables.charts import small
from agent.web.tables.figure_card import Figure
from agent.web.tables.verified_tables import asked_cells, ref_of, verified
from agent.web.tables.year_table import YearRows, YearTable
from filings.models import Company, Filing, StatementKind
from filings.web.charts import Chart

YEARS, QUARTERS = 10, 8
# The periods that the columns of key figures may have.
ANNUAL, QUARTERLY, TRAILING = "annual", "quarterly", "ttm"
PERIODS: dict[str, Periods] = {
    ANNUAL: Last(count=YEARS),
    QUARTERLY: Last(count=QUARTERS, quarters=True),
    TRAILING: Last(count=QUARTERS, quarters=True, until=Period(form=PeriodForm.LATEST, part=RelativePeriod.TRAILING)),
}
PERIOD_LABELS = {ANNUAL: "Annual", QUARTERLY: "Quarterly", TRAILING: "Trailing twelve months"}
# What an analyst looks at first, in the order of the statements.
KEY_FIGURES = (
    "revenue",
    "growth of revenue",
    "gross_profit",
    "gross_margin",
    "operating_income",
    "operating_margin",
    "net_income",
    "net_margin",
    "eps_diluted",
    "rnd",
    "cfo",
    "capex",
    "fcf",
    "cash",
    "total_debt",
    "equity",
    "roe:average",
)  # fmt: skip
HEADLINES = ("revenue", "operating_margin", "net_income", "fcf")
# The registry's lines of a statement, for filings whose printed rows are unknown.
LINES = (StatementKind.INCOME, StatementKind.BALANCE, StatementKind.CASHFLOW)


def key_figures(company: Company, deps: Deps, per: str = ANNUAL, basis: Basis | None = None) -> YearRows | None:
    """About fifteen measures over the newest ten fiscal years, eight quarters, or twelve months to the end of each;
    None where none is available.

    company: with `held`.
    """
    made = figures(company, deps, KEY_FIGURES, PERIODS[per], basis)
    return YearRows(made) if made.cells else None


@dataclass(frozen=True)
class Headline:
    """A key figure of the newest year, with earlier years as small columns."""

    figure: Figure
    chart: Chart | None


def headlines(rows: YearRows) -> list[Headline]:
    """The available key figures that a company is looked up for first."""
    told = {cells[0].measure: [one for one in cells if one.value is not None] for cells in rows.lines}
    newest = {key: max(cells, key=lambda one: one.place) for key, cells in told.items() if cells}
    lines = {cells[0].measure: cells for cells in rows.lines}
    return [Headline(Figure(newest[key]), small(rows, lines[key])) for key in HEADLINES if key in newest]


def figures(company: Company, deps: Deps, keys: Sequence[str], periods: Periods, basis: Basis | None = None) -> Table:
    """Measures of a company, without those that have no figure."""
    rows = tuple(Row(measure=measure_of(key, deps.registry)) for key in keys)
    query = Query(companies=(ref_of(company),), periods=periods, rows=rows, basis=basis)
    made = asked_cells(verified(tabulate(query, deps), query, deps.registry))
    told = {cell.row for cell in made.cells if cell.value is not None}
    places = {cell.place for cell in made.cells if cell.value is not None}
    kept = (one for one in made.cells if one.row in told and one.place in places and not one.alternative)
    return made.model_copy(update={"cells": tuple(kept)})


def statements(filing: Filing, company: Company, deps: Deps) -> dict[StatementKind, Callable[[], YearTable | None]]:
    """A filing's statements by kind: as printed where its rows are known, else the registry's lines, if any has a
    figure.
    """
    if filed := filed_statements(filing, deps.registry):
        return {one.kind: partial(as_filed, one) for one in filed}
    if not (filing.is_primary and filing.fiscal_year and filing.facts_stored):
        return {}
    year = Years(periods=(Period(form=PeriodForm.FISCAL, year=filing.fiscal_year),))
    return {kind: partial(of_registry, kind, year, company, deps) for kind in LINES}


def as_filed(one: FiledStatement) -> YearTable:
    return YearRows(Table(cells=one.cells)).statement(one.title or one.kind.label)


def of_registry(kind: StatementKind, year: Years, company: Company, deps: Deps) -> YearTable | None:
    """The available figures for the registry's lines of a statement."""
    concepts = deps.registry.concepts
    keys = [key for key, one in concepts.items() if str(one.statement) == kind.value]
    made = figures(company, deps, keys, year)
    return YearRows(made).view(kind.label) if made.cells else None
