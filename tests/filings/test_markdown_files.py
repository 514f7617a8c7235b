"""Markdown: headings, paragraphs, lists, tables and code; its HTML is words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document import markdown
from filings.document.any_file import read_layout_of
from filings.document.layout import Layout, UnreadableText
from tests.support.brought_files import check


def read(text: str) -> Layout:
    layout = read_layout_of(text.encode(), "notes.md")
    check(layout)
    return layout


def kinds(text: str) -> list[tuple[str, int, str]]:
    layout = read(text)
    return [(block.kind, block.level, layout.of(block)) for block in layout.blocks]


def test_headings_have_their_levels() -> None:
    assert kinds(
        "# Letter\n\n## Sales\n\nWe *sold* **widgets**\nand `gears`.\n\nCosts\n-----\n\n###### Notes\n\nNone yet."
    ) == [
        ("heading", 2, "Letter"),
        ("heading", 3, "Sales"),
        ("paragraph", 0, "We sold widgets and gears."),
        ("heading", 3, "Costs"),
        ("heading", 6, "Notes"),
        ("paragraph", 0, "None yet."),
    ]


def test_a_bold_line_is_a_heading_by_its_look() -> None:
    assert kinds("**Ada Quill**\n\nThank you all.") == [
        ("heading", 2, "Ada Quill"),
        ("paragraph", 0, "Thank you all."),
    ]


def test_list_entries_are_bullets_and_their_further_paragraphs_are_not() -> None:
    assert kinds("- widgets\n- gears\n  and springs\n\n  more of them\n\n1. first\n2. second") == [
        ("bullet", 0, "widgets"),
        ("bullet", 0, "gears and springs"),
        ("paragraph", 0, "more of them"),
        ("bullet", 0, "first"),
        ("bullet", 0, "second"),
    ]


def test_a_table_has_its_header_row_and_empty_cells() -> None:
    layout = read("| | 2025 | 2024 |\n|---|--:|--:|\n| Widgets | 1,204 | |\n| Gears | (77) | 5 |")
    assert layout.text == "\t2025\t2024\nWidgets\t1,204\t\nGears\t(77)\t5"
    assert layout.blocks[0].header == 1


def test_code_is_read_as_printed() -> None:
    assert kinds("```\na = 1\nb = 2\n\nc = 3\n```") == [("paragraph", 0, "a = 1 b = 2"), ("paragraph", 0, "c = 3")]


def test_html_is_words_and_pictures_are_nothing() -> None:
    text = read(
        "Widgets <b onclick=x()>sold</b> ![gear](https://evil.example/a.png) [here](https://evil.example/)."
    ).text
    assert text == "Widgets <b onclick=x()>sold</b> here."


def test_a_text_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "MOST_CHARACTERS", 100)
    with pytest.raises(UnreadableText, match="101 characters; at most 100 are read"):
        read("x" * 101)


def test_deep_nesting_is_read() -> None:
    assert read(">" * 60 + " deep\n\nwide").text == "deep\n\nwide"


@pytest.mark.parametrize("mark", [">", "- ", "1. "])
def test_what_is_nested_deeper_than_the_parser_goes_is_refused_rather_than_lost(mark: str) -> None:
    with pytest.raises(UnreadableText, match="more than 50 deep"):
        read(mark * 20_000 + " deep\n\nwide")


PARTS = [
    "# Widgets",
    "- gears",
    "> springs",
    "```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "**bold**",
    "---",
    "1. x",
    "    code",
    "text",
]


@settings(deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=40)), max_size=15))
def test_any_markdown_is_laid_out_exactly(parts: list[str]) -> None:
    try:
        layout = read_layout_of("\n\n".join(["Widgets are sold.", *parts]).encode("utf-8", "ignore"), "x.md")
    except UnreadableText as refused:
        assert "bytes that no text has" in str(refused)  # noqa: PT017
        return
    check(layout)
