"""`GET /table` and `/companies/{company}/statements`: verified figures as tables, without asking a question."""

from datetime import date
from typing import Any, Literal, get_args

from django.http import HttpResponse
from ninja import P, PathEx, Router
from ninja import Query as Parameters
from pydantic import BaseModel, Field

from accounts.identity import Identity
from accounts.quotas import Share
from accounts.request_types import Request
from agent.numbers.registry import registry as registry_file
from agent.numbers.tables import table_text
from agent.runs import spending
from agent.state import Period, PeriodForm
from agent.state.conversion import converted
from agent.state.query import Alignment, Basis, Query, Row, Statement, Years
from agent.state.table_rows import TableRow
from agent.state.tables import Table
from agent.web.api import limits
from agent.web.api.answers import AskedCompany
from agent.web.api.companies import NAMED, company_named
from agent.web.api.etags import tagged
from agent.web.api.openapi import errors
from agent.web.api.parameters import Text
from agent.web.api.problems import Invalid
from agent.web.api.table_parameters import FIRST, LAST, companies_of, members_of, parts_of_years, periods_of, rows_of
from agent.web.tables.part_lookup import times
from agent.web.tables.verified_tables import asked_cells, ref_of, tabulated

router = Router(tags=["Companies and filings"])

COMPANIES = "1 to 20 tickers or CIKs, separated by commas: AAPL,MSFT."
MEASURES = (
    "1 to 10 keys of measures (see /concepts), separated by commas; a metric may name its variant: revenue,roe:ending."
)
MEMBERS = (
    "1 to 10 parts of the company, such as segments, separated by commas, by the company's names or as tagged: "
    "AWS,StatementGeographicalAxis=DE. The table then has each measure of each part. Needs exactly one company."
)
YEARS = "Up to 20 fiscal years as each company names them: 2022,2023 or 2019-2024 or last5 or latest."


PERIODS = (
    "Up to 20 parts of fiscal years, instead of `years`: 2023Q1-2025Q4, or 2024Q3,2024H1,20249M, or last8 for the newest "
    "eight quarters, or ttm for the twelve months to the newest quarter."
)


ALIGN = (
    "How years of companies whose fiscal years differ are aligned: calendar (each company's year whose midpoint lies in "
    "that calendar year) or fiscal (each company's own year of that name); if omitted, fiscal where the years end "
    "within 45 days of each other, else calendar. The same for quarters."
)


BASIS = (
    "Which report gives each year: first_reported (its own) or last_reported (the newest that prints it); if omitted, its "
    "own, or a later one if that is on another basis than later years."
)


AS_OF = "A day such as 2024-03-31: only reports filed by then are used, so the table has what was known on that day."


class TableWanted(BaseModel):
    """Which table to get."""

    companies: Text = Field(min_length=1, max_length=600, description=COMPANIES)
    measures: Text = Field(min_length=1, max_length=800, description=MEASURES)
    years: Text = Field(default="latest", max_length=120, description=YEARS)
    members: Text = Field(default="", max_length=600, description=MEMBERS)
    periods: Text = Field(default="", max_length=200, description=PERIODS)
    align: Literal["fiscal", "calendar"] | None = Field(default=None, description=ALIGN)
    basis: Literal["first_reported", "last_reported"] | None = Field(default=None, description=BASIS)
    as_of: date | None = Field(default=None, description=AS_OF)


Kind = Literal["income", "balance", "cashflow", "comprehensive", "equity"]


class StatementsWanted(BaseModel):
    """Which statements to get."""

    year: int | None = Field(
        default=None,
        ge=FIRST,
        le=LAST,
        description="Fiscal year as the company names it; if omitted, the newest one loaded.",
    )
    statement: Kind | None = Field(default=None, description="Which statement; if omitted, all that are loaded.")


class FigureTable(BaseModel):
    """A table of figures."""

    companies: list[AskedCompany] = Field(description="The companies, in the order of the request.")
    years: str = Field(description="The fiscal years or parts of years, as in the request.")
    table: list[TableRow] = Field(
        description="Figures and gaps, ordered by measure, then company, then year, the oldest first."
    )
    results: list[dict[str, Any]] = Field(
        description="Always empty: a request cannot ask for operations on the table."
    )
    notes: list[str] = Field(description="Notes on the whole table.")
    aligned: Literal["fiscal", "calendar"] | None = Field(
        description="How columns are aligned, if periods of one name end more than 45 days apart; otherwise null."
    )
    basis: Literal["first_reported", "last_reported"] | None = Field(
        description="Which reports give the figures, if others give different ones; otherwise null."
    )


