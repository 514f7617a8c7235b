"""Corruptions of what a step finds in texts: quotations, passages, data of filings, and the filings themselves.

Sentences are changed by the rules of `evals.mutations.mutations`; nothing of `agent.prose` is used.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from agent.state import AgentState, Claim, FilingRef, NearPassage, Passage, Record
from evals.mutations import mutations

# So many changed sentences of one kind a quotation.
OF_A_KIND = 2


@dataclass(frozen=True, slots=True)
class Found:
    """The state behind a step, with what other questions found to exchange it with."""

    state: AgentState
    claims: Sequence[Claim]
    filings: Sequence[tuple[int, FilingRef]]  # with the CIK of their company
    cik: int
    chosen: random.Random

    def having(self, name: str, at: int, **update: Any) -> AgentState:
        """The state with another content of one of its records."""
        records: tuple[Record, ...] = getattr(self.state, name)
        changed = records[at].model_copy(update=update)
        return self.state.model_copy(update={name: (*records[:at], changed, *records[at + 1 :])})


def sentence(kinds: Sequence[str]) -> Callable[[Found], Iterator[AgentState]]:
    """Quotations with a sentence changed by rules: under the true quotation, and as a forged one."""

    def corrupt(found: Found) -> Iterator[AgentState]:
        for at, claim in enumerate(found.state.claims):
            for kind in kinds:
                changed = [text for text in mutations.RULES[kind](claim.quote) if differs(text, claim.quote)]
                for text in found.chosen.sample(changed, min(OF_A_KIND, len(changed))):
                    yield found.having("claims", at, text=text)
                    yield found.having("claims", at, text=text, quote=text)

    return corrupt


def differs(text: str, other: str) -> bool:
    return mutations.words(text) != mutations.words(other)


def foreign(*, same_company: bool) -> Callable[[Found], Iterator[AgentState]]:
    """Another filing's sentence in a quotation's place, with and without its citation; and its citation alone."""

    def corrupt(found: Found) -> Iterator[AgentState]:
        own = {one.accession for one in found.state.filings}
        for at, claim in enumerate(found.state.claims):
            others = [
                one
                for one in found.claims
                if one.accession not in own
                and (one.cik == found.cik) is same_company
                and differs(one.quote, claim.quote)
            ]
            for other in others and [found.chosen.choice(others)]:
                for mutation in mutations.foreign(claim, other, ""):
                    update = {
                        name: getattr(mutation.claim, name)
                        for name in Claim.model_fields
                        if getattr(mutation.claim, name) != getattr(claim, name)
                    }
                    yield found.having("claims", at, **update)
                yield found.having("claims", at, text=other.text, quote=other.quote)

    return corrupt


def place(found: Found) -> Iterator[AgentState]:
    """A quotation under another caption, Item or page."""
    for at, claim in enumerate(found.state.claims):
        captions = [one.caption for one in found.claims if one.caption and one.caption != claim.caption]
        if captions:
            yield found.having("claims", at, caption=found.chosen.choice(captions))
        yield found.having("claims", at, item="9B" if claim.item != "9B" else "1A")
        yield found.having("claims", at, page=f"{claim.page or ''}7")


def passages_shown(found: Found) -> Iterator[AgentState]:
    """A passage to be read with a word changed, or under another company, filing, Item, page or heading."""
    for at, one in enumerate(found.state.near):
        for kind in ("number", "negation removed", "negation added", "direction", "modality"):
            for text in list(mutations.RULES[kind](one.text))[:1]:
                yield found.having("near", at, text=text)
        yield from elsewhere(found, "near", at, one)
        yield found.having("near", at, start=one.start + 1, ranges=tuple((a + 1, b + 1) for a, b in one.ranges))


def elsewhere(found: Found, name: str, at: int, one: NearPassage) -> Iterator[AgentState]:
    others = [other for _, other in found.filings if other.accession != one.accession]
    for other in others and [found.chosen.choice(others)]:
        yield found.having(name, at, accession=other.accession)
    yield found.having(name, at, cik=320193)
    yield found.having(name, at, item="9B" if one.item != "9B" else "1A")
    yield found.having(name, at, page=f"{one.page or ''}7")
    yield found.having(name, at, headings=("Discontinued operations", *one.headings[1:]))


def passages_found(found: Found) -> Iterator[AgentState]:
    """A passage that the search found with a word changed, or of another filing, or under other headings."""
    for at, retrieval in enumerate(found.state.retrievals):
        for number, one in enumerate(retrieval.passages[:3]):
            for changed in passages(one, found):
                kept = retrieval.passages
                yield found.having("retrievals", at, passages=(*kept[:number], changed, *kept[number + 1 :]))


def passages(one: Passage, found: Found) -> Iterator[Passage]:
    for kind in ("number", "negation removed", "direction"):
        for text in list(mutations.RULES[kind](one.text))[:1]:
            yield one.model_copy(update={"text": text})
    others = [other for other in found.filings if other[1].accession != one.accession]
    for cik, other in others and [found.chosen.choice(others)]:
        yield one.model_copy(update={"accession": other.accession, "filing": other.filing, "cik": cik})
    yield one.model_copy(update={"item": "9B" if one.item != "9B" else "1A"})
    yield one.model_copy(update={"headings": ("Discontinued operations",)})
    yield one.model_copy(update={"page": f"{one.page or ''}7"})


def data(found: Found) -> Iterator[AgentState]:
    """Data of a filing with another value, name, year or filing."""
    for at, one in enumerate(found.state.particulars):
        yield found.having("particulars", at, value=f"{one.value} and Sons")
        yield found.having("particulars", at, label="Stock transfer agent")
        yield found.having("particulars", at, fiscal_year=one.fiscal_year - 1)
        for _, other in [one for one in found.filings if one[1].accession != found.state.filings[0].accession][:1]:
            yield found.having("particulars", at, accession=other.accession)


def filings(found: Found) -> Iterator[AgentState]:
    """Another filing in the place of the one found: its year, day, form or number alone, and as a whole."""
    for at, one in enumerate(found.state.filings):
        yield found.having("filings", at, fiscal_year=one.fiscal_year - 1)
        yield found.having("filings", at, period_end=one.period_end - timedelta(days=365))
        yield found.having("filings", at, filed=one.filed - timedelta(days=365))
        yield found.having("filings", at, form="10-Q" if one.form != "10-Q" else "10-K")
        years = [other for cik, other in found.filings if cik == found.cik and other.fiscal_year != one.fiscal_year]
        companies = [other for cik, other in found.filings if cik != found.cik]
        for others in filter(None, (years, companies)):
            other = found.chosen.choice(others)
            yield found.having("filings", at, filing=other.filing, accession=other.accession)
            yield found.having("filings", at, filing=other.filing)
            if other in companies:
                whole = {name: getattr(other, name) for name in FilingRef.model_fields if name != "target"}
                yield found.having("filings", at, **whole)


Corrupt = Callable[[Found], Iterator[AgentState]]
WORDS = ("modality", "direction", "quantifier", "comparison", "period", "unit", "negation added")

# By the step that hands it on: fetch, retrieve, validate.
CLASSES: Mapping[str, Mapping[str, Corrupt]] = {
    "fetch": {"filing": filings},
    "retrieve": {"passage found": passages_found, "data of a filing": data},
    "validate": {
        "quotation, a word": sentence(WORDS),
        "quotation, negation dropped": sentence(("negation removed",)),
        "quotation, a number": sentence(("number", "scale", "date")),
        "another year's sentence": foreign(same_company=True),
        "another company's sentence": foreign(same_company=False),
        "caption, Item or page": place,
        "passage shown": passages_shown,
    },
}


def benign(state: AgentState) -> Iterator[tuple[str, AgentState]]:
    """The same quotations in another order, and in other typesetting."""
    if len(state.claims) > 1:
        yield "order of quotations", state.model_copy(update={"claims": state.claims[::-1]})
    for at, claim in enumerate(state.claims):
        for one in mutations.benign(claim):
            claims = (*state.claims[:at], one.claim, *state.claims[at + 1 :])
            yield f"typesetting: {one.kind.removesuffix(', quoted')}", state.model_copy(update={"claims": claims})
