"""Why a measure changed: which sentence of a filing states the change that is asked with its cause."""

import pytest

from agent.prose.answers.causes import causes, change_of, given
from agent.prose.answers.listing import caused
from agent.prose.questions.topics import topic_of
from agent.prose.text.reasons import way_of
from filings.models import Section
from tests.support.quotable import Quotable, company, quotable

LINES = [
    "# Overview",
    "Net sales increased 9% in 2025 compared with 2024, driven by demand for lenses.",
    "# Net sales",
    "The increase in net sales was primarily due to higher prices.",
    "Net sales rose 4% in 2024 compared with 2023 because of a new shop.",
    "# Gross margin",
    "Gross margin in dollars rose due to higher volume.",
    "Gross margin percentage fell due to dearer freight.",
    "# Research and development",
    "Research and development expense was $9 million in 2025 and $7 million in 2024. The increase was due to:",
    "- salaries; and",
    "- a laboratory.",
    "# Operating expenses",
    "Selling, general and administrative expense decreased 3% in 2025, reflecting fewer clinics.",
    "General and administrative expense as a percentage of sales decreased due to higher sales.",
    "Other operating expenses increased due to heavy storms.",
    "Operating expenses could increase in 2025 due to more hiring.",
    "Interest expense decreased in 2024 and increased in 2025 due to a loan.",
    "Interest income was affected by increased deposits due to more caution.",
    "Net income declines were more pronounced in Europe, driven by new tariffs.",
    "# Europe",
    "Operating income decreased due to long strikes.",
    "# Operating income",
    "Operating income rose 2% in 2025 due to the lower cost of glass.",
    "# Liquidity",
    "Net income decreased due to changes without cash.",
    "# Operating income",
    "Operating income decreased due to a fire.",
]  # fmt: skip


@pytest.fixture
def filing(db: None) -> Quotable:
    made = quotable(company(), 2025, LINES)
    Section.objects.filter(filing=made.filing.filing).update(item="7")
    made.section.refresh_from_db()
    return made


def said(filing: Quotable, question: str, year: int = 2025) -> str:
    """What is quoted for a question; empty where nothing is."""
    topic = topic_of(question)
    change = topic and change_of(topic, year)
    found = change and given(change, list(causes(change, filing.filing.filing, 2025)))
    return filing.text[slice(*found.span)] if found else ""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Why did net sales increase?", 1),
        ("What drove revenue growth?", 1),
        ("Why did SG&A fall?", 13),
        ("What was the reason for lower selling, general and administrative expenses?", 13),
        ("Why did operating income rise?", 23),
    ],
)
def test_the_sentence_that_states_the_change_and_its_cause_is_found(
    filing: Quotable, question: str, line: int
) -> None:
    assert said(filing, question) == LINES[line]


def test_a_cause_in_the_next_sentence_comes_with_the_one_that_names_the_measure_and_its_list(filing: Quotable) -> None:
    quote = said(filing, "Why did R&D increase?")
    assert quote.startswith("Research and development expense was")
    assert quote.endswith("a laboratory.")


@pytest.mark.parametrize(
    "question",
    [
        "Why did general and administrative expenses fall?",  # its share of sales did
        "Why did operating expenses increase?",  # other ones did; these may
        "Why did interest expense fall?",  # two years in one sentence
        "Why did interest income increase?",  # something else increased
        "Why did net income fall?",  # only more so in Europe, and among the cash flows
        "Why did gross margin fall?",  # it fell and rose
        "Why did net sales increase over the years?",
        "Why might net sales increase?",
        "Why did adjusted net sales increase?",
        "Why did lens sales increase?",
        "Why did it close a shop?",
    ],
)
def test_what_is_not_the_cause_of_the_change_asked_is_not_given(filing: Quotable, question: str) -> None:
    assert said(filing, question) == ""


@pytest.mark.parametrize(
    ("cause", "is_given"),
    [("higher net sales of lenses", False), ("the new shop, and higher net sales of lenses", True)],
)
def test_where_revenue_rose_is_not_why(db: None, cause: str, is_given: bool) -> None:
    line = f"Net sales increased 9% in 2025, driven by {cause}."
    made = quotable(company(), 2025, ["# Overview", line])
    Section.objects.filter(filing=made.filing.filing).update(item="7")
    assert said(made, "Why did net sales increase?") == (line if is_given else "")


def test_a_sentence_of_another_year_is_found_for_that_year_alone(filing: Quotable) -> None:
    assert said(filing, "Why did net sales increase?", 2024) == LINES[4]
    assert said(filing, "Why did operating income rise?", 2024) == ""


def test_of_a_question_that_assumes_the_opposite_it_says_so(filing: Quotable) -> None:
    topic = topic_of("Why did net sales fall?")
    change = topic and change_of(topic, 2025)
    assert change
    found = given(change, list(causes(change, filing.filing.filing, 2025)))
    assert found
    assert caused(found, change).told == "The filing tells of an increase, not of a decrease."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Why did selling, general and administrative expenses improve?", "The filing gives a cause for this change."),
        ("Why did SG&A worsen?", "The filing tells of a decrease, not of an increase."),
        ("Why did operating income improve?", "The filing gives a cause for this change."),
        ("What drove net sales to worsen?", "The filing tells of an increase, not of a decrease."),
    ],
)
def test_what_improves_a_cost_lowers_it(filing: Quotable, question: str, told: str) -> None:
    topic = topic_of(question)
    change = topic and change_of(topic, 2025)
    assert change
    found = given(change, list(causes(change, filing.filing.filing, 2025)))
    assert found
    assert caused(found, change).told == told


@pytest.mark.parametrize(
    ("told", "way"),
    [
        ("Why did sales and marketing expense improve?", "down"),
        ("Why did the cost of product sales improve?", "down"),
        ("Why did depreciation and amortization improve?", "down"),
        ("What drove the improvement in sales and marketing expense?", "down"),
        ("What drove the improvement in cost control?", "up"),
        ("Why did operating income improve despite higher costs?", "up"),
        ("Operating expenses, including investments to improve service, increased 5%", "up"),
        ("Cost of sales, net of improved productivity, increased 5%", "up"),
    ],
)
def test_only_the_word_that_is_said_of_a_cost_is_turned(told: str, way: str) -> None:
    assert way_of(told) == way


def test_a_filing_tells_of_costs_that_improved_as_lower(db: None) -> None:
    lines = ["# Cost of sales", "Cost of sales improved 2% in 2025 due to cheaper sand."]
    made = quotable(company(), 2025, lines)
    Section.objects.filter(filing=made.filing.filing).update(item="7")
    assert said(made, "Why did cost of sales fall?") == lines[1]
