"""A quotation runs from one boundary to another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.prose.text.boundaries import Bounds
from filings.document.blocks import stored_blocks
from filings.document.sentences import sentence_spans
from tests.support.quotable import lines_of_sentences, read_text

LINES = [
    "# Our supply is concentrated. We may lose it.",
    "We do not believe we are exposed to fires. Corvane Systems, Inc. sells to us.",
    "We have never been asked for any of the following:",
    "- licenses of our patents;",
    "- refunds above $5 million",
    "| Segment | 2023 | 2022",
    "| Optics | 12 | (8)",
    "| Marine | 5 % | \u2014",
    "# None.",
]
TEXT, BLOCKS = read_text(LINES)
BOUNDS = Bounds(TEXT, stored_blocks(BLOCKS))


def widened(words: str) -> str:
    start = TEXT.index(words)
    begin, stop = BOUNDS.widened(start, start + len(words))
    return TEXT[begin:stop]


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("we are exposed to fires", "We do not believe we are exposed to fires."),
        ("Inc. sells", "Corvane Systems, Inc. sells to us."),
        ("fires. Corvane", "We do not believe we are exposed to fires. Corvane Systems, Inc. sells to us."),
        ("We may lose", "We may lose it."),
        ("refunds", "refunds above $5 million"),
        ("(8)", "Optics\t12\t(8)"),
        ("12\t(8)\nMarine", "Optics\t12\t(8)\nMarine\t5 %\t\u2014"),
        ("None.", "None."),
        (" ", "Our supply is concentrated."),
    ],
)
def test_a_fragment_is_widened_to_its_boundaries(words: str, whole: str) -> None:
    assert widened(words.strip() or "supply is") == whole


@pytest.mark.parametrize(
    ("words", "opening"),
    [
        ("refunds", "We have never been asked for any of the following:"),
        ("licenses", "We have never been asked for any of the following:"),
        ("We do not", ""),
        ("Optics", ""),
    ],
)
def test_it_knows_the_sentence_that_opens_a_list(words: str, opening: str) -> None:
    found = BOUNDS.lead_in(TEXT.index(words))
    assert (TEXT[found[0] : found[1]] if found else "") == opening


def test_headings_are_those_it_stands_under() -> None:
    place = BOUNDS.place(TEXT.index("Inc. sells"))
    assert place is not None
    above = [BOUNDS.block(number) for number in BOUNDS.headings(place)]
    assert [TEXT[one.start : one.end] for one in above] == ["Our supply is concentrated. We may lose it."]


LONG, LONG_BLOCKS = read_text(lines_of_sentences())
LONG_BOUNDS = Bounds(LONG, stored_blocks(LONG_BLOCKS))
UNITS = [span for block in LONG_BLOCKS for span in sentence_spans(LONG, block.start, block.end)]


@given(st.integers(0, len(UNITS) - 1), st.integers(0, 3))
def test_what_runs_from_boundary_to_boundary_stays(first: int, more: int) -> None:
    start, end = UNITS[first][0], UNITS[min(first + more, len(UNITS) - 1)][1]
    assert LONG_BOUNDS.widened(start, end) == (start, end)


@given(st.integers(0, len(LONG) - 1), st.integers(1, 300))
def test_widening_holds_what_it_widens_and_widens_once(start: int, length: int) -> None:
    end = min(start + length, len(LONG))
    begin, stop = LONG_BOUNDS.widened(start, end)
    assert LONG[start:end].strip() in LONG[begin:stop]
    assert LONG_BOUNDS.widened(begin, stop) == (begin, stop)
