"""Sections of the fictional Northwind Instruments, with headings, bullets, a table, pages and passages to cite."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from filings.document.blocks import BLOCK_GAP, CELL_GAP, ROW_GAP, Block, Cell, Page, stored_blocks, stored_pages
from filings.models import Chunk, Filing, Section, SectionStatus
from filings.sections.items import ITEMS

SUPPLIER = "We hold no contract that obliges this supplier to sell to us beyond the end of fiscal 2026."
STOPPED = "If deliveries stopped, we may be unable to ship the instruments that use the part."
PERMIT = "In March 2025 an export permit lapsed and the trading house delivered nothing for seven weeks."
COSTS = "Cost of sales increased by $6.1 million, or 9%, primarily because we paid more for magnets."
HOSTILE = '<script>alert("x")</script> & <b onclick=alert(1)>bold</b> "quoted"'


@dataclass
class Text:
    """A text that grows block by block, as the reading of a document leaves it."""

    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)

    def page(self, number: int, printed: str = "") -> "Text":
        """A page begins with the next block."""
        self.pages.append(Page(len(self.text) + len(BLOCK_GAP) if self.text else 0, number, printed))
        return self

    def page_within(self, words: str, number: int) -> "Text":
        """A page begins in the midst of the last block, at these words."""
        self.pages.append(Page(self.text.rindex(words), number))
        return self

    def heading(self, words: str, level: int = 2) -> "Text":
        return self.add("heading", words, level)

    def paragraph(self, words: str) -> "Text":
        return self.add("paragraph", words)

    def bullet(self, words: str) -> "Text":
        return self.add("bullet", words)

    def add(self, kind: Any, words: str, level: int = 0) -> "Text":
        start = self.begin()
        self.text += words
        self.blocks.append(Block(kind, start, len(self.text), level))
        return self

    def table(self, *rows: Sequence[str], header: int = 1) -> "Text":
        start = self.begin()
        cells: list[tuple[Cell, ...]] = []
        for row in rows:
            if cells:
                self.text += ROW_GAP
            at = []
            for place, printed in enumerate(row):
                self.text += CELL_GAP if place else ""
                at.append(Cell(len(self.text), len(self.text) + len(printed)))
                self.text += printed
            cells.append(tuple(at))
        self.blocks.append(Block("table", start, len(self.text), 0, header, tuple(cells)))
        return self

    def begin(self) -> int:
        self.text += BLOCK_GAP if self.text else ""
        return len(self.text)


def risk_factors() -> Text:
    """Item 1A, pages 14 to 16, a page beginning within a paragraph."""
    text = Text().page(14, "14").heading("Item 1A. Risk Factors", 1)
    text.paragraph("The risks below are those we believe could matter most to our business.")
    text.heading("We buy several critical components from one supplier each.")
    text.paragraph(f"A single supplier in Lindau makes the ceramic stage. {SUPPLIER} {STOPPED}")
    text.table(
        ("Component", "Used in", "Share of fiscal 2025 sales"),
        ("Ceramic stage", "Meridian", "31%"),
        ("Detector chip", "Meridian, Halyard", "(48)"),
        ("Glass scale", "", "—"),
    )
    text.page(15, "15").heading("Magnets reach us through a short and fragile chain.")
    text.paragraph(f"Our linear drives use sintered magnets. {PERMIT} We met our orders from stock.")
    text.page_within("We met our orders", 16)
    text.bullet("Three mills produce them")
    text.bullet("One trading house imports them")
    return text.paragraph(HOSTILE)


def discussion() -> Text:
    """Item 7, one page without a printed number."""
    text = Text().page(31).heading("Item 7. Management's Discussion and Analysis", 1)
    return text.paragraph(f"Net sales rose. {COSTS}")


def none() -> Text:
    """Item 1B."""
    return Text().page(22, "22").heading("Item 1B. Unresolved Staff Comments", 1).paragraph("None.")


def loose() -> Text:
    """Text under no Item."""
    return Text().page(40, "F-1").paragraph("Notes that stand under no Item that could be verified.")


def section(filing: Filing, number: int, item: str, text: Text | None = None, **fields: Any) -> Section:
    """A stored section; with a text it is extracted unless said otherwise."""
    text = text or Text()
    return Section.objects.create(
        filing=filing,
        number=number,
        item=item,
        **{
            "status": SectionStatus.EXTRACTED,
            "text": text.text,
            "sha256": hashlib.sha256(text.text.encode()).hexdigest() if text.text else "",
            "pages": stored_pages(text.pages),
            "blocks": stored_blocks(text.blocks),
            "heading": text.text.partition("\n")[0] if item else "",
            **fields,
        },
    )


def ten_k(filing: Filing) -> dict[str, Section]:
    """The ledger of a 10-K by Item: 1A and 7 extracted, 1B none, 1C omitted, Part III by reference, the rest not found."""
    texts = {"1A": risk_factors, "7": discussion}
    sections = {}
    for number, key in enumerate(ITEMS, start=1):
        if key in texts:
            sections[key] = section(filing, number, key, texts[key]())
        elif key == "1B":
            sections[key] = section(filing, number, key, none(), status=SectionStatus.NONE)
        elif key == "1C":
            sections[key] = section(filing, number, key, status=SectionStatus.OMITTED)
        elif ITEMS[key].part == "III":
            where = "the proxy statement for the 2026 annual meeting"
            sections[key] = section(filing, number, key, status=SectionStatus.BY_REFERENCE, where=where)
        else:
            sections[key] = section(filing, number, key, status=SectionStatus.NOT_FOUND)
    sections["p"] = section(filing, len(ITEMS) + 1, "", loose())
    Filing.objects.filter(pk=filing.pk).update(chunks_stored=1, indexed="embedded")
    chunk_of(sections["1A"], SUPPLIER)
    return sections


def place(section: Section, words: str) -> tuple[int, int]:
    """The range of some words in a section's text."""
    start = section.text.index(words)
    return start, start + len(words)


def chunk_of(section: Section, words: str) -> Chunk:
    """A stored chunk of one range."""
    start, end = place(section, words)
    number = Chunk.objects.filter(filing=section.filing).count()
    return Chunk.objects.create(
        id=Chunk.key(section.filing_id, number),
        filing=section.filing,
        section=section,
        number=number,
        item=section.item,
        kind="prose",
        ranges=[[start, end]],
        page_first=14,
        page_last=14,
        pieces=20,
        sha256=hashlib.sha256(words.encode()).hexdigest(),
    )
