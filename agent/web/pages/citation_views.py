"""The page of a section with an answer's citations marked.

Everybody may read the text; the marks are for the answer's owner and readers of its shared link.
"""

from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.models import Run
from agent.prose.text.section_text import SectionText
from agent.runs.stored_answer import UNREAD, read
from agent.web.cards.citations import for_reader
from agent.web.shared_links import opened, read_by_link
from filings.models import Section
from filings.redline.captions import captions_of
from filings.sections import item_coverage
from filings.web.citations import Citations
from filings.web.reading_views import co_filings, held_filing, held_section, section_page

NOT_VISIBLE = "The answer behind this link is not yours or has been deleted, so no passage is marked."
NOT_SHARED = "The answer behind this link is no longer shared, so no passage is marked."
NOT_READ = f"{UNREAD} No passage is marked."


@require_safe
@never_cache
def section(request: Request, accession: str, key: str) -> HttpResponse:
    """The text of a section: plain, with a range marked (?at=), or with an answer's citations (?run= or ?share=,
    &cite=).
    """
    found = held_section(held_filing(request, accession), key)
    if "share" in request.GET:
        return read_by_link(section_of_shared(request, found))
    if "run" not in request.GET:
        return section_page(request, found)
    problems: list[str] = []
    citations, notice = marked(request, problems)
    return section_page(request, found, citations, notice=notice, problems=problems)


@require_safe
def captions(request: Request, accession: str, key: str) -> HttpResponse:
    """Every risk that an Item lists, in the filing's words and order, each linked to its place."""
    found = held_section(held_filing(request, accession), key)
    text = SectionText(found)
    listed = [
        (found.text[start:end], text.page(start), f"{start}-{end}")
        for start, end in captions_of(found.text, found.blocks)
    ]
    if not listed or not text.intact:
        raise Http404
    scope: dict[str, str | int] = {"cik": found.filing.company.cik} if co_filings(found.filing) else {}
    context = {
        "section": found,
        "filing": found.filing,
        "company": found.filing.company,
        "title": item_coverage.title(found),
        "captions": [(said, page, urlencode({**scope, "at": at})) for said, page, at in listed],
        "scope": f"?{urlencode(scope)}" if scope else "",
    }
    return render(request, "agent/captions.html", context)


def section_of_shared(request: Request, found: Section) -> HttpResponse:
    """The text with the citations of a shared answer only."""
    share = opened(request.GET["share"])
    if share is None:
        return section_page(request, found, notice=NOT_SHARED)
    answer = read(share.run.answer)
    if answer is None:
        return section_page(request, found, notice=NOT_READ)
    citations = for_reader(answer, share.run_id, share.get_absolute_url(), share.token)
    problems: list[str] = []
    return section_page(request, found, at_citation(request, citations, problems), problems=problems)


def marked(request: Request, problems: list[str]) -> tuple[Citations | None, str]:
    """The citations that the address names, or why nothing is marked. Unreadable parameters are added to the problems."""
    try:
        pk = UUID(request.GET["run"])
    except ValueError:
        problems.append("The address names no answer: run= must be the identifier in the answer's own address.")
        return None, ""
    run = Run.objects.visible_to(request.identity).filter(pk=pk).only("answer").first()
    if run is None or not run.answer:
        return None, NOT_VISIBLE
    answer = read(run.answer)
    if answer is None:
        return None, NOT_READ
    return at_citation(request, for_reader(answer, run.pk, back=run.get_absolute_url()), problems), ""


def at_citation(request: Request, citations: Citations, problems: list[str]) -> Citations:
    """The citations with the one that ?cite= opens."""
    number = request.GET.get("cite", "")
    if not number:
        return citations
    numbers = {one.number for one in citations.cited}
    if not (number.isdecimal() and len(number) < 5 and int(number) in numbers):
        known = f"cite= is a number from {min(numbers)} to {max(numbers)}" if numbers else "it has no citations"
        problems.append(f"The answer has no citation “{number[:20]}”: {known}.")
        return citations
    return replace(citations, now=int(number))
