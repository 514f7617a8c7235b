"""cite_check for prose: the quotation against the filing, and what is shown against its quotation.

Deterministic but for the cosine of a text that is not its quotation. Nothing of the claim is believed: chunk, section,
filing and company are read from the database again, and the words from the section's frozen text.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.prose.text.boundaries import Range, trimmed
from agent.prose.text.folding import BEFORE, fold, same, same_item
from agent.prose.text.quotation_context import about, printed_row
from agent.prose.text.section_text import SectionText
from agent.prose.text.stored_passages import Held, NotHeld
from agent.prose.verification.digits import digit_problem
from agent.prose.verification.edits import edits, told_beside, without_lead_in
from agent.prose.verification.salience import governs, salience_problem
from agent.state import About, Check, Claim, Dropped, FilingRef, PrintedRow, Retrieval, Target
from agent.state.findings import cited, needed_of
from filings.document.sentences import sentence_spans
from filings.models import Chunk, Section
from filings.sections.items import annual_item

# Below it a text is about something else; above it the salience guard decides (design: "Prose: what may be said").
NEAR = 0.85
# Items in which an auditor says "we" too, and text of no Item.
OTHERS_SPEAK = frozenset(("8", "9A", "15", ""))

# Behind a line, or behind a sentence that opens a list.
LINES = re.compile(r"\n+|[:\u2014\u2013]\s+")
# How near two texts are in meaning; raises MeaningUnknown.
Compare = Callable[[str, str], float]
# Whether figures of the whole company may stand below these headings, in a paragraph that opens with this sentence.
Bears = Callable[[Sequence[str], str], bool]
Verdict = Literal["verbatim", "corrected", "edited", "paraphrase"]


class MeaningUnknown(Exception):
    """The texts cannot be compared in meaning now. The message is a sentence for people."""


def cosine(text: str, quote: str) -> float:
    """The cosine of two texts, from -1 to 1. Raises MeaningUnknown where no embedding is to be had."""
    from filings.text.embeddings import EmbeddingUnavailable, embedder

    try:
        one, other = embedder().documents([text, quote])
    except EmbeddingUnavailable as error:
        raise MeaningUnknown(str(error)) from error
    return float(one @ other)


@dataclass(frozen=True)
class Verified:
    """The claims of one target that stand, those that do not, and one check each in the order they came."""

    standing: tuple[Claim, ...]
    dropped: tuple[Dropped, ...]
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether anything stands that the block can show."""
        return bool(self.standing)


def bears_none(headings: Sequence[str], opening: str) -> bool:
    """Where nobody can say what headings mean, no figure may stand."""
    return False


class Unverified(Exception):
    """A claim that is not shown. The message says why, in a sentence that repeats nothing of it."""


def verify(
    claims: Sequence[Claim],
    target: Target,
    filings: Sequence[FilingRef],
    retrievals: Sequence[Retrieval],
    compare: Compare = cosine,
    bears: Bears = bears_none,
    *,
    drafted: bool = False,
) -> Verified:
    """Verify the claims of one target against the database.

    filings: those the target is answered from; retrievals: what its searches found, for citations to be corrected.
    compare: how near two texts are in meaning; by the embedding of the search unless an evaluation gives another.
    bears: where figures that a claim holds may stand; it is shown without them elsewhere.
    drafted: whether a model chose the quotations, which are then shown without their lead-ins.
    """
    passages = tuple(passage for retrieval in retrievals for passage in retrieval.passages)
    held = Held(target, filings, claims, passages)
    names = tuple(filter(None, (target.company.name, target.company.short, target.company.symbol)))
    exempt = (*names, *labels(target, filings))
    standing: list[Claim] = []
    dropped: list[Dropped] = []
    checks: list[Check] = []
    for claim in claims:
        try:
            verified = judge(claim, held, names, exempt, compare, bears, drafted=drafted)
        except (Unverified, NotHeld) as error:
            dropped.append(Dropped(target=target.id, iteration=claim.iteration, why=str(error)))
            checks.append(Check(target=target.id, name="cite_check", ok=False, detail=str(error)))
            continue
        checks.append(Check(target=target.id, name="cite_check", ok=True, detail=_said(verified)))
        # Two fragments of one sentence are one claim.
        if not any(_where(one) == _where(verified) and one.text == verified.text for one in standing):
            standing.append(verified)
    return Verified(tuple(standing), tuple(dropped), tuple(checks))


