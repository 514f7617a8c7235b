"""What a company expects is shown from its 10-K, where no other document that may tell is held; over the fictional sample."""

import pytest

from agent.prose.answers.foretold import looks_forward
from agent.refusals.codes import Code
from agent.state import Answer, Block
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from filings.models import Section

pytestmark = pytest.mark.django_db

NOT_RESULTS = "These are {} expectations as of its 10-K for fiscal {}, not results."


def only(question: str) -> Block:
    answer: Answer = pipeline.answer(question, Deps.current(TODAY))
    (block,) = answer.blocks
    return block


def marked(block: Block) -> list[str]:
    """The sentences that the passages of a part mark."""
    return [
        Section.objects.get(pk=passage.section).text[start:end]
        for passage in block.passages
        for start, end in passage.marked
    ]


@pytest.mark.parametrize(
    ("question", "company", "year"),
    [
        ("What is Northwind's outlook?", "Northwind's", 2025),
        ("What does Northwind expect for next year?", "Northwind's", 2025),
        ("What guidance does Calder give for 2026?", "Calder's", 2025),
        ("What did Northwind expect in its fiscal 2024 10-K?", "Northwind's", 2024),
        ("What did Northwind expect for fiscal 2025?", "Northwind's", 2024),  # the 10-K before it
        ("What does Northwind expect after fiscal 2024?", "Northwind's", 2024),
        ("What does Northwind anticipate for 2031?", "Northwind's", 2025),  # the newest before
    ],
)
def test_an_outlook_is_shown_from_the_10k_before_the_period(question: str, company: str, year: int) -> None:
    block = only(question)
    assert (block.outcome, block.claims) == ("passages", ())
    assert NOT_RESULTS.format(company, year) in block.notes
    assert marked(block)
    assert all(map(looks_forward, marked(block)))


def test_an_outlook_on_a_subject_is_shown_by_the_sentences_on_it() -> None:
    assert any(
        "capital expenditure" in one for one in marked(only("What are Northwind's plans for capital expenditure?"))
    )


def test_where_no_sentence_says_what_is_expected_the_refusal_says_so() -> None:
    refusal = only("What does Northwind expect of zeppelins?").refusal
    assert refusal
    assert refusal.code is Code.NOT_FOUND_IN_FILING
    assert (
        refusal.text
        == "No sentence of Northwind's fiscal 2025 10-K was found that says what the company expects of \u201czeppelins\u201d."
    )


@pytest.mark.parametrize(
    "question",
    [
        "Will Northwind's revenue grow next year?",
        "What do analysts expect of Northwind's revenue?",
        "Northwind operating income forecast",
        "Where is Northwind's revenue heading over the next five years?",
    ],
)
def test_a_forecast_of_ours_or_of_anybody_else_stays_refused(question: str) -> None:
    refusal = only(question).refusal
    assert refusal
    assert refusal.code is Code.PREDICTION


def test_where_releases_and_calls_are_held_the_10k_does_not_stand_for_them() -> None:
    assert not any("not results" in one for one in only("What does Larkfield expect of Tolvance?").notes)
