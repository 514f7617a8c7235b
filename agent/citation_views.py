"""The page of a section with the citations of an answer marked. Only whoever asked sees the marks; the text, everybody."""

from dataclasses import replace
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import Request
from agent.citations import for_reader
from agent.models import Run
from agent.state import Answer
from filings.citations import Citations
from filings.reading_views import held_filing, held_section, section_page

NOT_VISIBLE = "The answer that this address belongs to is not yours or is deleted, so no passage is marked."


@require_safe
@never_cache
def section(request: Request, accession: str, key: str) -> HttpResponse:
    """The text of a section: plain, with a range marked (?at=), or with an answer's citations (?run=&cite=)."""
    found = held_section(held_filing(request, accession), key)
    if "run" not in request.GET:
        return section_page(request, found)
    problems: list[str] = []
    citations = marked(request, problems)
    if citations is None and not problems:
        return section_page(request, found, notice=NOT_VISIBLE)
    return section_page(request, found, citations, problems=problems)


def marked(request: Request, problems: list[str]) -> Citations | None:
    """The citations that the address names. What of it cannot be read is added to the problems."""
    try:
        pk = UUID(request.GET["run"])
    except ValueError:
        problems.append("The address names no answer: run= is its identifier, as in the answer's own address.")
        return None
    run = Run.objects.visible_to(request.identity).filter(pk=pk).only("answer").first()
    if run is None or not run.answer:
        return None
    answer = Answer.model_validate(run.answer)
    citations = for_reader(answer, run.pk, back=run.get_absolute_url())
    number = request.GET.get("cite", "")
    if not number:
        return citations
    numbers = {one.number for one in citations.cited}
    if not (number.isdecimal() and len(number) < 5 and int(number) in numbers):
        known = f"cite= is a number from {min(numbers)} to {max(numbers)}" if numbers else "it has no citations"
        problems.append(f"The answer has no citation “{number[:20]}”: {known}.")
        return citations
    return replace(citations, now=int(number))