def judge(
    claim: Claim,
    held: Held,
    names: Sequence[str],
    exempt: Sequence[str],
    compare: Compare,
    bears: Bears = bears_none,
    *,
    drafted: bool = False,
) -> Claim:
    """The claim as it may be shown: its true citation, whole sentences, and its verdict. Raises Unverified, NotHeld."""
    if not fold(claim.quote).text:
        raise Unverified("It quotes nothing.")
    text, place, chunk = _placed(claim, held)
    unit = text.bounds.widened(*place)
    said = about(text, *unit)
    quote = text.text[unit[0] : unit[1]]
    verdict: Verdict = "verbatim" if chunk == claim.chunk else "corrected"
    made: tuple[str, ...] = ()
    if same_item(claim.text, quote):
        shown = _whole(said, quote)
    elif same(claim.text, claim.quote):
        if governs(text.text[unit[0] : place[0]]) or governs(text.text[place[1] : unit[1]]):
            raise Unverified("It is cut from a sentence that means something else as a whole.")
        shown = _whole(said, quote)
    elif found := _edited(claim.text, text, unit, said, _row(text, unit, held), names):
        unit, made = found
        quote, said = text.text[unit[0] : unit[1]], about(text, *unit)
        shown, verdict = (claim.text, "edited") if made else (_whole(said, quote), verdict)
    else:
        shown, verdict = claim.text, "paraphrase"
        if problem := _differs(claim.text, cited(said, quote), names, exempt, compare):
            raise Unverified(problem)
    if drafted and not made and (apart := without_lead_in(quote)) != shown == quote:
        shown, verdict, made = apart, "edited", edits(apart, quote) or ()
    start, end = unit
    section = text.section
    # What is shown as it is printed has no figures but its own.
    keeps = claim.figures and verdict in {"edited", "paraphrase"} and "\t" not in quote and _bears(text, start, bears)
    return claim.model_copy(
        update={
            "text": shown,
            "quote": quote,
            "chunk": chunk,
            "section": section.pk,
            "sha256": section.sha256,
            "start": start,
            "end": end,
            "cik": section.filing.company.cik,
            "accession": section.filing.accession,
            "item": section.item,
            "page": text.page(start),
            "caption": claim.caption if _stands_under(claim.caption, text, start, held.chunks.get(chunk)) else "",
            "verdict": verdict,
            "edits": made,
            "about": said,
            "row": _row(text, unit, held),
            "figures": claim.figures if keeps else (),
        }
    )


def _placed(claim: Claim, held: Held) -> tuple[SectionText, Range, int]:
    """Where the quotation stands: the text, its range there, and the chunk that is to be cited."""
    text, ranges = held.cited(claim)
    sources = [(text, ranges, claim.chunk)]
    sources += [(other, list(passage.ranges), passage.chunk) for passage, other in held.elsewhere(claim)]
    for text, ranges, chunk in sources:
        if place := text.find(claim, ranges):
            return text, place, chunk
    for text, ranges, chunk in sources:
        if place := _under(claim, text, ranges):
            return text, place, chunk
    raise Unverified("Its quotation is in none of the passages found.")


def _under(claim: Claim, text: SectionText, ranges: Sequence[Range]) -> Range | None:
    """Where the last part of a quotation stands, of which the rest is what that part cannot be read without."""
    for cut in sorted((hit.end() for hit in LINES.finditer(claim.quote)), reverse=True):
        head, last = claim.quote[:cut], claim.quote[cut:]
        place = (
            text.find(claim.model_copy(update={"quote": last, "start": 0, "end": 0}), ranges) if last.strip() else None
        )
        if place:
            needed = needed_of(about(text, *text.bounds.widened(*place)))
            known = [line for one in needed for line in one.text.split("\n")]
            said = [line for line in head.split("\n") if line.strip()]
            return place if all(any(same_item(line, one) for one in known) for line in said) else None
    return None


