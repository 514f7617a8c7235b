"""Earnings calls in every form that transcripts have: two parts, a heading for each speaker's turn, exact offsets."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document.any_file import read_layout_of
from filings.document.layout import Layout
from filings.sections import ParsedSection
from filings.sections.call import read_call
from filings.text.chunking import chunk
from tests.support.brought_files import check
from tests.support.calls import CALL, DAY, FORMS, QUESTIONS_AT, TITLE, Said, alone, labelled, with_roles


def read(content: bytes) -> tuple[Layout, tuple[ParsedSection, ...]]:
    layout = read_layout_of(content, "call")
    check(layout)
    return layout, read_call(layout, "call")


def turns(section: ParsedSection) -> list[tuple[str, list[str]]]:
    """The speakers of a section with their words."""
    found: list[tuple[str, list[str]]] = []
    for block in section.blocks:
        text = section.text[block.start : block.end]
        if block.opens:
            found.append((text, []))
        elif found and block.kind != "heading":
            found[-1][1].append(text)
    return found


def exact(layout: Layout, section: ParsedSection) -> None:
    """Blocks in order, a gap apart, each of them verbatim in the document, and together the whole section."""
    at = 0
    assert section.blocks[0].start == 0
    assert section.blocks[-1].end == len(section.text)
    for first, second in pairwise(section.blocks):
        assert section.text[first.end : second.start] == "\n\n"
    for block in section.blocks:
        text = section.text[block.start : block.end]
        assert text == text.strip() != ""
        at = layout.text.index(text, at)
        for row in block.rows:
            assert all(block.start <= cell.start <= cell.end <= block.end for cell in row)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_same_turns_and_parts(form: str) -> None:
    layout, (prepared, questions) = read(FORMS[form](CALL))
    found = turns(prepared) + turns(questions)
    names = [speaker.split(" -- ")[0].removeprefix("Q - ").removeprefix("A - ") for speaker, _ in found]
    assert names == [said.name for said in CALL]
    assert [words for _, words in found] == [list(said.words) for said in CALL]
    assert len(turns(prepared)) == QUESTIONS_AT
    assert (prepared.item, prepared.status) == ("prepared", "extracted")
    assert (questions.item, questions.status) == ("questions", "extracted")
    assert prepared.text.startswith(f"{TITLE}\n\n{DAY}\n\n")
    for section in (prepared, questions):
        assert section.filename == "call"
        exact(layout, section)


@pytest.mark.parametrize("form", FORMS)
def test_no_chunk_mixes_two_speakers(form: str) -> None:
    for section in read(FORMS[form](CALL))[1]:
        starts = [block.start for block in section.blocks if block.opens]
        for one in chunk(section):
            assert sum(any(start <= at < end for start, end in one.ranges) for at in starts) <= 1
            if starts and one.ranges[0][0] >= starts[0]:
                speaker = next(
                    block for block in reversed(section.blocks) if block.opens and block.start <= one.ranges[0][0]
                )
                assert one.headings[0] == section.text[speaker.start : speaker.end]


def test_a_role_on_the_line_stays_in_the_heading() -> None:
    _, (prepared, questions) = read(with_roles(CALL))
    assert turns(prepared)[2][0] == "Tom Vale -- Chief Executive Officer"
    assert turns(questions)[1][0] == "Hugo Lindqvist -- Meadow Capital -- Analyst"


def test_a_role_on_the_next_line_is_a_heading_below_the_name() -> None:
    _, (prepared, _) = read(FORMS["page_with_roles_below"](CALL))
    headings = [
        (block.level, prepared.text[block.start : block.end]) for block in prepared.blocks if block.kind == "heading"
    ]
    assert (2, "Tom Vale") in headings
    assert (3, "Chief Executive Officer") in headings


def test_a_line_that_names_the_questions_begins_them() -> None:
    content = with_roles(CALL).replace(
        b"\n\nOperator\n\nThe first", b"\n\nQuestions and Answers\n\nOperator\n\nThe first"
    )
    layout, (prepared, questions) = read(content)
    assert questions.heading == "Questions and Answers"
    assert (questions.blocks[0].kind, questions.blocks[0].level, questions.blocks[0].opens) == ("heading", 1, False)
    assert "Questions and Answers" not in prepared.text
    assert len(turns(prepared)) == QUESTIONS_AT
    assert turns(prepared)[-1][1] == list(CALL[QUESTIONS_AT - 1].words)
    exact(layout, questions)
    exact(layout, prepared)


def test_a_title_above_an_early_turn_is_believed_before_words() -> None:
    content = alone(CALL).replace(
        b"\n\nOperator\n\nOur next", b"\n\nQuestion and Answer Session\n\nOperator\n\nOur next"
    )
    _, (prepared, questions) = read(content)
    assert questions.heading == "Question and Answer Session"
    assert len(turns(prepared)) == 9


def test_a_conversation_is_questions_from_its_first_exchange() -> None:
    host, guest = "Ada Quill", "Bo Marsh"
    conversation = [
        Said(host, "", ("Welcome to our spring symposium. We have Bo Marsh of Northwind with us.",)),
        Said(guest, "", ("Thank you for having me here.",)),
    ]
    for number in range(3):
        conversation += [
            Said(host, "", (f"What of plant {number}?",)),
            Said(guest, "", (f"Plant {number} runs well.",)),
        ]
    _, (prepared, questions) = read(labelled(conversation))
    assert [speaker for speaker, _ in turns(prepared)] == [host, guest]
    assert len(turns(questions)) == 6


def test_a_call_without_questions_is_all_prepared() -> None:
    _, (prepared, questions) = read(labelled(CALL[:5]))
    assert len(turns(prepared)) == 5
    assert (questions.status, questions.text) == ("not_found", "")


def test_a_text_without_speakers_is_kept_without_a_part() -> None:
    layout, (prepared, questions, rest) = read(
        b"Northwind Instruments\n\nWe sold more.\n\nNote: We paid less for magnets."
    )
    assert {prepared.status, questions.status} == {"not_found"}
    assert (rest.item, rest.status, rest.text, rest.blocks) == ("", "unverified", layout.text, layout.blocks)


def test_labels_of_other_things_are_no_speakers() -> None:
    content = labelled(CALL).replace(
        DAY.encode(), b"Date: October 28, 2025\n\nTicker: NWI\n\nParticipants: Tom Vale, Ida Brandt"
    )
    layout, (prepared, _) = read(content)
    assert [speaker for speaker, _ in turns(prepared)][:2] == ["Operator", "Ida Brandt"]
    exact(layout, prepared)


def test_lines_above_a_call_whose_every_paragraph_has_a_label_are_no_speakers() -> None:
    plain = [said._replace(words=(" ".join(said.words),)) for said in CALL]
    content = labelled(plain).replace(DAY.encode(), b"Date: October 28, 2025\n\nTicker: NWI\n\nPlace: Lindau")
    _, (prepared, _) = read(content)
    assert [speaker for speaker, _ in turns(prepared)][:2] == ["Operator", "Ida Brandt"]


def test_headings_within_a_turn_stand_below_its_speaker() -> None:
    content = FORMS["page_with_names"](CALL).replace(
        b"<p>Looking ahead: ", b"<p><b>WHAT WE EXPECT IN THE YEAR TO COME.</b></p><p>Ahead: "
    )
    _, (prepared, _) = read(content)
    found = {prepared.text[block.start : block.end]: block for block in prepared.blocks if block.kind == "heading"}
    heading = found["WHAT WE EXPECT IN THE YEAR TO COME."]
    assert (heading.level > 2, heading.opens) == (True, False)
    assert all(one.headings[:1] != (("WHAT WE EXPECT IN THE YEAR TO COME."),) for one in chunk(prepared))


def test_a_list_of_participants_is_no_turn() -> None:
    people = "\n\n".join(
        ["Corporate Participants", "Tom Vale", "Chief Executive Officer", "Ida Brandt", "Investor Relations"]
    )
    _, (prepared, questions) = read(alone(CALL).replace(DAY.encode(), f"{DAY}\n\n{people}".encode()))
    assert [speaker for speaker, _ in turns(prepared) + turns(questions)] == [said.name for said in CALL]
    assert "Corporate Participants" in prepared.text


def test_a_speaker_of_one_turn_is_known_where_others_name_him() -> None:
    _, parts = read(alone(CALL))
    assert [speaker for section in parts for speaker, _ in turns(section)].count("Petra Sand") == 1


def test_turns_numbered_by_their_publisher_are_compared_without_numbers() -> None:
    numbered = [said._replace(name=f"{said.name} [{number}]") for number, said in enumerate(CALL, 1)]
    _, parts = read(alone(numbered))
    assert [len(turns(section)) for section in parts] == [QUESTIONS_AT, len(CALL) - QUESTIONS_AT]


def test_pages_of_a_call_are_kept() -> None:
    layout, (prepared, questions) = read(
        alone(CALL).replace(b"\n\nOperator\n\nThe first", b"\n\fOperator\n\nThe first")
    )
    assert [page.number for page in layout.pages] == [1, 2]
    assert [page.number for page in prepared.pages] == [1]
    assert [page.number for page in questions.pages] == [2]


WORDS = st.sampled_from(
    [
        "Thanks.",
        "How much?",
        "We sold more widgets than before.",
        "Yes",
        "On gears: fewer.",
        "Our next question, please.",
        "and-",
    ]
)
TURNS = st.lists(
    st.tuples(st.sampled_from(["Ada Quill", "Bo Marsh", "Operator"]), st.lists(WORDS, min_size=1, max_size=3)),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(TURNS, st.sampled_from(sorted(FORMS)))
def test_any_call_is_divided_exactly(said: list[tuple[str, list[str]]], form: str) -> None:
    layout, sections = read(FORMS[form]([Said(name, "", tuple(words)) for name, words in said]))
    assert [section.item for section in sections[:2]] == ["prepared", "questions"]
    for section in sections:
        if section.text:
            exact(layout, section)
    letters = "".join(section.text for section in sections)
    kept = [letter for letter in letters if letter.isalpha()]
    whole = [letter for letter in layout.text if letter.isalpha()]
    assert kept == whole
