"""The page of a company's restatements: which figures of which year moved in which filing, and by how much."""

from collections.abc import Iterator, Sequence

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.numbers.basis.moved_figures import Moved, moved_figures
from agent.numbers.facts.render import MINUS, shown
from agent.web.exports import csv_file, file_formats
from agent.web.exports.cell_values import Amount, Value
from agent.web.exports.file_formats import Format
from filings.models import Company
from filings.web.views import company_by_ticker

A_PAGE = 50
KINDS = {"split": "By a whole factor, as in a split", "recast": "Part of the company recast", "restated": "Restated"}
HEADINGS = (
    "Figure", "Fiscal year", "Period start", "Period end", "Unit", "Earlier value", "Later value", "Change",
    "Change in percent", "Kind", "Earlier accession", "Later accession", "Later filing", "Filed", "Element", "Dimensions",
)  # fmt: skip


@require_safe
@never_cache
def restatements(request: Request, cik: int) -> HttpResponse:
    """Figures that a later 10-K reports otherwise, the newest filing first."""
    company = get_object_or_404(Company, cik=cik)
    if successor := company.successor:
        return redirect("restatements", successor.cik)
    page = Paginator(moved_figures(company), A_PAGE).get_page(request.GET.get("page"))
    rows = [(one, KINDS[one.kind], *values(one)) for one in page]
    return render(request, "agent/restatements.html", {"company": company, "page": page, "rows": rows})


@require_safe
def restatements_by_ticker(request: Request, ticker: str) -> HttpResponse:
    """Lead from a ticker to the page of its company."""
    found = company_by_ticker(request, ticker)
    return redirect(f"{found.headers['Location'].partition('?')[0]}/restatements") if "Location" in found else found


@require_safe
@never_cache
def restatements_file(request: Request, cik: int, ending: str) -> HttpResponseBase:
    """All of them as CSV."""
    if refused := file_formats.unknown(ending, [Format.CSV]):
        return refused
    company = get_object_or_404(Company, cik=cik)
    reply = HttpResponse(content_type=Format.CSV.content_type)
    csv_file.write(reply, HEADINGS, lines(moved_figures(company)))  # type: ignore[arg-type] # a response is written like a file
    return file_formats.attached(reply, f"Restatements of {company.called}", Format.CSV)


def values(one: Moved) -> tuple[str, str, str, str]:
    """The earlier and the later value, the change with its sign, and the percentage; the last may be empty."""
    unit = one.after.unit
    sign = "+" if one.change > 0 else ""
    percent = "" if one.percent is None else f"{sign or MINUS}{abs(one.percent):,}%"
    before, after, change = (
        shown(value, unit, reported=True) for value in (one.before.value, one.after.value, one.change)
    )
    return before, after, f"{sign}{change}", percent


def lines(found: Sequence[Moved]) -> Iterator[list[Value]]:
    for one in found:
        before, after = one.before, one.after
        yield [
            one.label, one.fiscal_year, after.start, after.end, after.unit, Amount(before.value, after.unit),
            Amount(after.value, after.unit), Amount(one.change, after.unit),
            None if one.percent is None else Amount(one.percent, "percent"), KINDS[one.kind], before.filing.accession,
            after.filing.accession, after.form, after.filed, after.name, after.dimensions,
        ]  # fmt: skip
