"""Where sentences end in the language of filings."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from filings.document.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["We sell tools in the U.S. and abroad.", "Widget Corp. and Gear Inc. buy them."],
        ["We sell in the U.S.", "We also sell in the U.K. through agents."],
        ["The U.S. Government is a customer.", "It pays late."],
        ["We bought Gear Inc. in 2022 and Widget, Inc. (One Widget) in 2023 with cash.", "It paid in Jan. 2024."],
        ["Sales rose 5.2% vs. 2023.", "Costs fell by approx. $3.5 million, i.e. less than planned."],
        ["Some goods (e.g. gears) are made at plant No. 5.", "The answer was No.", "We agreed."],
        ["On Jan. 5, 2024, Mr. A. B. Smith joined us.", "Ms. Jones left."],
        ["J. P. Miller is a director.", "Dr. Lee is not."],
        ["See Note 5.", "Revenue increased."],
        ["Note 5. Income Taxes of the Notes says more."],
        ["As Item 1A. Risk Factors says, we may fail.", "See Item 7.", "The rest follows."],
        ["1. The first of our lines is (i) gears; (ii) wheels; and (iii) springs.", "The second is small."],
        ["He called it “a fair price.”", "They did not (see below.)", "“We will,” they said."],
        ["Do we own it?", "Yes.", "Sales rose!", "Costs fell."],
        ["Shops such as Wow! Toys buy from us.", "Others do not."],
        ["iGear sales fell.", "iSpring sales rose."],
        ["We closed 12 stores.(1)", "None reopened."],
        ["The state of the art. We follow it."[:21], "We follow it."],
        ["In 2024. 2023 was worse."[:8], "2023 was worse."],
        ["None."],
        ["Item 1B. Unresolved Staff Comments"],
    ],
)
def test_it_splits_as_a_reader_would(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


def test_it_finds_the_end_where_a_space_was_lost() -> None:
    assert sentences("This may harm our results.The price is on widgets.example now.") == [
        "This may harm our results.",
        "The price is on widgets.example now.",
    ]


def test_a_line_feed_ends_a_sentence_as_the_rows_of_a_table_do() -> None:
    assert sentences("Net sales\t$ 5\nCost of sales\t(3)\n\nGross margin") == [
        "Net sales\t$ 5",
        "Cost of sales\t(3)",
        "Gross margin",
    ]


def test_positions_are_those_of_the_whole_text() -> None:
    text = "Before. One. Two. After."
    assert sentence_spans(text, 8, 17) == [(8, 12), (13, 17)]


WORDS = st.sampled_from(
    ["We", "the", "Inc.", "U.S.", "No.", "5", "5.", "2024.", "Note", "Item", "1A.", "(i)", "“so.”", "a.", "end.", "e.g.",
     "Why?", "Wow!", "...", "—", "\n", "\n\n", "\t", "  ", "\u00a0", "x" * 300, "A.", ".", "). ", "sales.The next"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=40).map(" ".join) | st.text(max_size=200))
@example("")
@example(" \n ")
def test_spans_are_in_order_and_hold_every_character_that_is_not_space(text: str) -> None:
    spans = sentence_spans(text)
    held = set()
    last = 0
    for start, end in spans:
        assert last <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        held.update(range(start, end))
        last = end
    assert [at for at, one in enumerate(text) if not one.isspace() and at not in held] == []


@given(st.lists(WORDS, max_size=30).map(" ".join), st.integers(0, 50), st.integers(0, 50))
def test_a_part_of_a_text_is_split_as_if_it_stood_alone(text: str, start: int, length: int) -> None:
    part = text[start : start + length]
    inside = sentence_spans(text, start, start + length)
    assert [(first - start, last - start) for first, last in inside] == sentence_spans(part)
