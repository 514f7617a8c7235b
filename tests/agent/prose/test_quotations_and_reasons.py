"""What is quoted of a sentence, why a line moved, and what a question takes for granted."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from agent.prose.answers.premises import premises
from agent.prose.text.candidate_sentences import Unit, is_boilerplate, read_units
from agent.prose.text.quotations import quoted, refers
from agent.prose.text.reasons import asks_reason, dated, direction, moved, reason_traits
from agent.prose.text.section_text import SectionText
from agent.state import Passage
from agent.words.stems import root, roots, words
from filings.document.blocks import BLOCK_GAP, Block, stored_blocks


@dataclass
class Frozen:
    """A section's frozen text and its blocks, as the extraction reads them."""

    text: str
    blocks: list[Any] = field(default_factory=list)
    item: str = "1A"
    heading: str = "Item 1A. Risk Factors"


def section(*parts: tuple[str, str]) -> Frozen:
    """A section of (kind, text) blocks."""
    text, blocks = "", []
    for kind, said in parts:
        text += BLOCK_GAP if text else ""
        blocks.append(Block(kind, len(text), len(text) + len(said), 2 if kind == "heading" else 0))
        text += said
    return Frozen(text, stored_blocks(blocks))


def units(frozen: Frozen) -> tuple[SectionText, list[Unit]]:
    passage = Passage(
        chunk=1, filing=1, cik=1, accession="a", section=1, sha256="", item="1A", kind="prose",
        ranges=((0, len(frozen.text)),), text=frozen.text,
    )  # fmt: skip
    text = SectionText(frozen)  # type: ignore[arg-type]
    return text, read_units([passage], {passage.section: text})


def said(frozen: Frozen, sentence: str) -> str | None:
    """What is quoted for the sentence that begins like this."""
    text, found = units(frozen)
    unit = next(one for one in found if one.text.startswith(sentence))
    span = quoted(unit, text)
    return frozen.text[span[0] : span[1]] if span else None


def test_a_sentence_that_stands_by_itself_is_quoted_alone():
    frozen = section(("paragraph", "We grind lenses in Duluth. The plant has one furnace."))
    assert said(frozen, "We grind") == "We grind lenses in Duluth."


def test_a_sentence_that_refers_back_brings_the_one_before():
    frozen = section(("paragraph", "We grind lenses in Duluth. They are sold to clinics. It rains a lot."))
    assert said(frozen, "They are") == "We grind lenses in Duluth. They are sold to clinics."


def test_a_sentence_that_refers_to_nothing_in_its_paragraph_is_not_quoted():
    frozen = section(("paragraph", "We grind lenses."), ("paragraph", "These are sold to clinics."))
    assert said(frozen, "These") is None


def test_a_connective_brings_its_antecedent_where_there_is_one():
    frozen = section(("paragraph", "Our furnace is old. In addition, its maker has closed."))
    assert said(frozen, "In addition") == "Our furnace is old. In addition, its maker has closed."


def test_what_opens_a_list_is_quoted_with_the_list():
    frozen = section(
        ("paragraph", "We sell:"), ("bullet", "\u2022 lenses;"), ("bullet", "\u2022 frames."), ("paragraph", "Other.")
    )
    assert said(frozen, "We sell") == "We sell:\n\n\u2022 lenses;\n\n\u2022 frames."


def test_a_point_of_a_list_is_quoted_with_what_opens_it():
    frozen = section(("paragraph", "We do not sell:"), ("bullet", "\u2022 weapons;"))
    assert said(frozen, "\u2022 weapons") == "We do not sell:\n\n\u2022 weapons;"


@pytest.mark.parametrize(
    "text", ["It is possible that rates rise.", "This Annual Report has four parts.", "Italy is a market."]
)
def test_not_every_pronoun_refers_back(text):
    assert not refers(text)


def test_a_unit_knows_the_heading_it_stands_under():
    _, found = units(section(("heading", "Our only furnace may fail."), ("paragraph", "It is old.")))
    assert found[1].headings == ("Our only furnace may fail.",)


