"""What a model may choose from: measures near the question by words and by meaning, lines and parts of the company."""

import pytest

from agent.grounding.candidates import MOST, Candidate, candidates
from agent.query.words.company_lexicon import of_faces
from agent.query.words.lexicon import Called, Lexicon, lexicon_of, measure_of
from agent.state.query import Line
from filings.text.embeddings.endpoint import Endpoint
from tests.agent.query.held import REGISTRY

CALLED = Called(
    rows=(("Costs of the boffins", ("acme:BoffinCosts",)),),
    parts=(
        ("Harbor lights", ("StatementBusinessSegmentsAxis=HarborLightsMember",)),
        ("Northern Isles", ("StatementGeographicalAxis=NorthernIslesMember",)),
    ),
)


@pytest.fixture(scope="module")
def own() -> Lexicon:
    return of_faces(lexicon_of(REGISTRY), CALLED)


def labels(question: str, lexicon: Lexicon | None = None, most: int = MOST) -> list[str]:
    return [one.label for one in found(question, lexicon, most)]


def found(question: str, lexicon: Lexicon | None = None, most: int = MOST) -> tuple[Candidate, ...]:
    return candidates(question, REGISTRY, lexicon or lexicon_of(REGISTRY), most)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("how much came in from shoppers", "Total revenue"),
        ("what does it still owe its lenders", "Total debt (short- and long-term)"),
        ("goodwill written off", "Goodwill impairment"),
        ("treasury shares at cost", "Treasury stock, at cost"),
        ("the whole balance sheet", "The whole balance sheet"),
    ],
)
def test_a_measure_is_offered_by_its_words_or_its_meaning(question: str, label: str) -> None:
    assert label in labels(question)


def test_no_more_are_offered_than_a_prompt_holds_each_once_and_by_its_own_id() -> None:
    offered = found("profit, margin, debt, cash, shares and taxes")
    assert len(offered) == MOST
    assert len({one.id for one in offered}) == len({one.label for one in offered}) == MOST


def test_what_is_asked_for_in_all_kinds_of_words_is_always_offered() -> None:
    often = {measure_of(REGISTRY, key) for key in REGISTRY.key_figures.often_asked}
    assert often <= {one.measure for one in found("zorb")}


def test_lines_and_parts_are_those_of_the_company(own: Lexicon) -> None:
    offered = found("boffins at the harbor", own)
    (line,) = [one for one in offered if isinstance(one.measure, Line)]
    assert (line.id, line.label) == ("l1", "Costs of the boffins")
    assert [(one.id, one.label) for one in offered if one.part] == [
        ("p1", "Harbor lights (segment)"),
        ("p2", "Northern Isles (region)"),
    ]
    assert not [one for one in found("boffins at the harbor") if one.part or isinstance(one.measure, Line)]


def test_without_a_model_of_vectors_words_alone_decide(monkeypatch: pytest.MonkeyPatch, settings) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "http://127.0.0.1:9/v1", "none"
    settings.EMBEDDING_DIMENSIONS = 384
    monkeypatch.setattr(Endpoint, "first_wait", 0.01)
    assert labels("treasury stock")[0] == "Treasury stock, at cost"
