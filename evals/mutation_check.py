"""Counts mutated sentences that the guards accept, and unchanged ones that they drop.

Only words decide: every text counts as near to every other in meaning. Nothing of a filing is kept except counts.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.prose.folding import same_item
from agent.prose.guards import Verified, verify
from agent.state import Claim, CompanyRef, FilingRef, Passage, Period, PeriodForm, Retrieval, Target
from evals.mutations import NAME, Mutation, benign, foreign, mutations
from filings.document.sentences import sentence_spans
from filings.models import Chunk, Filing, Section, SectionStatus

# Shorter ones are headings and fragments, longer ones are tables read as prose.
WORDS = range(6, 81)
FOUND = 8


@dataclass
class Tally:
    """Counts over claims, by what was done to them."""

    claims: int = 0
    dropped: int = 0
    mutated: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    same: int = 0
    same_dropped: int = 0

    def line(self) -> str:
        return (
            f"{sum(self.passed.values())} of {sum(self.mutated.values())} mutations shown, {self.same_dropped} of "
            f"{self.same} unchanged claims in other type dropped, {self.dropped} of {self.claims} claims dropped"
        )


@dataclass(frozen=True)
class Asked:
    """A filing as a question's target, with sentences of one of its sections as claims."""

    target: Target
    filing: FilingRef
    found: Retrieval
    claims: tuple[Claim, ...]

    def verify(self, claims: Iterable[Claim]) -> Verified:
        return verify(tuple(claims), self.target, (self.filing,), (self.found,), compare=nearest)


def nearest(text: str, quote: str) -> float:
    """Every text as near to every other as can be."""
    return 1.0


def check(filings: Sequence[Filing], sentences: int, seed: int = 7) -> Tally:
    """Mutate so many sentences of each section of the filings; each filing's claims also cite the next filing's."""
    chosen = random.Random(seed)  # noqa: S311 # a sample, not a secret
    tally = Tally()
    asked = [one for filing in filings for one in sections(filing, sentences, chosen)]
    for one, after in zip(asked, asked[1:] + asked[:1], strict=True):
        count(one, after, tally)
    return tally


def count(one: Asked, after: Asked, tally: Tally) -> None:
    """Add the results of one section's claims, mutated and unchanged."""
    checks = one.verify(one.claims).checks
    standing = [claim for claim, check in zip(one.claims, checks, strict=True) if check.ok]
    tally.claims += len(one.claims)
    tally.dropped += len(one.claims) - len(standing)
    known = sorted({name for claim in standing for name in NAME.findall(claim.quote) if " " in name})
    mutated = [
        mutation
        for claim, other in zip(standing, standing[1:] + standing[:1], strict=True)
        for mutation in mutations(claim, other, known)
    ]
    if one.filing.accession != after.filing.accession:
        pairs = zip(standing, after.claims, strict=False)
        mutated += [mutation for claim, other in pairs for mutation in foreign(claim, other, "another filing")]
    for mutation, check in zip(mutated, one.verify(each.claim for each in mutated).checks, strict=True):
        tally.mutated[mutation.kind] += 1
        if check.ok and misleads(mutation, one):
            tally.passed[mutation.kind] += 1
    unchanged = [mutation.claim for claim in standing for mutation in benign(claim)]
    tally.same += len(unchanged)
    tally.same_dropped += len(one.verify(unchanged).dropped)


def misleads(mutation: Mutation, asked: Asked) -> bool:
    """Whether an accepted mutation would be shown; not a fragment shown as its sentence, nor a forged quotation that
    happens to be another sentence of the filing.
    """
    (shown,) = asked.verify([mutation.claim]).standing
    if shown.verdict in {"edited", "paraphrase"}:
        return True
    cured = not same_item(shown.text, mutation.claim.text)
    return not cured and not mutation.kind.endswith("forged")


def sections(filing: Filing, sentences: int, chosen: random.Random) -> list[Asked]:
    """The filing's extracted sections, each with as many claims as there are, up to `sentences`."""
    found = []
    for section in filing.sections.filter(status=SectionStatus.EXTRACTED).exclude(item=""):
        chunks = list(section.chunks.order_by("pk"))
        spans = [
            (start, end)
            for block in section.parsed_blocks
            if block.kind in {"paragraph", "bullet"}
            for start, end in sentence_spans(section.text, block.start, block.end)
            if len(section.text[start:end].split()) in WORDS
        ]
        claims = [
            claim(section, chunks, start, end) for start, end in chosen.sample(spans, min(sentences, len(spans)))
        ]
        held = tuple(one for one in claims if one is not None)
        if len(held) > 1:
            found.append(Asked(target(filing), reference(filing), retrieval(section, chunks), held))
    return found


def claim(section: Section, chunks: Sequence[Chunk], start: int, end: int) -> Claim | None:
    """A claim that quotes a range of a section; None where no chunk contains it."""
    chunk = next((one for one in chunks if any(first <= start and end <= last for first, last in one.ranges)), None)
    if chunk is None:
        return None
    quote = section.text[start:end]
    return Claim(
        target=0,
        text=quote,
        quote=quote,
        chunk=chunk.pk,
        section=section.pk,
        sha256=section.sha256,
        start=start,
        end=end,
        cik=section.filing.company.cik,
        accession=section.filing.accession,
        item=section.item,
    )


def target(filing: Filing) -> Target:
    company = filing.company
    short = company.name.split()[0].rstrip(",")
    return Target(
        id=0,
        company=CompanyRef(cik=company.cik, name=company.name, short=short, covered=True),
        period=Period(form=PeriodForm.FISCAL, year=filing.fiscal_year),
    )


def reference(filing: Filing) -> FilingRef:
    end = filing.period_end or filing.filed
    return FilingRef(
        target=0,
        filing=filing.pk,
        accession=filing.accession,
        form=filing.form,
        filed=filing.filed,
        fiscal_year=filing.fiscal_year or end.year,
        period_end=end,
        url=filing.url,
    )


def retrieval(section: Section, chunks: Sequence[Chunk]) -> Retrieval:
    """A possible search result: the section's first passages."""
    passages = [
        Passage(
            chunk=chunk.pk,
            filing=section.filing_id,
            cik=section.filing.company.cik,
            accession=section.filing.accession,
            section=section.pk,
            sha256=section.sha256,
            item=section.item,
            kind=chunk.kind,
            ranges=tuple((start, end) for start, end in chunk.ranges),
            text=chunk.text,
        )
        for chunk in chunks[:FOUND]
    ]
    return Retrieval(target=0, passages=tuple(passages))
