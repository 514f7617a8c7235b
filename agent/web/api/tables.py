"""Figures as tables: measures of companies over fiscal years, and statements line by line, every figure verified."""

from typing import Any, Literal, get_args

from django.http import HttpResponse
from ninja import P, PathEx, Router
from ninja import Query as Parameters
from pydantic import BaseModel, Field

from accounts.identity import Identity
from accounts.quotas import Share
from accounts.request_types import Request
from agent.numbers import registry as registry_file
from agent.numbers import table_text
from agent.runs import spending
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import Query, Row, Statement, Years
from agent.state.tables import Table
from agent.web.api import limits
from agent.web.api.answers import AskedCompany
from agent.web.api.companies import NAMED, company_named
from agent.web.api.etags import tagged
from agent.web.api.openapi import errors
from agent.web.api.parameters import Text
from agent.web.api.problems import Invalid
from agent.web.api.table_parameters import FIRST, LAST, companies_of, members_of, parts_of_years, periods_of, rows_of
from agent.web.api.table_rows import TableRow
from agent.web.api.table_rows import rows_of as rows_of_table
from agent.web.tables.members import times
from agent.web.tables.verified_tables import asked_cells, ref_of, tabulated

router = Router(tags=["Companies and filings"])

COMPANIES = "Tickers or CIKs, 1 to 20, with commas between them: AAPL,MSFT."
MEASURES = (
    "Keys of /concepts, 1 to 10, with commas between them; of a metric with its variant too: revenue,roe:ending."
)
MEMBERS = (
    "Parts of the one company asked, 1 to 10, with commas between them, by the names that it gives them or as tagged: "
    "AWS,StatementGeographicalAxis=DE. Each measure is then of each part."
)
YEARS = "Fiscal years by each company's own label, 20 at most: 2022,2023 or 2019-2024, or last5, or latest."


PERIODS = (
    "Parts of fiscal years in place of `years`, 20 at most: 2023Q1-2025Q4, or 2024Q3,2024H1,20249M, or last8 for the newest "
    "quarters, or ttm for the twelve months to the newest quarter."
)


class TableWanted(BaseModel):
    """The table that is wanted."""

    companies: Text = Field(min_length=1, max_length=600, description=COMPANIES)
    measures: Text = Field(min_length=1, max_length=800, description=MEASURES)
    years: Text = Field(default="latest", max_length=120, description=YEARS)
    members: Text = Field(default="", max_length=600, description=MEMBERS)
    periods: Text = Field(default="", max_length=200, description=PERIODS)


Kind = Literal["income", "balance", "cashflow", "comprehensive", "equity"]


class StatementsWanted(BaseModel):
    """The statements that are wanted."""

    year: int | None = Field(
        default=None, ge=FIRST, le=LAST, description="By the company's own label; if omitted, the newest year stored."
    )
    statement: Kind | None = Field(default=None, description="If omitted, all that are stored.")


class FigureTable(BaseModel):
    """Figures, company by company and year by year."""

    companies: list[AskedCompany] = Field(description="Those asked, in the order of the question.")
    years: str = Field(description="The fiscal years, or parts of them, as they were asked.")
    table: list[TableRow] = Field(description="Measure by measure, company by company, oldest year first.")
    results: list[dict[str, Any]] = Field(
        description="Of operations over the table; none can be asked here, so it is empty."
    )
    notes: list[str] = Field(description="What is true of the whole table.")


@router.get("/table", operation_id="get_table", response={200: FigureTable, 304: None, **errors(404, 422, 429)})
def table(request: Request, wanted: Parameters[TableWanted]) -> HttpResponse:
    """Measures of several companies over several fiscal years, without a question.

    Each figure is read again, and each formula computed again, before it is given; what does not agree is a gap, and a
    gap says its reason. It has an `ETag`. It counts as one answer up to 50 cells (companies, or parts of one, by measures by years), and
    as one more for each further 50 begun; where fewer are left, that is said before anything is computed.
    """
    found = table_of(request.identity, wanted.companies, wanted.measures, wanted.years, wanted.members, wanted.periods)
    return limits.with_limits(tagged(request, found), request.identity)


@router.get(
    "/companies/{company}/statements",
    operation_id="get_statements",
    response={200: FigureTable, 304: None, **errors(404, 422, 429)},
)
def statements(
    request: Request, company: PathEx[str, P(description=NAMED)], wanted: Parameters[StatementsWanted]
) -> HttpResponse:
    """The statements of one fiscal year, line by line as printed, each figure verified.

    It has the shape of /table. A statement that is asked by name and not stored is a gap. It has an `ETag`. Each
    statement asked counts as one answer; all of them, as five.
    """
    found = printed(request.identity, company, wanted.year, wanted.statement)
    return limits.with_limits(tagged(request, found), request.identity)


def printed(identity: Identity, company: str, year: int | None, kind: Kind | None) -> FigureTable:
    """The lines of one statement, or of all stored ones. Raises NotFound, and accounts.quotas.QuotaExceeded."""
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
        # Where none is stored, one gap says why.
        cells = tuple(one for one in made.cells if one.row in (held or {0}))
        return made.model_copy(update={"cells": cells})

    years = "latest" if year is None else str(year)
    question = f"{ref.called}, {kind or 'statements'}, {years}"
    share = Share(len(rows), f"The reply has {len(rows)} statements")
    made = spending.counted(identity, question, stored, told, share)
    return shown(query, made, years)


def table_of(
    identity: Identity, companies: str, measures: str, years: str, members: str = "", parts_asked: str = ""
) -> FigureTable:
    """The table of tickers or CIKs, keys of measures, years or parts of years, and parts of a company.

    Raises Problem, and accounts.quotas.QuotaExceeded.
    """
    registry = registry_file.load()
    rows = rows_of(measures, registry)
    if parts_asked and years != "latest":
        raise Invalid({"periods": ["Give either `years` or `periods`."]})
    periods, count = parts_of_years(parts_asked) if parts_asked else periods_of(years)
    years = parts_asked or years
    asked_of = companies_of(companies)
    if members:
        parts = members_of(members, asked_of)
        rows = tuple(Row(measure=one) for one in times([row.measure for row in rows], parts))
    query = Query(companies=asked_of, periods=periods, rows=rows)
    question = ", ".join(filter(None, (companies, members, measures, years)))
    share = spending.of_cells(len(query.companies) * len(rows) * count)
    made = spending.counted(identity, question, lambda: asked_cells(tabulated(query, identity, registry)), told, share)
    return shown(query, made, years)


def told(made: Table) -> tuple[str, bool]:
    """A table as text, and whether it has any figure."""
    return table_text.markdown(made), made.answered


def shown(query: Query, made: Table, years: str) -> FigureTable:
    """A table in the API's format."""
    return FigureTable(
        companies=[asked(one) for one in query.companies],
        years=years,
        table=rows_of_table(made, [statement(row) for row in query.rows]),
        results=[],
        notes=list(made.notes),
    )


def asked(company: CompanyRef) -> AskedCompany:
    return AskedCompany(cik=company.cik, name=company.name, symbol=company.symbol)


def statement(row: Row) -> str:
    return row.measure.statement if isinstance(row.measure, Statement) else ""