@router.get("/table", operation_id="get_table", response={200: FigureTable, 304: None, **errors(404, 422, 429)})
def table(request: Request, wanted: Parameters[TableWanted]) -> HttpResponse:
    """Get a table of measures of several companies over several fiscal years, without asking a question.

    Every figure is read and every formula computed a second time; a figure that differs is left out as a gap, with its
    reason. The reply has an `ETag`. Every 50 cells (companies or parts, times measures, times years) count as one answer;
    if your quota is too small, the request is refused before anything is computed.
    """
    return limits.with_limits(tagged(request, table_of(request.identity, wanted)), request.identity)


@router.get(
    "/companies/{company}/statements",
    operation_id="get_statements",
    response={200: FigureTable, 304: None, **errors(404, 422, 429)},
)
def statements(
    request: Request, company: PathEx[str, P(description=NAMED)], wanted: Parameters[StatementsWanted]
) -> HttpResponse:
    """Get the statements of one fiscal year, line by line as printed, with every figure verified.

    The reply has the same form as /table, and an `ETag`. If a named statement is not loaded, the reply has a gap. One
    statement counts as one answer; all of them count as five.
    """
    found = printed(request.identity, company, wanted.year, wanted.statement)
    return limits.with_limits(tagged(request, found), request.identity)


def printed(identity: Identity, company: str, year: int | None, kind: Kind | None) -> FigureTable:
    """The lines of one statement, or of all that are loaded. Raises NotFound and accounts.quotas.QuotaExceeded."""
    named = company_named(company)
    ref = ref_of(named)
    period = Period(form=PeriodForm.LATEST if year is None else PeriodForm.FISCAL, year=year)
    rows = tuple(Row(measure=Statement(statement=one)) for one in ((kind,) if kind else get_args(Kind)))
    query = Query(companies=(ref,), periods=Years(periods=(period,)), rows=rows)
    registry = registry_file.load()

    def stored() -> Table:
        made = asked_cells(tabulated(query, identity, registry))
        if kind is not None:
            return made
        held = {one.row for one in made.cells if one.value is not None}
        # If no statement is loaded, keep one gap, which says why.
        cells = tuple(one for one in made.cells if one.row in (held or {0}))
        return made.model_copy(update={"cells": cells})

    years = "latest" if year is None else str(year)
    question = f"{ref.called}, {kind or 'statements'}, {years}"
    share = Share(len(rows), f"The reply has {len(rows)} statements")
    made = spending.counted(identity, question, stored, as_text, share)
    return shown(query, made, years)


def table_of(identity: Identity, wanted: TableWanted) -> FigureTable:
    """The table of a request. Raises Problem and accounts.quotas.QuotaExceeded."""
    registry = registry_file.load()
    rows = rows_of(wanted.measures, registry)
    if wanted.periods and wanted.years != "latest":
        raise Invalid({"periods": ["Give either `years` or `periods`."]})
    periods, count = parts_of_years(wanted.periods) if wanted.periods else periods_of(wanted.years)
    years = wanted.periods or wanted.years
    asked_of = companies_of(wanted.companies)
    if wanted.members:
        parts = members_of(wanted.members, asked_of)
        rows = tuple(Row(measure=one) for one in times([row.measure for row in rows], parts))
    query = Query(
        companies=asked_of,
        periods=periods,
        rows=rows,
        align=Alignment(wanted.align) if wanted.align else None,
        basis=Basis(wanted.basis) if wanted.basis else None,
        as_of=wanted.as_of,
    )
    question = ", ".join(filter(None, (wanted.companies, wanted.members, wanted.measures, years)))
    share = spending.of_cells(len(query.companies) * len(rows) * count)
    made = spending.counted(
        identity, question, lambda: asked_cells(tabulated(query, identity, registry)), as_text, share
    )
    return shown(query, made, years)


def as_text(made: Table) -> tuple[str, bool]:
    """Returns a table as text, and whether it has any figure."""
    return table_text.markdown(made), made.answered


def shown(query: Query, made: Table, years: str) -> FigureTable:
    """Converts a table for the API."""
    return FigureTable(
        companies=[converted(AskedCompany, one) for one in query.companies],
        years=years,
        table=table_text.rows_of(made, [statement(row) for row in query.rows]),
        results=[],
        notes=list(made.notes),
        aligned=made.aligned.value if made.aligned else None,
        basis=made.basis.value if made.basis else None,
    )


def statement(row: Row) -> str:
    return row.measure.statement if isinstance(row.measure, Statement) else ""
