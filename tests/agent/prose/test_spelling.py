"""Misspelt words of a question for text are read as the filing spells them; all others stay."""

from collections import Counter

import pytest

from agent.prose.questions.spelling import mended, undone
from agent.prose.questions.topics import topic_of
from agent.state import Plan, QuestionType, RemarkCode, Target
from tests.support.quotable import Quotable, company, quotable

LINES = [
    "# Suppliers",
    "Castings come from two suppliers, and a shortage of castings would delay our pumps.",
    "We depend on the availability of foundries, and foundries depend on electricity.",
    "Cybersecurity is overseen by the audit committee; Xyleron valves are sold by Norvane.",
]


@pytest.fixture
def filing(db: None) -> Quotable:
    return quotable(company(), 2023, LINES)


def read(question: str, filing: Quotable, names: set[str] | None = None) -> dict[str, str]:
    topic = topic_of(question)
    assert topic is not None
    return undone(topic, filing.filing.filing, names or set())[1]


@pytest.mark.parametrize(
    ("question", "slips"),
    [
        ("who oversees cybersecuirty", {"cybersecuirty": "cybersecurity"}),
        ("what would a shortge of castngs delay", {"shortge": "shortage", "castngs": "castings"}),
        ("what does the avalabilty of foundries depend on", {"avalabilty": "availability"}),
        ("what happens with Xyleorn valves", {"Xyleorn": "xyleron"}),
    ],
)
def test_a_slip_is_read_as_the_word_of_the_filing(question: str, slips: dict[str, str], filing: Quotable) -> None:
    assert read(question, filing) == slips


@pytest.mark.parametrize(
    "question",
    [
        "what would a shortage of castings delay",  # stands in the filing
        "are the pumps dearer than those of rivals",  # English, with an ending
        "does it use Zyleron",  # a name with another letter at its head
        "what of Foundrees",  # of a name one letter at most
        "what do its coders write",
    ],
)
def test_other_words_stay(question: str, filing: Quotable) -> None:
    assert read(question, filing) == {}


def test_nothing_is_read_as_the_name_of_the_company(filing: Quotable) -> None:
    assert read("are norvnae valves sold", filing) == {"norvnae": "norvane"}
    assert read("are norvnae valves sold", filing, {"norvane"}) == {}


def test_of_two_words_as_near_none_is_taken(filing: Quotable) -> None:
    from agent.prose.questions.spelling import meant

    assert meant("casks", Counter({"cases": 5, "casts": 4})) == ""
    assert meant("casks", Counter({"cases": 15, "casts": 4})) == "cases"
    assert meant("comitment", Counter({"commitment": 5, "commitments": 4})) == "commitment"


def test_the_topic_is_made_anew_and_the_reading_is_said_once(filing: Quotable) -> None:
    topic = topic_of("does a board comittee oversee cybersecuirty")
    assert topic is not None
    target = filing.target.model_copy(update={"topic": topic})
    twice = Plan(type=QuestionType.PROSE, targets=(target, target.model_copy(update={"id": 1})))
    plan, remarks = mended(twice, lambda target: filing.filing.filing)
    assert all(one.topic and "1C" in one.topic.implied for one in plan.targets)
    assert [(one.code, one.text) for one in remarks] == [
        (
            RemarkCode.SPELLING,
            "Read \u201ccomittee\u201d as \u201ccommittee\u201d and \u201ccybersecuirty\u201d as \u201ccybersecurity\u201d.",
        )
    ]


def test_a_figure_and_a_filing_that_is_not_held_are_left(filing: Quotable) -> None:
    topic = topic_of("who oversees cybersecuirty")
    figure = filing.target.model_copy(update={"figures": True, "topic": None})
    of_none = filing.target.model_copy(update={"topic": topic})

    def asked(target: Target) -> int | None:
        assert target is of_none
        return None

    plan = Plan(type=QuestionType.BOTH, targets=(figure, of_none))
    assert mended(plan, asked) == (plan, [])
