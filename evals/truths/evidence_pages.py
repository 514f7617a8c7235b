"""Finds the page of a filing with a piece of evidence, and whether a search finds that page.

Evidence of others is text copied from a PDF with the PDF's page; neither matches our text exactly. The page with most
of the evidence's words in order is used; where none has half of them, the page of that number.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from evals.truths.prose_truth import fold
from filings.models import Filing, Section

# How many words in a row are compared, and the share of the evidence that must be on a page.
ROW, LEAST = 3, 0.5

Shingles = frozenset[tuple[str, ...]]


def page_of(filing: Filing, text: str, counted: int | None) -> int | None:
    """The page of a filing with a text, from 1; None where there is none and `counted`, from 0, is no page of it."""
    told = shingles(text)
    pages = pages_of(filing.pk)
    if told and pages:
        share, page = max((len(told & said) / len(told), -page) for page, said in pages.items())
        if share >= LEAST:
            return -page
    return counted + 1 if counted is not None and counted + 1 in pages else None


@lru_cache(maxsize=8)
def pages_of(filing: int) -> dict[int, Shingles]:
    """What each page of a filing says."""
    texts: dict[int, list[str]] = {}
    for section in Section.objects.filter(filing=filing).exclude(text="").order_by("number"):
        starts = [*section.parsed_pages]
        for place, page in enumerate(starts):
            end = starts[place + 1].start if place + 1 < len(starts) else len(section.text)
            texts.setdefault(page.number, []).append(section.text[page.start : end])
    return {number: shingles("\n".join(said)) for number, said in texts.items()}


def shingles(text: str) -> Shingles:
    words = fold(text)
    return frozenset(tuple(words[at : at + ROW]) for at in range(max(1, len(words) - ROW + 1)) if words)


def pages_on(section: Section, ranges: Iterable[Sequence[int]]) -> set[int]:
    """The pages of ranges in a section's text."""
    places = ((section.page(start), section.page(max(start, end - 1))) for start, end in ranges)
    return {number for first, last in places if first and last for number in range(first.number, last.number + 1)}


def found_pages(filing: Filing, question: str, most: int, *, figure: bool = False) -> list[set[int]]:
    """The pages of each passage that a search of one filing finds for a question's words, best first.

    figure: whether a figure is asked for, which is in a table. Raises SearchUnavailable or IndexMismatch.
    """
    from agent.prose.questions.topics import topic_of
    from agent.prose.search.passages import focus_text
    from filings.search.passages import Focus, find

    topic = topic_of(question)
    if topic is None:
        return []
    focuses = [Focus(focus_text(topic, at), one.words, one.variants, figure) for at, one in enumerate(topic.queries)]
    found = find(focuses, [filing.pk], limit=most).passages
    sections = Section.objects.in_bulk([one.section for one in found])
    return [pages_on(sections[one.section], one.ranges) for one in found if one.section in sections]


def rank_of(pages: Iterable[int], found: Sequence[set[int]]) -> int | None:
    """The rank, from 1, of the first passage on one of these pages."""
    wanted = set(pages)
    return next((rank for rank, one in enumerate(found, 1) if one & wanted), None)
