"""Plain text: paragraphs, lines that a program wrapped, headings, columns and pages."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.document.any_file import read_layout_of
from filings.document.layout import Layout, UnreadableText
from tests.support.brought_files import check

SENTENCE = (
    "We make widgets in Lindau and sell them in nine countries, of which three are new since the spring of last year."
)
OTHER = (
    "Gears are made for the watch trade; they bring in less than widgets, but their price has risen each year since."
)


def read(text: str) -> Layout:
    layout = read_layout_of(text.encode(), "letter.txt")
    check(layout)
    return layout


def kinds(layout: Layout) -> list[tuple[str, str]]:
    return [(block.kind, layout.of(block)) for block in layout.blocks]


@pytest.mark.parametrize("width", [50, 72, 100])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_wrapped_lines_are_joined_and_paragraphs_are_not(width: int, newline: str) -> None:
    text = "\n\n".join(textwrap.fill(part, width) for part in (SENTENCE, OTHER, f"{SENTENCE} {OTHER}"))
    assert kinds(read(text.replace("\n", newline))) == [
        ("paragraph", SENTENCE),
        ("paragraph", OTHER),
        ("paragraph", f"{SENTENCE} {OTHER}"),
    ]


def test_lines_that_were_not_wrapped_are_paragraphs() -> None:
    long = f"{SENTENCE} {OTHER}"
    assert [text for _, text in kinds(read(f"{long}\n{long}\n{OTHER}"))] == [long, long, OTHER]


def test_a_short_line_above_a_paragraph_stands_alone() -> None:
    text = f"Ada Quill\n{textwrap.fill(SENTENCE, 72)}\n\nBo Marsh\n{textwrap.fill(OTHER, 72)}"
    assert [text for _, text in kinds(read(text))] == ["Ada Quill", SENTENCE, "Bo Marsh", OTHER]


def test_list_entries_begin_lines() -> None:
    entry = textwrap.fill(f"- {SENTENCE}", 60, subsequent_indent="  ")
    found = kinds(read(f"{textwrap.fill(OTHER, 60)}\n\n{entry}\n- Gears\n1. Springs\n(b) Rings"))
    assert found == [
        ("paragraph", OTHER),
        ("bullet", f"- {SENTENCE}"),
        ("bullet", "- Gears"),
        ("bullet", "1. Springs"),
        ("bullet", "(b) Rings"),
    ]


def test_a_list_entry_begins_a_line_after_a_full_one_too() -> None:
    first, second = (
        "1. Widgets that we make in Lindau for the trade",
        "2. Gears that we make in Lindau for the watches",
    )
    assert [text for _, text in kinds(read(f"{first}\n{second}\n{first}"))] == [first, second, first]


def test_headings_are_underlined_in_capitals_numbered_or_alone() -> None:
    text = f"Letter\n======\n\nOur widgets\n-----------\n{SENTENCE}\n\nCOSTS\n\n{SENTENCE}\n\n2.1 Other Costs\n\n{OTHER}\n\nSales Abroad\n\n{OTHER}"
    layout = read(text)
    assert [(layout.of(block), block.level) for block in layout.blocks if block.kind == "heading"] == [
        ("Letter", 2),
        ("Our widgets", 3),
        ("COSTS", 3),
        ("2.1 Other Costs", 4),
        ("Sales Abroad", 3),
    ]


def test_columns_with_figures_are_a_table() -> None:
    text = (
        f"{textwrap.fill(SENTENCE, 60)}\n\n"
        "                     2025     2024\n"
        "Widgets sold        1,204    1,100\n"
        "Gears                (77)       --\n"
    )
    layout = read(text)
    assert layout.of(layout.blocks[1]) == "\t2025\t2024\nWidgets sold\t1,204\t1,100\nGears\t(77)\t--"
    assert layout.blocks[1].header == 1


def test_tabs_separate_columns() -> None:
    assert read("Item\t2025\nWidgets\t1,204\nGears\t77").text == "Item\t2025\nWidgets\t1,204\nGears\t77"


def test_empty_cells_between_tabs_are_kept() -> None:
    assert (
        read("Item\t2025\t2024\nWidgets\t\t1,204\nGears\t77\t5").text
        == "Item\t2025\t2024\nWidgets\t\t1,204\nGears\t77\t5"
    )


def test_form_feeds_begin_pages_and_sentences_go_on_over_them() -> None:
    begin, end = SENTENCE.split(", of ")
    layout = read(f"{OTHER}\n\n{begin}, of\n\f{end}\n\nGears are sold.\n\f\fSprings are sold.")
    assert [layout.of(block) for block in layout.blocks] == [OTHER, SENTENCE, "Gears are sold.", "Springs are sold."]
    assert [page.number for page in layout.pages] == [1, 2, 3]
    assert layout.text[layout.pages[1].start :].startswith("which three")


def test_ornaments_and_zero_width_characters_are_no_text() -> None:
    assert read(f"{SENTENCE}\n\n* * *\n\nWid\u200bgets\u00a0sold.").text == f"{SENTENCE}\n\nWidgets sold."


def test_text_of_ornaments_alone_has_no_text() -> None:
    with pytest.raises(UnreadableText, match="has no text"):
        read("-----\n\n* * *")


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "Ada Quill", "COSTS", "=====", "-----", "- gears", "\f", SENTENCE, "A    1,204   77", "a\tb", "  "]
        ),
        st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs", "Cc"]), max_size=150),
    ),
    max_size=25,
)


@given(LINES)
def test_any_text_is_laid_out_exactly_and_loses_no_letter(lines: list[str]) -> None:
    text = "\n".join(["Widgets are sold here.", *lines])
    try:
        layout = read_layout_of(text.encode(), "x.txt")
    except UnreadableText:
        assert "<" in text
        return
    check(layout)
    if not layout.pages[1:] and "<" not in text:
        letters = [letter for letter in text if letter.isascii() and letter.isalnum()]
        assert [letter for letter in layout.text if letter.isascii() and letter.isalnum()] == letters
