"""Pictures of the pages of imported PDF files. Everybody may see them, as their text."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from filings.importing import page_pictures
from filings.importing.page_pictures import NotDrawn
from filings.models import Document, Filing, Section
from filings.web.page_marks import boxes
from filings.web.reader import BadRange, read_ranges
from filings.web.reading_views import held_filing, held_section, original_of

A_DAY = "private, max-age=86400"


def pdf_with(filing: Filing, number: int) -> Document:
    """The row of a document's PDF file. Raises Http404 for other kinds of file, and for a page behind its last text."""
    found = original_of(filing)
    if found is None or not page_pictures.is_pdf(found.sha256):
        raise Http404
    pages = (page.number for section in filing.sections.only("pages") for page in section.parsed_pages)
    if not 1 <= number <= max(pages, default=0):
        raise Http404
    return found


@require_safe
def page_file(request: HttpRequest, accession: str, number: int) -> HttpResponseBase:
    """The picture of a page as PNG."""
    found = pdf_with(held_filing(request, accession), number)
    try:
        reply = FileResponse(page_pictures.page(found.sha256, number).picture.open("rb"), content_type="image/png")
    except page_pictures.Busy:
        return HttpResponse(status=503, headers={"Retry-After": "2"})
    except (NotDrawn, FileNotFoundError):
        raise Http404 from None
    reply["Cache-Control"] = A_DAY
    return reply


@require_safe
def page_picture(request: HttpRequest, accession: str, key: str, number: int) -> HttpResponse:
    """The picture of a page beside a section's text, with the ranges of ?at= marked."""
    section = held_section(held_filing(request, accession), key)
    found = pdf_with(section.filing, number)
    try:
        ranges = read_ranges(request.GET["at"], len(section.text)) if "at" in request.GET else ()
    except BadRange as problem:
        return HttpResponse(str(problem), status=400, content_type="text/plain; charset=utf-8")
    context = {"section": section, "filing": section.filing, "number": number, "at": request.GET.get("at", "")}
    context |= around(section, number)
    try:
        drawn = page_pictures.page(found.sha256, number)
    except NotDrawn as problem:
        return render(request, "filings/_page_picture.html", {**context, "problem": str(problem)})
    context["drawn"] = drawn
    context["boxes"] = boxes(drawn, section.text, section.parsed_pages, number, ranges)
    return render(request, "filings/_page_picture.html", context)


def around(section: Section, number: int) -> dict[str, object]:
    """The page's number as printed, and the pages of the section before and after it."""
    pages = section.parsed_pages
    return {
        "label": next((page.label for page in pages if page.number == number), str(number)),
        "previous": next((page for page in reversed(pages) if page.number < number), None),
        "following": next((page for page in pages if page.number > number), None),
    }
