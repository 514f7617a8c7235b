"""Real requests and replies that stand beside the project, and the passages of a request as filings to quote from."""

import hashlib
import json
import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.programs.draft import Drafted, Source
from agent.prose.text.folding import BULLETS
from agent.prose.verification.verify_quotations import Verified, verify
from agent.state import CompanyRef, FilingRef, Passage, Period, PeriodForm, Retrieval, Target
from filings.document.blocks import Block, stored_blocks
from filings.models import Chunk, Company, Filing, Section, SectionStatus
from tests.support.model_replies import Asked, read

FILE = Path(__file__).resolve().parents[2] / "../shared/model_endpoint/exchanges.jsonl.xz"
CIK = 9_999_966_601


@dataclass(frozen=True)
class Exchange:
    """One request to a model, as it was read, and the reply."""

    number: int
    program: str
    asked: Asked
    reply: str


def exchanges(*programs: str) -> Iterator[Exchange]:
    """Those of these programs, in their order."""
    with lzma.open(FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            if row["program"] in programs:
                yield Exchange(row["n"], row["program"], read(row["request"]), row["reply"])


def blocks(text: str) -> list[Block]:
    """The paragraphs, points and tables of a passage: what stands a blank line apart, and rows beside other lines."""
    found: list[Block] = []
    for match in re.finditer(r"(?:[^\n]*\t[^\n]*(?:\n(?!\n)|$))+|[^\t\n]+", text):
        end = match.start() + len(match.group().rstrip("\n"))
        kind = "table" if "\t" in match.group() else "bullet" if match.group()[0] in BULLETS else "paragraph"
        found.append(Block(kind, match.start(), end))  # type: ignore[arg-type] # one of the kinds
    return found


@dataclass(frozen=True)
class Held:
    """A company with a filing whose sections are the passages of a request."""

    target: Target
    filing: FilingRef
    sources: tuple[Source, ...]

    def verified(self, drafted: Drafted) -> Verified:
        """What becomes of a draft's claims, every text as near to its quotation as can be."""
        found = Retrieval(target=0, passages=tuple(one.passage for one in self.sources))
        return verify(drafted.claims, self.target, (self.filing,), (found,), lambda text, quote: 1.0)


def held(exchange: Exchange) -> Held:
    """The passages of an exchange, stored."""
    passages = exchange.asked.passages
    name = passages[0]["item"].split(",")[0]
    company = Company.objects.create(cik=CIK + exchange.number, name=name, facts_stored=1)
    accession = f"{company.cik:010}-24-{exchange.number:06}"
    end = "2023-12-31"
    filing = Filing.objects.create(
        company=company, accession=accession, form="10-K", filed="2024-02-20", period_end=end,
        fiscal_year=2023, is_primary=True,
    )  # fmt: skip
    filing.refresh_from_db()
    text = "\n\n".join(one["text"] for one in passages)
    sha = hashlib.sha256(text.encode()).hexdigest()
    section = Section.objects.create(
        filing=filing, number=1, item="7", status=SectionStatus.EXTRACTED, heading="", text=text, sha256=sha, pages=[],
        blocks=stored_blocks(blocks(text)),
    )  # fmt: skip
    found: list[Source] = []
    at = 0
    for number, one in enumerate(passages):
        span = at, at + len(one["text"])
        at = span[1] + 2
        chunk = Chunk.objects.create(
            id=Chunk.key(filing.pk, number), filing=filing, section=section, number=number, item="7", kind="prose",
            ranges=[[*span]], headings=[], pieces=100, sha256=sha,
        )  # fmt: skip
        passage = Passage(
            chunk=chunk.pk, filing=filing.pk, cik=company.cik, accession=accession, section=section.pk, sha256=sha,
            item="7", kind="prose", ranges=(span,), text=one["text"],
        )  # fmt: skip
        found.append(Source(target=0, passage=passage, company=name))
    ref = FilingRef(
        target=0, filing=filing.pk, accession=accession, form="10-K", filed=filing.filed, fiscal_year=2023,
        period_end=filing.period_end, url="",
    )  # fmt: skip
    of = CompanyRef(cik=company.cik, name=name, short=name, covered=True)
    target = Target(id=0, company=of, period=Period(form=PeriodForm.FISCAL, year=2023))
    return Held(target, ref, tuple(found))
