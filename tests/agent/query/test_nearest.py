"""Words that nobody understands are left out where they make no other figure, and the figure is then not asserted."""

import pytest

from agent.query.words.refused_question import Misread
from tests.agent.query.conftest import Line, Read, asks_figures, asserts_figures, halves_of


@pytest.mark.parametrize(
    ("question", "line"),
    [
        # verbs and adverbs behind the company
        ("How much did Apple lavish on R&D in 2023?", "AAPL | 2023 | rnd without 'lavish'"),
        ("How much cash is Apple hoarding?", "AAPL | latest | cash + ~cash_and_sti + ~cash_incl_restricted without 'hoarding'"),
        # clauses of whoever asks
        ("Settle a bet for us: Apple revenue 2023", "AAPL | 2023 | revenue without 'Settle' without 'bet'"),
        ("I write a column. Apple revenue 2023, it goes into a footnote", None),
        ("Apple revenue 2023, a ballpark is fine", "AAPL | 2023 | revenue without 'ballpark'"),
        ("(for a quiz) Apple revenue 2023", "AAPL | 2023 | revenue without 'quiz'"),
        # what the company is
        ("Apple (the two-tone gadget people), revenue 2023", "AAPL | 2023 | revenue without 'the two-tone gadget people'"),
        # a number that the figure is said to be
        ("Can you confirm that Apple's revenue in 2023 was around 383 billion?", "AAPL | 2023 | revenue without 'around' without '383 billion'"),
        # a question back about the answer
        ("Compare Apple and Microsoft revenue 2023 - who is ahead by a whisker?", None),
    ],
)  # fmt: skip
def test_the_nearest_question_is_read_without_idle_words(told: Line, question: str, line: str | None):
    assert asks_figures(question)
    if line is not None:
        assert told(question) == line
        assert not asserts_figures(question)


@pytest.mark.parametrize(
    "question",
    [
        "Apple organic revenue 2023",  # qualifier
        "Apple tide revenue 2023",  # before the measure
        "Apple revenue trajectory 2023",  # behind it
        "Apple revenue from licences 2023",  # behind a preposition
        "Apple's gadgetry: revenue 2023",  # what its name governs
        "Apple revenue 2023, footwear",  # an apposition
        "Apple revenue 2023, not footwear",  # negation
        "Pampers: revenue 2023 (Apple)",  # a name that is near to a word of asking
        "How many gadgets did Apple sell in 2023?",  # what is counted
        "Apple revenue per gadget 2023",
        "Apple revenue in 2023 excluding gadgets",
        "Apple revenue 2023 with Zyntro",  # a name
        "Apple revenue 2023 above 383 gadgets",  # a number
        "Apple revenue in early 2023",  # before the period
        "Which gadget earned Apple more revenue in 2023?",
        "peak cash of Apple during 2023",
        "the second highest revenue of Apple, Microsoft and Amazon in 2023",
        "Apple revenue 2023. I mean the gadgets.",
        "My topic is footwear: Apple revenue 2023",
        "comment on Apple's revenue in 2023",
    ],
)
def test_what_may_make_another_figure_is_never_left_out(question: str):
    assert not asks_figures(question)


def test_ever_says_nothing_more_over_several_years(query: Read):
    asked = query("Was Apple's net income ever negative from 2020 to 2023?")
    assert not asked.is_nearest
    assert asked.operations


def test_a_follow_up_without_a_measure_takes_no_figure_for_a_word_nobody_knows(query: Read):
    before = query("Apple revenue 2023")
    assert not asks_figures("footwear in 2022", before)


def test_a_degree_that_nobody_knows_asks_for_the_figure_and_the_text():
    figure, text = halves_of("How seasonal is Apple's revenue?")
    assert not isinstance(figure, Misread)
    assert not isinstance(text, Misread)
    assert figure.left_out == ("How seasonal is",)
    assert text.topics
