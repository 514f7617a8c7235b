"""What a filing means by a term: the question for it, and the sentence that gives it."""

import pytest

from agent.prose.answers.definitions import defined
from agent.prose.answers.listing import listing
from agent.prose.questions.asked_terms import term_of
from agent.prose.questions.topics import topic_of
from tests.support.quotable import Quotable, company, quotable

LINES = [
    "# Measures",
    "Free cash flow is of interest to our owners.",
    "Adjusted free cash flow is defined as free cash flow before fines.",
    "We define free cash flow as cash from lenses less the cost of furnaces.",
    "Free cash flow represents what is left for the owners.",
    "We consider deposits of less than ninety days to be cash equivalents.",
    "We acquired firms, some of which the company considers to be rivals.",
    "\u201cComparable sales\u201d means sales of shops that were open for a year.",
    "Our regions are defined as follows:",
    "Segments, refer to Note 4, are two.",
    "Core profit is net income excluding the cost of fires.",
    "Return on glass is a non-GAAP financial measure.",
    "Furnaces are a key part of our business that we watch.",
    "A cullet agreement is a contract that fixes the price of broken glass.",
    "Merchandise sales represent the vast majority of our revenue.",
    "- Daily Active Wearers (DAW). We define a daily active wearer as a person who looks through our lenses on a day.",
    "- Lens people are many. We define a lens person as a holder of a frame.",
    "- Lens yield: Calculated as lenses sold divided by lenses cast.",
    "- Glass sales: Total net sales increased 5% in the year.",
    "Shipping and breakage costs are calculated by adding freight to losses.",
    "Chain-wide sales include sales at all shops, whether ours or not.",
    "Cost of lenses includes sand, heat and wages.",
    "Cost of frames increased; it includes horn.",
    "Short-term loans, defined as loans of less than a year, are few.",
    "We calculate our mirrors by the place of the buyer.",
    "Each optician is independent, as independence of opticians is defined by the guild.",
    "These polishes are a series of polishes that differ.",
    "Abrasives are comprised of the following.",
    "# Figures",
    "|=Measure|2025|2024",
    "|Organic revenue (1)|11|10",
    "|Lens churn2|3|4",
    "|Rebates (3)|5|6",
    "|(a) Frame count represents the frames that were shaped.",
    "(1)Represents revenue without firms that were bought.",
    "(2) Calculated as wearers lost divided by wearers.",
    "(3) Represents $4 million paid in 2024.",
    "# Glossary of terms",
    "|Focal width|How wide a lens sees",
    "|Grinding|See page",
]


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("How does the company define free cash flow?", "free cash flow"),
        ("How does the company calculate its free cash flow?", "free cash flow"),
        ("How is the company's free cash flow calculated?", "free cash flow"),
        ("What is meant by free cash flow at the company?", "free cash flow"),
        ("What is included in cost of lenses at the company?", ""),
        ("What does the company mean by comparable sales?", "comparable sales"),
        ("What does constant currency mean?", "constant currency"),
        ("What is the definition of a segment?", "segment"),
        ("What does the company mean to its owners?", ""),
        ("What does the company sell?", ""),
        ("What does the company mean by it?", ""),
        ("Define turnover as revenue over assets", ""),
        ("How do you calculate free cash flow?", ""),
    ],
)
def test_a_question_for_a_meaning_names_a_term(question: str, term: str) -> None:
    assert term_of(question) == term


@pytest.fixture
def filing(db: None) -> Quotable:
    return quotable(company(), 2025, LINES)


def said(filing: Quotable, question: str) -> list[str]:
    return [filing.text[slice(*span)] for _, span in defined(term_of(question), filing.filing.filing)]


@pytest.mark.parametrize(
    ("term", "meanings"),
    [
        ("free cash flow", ["We define free cash flow as cash from lenses less the cost of furnaces."]),
        ("cash equivalent", ["We consider deposits of less than ninety days to be cash equivalents."]),
        ("comparable sales", ["\u201cComparable sales\u201d means sales of shops that were open for a year."]),
        ("core profit", ["Core profit is net income excluding the cost of fires."]),
        ("cullet agreements", ["A cullet agreement is a contract that fixes the price of broken glass."]),
        ("lens yield", ["- Lens yield: Calculated as lenses sold divided by lenses cast."]),
        ("chain-wide sales", ["Chain-wide sales include sales at all shops, whether ours or not."]),
    ],
)
def test_the_sentence_that_defines_a_term_is_found(filing: Quotable, term: str, meanings: list[str]) -> None:
    assert said(filing, f"How does the company define {term}?") == [one.removeprefix("- ") for one in meanings]


@pytest.mark.parametrize(
    "term",
    [
        "segment",
        "region",
        "cash flow",
        "rivals",
        "return on glass",
        "furnaces",
        "merchandise sales",
        "glass sales",
        "loan",
        "mirrors",
        "optician",
        "polish",
        "abrasives",
        "glass",
    ],
)
def test_a_sentence_that_only_uses_such_words_defines_nothing(filing: Quotable, term: str) -> None:
    assert said(filing, f"What does the company mean by {term}?") == []


def test_a_term_is_found_by_its_abbreviation_and_in_other_forms(filing: Quotable) -> None:
    wearer = ["We define a daily active wearer as a person who looks through our lenses on a day."]
    assert said(filing, "What does the company mean by daily active wearers?") == wearer
    assert said(filing, "What does the company mean by DAW?") == wearer
    person = ["We define a lens person as a holder of a frame."]
    assert said(filing, "What does the company mean by lens people?") == person


def test_a_footnote_defines_the_label_that_bears_its_mark(filing: Quotable) -> None:
    assert said(filing, "What does the company mean by organic revenue?") == [
        "(1)Represents revenue without firms that were bought."
    ]
    assert said(filing, "How does the company calculate lens churn?") == [
        "(2) Calculated as wearers lost divided by wearers."
    ]
    # Of one year's figure it says nothing that holds for the term.
    assert said(filing, "What does the company mean by rebates?") == []


def test_a_row_of_a_table_is_quoted_whole(filing: Quotable) -> None:
    assert said(filing, "What does the company mean by frame count?") == [
        "(a) Frame count represents the frames that were shaped."
    ]
    assert said(filing, "What does the company mean by focal width?") == ["Focal width\tHow wide a lens sees"]


def test_what_a_term_only_includes_is_not_what_it_means(filing: Quotable) -> None:
    assert said(filing, "What does the company mean by cost of lenses?") == []


def test_it_is_given_as_what_the_filing_says(filing: Quotable) -> None:
    topic = topic_of("How does the company define free cash flow?")
    assert topic
    found = listing(topic, filing.filing.filing)
    assert found
    assert found.told == "The filing says what \u201cfree cash flow\u201d means."
    assert [filing.text[slice(*part.spans[0])] for part in found.parts] == [LINES[3]]


def test_a_term_of_two_words_joined_is_one_part_of_a_question() -> None:
    topic = topic_of("What does the company mean by shipping and breakage costs?")
    assert topic
    assert len(topic.queries) == 1
