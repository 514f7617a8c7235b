"""Passages that touch on a refused question: which are near enough, and the address that marks them."""

import pytest

from agent.refusals.codes import Code
from agent.refusals.item_questions import MOST, address, nearby, title, touches
from agent.state import AgentState, Passage, Refusal
from tests.support.quotable import CIK, Quotable, company, quotable

pytestmark = pytest.mark.django_db


@pytest.fixture
def filing(db: None) -> Quotable:
    return quotable(
        company(), 2025, ["# One", "We make lenses.", "# Two", "We grind them.", "# Three", "We sell them."]
    )


def found(filing: Quotable, **fields: object) -> Passage:
    passage = filing.passage(filing.chunks[1])
    return passage.model_copy(update={"ranks": {"lexical": 4, "dense": 9}, "cosine": 0.4, "page": "8", **fields})


def state(filing: Quotable, *passages: Passage) -> AgentState:
    retrieval = filing.retrieval.model_copy(update={"passages": passages})
    return AgentState(question="?", retrievals=(retrieval,))


def refused(code: Code = Code.NOT_FOUND_IN_FILING) -> Refusal:
    return Refusal(target=0, code=code, stage="validate", text="No.")


@pytest.mark.parametrize(
    "fields", [{"ranks": {"dense": 1}}, {"cosine": 0.1}, {"cosine": None}, {"item": ""}], ids=lambda one: str(one)
)
def test_what_shares_only_words_or_only_meaning_does_not_touch(filing: Quotable, fields: dict[str, object]) -> None:
    assert touches(found(filing))
    assert not touches(found(filing, **fields))
    assert nearby(refused(), state(filing, found(filing, **fields))) == ()


def test_it_gives_the_place_and_none_of_the_words(filing: Quotable) -> None:
    (near,) = nearby(refused(), state(filing, found(filing)))
    start, end = filing.chunks[1].ranges[0]
    assert near.title == "Item 1A, Risk Factors, page 8"
    assert near.url == f"/filings/{filing.filing.accession}/1A?at={start}-{end}#at"


def test_an_accession_of_several_registrants_is_opened_at_the_one_asked(filing: Quotable) -> None:
    passage = found(filing, ranges=((0, 3), (5, 9)))
    assert address(passage, filing.section, shared=True).endswith(f"/1A?cik={CIK}&at=0-3,5-9#at")
    assert title(found(filing, page=""), filing.section) == "Item 1A, Risk Factors"


def test_only_a_search_that_found_no_answer_gives_passages_and_a_few(filing: Quotable) -> None:
    many = state(filing, *[found(filing)] * (MOST + 2))
    assert len(nearby(refused(), many)) == MOST
    assert nearby(refused(Code.UNVERIFIED), many) == ()
    assert nearby(refused().model_copy(update={"target": 1}), many) == ()
