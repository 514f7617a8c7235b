"""A model that reads carelessly: it drops the word that narrows a measure, puts it into the measure, or says that it is
nothing. No figure of the whole is asserted in any of these ways.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.grounding.candidates import candidates
from agent.grounding.grounding import ground
from agent.grounding.named_slots import Known
from agent.programs.schemas import UnderstandReply
from agent.programs.understand import checked
from agent.query.companies.named_watchlists import companies_named
from agent.query.companies.owners import Owned, Owners
from agent.query.question import read
from agent.query.words.lexicon import lexicon_of
from agent.query.words.sentence import Part, Sentence
from agent.registrants.mentions import Mention
from agent.state.query import Query
from agent.words.tokens import tokenise
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.support.model_replies import understood

NARROWED = Path(__file__).parents[1].joinpath("query", "narrowed.txt").read_text(encoding="utf-8").splitlines()
OFFERED = candidates("", REGISTRY, lexicon_of(REGISTRY), most=1_000)
# Each word that narrows stands in the name of somebody's part.
PARTS = {(token.stem,): Owned(frozenset({1}), coined=False) for question in NARROWED for token in tokenise(question)}
KNOWN = Known(WIDER, REGISTRY, TODAY, owners=lambda: Owners(PARTS))


def replies(question: str, read_as: Query) -> Iterator[dict[str, Any]]:
    """Three careless readings of a question, whose other words are read as `read_as` by code."""
    row = next(one.measure for one in read_as.rows)
    ids = [one.id for one in OFFERED if one.measure == row]
    sentence = KNOWN.reading(question, named_companies(question), read_as.companies).sentence
    companies = [sentence.text(one) for one in sentence.parts if one.mention]
    periods = [sentence.text(one) for one in sentence.parts if one.stretch]
    measures = [one for one in sentence.parts if one.named or one.has("named_verb")]
    lost = [one for one in sentence.parts if one.unknown]
    if not (ids and companies and measures and lost):
        return
    base = {"type": "A", "companies": companies, "periods": periods}
    measure = sentence.text(measures[0])
    yield {**base, "rows": [value(measure, ids)]}
    yield {**base, "rows": [value(whole(sentence, [measures[0], *lost]), ids)]}
    left = [{"span": sentence.text(one), "why": "emphasis"} for one in lost]
    yield {**base, "rows": [value(measure, ids)], "left_out": left}


def named_companies(question: str) -> list[Mention]:
    return [one for one in companies_named(WIDER, tokenise(question), lexicon_of(REGISTRY).vocabulary) if not one.weak]


def whole(sentence: Sentence, parts: list[Part]) -> str:
    ordered = sorted(parts, key=lambda one: one.first)
    return sentence.text(ordered[0], ordered[-1])


def value(span: str, ids: list[str]) -> dict[str, Any]:
    return {"span": span, "form": "value", "ids": ids[:1]}


@pytest.mark.parametrize("question", NARROWED)
def test_no_figure_of_the_whole_is_asserted_of_a_narrowed_question(question: str) -> None:
    halves = read(question, WIDER, REGISTRY, TODAY)
    revenue = next(iter(read("Apple revenue in 2023", WIDER, REGISTRY, TODAY)))
    assert isinstance(revenue, Query)
    asserted = []
    for said in replies(question, revenue):
        reply = UnderstandReply.model_validate(understood(**said))
        found = ground(question, checked(question, reply, OFFERED), halves, KNOWN)
        asserted += [said for one in found.halves if one.rows and not one.is_nearest]
    assert asserted == []
