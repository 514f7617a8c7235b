"""`GET /companies/{company}/redline`: what changed in an Item between two annual reports of a company."""

from typing import Annotated

from django.urls import reverse
from ninja import P, PathEx, Query, Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.web.api.companies import NAMED, company_named
from agent.web.api.openapi import errors
from agent.web.api.problems import Problem
from filings.models import Section
from filings.redline.alignment import Pair
from filings.redline.captions import RISKS
from filings.redline.changes import Stretch, stretches
from filings.redline.compared_units import Unit
from filings.redline.comparison import Comparison, compare
from filings.redline.heads import heads_of
from filings.redline.held import NotComparable, texts, years_held
from filings.redline.summary import captions_said, text_said
from filings.sections import item_coverage

router = Router(tags=["Companies and filings"])

Year = Annotated[int | None, Field(default=None, ge=1990, le=2100)]


class RedlineWanted(BaseModel):
    """Which texts to compare."""

    item: str = Field(default=RISKS, max_length=12, description="Item of a 10-K, such as 1A or 7.")
    older: Year = Field(default=None, alias="from", description="Older fiscal year. Default: the one before `to`.")
    newer: Year = Field(default=None, alias="to", description="Newer fiscal year. Default: the newest one held.")


class RedlineText(BaseModel):
    """A passage as filed."""

    text: str = Field(description="The filing's own characters.")
    start: int = Field(description="Position of its first character in the section's text.")
    end: int = Field(description="Position behind its last character.")
    page: str = Field(description="Printed page; empty where it is not known.")
    columns: str = Field(default="", description="Headings of the columns of a table's row, cells a tab apart.")


class RedlinePassage(BaseModel):
    """A sentence, heading or table row in the older text, in the newer one, or in both."""

    kind: str = Field(description="same, rolled (only figures or dates moved on), changed, moved, added or dropped.")
    older: RedlineText | None = Field(description="It in the older text; null where it was added.")
    newer: RedlineText | None = Field(description="It in the newer text; null where it was dropped.")


class RedlineChange(BaseModel):
    """A paragraph, list item or part that changed."""

    kind: str = Field(description="changed, moved, added or dropped.")
    heading: str = Field(description="Heading of the part in which it stands; empty without one.")
    page: str = Field(description="Address of the change on this site.")
    passages: list[RedlinePassage] = Field(description="Its sentences, in order.")


class ComparedText(BaseModel):
    """One of the two texts."""

    fiscal_year: int | None = Field(description="Fiscal year as the company names it.")
    accession: str = Field(description="Accession number of the filing.")
    sha256: str = Field(description="SHA-256 hash of the section's text in UTF-8.")
    url: str = Field(description="Address of the section in this API.")


class Redline(BaseModel):
    """What changed in an Item between two annual reports. Every passage is verbatim."""

    company: str = Field(description="Name of the company.")
    cik: int = Field(description="CIK of the company.")
    item: str = Field(description="Item of a 10-K, such as 1A.")
    title: str = Field(description="Title of the Item.")
    said: list[str] = Field(description="The result in sentences: of the risks, where it lists some, and of the text.")
    older: ComparedText = Field(description="The older text.")
    newer: ComparedText = Field(description="The newer text.")
    counts: dict[str, int] = Field(description="Kind -> number of sentences, headings and table rows.")
    captions: list[RedlinePassage] = Field(description="The headings that each state a risk, of both texts.")
    changes: list[RedlineChange] = Field(description="What changed, in reading order.")
    page: str = Field(description="Address of the comparison on this site.")


@router.get("/companies/{company}/redline", operation_id="get_redline", response={200: Redline, **errors(404, 422)})
def redline(request: Request, company: PathEx[str, P(description=NAMED)], wanted: Query[RedlineWanted]) -> Redline:
    """Compare an Item of two annual reports: passages added, dropped, moved and changed, and the risks first."""
    return redline_of(company, wanted.item, wanted.older, wanted.newer)


def redline_of(company: str, item: str, older: int | None, newer: int | None) -> Redline:
    """An Item of two fiscal years compared, by default of the two newest. Raises Problem."""
    held = years_held(company_named(company))
    try:
        texts_held = texts(held, item.upper(), older, newer)
    except NotComparable as problem:
        raise Problem(404, "not_found", str(problem)) from problem
    return shown(compare(*texts_held), item.upper())


def page_query(item: str, comparison: Comparison) -> str:
    """What names a comparison in the address of its page and files."""
    return f"item={item}&from={comparison.old.filing.fiscal_year}&to={comparison.new.filing.fiscal_year}"


def shown(comparison: Comparison, item: str) -> Redline:
    """A comparison as programs get it."""
    company = comparison.new.filing.company
    page = f"{reverse('redline', args=[company.cik])}?{page_query(item, comparison)}"
    return Redline(
        company=company.name,
        cik=company.cik,
        item=item,
        title=item_coverage.title(comparison.new),
        said=[one for one in (captions_said(comparison), text_said(comparison.counts)) if one],
        older=_text(comparison.old),
        newer=_text(comparison.new),
        counts={str(kind): count for kind, count in sorted(comparison.counts.items())},
        captions=[_passage(one, comparison) for one in comparison.captions],
        changes=[_change(one, comparison, page) for one in stretches(comparison) if one.is_change],
        page=page,
    )


def _text(section: Section) -> ComparedText:
    filing = section.filing
    url = f"{reverse('api:section', args=[filing.accession, section.key])}?cik={filing.company.cik}"
    return ComparedText(fiscal_year=filing.fiscal_year, accession=filing.accession, sha256=section.sha256, url=url)


def _change(one: Stretch, comparison: Comparison, page: str) -> RedlineChange:
    heading = _passage(one.heading, comparison) if one.heading else None
    stands = heading and (heading.newer or heading.older)
    return RedlineChange(
        kind=one.kind,
        heading=stands.text if stands else "",
        page=f"{page}#{one.anchor}",
        passages=[_passage(pair, comparison) for paragraph in one.paragraphs for pair in paragraph.pairs],
    )


def _passage(pair: Pair, comparison: Comparison) -> RedlinePassage:
    return RedlinePassage(
        kind=pair.kind, older=_quotation(pair.old, comparison.old), newer=_quotation(pair.new, comparison.new)
    )


def _quotation(unit: Unit | None, section: Section) -> RedlineText | None:
    if unit is None:
        return None
    page = section.page(unit.start)
    return RedlineText(
        text=section.text[unit.start : unit.end],
        start=unit.start,
        end=unit.end,
        page=page.label if page else "",
        columns=heads_of(unit, section),
    )
