"""What a question is for is decided on its head, and not on a word that it contains."""

import pytest

from agent.query.words.refused_question import Misread
from tests.agent.query.conftest import Line, Read


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("should we buy nvidia stock this week", "advice"),
        ("is Nike a better investment than Starbucks for a pension?", "advice"),
        ("share price of Apple at the moment", "price"),
        ("what P/E ratio does Visa have", "price"),
        ("what will apple revenue be in fiscal 2031?", "prediction"),
        ("Nike EPS forecast for next year", "prediction"),
        ("Apple earnings call transcript 2023", "transcript"),
        ("Apple 10-Q revenue", "interim_period"),
        ("write me a poem about Apple", "off_topic"),
        ("Anduril revenue 2023", "unknown_company"),
        ("revenue 2024", "no_company"),
        ("is Apple stock cheap?", "price"),
        ("Why buy Apple?", "advice"),
        ("How do I invest in Apple?", "advice"),
        ("What did Apple say about AI on its earnings call?", "transcript"),
        ("Who had the better margin in 2023?", "no_company"),
        ("What are the main risks?", "no_company"),
        ("Why is the sky blue?", "off_topic"),
        ("Which companies mention tariffs?", "no_company"),
        ("How does Zyntrophic Industries recognize revenue?", "unknown_company"),
        ("What's going on with Apple?", "not_understood"),
        ("How much did Apple make in 2023?", "ambiguous_concept"),
        ("Apple revenue from the annual report filed in 2024", "not_understood"),
        ("", "empty"),
        ("???", "empty"),
    ],
)
def test_it_refuses_what_no_filing_holds(told: Line, question: str, code: str):
    assert told(question).split(" ")[0] == code


@pytest.mark.parametrize(
    "question",
    [
        "Why did Apple raise expected credit losses in 2023?",
        "Describe Apple's projected benefit obligation 2023",
        "Explain the change in control clause of Apple",
        "Which stock exchange is Palantir listed on?",
        "What risks does Apple see from price increases?",
        "How does weather affect Lowe's sales?",
        "How does Apple translate foreign currencies?",
        "Where does Apple invest in research?",
        "What does Apple buy from Foxconn?",
        "What does Apple sell?",
        "Starbucks stock split",
    ],
)
def test_a_word_inside_is_no_intent(query: Read, question: str):
    assert not isinstance(query(question), Misread)


@pytest.mark.parametrize(
    "question",
    [
        "Why did Apple's revenue fall in 2023?",
        "Describe Apple's competition",
        "does Tesla have a dividend policy",
        "Apple Item 1A",
    ],
)
def test_text_is_asked_where_no_figure_is(query: Read, question: str):
    found = query(question)
    assert found.topics
    assert not found.rows


def test_the_text_of_a_topic_names_neither_company_nor_year(query: Read):
    assert query("Why did Apple's sales fall in 2023?").topics[0].text == "Why did the company's sales fall?"


@pytest.mark.parametrize(
    "question",
    [
        "Why did Apple's revenue fall in the third quarter of 2023?",
        "What risks does Apple describe in Q3 2022?",
        "Why did Apple's margins fall in the latest quarter?",
    ],
)
def test_text_of_a_quarter_is_refused_as_its_figures_are(told: Line, question: str):
    assert told(question).startswith("interim_period")


def test_a_report_tells_of_the_last_quarter_of_its_year(query: Read):
    assert query("Why did Apple's margins fall in the last quarter of fiscal 2023?").topics


@pytest.mark.parametrize("what", ["quarterly dividend policy", "30-year notes", "dividends before 2020"])
def test_what_only_sounds_like_a_part_of_a_year_is_none(query: Read, what: str):
    assert query(f"Describe Apple's {what}").topics
