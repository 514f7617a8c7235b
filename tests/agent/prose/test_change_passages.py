"""Of a change without a certain cause the row of its table and the paragraph that states it are shown first."""

import pytest

from agent.prose.answers.causes import change_of
from agent.prose.answers.change_passages import change_passages
from agent.prose.extract import Extraction
from agent.prose.questions.topics import topic_of
from filings.models import Section
from tests.support.quotable import Quotable, company, quotable

LINES = [
    "# Measures that we use",
    "Fleet sales are the sales of all shops. Fleet sales growth is used because it is plain.",
    "We expect fleet sales to rise in 2026 due to new shops.",
    "# Highlights",
    "- Fleet sales increased 4% to $90 million.",
    "# Sales of the fleet",
    "The next table has the fleet sales of two years.",
    "|= Fleet sales increases | 2025 | 2024",
    "| Norway | 9 % | 2 %",
    "| Total | 4 % | 3 %",
    "# Mirrors",
    "| | 2025 | 2024",
    "| Revenue | $ 20 | $ 30",
    "Net revenue of $20 million decreased by a third. The decrease in net revenue was primarily due to fewer orders.",
    "# Glass",
    "Revenue increased $9 million in 2024 compared to 2023. The revenue increase reflected dear sand.",
    "# Ends of the year",
    "| | 2025 | 2024",
    "| Interest expense | $ 5 | $ 4",
    "Interest expense was $5 million and $4 million, an increase of a quarter.",
    "| Mirrors | 2025 | 2024",
    "| Operating income | $ 3 | $ 4",
    "| Glass | 2025 | 2024",
    "| Comparable shop sales | 3 % | 2 %",
]  # fmt: skip


@pytest.fixture
def filing(db: None) -> Quotable:
    made = quotable(company(), 2025, LINES)
    Section.objects.filter(filing=made.filing.filing).update(item="7")
    made.section.refresh_from_db()
    return made


def told(filing: Quotable, question: str) -> list[tuple[str, str]]:
    """The label of the row and the sentence of each that is shown."""
    topic = topic_of(question)
    change = topic and change_of(topic, 2025)
    found = change_passages(change, filing.filing.filing, 2025) if change else []
    return [
        (one.row.text.split("\t")[0] if one.row else "", one.sentence.text if one.sentence else "") for one in found
    ]


@pytest.mark.parametrize("question", ["Why did fleet sales change?", "What caused fleet sales to increase?"])
def test_without_a_cause_the_row_of_the_table_stands_before_the_sentence_that_states_the_change(
    filing: Quotable, question: str
) -> None:
    assert told(filing, question) == [("Total", ""), ("", LINES[4][2:])]


def test_a_sentence_with_the_cause_stands_alone_or_beside_the_row_of_its_table(filing: Quotable) -> None:
    (found,) = told(filing, "Why did mirrors revenue fall?")
    assert found == ("Revenue", "The decrease in net revenue was primarily due to fewer orders.")


def test_a_row_with_the_paragraph_beside_it_that_states_the_change_is_one(filing: Quotable) -> None:
    assert told(filing, "Why did interest expense rise?") == [("Interest expense", LINES[19])]


@pytest.mark.parametrize(
    "question",
    [
        "Why did glass revenue rise?",  # the year before
        "Why did operating margin fall?",
        "Why might fleet sales rise?",
        "Why did the company close a shop?",
    ],
)
def test_what_states_no_change_of_the_measure_in_the_year_is_not_shown_before_others(
    filing: Quotable, question: str
) -> None:
    assert told(filing, question) == []


def test_rows_of_several_parts_are_none_of_the_whole_company(db: None) -> None:
    parts = [line for part in ("Mirrors", "Glass") for line in (f"# {part}", "| Operating income | $ 3 | $ 4")]
    made = quotable(company(), 2025, parts)
    Section.objects.filter(filing=made.filing.filing).update(item="7")
    assert told(made, "Why did operating income fall?") == []
    assert told(made, "Why did glass operating income fall?") == [("Operating income", "")]


@pytest.mark.parametrize(
    "lines",
    [
        ["Our costs as a percentage of revenue:", "|=Year ended|2025|2024", "|Interest expense|4.1|9.4"],
        ["|=Share of revenue|2025|2024", "|Interest expense|4.1%|9.4%"],
        ["|=Year ended|2025|2024", "|Adjusted interest expense|5|4"],
        ["|INTEREST EXPENSE|2025|2024", "|Bank|5|4"],
    ],
)
def test_a_row_of_shares_of_another_kind_of_figure_or_of_years_is_none(db: None, lines: list[str]) -> None:
    made = quotable(company(), 2025, ["# Results of operations", *lines])
    Section.objects.filter(filing=made.filing.filing).update(item="7")
    assert told(made, "Why did interest expense fall?") == []


def test_of_another_kind_of_figure_passages_are_shown_and_no_cause_is_asserted(filing: Quotable) -> None:
    assert told(filing, "Why did comparable shop sales rise?") == [("Comparable shop sales", "")]


def test_they_are_shown_first_as_they_stand_with_one_other(filing: Quotable) -> None:
    topic = topic_of("Why did fleet sales change?")
    assert topic
    extraction = Extraction(filing.target, topic, filing.filing, filing.retrieval)
    assert not extraction.part(0).picked
    shown = extraction.nearest(filing.target, 0)
    assert [one.text for one in shown[:2]] == [
        "Fleet sales increases\t2025\t2024\nNorway\t9 %\t2 %\nTotal\t4 %\t3 %",
        LINES[4][2:],
    ]
    assert len(shown) <= 3
    assert "increase" not in extraction.absent(0)
