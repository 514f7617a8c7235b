"""Refusals of what was planned but cannot be answered: their words, in one place.

The first sentence says what is not there, the second why a near thing is not given. They speak of what is held:
"does not report" stands only where the statement is stored and lacks the line. The words of a question that could
not be read are in `agent/language/wording.py`.
"""

from collections.abc import Sequence

from agent.refusals.codes import Code
from agent.refusals.labels import lower_first
from agent.state import FactRef, FilingRef, Refusal, Target

__all__ = ["Code", "filing_row", "refuse"]

FIRST: dict[Code, str] = {
    Code.COMPANY_NOT_COVERED: "{company} is known here by name, but no figures of a 10-K of it are held.",
    Code.FOREIGN_FILER: "{company} files its annual report on Form 20-F or 40-F, which is not read yet.",
    Code.SIGN_IN_REQUIRED: "{company} can be asked about with an account only.",
    Code.YEAR_NOT_INGESTED: "No 10-K of {company} for fiscal {year} is held.",
    Code.YEAR_BEFORE_2015: "Fiscal {year} is before 2015, the first fiscal year answered here.",
    Code.FUTURE_PERIOD: "Fiscal {year} of {company} has not ended, so no 10-K reports it.",
    Code.INTERIM_PERIOD: "Only full fiscal years are answered, and no fiscal year of {company} is {period}.",
    Code.CONCEPT_NOT_REPORTED: "{Label} is not among the {held} facts held for {company}'s fiscal {year} 10-K.",
    Code.DIMENSIONAL_ONLY: "{company} gives {label} only by class or segment in its fiscal {year} 10-K.",
    Code.CONFLICT: "The facts held for {company}'s fiscal {year} 10-K do not agree on {label}.",
    Code.NOT_MEANINGFUL: "{Label} is not a meaningful measure for {company}, {industry}.",
    Code.NOT_FOUND_IN_FILING: "The text of {company}'s 10-K was searched, and no sentence of it answers the question.",
    Code.SECTION_NOT_AVAILABLE: "The part of {company}'s 10-K that is asked about is not held as text.",
    Code.SEARCH_UNAVAILABLE: "The text of {company}'s 10-K is held, but it cannot be searched now.",
    Code.UNVERIFIED: "Of {claims} that would answer, {failed} could not be verified against the text of {company}'s 10-K.",
}
SECOND: dict[Code, str] = {
    Code.COMPANY_NOT_COVERED: "Figures come only from filings held here, so none is given about it.",
    Code.FOREIGN_FILER: "Its figures follow other rules and forms than a 10-K's, so none is given in their place.",
    Code.SIGN_IN_REQUIRED: "Without one some companies can be; signed in, you can ask the same question.",
    Code.YEAR_NOT_INGESTED: "Held are fiscal {years}. A neighbouring year's figure would be a different figure.",
    Code.YEAR_BEFORE_2015: "Held of {company} are fiscal {years}.",
    Code.FUTURE_PERIOD: "Held are fiscal {years}. What a filing has not reported is not estimated.",
    Code.INTERIM_PERIOD: "Held are the fiscal years {years}. Quarters and calendar years are not put together from parts.",
    Code.CONCEPT_NOT_REPORTED: "A figure under another tag may mean something else, so none is given in its place.",
    Code.DIMENSIONAL_ONLY: "A sum over classes is not a figure the filing states, so none is given.",
    Code.CONFLICT: "Both are shown below; which one answers the question is not ours to choose.",
    Code.NOT_MEANINGFUL: "Its statements have no such line, and a figure made from other lines would mislead.",
    Code.NOT_FOUND_IN_FILING: "Sentences that only touch on it are not given in place of an answer.",
    Code.SECTION_NOT_AVAILABLE: "No other part is quoted in its place.",
    Code.SEARCH_UNAVAILABLE: "The same question can be asked again later.",
    Code.UNVERIFIED: "An answer stands on what is left only where two thirds of it are verified, so none is given.",
}

# Where the text of a filing does not say what is asked, or is not held.
UNTOLD = frozenset({Code.NOT_FOUND_IN_FILING, Code.SECTION_NOT_AVAILABLE})


def refuse(
    target: Target,
    code: Code,
    stage: str,
    *,
    text: str = "",
    detail: str = "",
    looked_for: Sequence[tuple[str, str]] = (),
    tags: Sequence[str] = (),
    candidates: Sequence[FactRef] = (),
    concepts: Sequence[str] = (),
    **words: object,
) -> Refusal:
    """The refusal of one target.

    text, detail: the two sentences, where the caller knows better ones than the code's own.
    concepts: registry keys near the measure asked, for the alternatives.
    words: what the code's sentences name: company (default: the target's), label, year, years, period, held, ...
    """
    if target.otherwise and code in UNTOLD:
        # A figure that no measure holds is refused as that; that its text was looked at is the second sentence.
        detail = " ".join(filter(None, (text or FIRST[code].format_map(Gaps(company=target.company.called)), detail)))
        code, text = target.otherwise.code, target.otherwise.text
        looked_for = (*looked_for, *(("Words", word) for word in target.otherwise.words))
        concepts = target.otherwise.concepts
    known = {"company": target.company.called, **words}
    if "label" in known:
        label = str(known["label"])
        known["Label"], known["label"] = label, lower_first(label)
    return Refusal(
        target=target.id,
        code=code,
        stage=stage,
        text=text or FIRST[code].format_map(Gaps(known)),
        detail=detail or SECOND.get(code, "").format_map(Gaps(known)),
        looked_for=tuple(looked_for),
        tags=tuple(tags),
        candidates=tuple(candidates),
        concepts=tuple(concepts),
    )


def filing_row(filing: FilingRef) -> tuple[str, str]:
    """The row of "what was looked for" that names a filing."""
    return "Filing", f"{filing.form} for the year ended {filing.period_end:%-d %b %Y}, {filing.accession}"


class Gaps(dict[str, object]):
    """Words for a sentence; a missing one is a programming error, said with its name."""

    def __missing__(self, key: str) -> str:
        raise KeyError(f"The refusal's sentence names {key!r}, which the caller did not give.")
