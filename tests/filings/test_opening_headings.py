"""Headings that open a passage, such as a speaker's: no chunk holds two of them, and rows stored before are read."""

from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document.blocks import Block, read_blocks, stored_blocks
from filings.models.section import chunk_text
from filings.text.chunking import chunk
from tests.support.texts import Text

SPOKEN = "We sold more widgets in Lindau than a year before."


@dataclass
class Part(Text):
    item: str = "questions"

    def turn(self, name: str, *paragraphs: str) -> "Part":
        self.heading(name)
        self.blocks[-1] = replace(self.blocks[-1], opens=True)
        for paragraph in paragraphs:
            self.paragraph(paragraph)
        return self


def texts(section: Part) -> list[str]:
    return [chunk_text(section.text, [list(pair) for pair in one.ranges]) for one in chunk(section)]


def test_short_turns_are_chunks_of_their_own_under_their_speakers() -> None:
    section = Part().turn("Ada Quill", "Thanks.").turn("Bo Marsh", SPOKEN).turn("Ada Quill", "Fine.")
    assert texts(section) == ["Ada Quill\n\nThanks.", f"Bo Marsh\n\n{SPOKEN}", "Ada Quill\n\nFine."]
    assert [one.headings for one in chunk(section)] == [("Ada Quill",), ("Bo Marsh",), ("Ada Quill",)]


def test_a_heading_of_the_part_stays_with_the_first_turn() -> None:
    section = Part()
    section.heading("Questions and Answers", 1)
    section.turn("Ada Quill", "Thanks.").turn("Bo Marsh", SPOKEN)
    assert texts(section)[0] == "Questions and Answers\n\nAda Quill\n\nThanks."


def test_a_heading_between_turns_goes_to_what_follows() -> None:
    section = Part().turn("Ada Quill", "Thanks.")
    section.heading("Questions and Answers", 2)
    section.turn("Bo Marsh", SPOKEN)
    assert texts(section) == ["Ada Quill\n\nThanks.", f"Questions and Answers\n\nBo Marsh\n\n{SPOKEN}"]


def test_a_speaker_without_words_is_not_mixed_with_the_next() -> None:
    section = Part().turn("Ada Quill").turn("Bo Marsh", SPOKEN).turn("Cy Fenn").turn("Ada Quill")
    assert texts(section) == ["Ada Quill", f"Bo Marsh\n\n{SPOKEN}", "Cy Fenn", "Ada Quill"]


def test_headings_that_do_not_open_stay_together_as_before() -> None:
    section = Part()
    section.heading("Widgets").paragraph("Sold.").heading("Gears").paragraph("Sold too.")
    assert len(chunk(section)) == 1


TURNS = st.lists(
    st.tuples(st.sampled_from(["Ada Quill", "Bo Marsh", "Cy Fenn"]), st.lists(st.integers(0, 30), max_size=3)),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(TURNS)
def test_no_chunk_holds_words_of_two_turns(turns: list[tuple[str, list[int]]]) -> None:
    section = Part()
    for name, lengths in turns:
        section.turn(name, *(SPOKEN + f" {SPOKEN}" * length for length in lengths))
    starts = {block.start for block in section.blocks if block.opens}
    for one in chunk(section):
        first, last = one.ranges[0][0], one.ranges[-1][1]
        assert not any(first < start < last for start in starts)


def test_a_block_that_opens_is_stored_and_read() -> None:
    blocks = (Block("heading", 0, 9, 2, opens=True), Block("paragraph", 11, 18), Block("heading", 20, 25, 3))
    stored = stored_blocks(blocks)
    assert stored == [["heading", 0, 9, 2, 0, [], 1], ["paragraph", 11, 18], ["heading", 20, 25, 3]]
    assert read_blocks(stored) == blocks
    assert blocks[0].moved(4).opens


def test_rows_stored_before_headings_could_open_are_read() -> None:
    stored = [["paragraph", 0, 3], ["heading", 5, 8, 2], ["table", 10, 13, 0, 1, [[[10, 11, 1], [12, 13, 1]]]]]
    assert [block.opens for block in read_blocks(stored)] == [False, False, False]
    assert stored_blocks(read_blocks(stored)) == stored
