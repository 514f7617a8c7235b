"""Describes for pages how each Item of a filing was found, and on which page it begins."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.db.models.functions import Length

from filings.document.blocks import Page
from filings.models import Filing, Section, SectionStatus
from filings.models.report import co_filed
from filings.sections.items import ALL_ITEMS, ITEMS, Item


@dataclass(frozen=True, slots=True)
class Sign:
    """How a status is shown: a letter with its class, and an explanation."""

    letter: str
    css: str
    words: str


SIGNS: Mapping[str, Sign] = {
    SectionStatus.EXTRACTED: Sign("X", "is-x", "extracted"),
    SectionStatus.NONE: Sign("–", "is-e", "heading with None or Not applicable"),  # noqa: RUF001 - as on the page
    SectionStatus.BY_REFERENCE: Sign("R", "is-r", "by reference"),
    SectionStatus.OMITTED: Sign("O", "is-o", "omitted"),
    SectionStatus.NOT_FOUND: Sign("N", "is-n", "not found"),
    SectionStatus.UNVERIFIED: Sign("U", "is-u", "unverified"),
}
UNKNOWN = Sign("", "is-o", "not read")
# Statuses that an outline shows in fewer words, or not at all.
SHORT: Mapping[str, str] = {SectionStatus.EXTRACTED: "", SectionStatus.NONE: "none"}
# The hash of a section without text.
NO_TEXT = {"", hashlib.sha256(b"").hexdigest()}


@dataclass(frozen=True, slots=True)
class Entry:
    """One section of a filing without its text: an Item, or text cited by its page."""

    section: Section
    characters: int

    @property
    def item(self) -> Item | None:
        return ALL_ITEMS.get(self.section.item)

    @property
    def title(self) -> str:
        """The section's title: 1A Risk Factors; for text outside any Item its own heading."""
        return self.item.entry if self.item else untitled(self.section)

    @property
    def sign(self) -> Sign:
        return SIGNS[self.section.status]

    @property
    def page(self) -> Page | None:
        """The page on which it begins, where pages are known."""
        return self.section.page(0)

    @property
    def readable(self) -> bool:
        return self.characters > 0

    @property
    def note(self) -> str:
        """The note beside it in an outline: its page, or why there is nothing to read."""
        words = SHORT.get(self.section.status, self.sign.words)
        if not self.item:
            words = ""
        page = f"p. {self.page.label}" if self.page and self.readable else ""
        return ", ".join(filter(None, (words, page)))


def untitled(section: Section) -> str:
    """A name for text outside any Item: its heading, or its pages."""
    if section.heading:
        return section.heading
    pages = section.parsed_pages
    if not pages:
        return "Text outside any Item"
    return f"Page {pages[0].label}" if len(pages) == 1 else f"Pages {pages[0].label} to {pages[-1].label}"


def title(section: Section) -> str:
    """The main heading of a section's page."""
    item = ALL_ITEMS.get(section.item)
    if item is None:
        return untitled(section)
    return f"{item.called}. {item.title}" if item.title else section.heading or item.called


def light(sections: QuerySet[Section]) -> QuerySet[Section]:
    """Sections with the length of their texts and without the texts, which are megabytes a filing."""
    return sections.defer("text", "blocks").annotate(characters=Length("text"))


def entries(filing: Filing) -> list[Entry]:
    """The sections of a filing in their order: the Items, then what is cited by its page."""
    found = []
    for section in light(Section.objects.filter(filing=filing)).order_by("number"):
        section.filing = filing  # for its address, which would otherwise query it row by row
        # The length is an annotation, which a model does not declare.
        found.append(Entry(section, section.characters))  # type: ignore[attr-defined]
    return found


@dataclass(frozen=True, slots=True)
class Line:
    """One filing in the table of Items by year: its sign for each Item, in the order of the list."""

    filing: Filing
    cells: tuple[tuple[Item, Sign, bool], ...]  # the Item, its sign, whether there is text to read
    counts: Mapping[str, int]  # status: Items
    scope: str = ""  # "?cik=..." where other registrants filed the same accession

    @property
    def summary(self) -> str:
        """A filing's Items counted by status: "12 extracted, 1 unverified"."""
        shown = (SectionStatus.EXTRACTED, SectionStatus.UNVERIFIED, SectionStatus.NOT_FOUND)
        return ", ".join(f"{self.counts[status]} {SIGNS[status].words}" for status in shown if self.counts.get(status))


def lines(filings: Iterable[Filing]) -> dict[int, Line]:
    """The Items' statuses of many filings; a filing not divided into sections has no line."""
    by_filing = {filing.pk: filing for filing in filings}
    held: dict[int, dict[str, tuple[str, bool]]] = defaultdict(dict)
    rows = Section.objects.filter(filing__in=by_filing).exclude(item="").order_by()
    for filing, item, status, sha256 in rows.values_list("filing_id", "item", "status", "sha256"):
        held[filing][item] = status, sha256 not in NO_TEXT
    shared = co_filed(filing.accession for filing in by_filing.values()) if held else set()
    found = {}
    for filing, items in held.items():
        cells = tuple(
            (item, SIGNS[items[key][0]], items[key][1]) if key in items else (item, UNKNOWN, False)
            for key, item in ITEMS.items()
        )
        of = by_filing[filing]
        scope = f"?cik={of.company.cik}" if of.accession in shared else ""
        found[filing] = Line(of, cells, Counter(status for status, _ in items.values()), scope)
    return found
