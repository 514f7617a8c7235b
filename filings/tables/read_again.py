"""Printed figures that are stored as facts, read again from the stored text at their places."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from filings.document.blocks import Block, Page
from filings.models import Fact, Filing, Section
from filings.tables.column_periods import Subject
from filings.tables.printed_facts import figures_at

COMPARED = ("tag", "unit", "start", "end", "value", "printed", "label")


@dataclass(frozen=True, slots=True)
class StoredText:
    """A stored section as it is read."""

    text: str
    blocks: Sequence[Block]
    pages: Sequence[Page]


def subject_of(filing: Filing) -> Subject:
    """What a filing reports on, as far as it is known."""
    return Subject(filing.period_end, filing.fiscal_year, filing.fiscal_quarter, filing.kind.span == "year")


def unlike(facts: Iterable[Fact]) -> dict[int, str]:
    """By primary key, how printed facts differ from what the stored text prints at their places, in a sentence.

    Facts that are printed just so are left out. Their filings are needed.
    """
    by_section: dict[tuple[int, int], list[Fact]] = defaultdict(list)
    found: dict[int, str] = {}
    for fact in facts:
        if fact.section is None or fact.text_start is None:
            found[fact.pk] = f"Where {fact} is printed is not stored."
        else:
            by_section[fact.filing_id, fact.section].append(fact)
    for (filing, number), held in by_section.items():
        section = Section.objects.filter(filing=filing, number=number).first()
        printed = _printed(held, section) if section else set()
        found |= {one.pk: f"The document does not print {one} at its place." for one in held if one.pk not in printed}
    return found


def _printed(facts: Sequence[Fact], section: Section) -> set[int]:
    """Those facts of a section that it prints."""
    text = StoredText(section.text, section.parsed_blocks, section.parsed_pages)
    starts = {fact.text_start or 0 for fact in facts}
    read = figures_at(text, subject_of(facts[0].filing), facts[0].unit.partition("/")[0], starts)
    return {
        fact.pk
        for fact in facts
        if section.text[fact.text_start : fact.text_end] == fact.printed
        and any(
            all(getattr(fact, name) == getattr(one, name) for name in COMPARED) for one in read[fact.text_start or 0]
        )
    }
