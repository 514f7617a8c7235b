"""Fictional filings to quote from: one company in two years, and another company, with sections and chunks."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from agent.state import Claim, CompanyRef, FilingRef, Passage, Period, PeriodForm, Retrieval, Target
from evals.mutations.mutations import SENTENCES
from filings.document.blocks import BLOCK_GAP, Block, Cell, Page, stored_blocks, stored_pages
from filings.document.sentences import sentence_spans
from filings.models import Chunk, Company, Filing, Section, SectionStatus

CIK, OTHER_CIK = 9_999_977_701, 9_999_977_702


def read_text(lines: list[str]) -> tuple[str, list[Block]]:
    """A frozen text from lines: "# heading", "- bullet", "| cell | cell" rows of a table, and paragraphs.

    A row that begins with "|=" names columns; a cell that ends with "^2" covers two.
    """
    text, blocks = "", []
    for line in lines:
        kind = {"#": "heading", "-": "bullet", "|": "table"}.get(line[0], "paragraph")
        again = kind == "table" and blocks and blocks[-1].kind == "table"
        start = len(text) + ((1 if again else len(BLOCK_GAP)) if text else 0)
        text += ("\n" if again else BLOCK_GAP) if text else ""
        if kind == "table":
            cells: list[Cell] = []
            for cell in line.rstrip("\n").removeprefix("|").removeprefix("=").split("|"):
                text += "\t" if cells else ""
                said, _, span = cell.strip().partition("^")
                cells.append(Cell(len(text), len(text) + len(said), int(span or 1)))
                text += said
            before = blocks.pop() if again else Block("table", start, start)
            header = before.header + line.startswith("|=")
            blocks.append(Block("table", before.start, len(text), header=header, rows=(*before.rows, tuple(cells))))
            continue
        text += line.lstrip("#-| ").rstrip("\n")
        blocks.append(Block(kind, start, len(text), 2 if kind == "heading" else 0))  # type: ignore[arg-type] # one of the four kinds
    return text, blocks


def lines_of_sentences() -> list[str]:
    return SENTENCES.read_text(encoding="utf-8").splitlines()


@dataclass(frozen=True)
class Quotable:
    """A filing with one section, the target that asks about it, and what a search found of it."""

    section: Section
    chunks: tuple[Chunk, ...]
    filing: FilingRef
    target: Target

    @property
    def text(self) -> str:
        return self.section.text

    @property
    def retrieval(self) -> Retrieval:
        return self.found(self.chunks)

    def found(self, chunks: tuple[Chunk, ...]) -> Retrieval:
        """A search that found these chunks."""
        return Retrieval(target=self.target.id, index="embedded", passages=tuple(map(self.passage, chunks)))

    def passage(self, chunk: Chunk) -> Passage:
        return Passage(
            chunk=chunk.pk,
            filing=self.filing.filing,
            cik=self.target.company.cik,
            accession=self.filing.accession,
            section=self.section.pk,
            sha256=self.section.sha256,
            item=self.section.item,
            kind="prose",
            ranges=tuple((start, end) for start, end in chunk.ranges),
            text=chunk.text,
            headings=tuple(chunk.headings),
        )

    def claim(self, quote: str, text: str = "") -> Claim:
        """A claim that quotes words of the section."""
        start = self.text.index(quote)
        return self.claim_at(start, start + len(quote), text)

    def claim_at(self, start: int, end: int, text: str = "") -> Claim:
        chunk = next(one for one in self.chunks if one.ranges[0][0] <= start < one.ranges[-1][1])
        return Claim(
            target=self.target.id,
            text=text or self.text[start:end],
            quote=self.text[start:end],
            chunk=chunk.pk,
            section=self.section.pk,
            sha256=self.section.sha256,
            start=start,
            end=end,
            cik=self.target.company.cik,
            accession=self.filing.accession,
            item=self.section.item,
        )

    def sentences(self) -> Iterator[Claim]:
        """A claim for every sentence of the section's paragraphs."""
        for block in self.section.parsed_blocks:
            if block.kind == "paragraph":
                for start, end in sentence_spans(self.text, block.start, block.end):
                    yield self.claim_at(start, end)


def company(cik: int = CIK, name: str = "Halvorsen Optics Inc.") -> Company:
    return Company.objects.create(cik=cik, name=name, facts_stored=1)


def quotable(owner: Company, year: int, lines: list[str]) -> Quotable:
    """A filing of one section with a chunk for every heading, three pages, as an ingestion leaves it."""
    accession = f"{owner.cik:010}-{(year + 1) % 100:02}-{owner.filings.count() + 1:06}"
    end = date(year, 12, 31)
    filing = Filing.objects.create(
        company=owner,
        accession=accession,
        form="10-K",
        filed=date(year + 1, 2, 20),
        period_end=end,
        fiscal_year=year,
        is_primary=True,
    )
    text, blocks = read_text(lines)
    pages = [Page(0, 1, "7"), Page(len(text) // 3, 2, "8"), Page(2 * len(text) // 3, 3, "9")]
    section = Section.objects.create(
        filing=filing,
        number=1,
        item="1A",
        status=SectionStatus.EXTRACTED,
        heading="Item 1A. Risk Factors",
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        pages=stored_pages(pages),
        blocks=stored_blocks(blocks),
    )
    begins = [block.start for block in blocks if block.kind == "heading"] or [0]
    chunks = tuple(
        Chunk.objects.create(
            id=Chunk.key(filing.pk, number),
            filing=filing,
            section=section,
            number=number,
            item="1A",
            kind="prose",
            ranges=[[begin, stop]],
            headings=[],
            pieces=100,
            sha256=hashlib.sha256(text[begin:stop].encode()).hexdigest(),
        )
        for number, (begin, stop) in enumerate(zip(begins, [*begins[1:], len(text)], strict=True))
    )
    ref = FilingRef(
        target=0,
        filing=filing.pk,
        accession=accession,
        form="10-K",
        filed=filing.filed,
        fiscal_year=year,
        period_end=end,
        url="",
    )
    target = Target(
        id=0,
        company=CompanyRef(cik=owner.cik, name=owner.name, short=owner.name.split()[0], covered=True),
        period=Period(form=PeriodForm.FISCAL, year=year),
    )
    return Quotable(section, chunks, ref, target)
