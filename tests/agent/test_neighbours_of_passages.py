"""A draft may ask for the text beside a passage: it is given once, in its place, and what it says may be quoted."""

import pytest

from agent.state import Passage
from filings.models import Chunk
from tests.agent.scripted_rounds import SUPPLY, programs
from tests.support.model_behaviours import good, says
from tests.support.model_replies import Asked, Behaviour, Reply, claims
from tests.support.model_runs import Made, run, untrue
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]


def wanting(*ids: str) -> Behaviour:
    """A draft without claims that asks for the neighbours of these passages."""
    return says({"claims": [], "not_found": [], "context": [*ids]})


def quoting_what_is_new(before: Asked) -> Behaviour:
    """A draft from the passages alone that an earlier request did not have."""
    known = {one["text"] for one in before.passages}

    def behaviour(asked: Asked) -> Reply:
        new = {one["id"] for one in asked.passages if one["text"] not in known}
        told = [one for one in claims(asked, most=40) if one["passage"] in new]
        return says({"claims": told, "not_found": []})(asked)

    return behaviour


def read(made: Made) -> list[Passage]:
    """The passages of the last draft."""
    found = {one.chunk: one for retrieval in made.state.retrievals for one in retrieval.passages}
    return [found[chunk] for chunk in made.state.draftings[-1].read]


def test_the_text_beside_a_passage_is_given_around_it(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(wanting("P1"), good, program="draft")
    made = run(SUPPLY)
    assert programs(made) == ["draft", "draft", "evaluate"]
    first, second = (one.passages for one in scripted.of("draft"))
    assert {one["text"] for one in first} < {one["text"] for one in second}
    place = next(place for place, one in enumerate(second) if one["text"] == first[0]["text"])
    asked = read(made)[place]
    stored = Chunk.objects.filter(section=asked.section, pk__in=[asked.chunk - 1, asked.chunk + 1])
    assert {one.pk for one in stored} <= {one.chunk for one in read(made)}
    assert [one.chunk for one in read(made)][:place] == [one.pk for one in stored if one.pk < asked.chunk]


def test_what_stands_beside_a_passage_may_be_quoted(sample: Sample, scripted: LocalModel) -> None:
    def second(asked: Asked) -> Reply:
        return quoting_what_is_new(scripted.of("draft")[0])(asked)

    scripted.behave(wanting("P1", "P2", "P3"), second, program="draft")
    made = run(SUPPLY)
    assert made.state.verified
    assert made.shown
    assert not untrue(made)


def test_neighbours_are_given_once_and_only_of_what_was_given(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(wanting("P1", "P99"), wanting("P2"), program="draft")
    made = run(SUPPLY)
    assert programs(made)[:2] == ["draft", "draft"]
    assert len(scripted.of("draft")[1].passages) <= len(scripted.of("draft")[0].passages) + 2
    assert programs(made)[2] != "draft"


def test_where_the_second_draft_fails_the_first_one_stands(sample: Sample, scripted: LocalModel) -> None:
    def first(asked: Asked) -> Reply:
        return says({"claims": claims(asked), "not_found": [], "context": ["P1"]})(asked)

    scripted.behave(first, says("No."), says("No."), program="draft")
    made = run(SUPPLY)
    assert made.state.verified
    assert made.state.draftings[0].passages == len(scripted.of("draft")[0].passages)


def test_a_second_draft_that_says_nothing_takes_nothing_back(sample: Sample, scripted: LocalModel) -> None:
    def first(asked: Asked) -> Reply:
        return says({"claims": claims(asked), "not_found": [], "context": ["P1"]})(asked)

    scripted.behave(first, says({"claims": [], "not_found": []}), program="draft")
    made = run(SUPPLY)
    assert made.state.verified
    assert programs(made) == ["draft", "draft", "evaluate"]
