"""Lists as a filing gives them itself: headings with what stands below them, and risks by their captions."""

import pytest

from agent.prose.answers.listing import listing, naming, under
from agent.prose.questions.topics import topic_of
from agent.prose.text.section_text import SectionText
from agent.state import SubQuery
from filings.document.blocks import BLOCK_GAP, Block, stored_blocks
from filings.models import Filing, Section
from tests.support.sample import Sample

ESTIMATES = "Critical accounting estimates"


def section(*parts: tuple[str, str]) -> SectionText:
    """A section of ("##", heading of this level) and ("p", paragraph)."""
    text, blocks = "", []
    for kind, said in parts:
        text += BLOCK_GAP if text else ""
        level = kind.count("#")
        blocks.append(Block("heading" if level else "paragraph", len(text), len(text) + len(said), level))
        text += said
    return SectionText(Section(pk=1, item="7", text=text, blocks=stored_blocks(blocks)))


def listed(text: SectionText, heading: str = ESTIMATES) -> list[list[str]]:
    """What is quoted of each part of the only list under a heading."""
    (found,) = under(text, heading)
    return [[text.text[slice(*span)] for span in part.spans] for part in found.parts]


def test_the_headings_below_one_are_listed_with_their_first_sentences() -> None:
    text = section(
        ("##", ESTIMATES), ("p", "We estimate."), ("###", "Inventories"), ("p", "We write down parts. Slowly."),
        ("####", "Spare parts"), ("p", "They age."), ("###", "Taxes"), ("p", "We pay them."), ("##", "Liquidity"),
        ("###", "Loans"), ("p", "We have none."),
    )  # fmt: skip
    assert listed(text) == [["Inventories", "We write down parts."], ["Taxes", "We pay them."]]


def test_paragraphs_that_begin_with_their_names_are_a_list() -> None:
    text = section(
        ("##", ESTIMATES),
        ("p", "We estimate much."),
        ("p", "Inventories. We write down parts."),
        ("p", "Taxes. We pay."),
    )
    assert listed(text) == [["Inventories.", "We write down parts."], ["Taxes.", "We pay."]]


@pytest.mark.parametrize(
    "parts",
    [
        [("###", "Inventories"), ("p", "We write down parts.")],
        [("###", "Inventories"), ("p", "We write down parts."), ("###", "/s/ Fjord & Larch"), ("p", "Minneapolis")],
        [("###", "Matter"), ("p", "One."), ("###", "Matter"), ("p", "Two.")],
        [("###", "Inventories"), ("p", "We write down parts."), ("###", "Taxes")],
    ],
    ids=["one", "a signature", "a form", "a part without text"],
)
def test_what_is_no_complete_list_is_none(parts: list[tuple[str, str]]) -> None:
    assert not list(under(section(("##", ESTIMATES), *parts), ESTIMATES))


# --- in a filing ---


@pytest.fixture
def northwind(sample: Sample) -> int:
    return sample.filing("NWND", 2025).pk


@pytest.mark.django_db
def test_a_heading_is_named_by_all_the_words_asked(northwind: int) -> None:
    def texts(words: str) -> list[str]:
        return [one.text for one in naming(SubQuery(label=words, words=tuple(words.split())), northwind)]

    assert texts("critical accounting estimates") == [ESTIMATES]
    assert texts("accounting estimates") == [ESTIMATES]
    assert texts("estimates") == []
    assert "Competition" in texts("competitors")
    assert texts("sell competitors") == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What are the main risks?", "Item 1A, Risk Factors, lists 38 risks, all quoted in the filing\u2019s order."),
        (
            "What risks does the company describe about machine tools?",
            "Item 1A, Risk Factors: 2 of its 38 risks name \u201cmachine tools\u201d in the heading.",
        ),
        ("What risks does the company describe about giraffes?", None),
        ("Is the company exposed to risks of machine tools?", None),
        ("Why are machine tools a risk?", None),
        ("How are critical accounting estimates made?", None),
    ],
)
def test_a_question_for_a_list_gets_what_the_filing_lists(northwind: int, question: str, told: str | None) -> None:
    topic = topic_of(question)
    assert topic
    found = listing(topic, northwind)
    assert (found.told if found else None) == told


@pytest.mark.django_db
def test_an_item_is_asked_for_by_its_title(northwind: int) -> None:
    topic = topic_of("What controls and procedures?")
    assert topic
    found = listing(topic, northwind)
    assert found is None or found.item == "9A"


@pytest.mark.django_db
def test_the_filing_tells_what_it_lists(northwind: int) -> None:
    topic = topic_of("What are the critical accounting estimates?")
    assert topic
    found = listing(topic, northwind)
    assert found
    text = Section.objects.get(pk=found.section).text
    assert found.told.endswith(f"headings under \u201c{ESTIMATES}\u201d, all quoted in the filing\u2019s order.")
    assert [text[slice(*part.spans[0])] for part in found.parts][:2] == ["Inventories.", "Goodwill."]
    assert Filing.objects.get(pk=northwind).chunks_stored


@pytest.mark.django_db
def test_of_few_risks_each_is_quoted_with_the_sentence_below_and_of_many_the_headings_alone(northwind: int) -> None:
    def parts(question: str) -> list[int]:
        topic = topic_of(question)
        assert topic
        found = listing(topic, northwind)
        assert found
        return [len(part.spans) for part in found.parts]

    assert parts("What risks does the company describe about machine tools?") == [2, 2]
    assert parts("What are the main risks?") == [1] * 38
