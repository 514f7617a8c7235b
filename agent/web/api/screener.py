"""`GET /screener`: all covered companies, filtered and ranked by their annual figures."""

from datetime import date

from django.http import HttpResponse
from ninja import Query as Parameters
from ninja import Router
from pydantic import BaseModel, Field

from accounts.identity import Identity
from accounts.request_types import Request
from agent.numbers.tables.table_text import rows_of
from agent.screening.ranked_companies import Listed
from agent.state.conversion import converted
from agent.state.table_rows import TableRow
from agent.state.tables import Cell, Table
from agent.web.api import limits
from agent.web.api.openapi import errors
from agent.web.api.paging import MOST_PAGES
from agent.web.api.parameters import Text
from agent.web.api.problems import Invalid
from agent.web.tables import screens
from agent.web.tables.screens import ScreenedRow

router = Router(tags=["Companies and filings"])

MEASURES = (
    "1 to 6 keys of measures (see /concepts), separated by commas: operating_margin,revenue. Companies are ranked by the "
    "first, unless `sort` names another."
)
YEAR = "Calendar year: each company's own fiscal year whose middle lies in it. If omitted, each company's newest year."
WHERE = "Up to 12 conditions, separated by commas, each a key, a sign (>, <, >= or <=) and a number: operating_margin>10,revenue>=1bn."
SIC = "SIC code, or its first digits; if omitted, all industries."
MOST_ROWS = 50


class ScreenWanted(BaseModel):
    """Which companies to get."""

    measures: Text = Field(min_length=1, max_length=400, description=MEASURES)
    year: int | None = Field(default=None, ge=2015, le=2100, description=YEAR)
    where: Text = Field(default="", max_length=600, description=WHERE)
    sort: Text = Field(default="", max_length=80, description="Key of the measure to rank by; if omitted, the first.")
    order: Text = Field(
        default="highest", pattern="^(highest|lowest)$", description="Which figures come first: highest or lowest."
    )
    sic: Text = Field(default="", max_length=4, description=SIC)
    page: int = Field(default=1, ge=1, le=MOST_PAGES, description="Page number, from 1.")
    size: int = Field(default=25, ge=1, le=MOST_ROWS, description="Number of companies on a page.")


class ScreenedCompany(BaseModel):
    """A company that meets every condition, with its figures."""

    rank: int = Field(description="Place in the order; companies with equal figures share one.")
    cik: int = Field(description="CIK of the company.")
    name: str = Field(description="Company's short name, such as Apple.")
    fiscal_year: int = Field(description="Fiscal year of the figures as the company names it.")
    period_end: date | None = Field(description="Last day of that fiscal year.")
    figures: list[TableRow] = Field(
        description="A figure for each measure that has one, with its facts, in the order of the request."
    )


class LeftOut(BaseModel):
    """Companies that are not ranked."""

    count: int = Field(description="Number of companies.")
    ciks: list[int] = Field(description="CIKs of the first 100 of them.")


class Screen(BaseModel):
    """One page of a screen."""

    items: list[ScreenedCompany] = Field(description="Companies of this page.")
    page: int = Field(description="Number of this page, from 1.")
    pages: int = Field(description="Number of pages, at least 1.")
    total: int = Field(description="Number of companies that meet every condition.")
    compared: int = Field(description="Number of companies that have every figure that is needed.")
    unranked: LeftOut = Field(description="Companies without a certain figure that is needed.")
    other_currency: LeftOut = Field(description="Companies whose figures are in another currency than most.")
    waiting: LeftOut = Field(
        description="Companies whose figures are not prepared: a worker has not come to them yet, or a measure is built "
        "from others."
    )
    web: str = Field(description="Path of this screen's web page.")


@router.get("/screener", operation_id="screen_companies", response={200: Screen, **errors(422, 429)})
def screener(request: Request, wanted: Parameters[ScreenWanted]) -> HttpResponse:
    """Rank and filter all companies that you may ask about by their annual figures.

    Each figure of a page is selected and verified again. A figure that a check doubts is not ranked. A page counts as
    one answer for every 50 cells begun (25 companies times the measures); other pages, orders and conditions of the same
    measures, year and industry within ten minutes are free.
    """
    found = screen_of(request.identity, wanted)
    return limits.with_limits(HttpResponse(found.model_dump_json(), content_type="application/json"), request.identity)


def screen_of(identity: Identity, wanted: ScreenWanted) -> Screen:
    """A page of a screen. Raises Invalid and accounts.quotas.QuotaExceeded."""
    given = {name: str(value) for name, value in wanted.model_dump(exclude={"size"}, exclude_none=True).items()}
    asked = screens.read(given)
    alone = {name: list(screens.read({name: text}).problems) for name, text in given.items()}
    wrong = {name: problems for name, problems in alone.items() if problems}
    if asked.problems and not wrong:
        wrong["measures"] = list(asked.problems)
    if not asked.measures:
        wrong.setdefault("measures", ["Give one or several."])
    elif wanted.sort and wanted.sort != asked.sort:
        wrong["sort"] = [f"`sort` names none of the measures: {wanted.sort}."]
    if wrong:
        raise Invalid(wrong)
    page = screens.counted_page(asked, identity, wanted.size)
    beyond = wanted.page > page.pages
    return Screen(
        items=[] if beyond else [company(row) for row in page.rows],
        page=wanted.page,
        pages=page.pages,
        total=len(page.found.ranked),
        compared=page.found.compared,
        unranked=left_out(page.found.unranked),
        other_currency=left_out(page.found.other_units),
        waiting=left_out(page.found.waiting),
        web=asked.address(page=1),
    )


def company(row: ScreenedRow) -> ScreenedCompany:
    cells: tuple[Cell, ...] = tuple(cell for cell in row.cells if cell is not None and cell.value is not None)
    return converted(
        ScreenedCompany,
        row.ranked,
        cik=row.ranked.company.cik,
        name=row.ranked.company.called,
        period_end=row.ends,
        figures=rows_of(Table(cells=cells)),
    )


def left_out(companies: tuple[Listed, ...]) -> LeftOut:
    return LeftOut(count=len(companies), ciks=[one.cik for one in companies[:100]])