@pytest.mark.parametrize(
    "text",
    [
        "See Note 5 for further discussion.",
        "This report contains forward-looking statements.",
        "Refer to Part II, Item 8 of this report.",
        "For more information, see our notes.",
    ],
)
def test_boilerplate_is_no_answer(text):
    _, (unit,) = units(section(("paragraph", text)))
    assert is_boilerplate(unit)


# --- reasons ---


def judged(sentence: str, asked: str, year: int = 2025):
    _, (unit,) = units(section(("paragraph", sentence)))
    return reason_traits(unit, asked)


@pytest.mark.parametrize(
    ("text", "way"),
    [("Why did sales fall?", "down"), ("What drove the rise in freight?", "up"), ("Why did it change?", "")],
)
def test_it_reads_the_direction_asked(text, way):
    assert asks_reason(text)
    assert direction(text) == way


def test_the_direction_and_the_year_must_be_those_asked():
    asked = "Why did lens sales increase?"
    right = judged("Lens sales increased in 2025 primarily due to new clinics.", asked)
    opposite = judged("Lens sales decreased in 2025 primarily due to closed clinics.", asked)
    assert right == {"gives": 1.0, "way": 1.0}
    assert opposite["way"] == -1.0


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Lens sales increased in 2022 compared to 2021.", -1.0),
        ("Lens sales increased in 2025 compared to 2024.", 0.0),
        ("The notes mature in 2031.", 0.0),
        ("We were founded in 1987.", 0.0),
        ("We grind lenses.", 0.0),
    ],
)
def test_a_sentence_of_recent_years_alone_tells_of_none_that_is_asked(sentence, told):
    _, (unit,) = units(section(("paragraph", sentence)))
    assert dated(unit, 2025) == told


def test_a_sentence_below_the_heading_of_another_year_is_of_that_year():
    _, (_, unit) = units(section(("heading", "2023 compared to 2022"), ("paragraph", "Lens sales increased.")))
    assert dated(unit, 2025) == -1.0


def test_which_way_something_moved_may_stand_in_the_sentence_before():
    _, (_, reason) = units(section(("paragraph", "Lens sales decreased by 4%. The change was due to closed clinics.")))
    assert reason_traits(reason, "Why did lens sales fall?")["way"] == 1.0


def test_a_sentence_without_a_reason_gives_none():
    assert not judged("Lens sales increased by 4% in 2025.", "Why did lens sales increase?")["gives"]


def test_a_purpose_is_no_reason_for_a_change():
    said = "We file patents to protect our lenses."
    assert not judged(said, "What drove the change in lens expense?")["gives"]
    assert judged(said, "Why does the company file patents?")["gives"]


def test_it_tells_what_moved_from_why():
    _, (unit, other) = units(
        section(
            ("paragraph", "The increase in freight cost was due to diesel."),
            ("paragraph", "Lens sales fell because clinics closed."),
        )
    )
    assert moved(unit) == (roots("freight cost"), "up")
    assert moved(other) == (roots("lens sales"), "down")


# --- what is taken for granted ---


def test_an_event_taken_for_granted_must_be_told():
    (event,) = premises("Why did the company stop its dividend?")
    assert event.told(roots("The board suspended the dividend."))
    assert event.denied(roots("The board declared a dividend of one dollar."))


@pytest.mark.parametrize("text", ["Did the company stop its dividend?", "What does it say about dividends?"])
def test_a_question_whether_something_happened_takes_nothing_for_granted(text):
    assert premises(text) == ()


# --- words ---


@pytest.mark.parametrize(
    "same",
    [
        "compete competition competitors competitive",
        "supply suppliers supplies",
        "depend dependence",
        "rely relies reliance",
        "recognize recognition",
    ],
)
def test_forms_of_a_word_are_one(same):
    assert len({root(word) for word in same.split()}) == 1


def test_words_keep_their_places():
    assert [(word.start, word.end) for word in words("The R&D of lenses")] == [(4, 7), (4, 7), (11, 17)]
