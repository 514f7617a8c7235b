"""Figures of one company and of one filing, unasked: key figures over the years, and statements as they are filed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from accounts.identity import Identity
from agent.numbers import registry as registry_file
from agent.numbers.keys import measure_of
from agent.numbers.statements import FiledStatement, filed_kinds, filed_statement
from agent.state import Period, PeriodForm, Table
from agent.state.query import Last, Periods, Query, Row, Years
from agent.web.tables.charts import small
from agent.web.tables.figure import Figure
from agent.web.tables.verified import asked_cells, ref_of, tabulated
from agent.web.tables.year_table import YearRows, YearTable
from filings.models import Company, Filing, StatementKind
from filings.web.charts import Chart

YEARS = 10
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
# The rows of a statement where only the SEC's list of facts is held, and nobody knows the printed ones.
LINES = (StatementKind.INCOME, StatementKind.BALANCE, StatementKind.CASHFLOW)


def key_figures(company: Company, identity: Identity) -> YearRows | None:
    """About fifteen measures over the newest ten fiscal years; None where none is held. company: with `held`."""
    made = figures(company, identity, KEY_FIGURES, Last(count=YEARS))
    return YearRows(made) if made.cells else None


@dataclass(frozen=True)
class Headline:
    """A key figure of the newest year, with the years before it as small columns."""

    figure: Figure
    chart: Chart | None


def headlines(rows: YearRows) -> list[Headline]:
    """What a company is looked up for first, of what is held."""
    told = {cells[0].measure: [one for one in cells if one.value is not None] for cells in rows.lines}
    newest = {key: max(cells, key=lambda one: one.fiscal_year or 0) for key, cells in told.items() if cells}
    lines = {cells[0].measure: cells for cells in rows.lines}
    return [Headline(Figure(newest[key]), small(rows, lines[key])) for key in HEADLINES if key in newest]


def figures(company: Company, identity: Identity, keys: Sequence[str], periods: Periods) -> Table:
    """Measures of a company, those without any figure left out."""
    registry = registry_file.load()
    rows = tuple(Row(measure=measure_of(key, registry)) for key in keys)
    made = asked_cells(tabulated(Query(companies=(ref_of(company),), periods=periods, rows=rows), identity))
    told = {cell.row for cell in made.cells if cell.value is not None}
    years = {cell.fiscal_year for cell in made.cells if cell.value is not None}
    kept = (one for one in made.cells if one.row in told and one.fiscal_year in years and not one.alternative)
    return made.model_copy(update={"cells": tuple(kept)})


def statement_kinds(filing: Filing) -> tuple[StatementKind, ...]:
    """The statements that there may be of a filing: those printed where its rows are known, else those with lines of the
    registry, of which one may turn out to be empty.
    """
    if filed := filed_kinds(filing, registry_file.load()):
        return filed
    return LINES if filing.is_primary and filing.fiscal_year and filing.facts_stored else ()


def statement(filing: Filing, kind: StatementKind, company: Company, identity: Identity) -> YearTable | None:
    """One statement of a filing: as printed where its rows are known, else the lines of the registry; None for none."""
    registry = registry_file.load()
    if filed_kinds(filing, registry):
        filed = filed_statement(filing, kind, registry)
        return as_filed(filed) if filed else None
    keys = [key for key, one in registry.concepts.items() if str(one.statement) == kind.value]
    year = Period(form=PeriodForm.FISCAL, year=filing.fiscal_year)
    made = figures(company, identity, keys, Years(periods=(year,)))
    return YearRows(made).view(kind.label) if made.cells else None


def statements(
    filing: Filing, kinds: Iterable[StatementKind], company: Company, identity: Identity
) -> Iterator[tuple[StatementKind, YearTable]]:
    """Statements of a filing, each made when it is taken; those without a figure left out."""
    for kind in kinds:
        if made := statement(filing, kind, company, identity):
            yield kind, made


def as_filed(one: FiledStatement) -> YearTable:
    """A statement with its headings and the years that the filing puts beside its own."""
    rows = YearRows(Table(cells=one.cells))
    return rows.under(one.title or one.kind.label, one.headings)