def _row(text: SectionText, unit: Range, held: Held) -> PrintedRow | None:
    return printed_row(text, *unit, held.filings.get(text.section.filing.accession))


def _whole(said: Sequence[About], quote: str) -> str:
    """A quotation as it is shown: a point of a list under the sentence that opens it, which may turn what it says."""
    return "\n".join((*(one.text for one in said if one.kind == "lead"), listed(quote)))


def _edited(
    told: str, text: SectionText, unit: Range, said: Sequence[About], row: PrintedRow | None, names: Sequence[str]
) -> tuple[Range, tuple[str, ...]] | None:
    """The sentences of a quotation that a text is made from, and by which edits; None where it is not made by these.

    An item of a list stands behind the sentence that opens it, in one text.
    """
    quote = text.text[unit[0] : unit[1]]
    if "\t" in quote:
        beside = told_beside(told, row, said)
        return (unit, (beside,)) if beside else None
    speaks = annual_item(text.section.item) not in OTHERS_SPEAK
    if opening := [one.text for one in said if one.kind == "lead"]:
        made = edits(told, " ".join((*opening, listed(quote))), names, speaks=speaks)
        return None if made is None else (unit, made)
    spans = [(unit[0] + start, unit[0] + end) for start, end in sentence_spans(quote)]
    for first in range(len(spans)):
        for last in range(len(spans) - 1, first - 1, -1):
            own = spans[first][0], spans[last][1]
            made = edits(told, text.text[own[0] : own[1]], names, speaks=speaks)
            if made is not None:
                return own, made
    return None


def _differs(text: str, quote: str, names: Sequence[str], exempt: Sequence[str], compare: Compare) -> str:
    """Why a text that is not its quotation may not be shown for it; empty when it may."""
    if problem := digit_problem(text, quotes=[quote], exempt=exempt) or salience_problem(text, quote, names):
        return problem
    try:
        near = compare(text, quote)
    except MeaningUnknown:
        return "It does not use the filing's own words, and its meaning could not be compared with the filing."
    return "" if near >= NEAR else "It says something other than the passage it cites."


def _stands_under(caption: str, text: SectionText, start: int, chunk: Chunk | None) -> bool:
    """Whether the filing itself puts the quotation under this caption."""
    if not caption:
        return False
    headings = [str(one) for one in chunk.headings] if chunk and chunk.section_id == text.section.pk else []
    # A chunk may begin above the heading that most of it stands under.
    headings = [one for one in headings if text.text.find(one) < start]
    opening, above = text.above(start)
    return any(same_item(caption, heading) for heading in (*headings, opening, *above))


def _bears(text: SectionText, start: int, bears: Bears) -> bool:
    """Whether a sentence that begins here is of the whole company by what stands around it."""
    opening, headings = text.above(start)
    # The claim's own sentence was read when its figures were placed.
    is_own = same_item(opening, text.text[slice(*text.bounds.widened(start, start + 1))])
    return bears(headings, "" if is_own else opening)


def listed(quote: str) -> str:
    """A quotation as it is shown: without the bullet that stands before it."""
    return BEFORE.sub("", quote.strip())


def labels(target: Target, filings: Iterable[FilingRef]) -> tuple[str, ...]:
    """What the period asked for is called."""
    years = {filing.fiscal_year for filing in filings} | {target.period.year} - {None}
    called = [
        label.format(year=year, short=f"{year % 100:02}")
        for year in sorted(one for one in years if one is not None)
        for label in ("fiscal year {year}", "fiscal {year}", "FY{year}", "FY {year}", "FY{short}", "{year}")
    ]
    return (*called, *filter(None, (target.period.text,)))


def _where(claim: Claim) -> tuple[str, int, int, int]:
    # Two readings of a question may rest on one sentence.
    return claim.axis, claim.section, claim.start, claim.end


