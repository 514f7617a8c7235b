"""What a filing means by a term: the question for it, and the sentence that gives it."""

import pytest

from agent.prose.definitions import defined, term_of
from agent.prose.listing import listing
from agent.prose.topics import topic_of
from tests.support.quotable import Quotable, company, quotable

LINES = [
    "# Measures",
    "Free cash flow is of interest to our owners.",
    "Adjusted free cash flow is defined as free cash flow before fines.",
    "We define free cash flow as cash from lenses less the cost of furnaces.",
    "We consider deposits of less than ninety days to be cash equivalents.",
    "\u201cComparable sales\u201d means sales of shops that were open for a year.",
    "Our regions are defined as follows:",
    "Segments, refer to Note 4, are two.",
]


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("How does the company define free cash flow?", "free cash flow"),
        ("What does the company mean by comparable sales?", "comparable sales"),
        ("What does constant currency mean?", "constant currency"),
        ("What is the definition of a segment?", "segment"),
        ("What does the company mean to its owners?", ""),
        ("What does the company sell?", ""),
    ],
)
def test_a_question_for_a_meaning_names_a_term(question: str, term: str) -> None:
    assert term_of(question) == term


@pytest.fixture
def filing(db: None) -> Quotable:
    return quotable(company(), 2025, LINES)


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ("free cash flow", ["We define free cash flow as cash from lenses less the cost of furnaces."]),
        ("cash equivalent", ["We consider deposits of less than ninety days to be cash equivalents."]),
        ("comparable sales", ["\u201cComparable sales\u201d means sales of shops that were open for a year."]),
        ("segment", []),
        ("region", []),
        ("cash flow", []),
    ],
)
def test_the_sentence_that_defines_a_term_is_found(filing: Quotable, term: str, said: list[str]) -> None:
    assert [filing.text[slice(*span)] for _, span in defined(term, filing.filing.filing)] == said


def test_it_is_given_as_what_the_filing_says(filing: Quotable) -> None:
    topic = topic_of("How does the company define free cash flow?")
    assert topic
    found = listing(topic, filing.filing.filing)
    assert found
    assert found.told == "The filing says what \u201cfree cash flow\u201d means."
    assert [filing.text[slice(*part.spans[0])] for part in found.parts] == [LINES[3]]
