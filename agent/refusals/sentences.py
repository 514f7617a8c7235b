"""Builds refusals of planned targets, with the sentences of their codes filled in."""

from collections.abc import Sequence
from typing import Any

from agent.refusals.codes import Code, Said
from agent.refusals.grammar import lower_first, possessive
from agent.state import Alternative, FactRef, FilingRef, Refusal, Target

# Why a report's text tells nothing of a figure that no measure holds.
_WITHOUT_TEXT = frozenset(
    {Code.SECTION_NOT_AVAILABLE, Code.YEAR_NOT_INGESTED, Code.YEAR_BEFORE_2015, Code.FUTURE_PERIOD}
)


def refuse(
    target: Target,
    code: Code,
    stage: str = "",
    *,
    text: str = "",
    detail: str = "",
    filings: Sequence[FilingRef] = (),
    looked_for: Sequence[tuple[str, str]] = (),
    tags: Sequence[str] = (),
    candidates: Sequence[FactRef] = (),
    concepts: Sequence[str] = (),
    **words: object,
) -> Refusal:
    """The refusal of one target.

    stage: the step that refuses, where it differs from the code's own. text, detail: the two sentences, where the
    caller has better ones. filings: those looked at. concepts: registry keys near the measure asked, for the
    alternatives. words: what the code's sentences name: company (default: the target's), label, year, years, period,
    held, ...
    """
    stage = stage or code.row.stage
    known: dict[str, Any] = {"company": target.company.called, **words}
    proposals: tuple[Alternative, ...] = ()
    if target.otherwise and is_missing_from_text(target, code):
        # A figure without a known measure is refused as such; the second sentence says that its text was searched.
        detail = " ".join(filter(None, (text or sentence(code, second=False, **known), detail)))
        code, text, proposals = target.otherwise.code, target.otherwise.text, target.otherwise.proposals
        looked_for = (*looked_for, *(("Words", word) for word in target.otherwise.words))
    return Refusal(
        target=target.id,
        code=code,
        stage=stage,
        text=text or sentence(code, second=False, **known),
        detail=detail or sentence(code, second=True, **known),
        looked_for=(*map(filing_row, filings), *looked_for),
        accessions=tuple(filing.accession for filing in filings),
        tags=tuple(tags),
        candidates=tuple(candidates),
        concepts=tuple(concepts),
        proposals=proposals,
    )


def is_missing_from_text(target: Target, code: Code) -> bool:
    """Whether the text is not loaded, nor that of the year, or does not give the number asked for."""
    amount = target.topic.amount if target.topic else ""
    return code in _WITHOUT_TEXT or (code is Code.NOT_FOUND_IN_FILING and bool(amount))


def sentence(code: Code, *, second: bool, company: str, **words: object) -> str:
    """One of a code's two sentences, as a later step uses it; empty where the code has none.

    words: what the sentence names; a `label` is lower-cased inside it.
    """
    said = code.row.looked or Said()
    known: dict[str, object] = {"company": company, "company_s": possessive(company), **words}
    if "label" in known:
        label = str(known["label"])
        known["Label"], known["label"] = label, lower_first(label)
    return (said.second if second else said.first).format_map(Gaps(known))


def with_model(refusal: Refusal, failed: str) -> Refusal:
    """A refusal that also says why no model helped; unchanged where none failed."""
    rows = (*refusal.looked_for, ("Language model", failed)) if failed else refusal.looked_for
    return refusal.model_copy(update={"looked_for": rows, "without_model": failed})


def filing_row(filing: FilingRef) -> tuple[str, str]:
    """The row of "What was looked for" that names a filing."""
    return "Filing", f"{filing.form} for the year ended {filing.period_end:%-d %b %Y}, {filing.accession}"


class Gaps(dict[str, object]):
    """Words for a sentence; a missing one is a programming error, raised with its name."""

    def __missing__(self, key: str) -> str:
        raise KeyError(f"The refusal's sentence names {key!r}, which the caller did not give.")