def _said(claim: Claim) -> str:
    """What was found of a verified claim."""
    how = {
        "verbatim": "the filing's own words, in the passage cited",
        "corrected": "the filing's own words, in another passage found; the citation is corrected",
        "edited": f"the filing's own words, edited: {'; '.join(claim.edits)}",
        "paraphrase": "says what its passage says, with every number, name and qualification in place",
    }
    place = ", ".join(
        filter(None, (f"Item {claim.item}" if claim.item else "", f"page {claim.page}" if claim.page else ""))
    )
    said = f"{place}: {how[claim.verdict or 'verbatim']}."
    return said if place else said[2:3].upper() + said[3:]


def reverify(
    claims: Sequence[Claim], names: Sequence[str] = (), filings: Sequence[FilingRef] = ()
) -> tuple[Check, ...]:
    """Verify the claims of a saved answer again from the database alone, one check a claim, in order.

    The section is found by its hash where it was stored anew. Loads no embedding, so that a web process can call it:
    the cosine of a text that is not its quotation is not taken again, its words are compared again.
    names: what the company is called. filings: those the answer quotes.
    """
    quoted = {filing.accession: filing for filing in filings}
    accessions = {claim.accession for claim in claims}
    sections: dict[tuple[int, str, str], Section] = {
        (section.filing.company.cik, section.filing.accession, section.sha256): section
        for section in Section.objects.filter(
            filing__accession__in=accessions, sha256__in={claim.sha256 for claim in claims}
        ).select_related("filing__company")
    }
    texts = {key: SectionText(section) for key, section in sections.items()}
    checks = []
    for claim in claims:
        text = texts.get((claim.cik, claim.accession, claim.sha256))
        problem = _again(claim, text, names) or _about_again(claim, text, quoted.get(claim.accession))
        checks.append(
            Check(
                target=claim.target,
                iteration=claim.iteration,
                name="cite_check",
                ok=not problem,
                detail=problem or _said(claim),
            )
        )
    return tuple(checks)


def _again(claim: Claim, text: SectionText | None, names: Sequence[str]) -> str:
    """What of a verified claim is no longer so; empty when all is."""
    if text is None:
        return "The text it cites is no longer stored."
    if not text.intact:
        return "The stored text of the section it cites no longer matches its hash."
    if not 0 <= claim.start < claim.end or text.text[claim.start : claim.end] != claim.quote:
        return "The words at the place it cites are different."
    if (claim.item, claim.page) != (text.section.item, text.page(claim.start)):
        return "The Item or page it cites is different."
    if text.bounds.widened(claim.start, claim.end) != trimmed(text.text, claim.start, claim.end):
        return "It quotes only part of a sentence."
    return reworded(claim, text, names)


def reworded(claim: Claim, text: SectionText, names: Sequence[str]) -> str:
    """How what a verified claim shows differs from the words that it cites; empty where it may be shown for them.

    names: what the company is called.
    """
    if claim.verdict in {"verbatim", "corrected"}:
        shown = same_item(claim.text, _whole(claim.about, claim.quote))
        return "" if shown else "It shows words other than those it cites."
    filing = text.section.filing
    called = (*names, filing.company.name, *filing.company.aliases)
    if claim.verdict == "edited":
        made = _edited(claim.text, text, (claim.start, claim.end), claim.about, claim.row, called)
        return "" if made else "It differs from the words it cites by more than the edits it names."
    exempt = (*called, *(f"{label}{filing.fiscal_year}" for label in ("", "fiscal ", "FY")))
    return digit_problem(claim.text, quotes=[claim.cited], exempt=exempt) or salience_problem(
        claim.text, claim.cited, called
    )


def _about_again(claim: Claim, text: SectionText | None, filing: FilingRef | None) -> str:
    """What of that which is shown with a quotation is no longer so. Answers of before have none of it."""
    if text is None or not (claim.about or claim.row):
        return ""
    same_about = claim.about == about(text, claim.start, claim.end)
    same_row = claim.row == printed_row(text, claim.start, claim.end, filing)
    return "" if same_about and same_row else "What is shown beside the words it cites is different."
