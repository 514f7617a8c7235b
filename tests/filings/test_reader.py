"""A section's text as HTML: every character escaped, passages and pages marked where they stand."""

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document.blocks import Block, Page
from filings.web.reader import BadRange, Mark, is_figure, read_ranges, section_html, text_fragment
from tests.support.texts import HOSTILE, STOPPED, SUPPLIER, Text, risk_factors

PAGE_MARKS = re.compile(r'<(p|span) class="page-mark"[^>]*>.*?</\1>')
NUMBERS = re.compile(r'<a class="cite.*?</a>')


def html(text: Text, *marks: Mark) -> str:
    return section_html(text.text, text.blocks, text.pages, marks)


def words(page: str) -> str:
    """The filing's own words, in order, without white space."""
    own = NUMBERS.sub("", PAGE_MARKS.sub("", page))
    return "".join(unescape(re.sub(r"<[^>]+>", "", own)).split())


def mark(text: Text, words: str, number: int = 1, **fields: object) -> Mark:
    start = text.text.index(words)
    return Mark(start, start + len(words), number, **fields)


def marked(page: str) -> list[str]:
    return [unescape(found) for found in re.findall(r"<mark[^>]*>(.*?)</mark>", page)]


def test_every_word_of_the_text_is_shown_once_and_in_order() -> None:
    text = risk_factors()
    assert words(html(text)) == "".join(text.text.split())


def test_headings_bullets_and_paragraphs_are_marked_as_such() -> None:
    page = html(risk_factors())
    assert "<h2>Item 1A. Risk Factors</h2>" in page
    assert "<h3>We buy several critical components from one supplier each.</h3>" in page
    assert page.count("<ul>") == 1
    assert page.count("<li>") == 2


def test_text_of_a_filing_is_never_markup() -> None:
    page = html(Text().heading(HOSTILE).paragraph(HOSTILE).bullet(HOSTILE).table((HOSTILE, HOSTILE), (HOSTILE, "1")))
    assert "<script" not in page
    assert "<b onclick" not in page
    assert page.count("&lt;script&gt;") == 7  # the name of the table too


def test_a_hostile_heading_stays_within_the_name_of_its_table() -> None:
    page = html(Text().heading('" onfocus="alert(1)').table(("a", "b"), ("c", "1")))
    assert 'onfocus="' not in page


def test_a_hostile_page_number_is_escaped() -> None:
    assert "<i>" not in html(Text().page(1, "<i>1</i>").paragraph("Words."))


def test_a_passage_within_a_paragraph_is_marked_exactly() -> None:
    text = risk_factors()
    page = html(text, mark(text, SUPPLIER, 2, now=True))
    assert marked(page) == [SUPPLIER]
    assert '<mark class="passage passage--now" aria-current="true" id="c2">' in page


def test_only_the_open_citation_is_current() -> None:
    text = risk_factors()
    page = html(text, mark(text, SUPPLIER, 1), mark(text, STOPPED, 2, now=True))
    assert page.count("passage--now") == 1
    assert page.count('id="c1"') == page.count('id="c2"') == 1


def test_a_passage_over_several_blocks_is_marked_in_each_and_anchored_once() -> None:
    text = risk_factors()
    start = text.text.index("We buy several")
    end = text.text.index(SUPPLIER) + len(SUPPLIER)
    page = html(text, Mark(start, end, 3))
    assert len(marked(page)) == 2
    assert "".join("".join(marked(page)).split()) == "".join(text.text[start:end].split())
    assert page.count('id="c3"') == 1


def test_a_passage_over_rows_of_a_table_is_marked_cell_by_cell() -> None:
    text = risk_factors()
    start = text.text.index("Ceramic stage\t")
    end = text.text.index("(48)") + 4
    assert marked(html(text, Mark(start, end))) == ["Ceramic stage", "Meridian", "31%", "Detector chip", "Meridian, Halyard", "(48)"]  # fmt: skip


def test_passages_that_overlap_keep_an_anchor_each() -> None:
    text = Text().paragraph("one two three four")
    page = html(text, Mark(0, 13, 1), Mark(4, 18, 2), Mark(4, 7, 3, now=True))
    assert "".join(marked(page)) == "one two three four"
    assert all(page.count(f'id="c{number}"') == 1 for number in (1, 2, 3))
    assert words(page) == "onetwothreefour"


def test_the_number_of_a_passage_leads_to_its_own_address() -> None:
    text = risk_factors()
    page = html(text, mark(text, SUPPLIER, 4, href='/x?run=1&cite=4"'))
    assert (
        '<a class="cite cite--in" href="/x?run=1&amp;cite=4&quot;"><span class="vh">Citation </span>4</a><mark' in page
    )


def test_pages_begin_before_a_block_and_within_one() -> None:
    page = html(risk_factors())
    assert page.index('<p class="page-mark" id="p14">Page 14</p>') < page.index("Item 1A")
    assert page.index('<p class="page-mark" id="p15">') < page.index("Magnets reach us")
    assert re.search(r'seven weeks\. <span class="page-mark" id="p16">Page 16</span>We met our orders', page)


def test_a_page_within_a_passage_leaves_the_passage_whole() -> None:
    text = risk_factors()
    page = html(text, mark(text, "seven weeks. We met our orders from stock."))
    assert marked(page) == ["seven weeks. ", "We met our orders from stock."]


def test_a_page_that_begins_in_a_table_has_a_row_of_its_own() -> None:
    text = Text().table(("a", "b"), ("c", "1"), ("d", "2"))
    text.pages.append(Page(text.text.index("d"), 7))
    page = html(text)
    assert '<tr><td colspan="2"><span class="page-mark" id="p7">Page 7</span></td></tr>\n<tr><th scope="row">d' in page


def test_a_page_between_two_bullets_does_not_stand_inside_the_list() -> None:
    page = html(Text().bullet("one").page(2).bullet("two"))
    assert '</ul>\n<p class="page-mark" id="p2">Page 2</p>\n<ul>' in page


def test_a_table_names_its_columns_and_rows_and_aligns_figures() -> None:
    page = html(risk_factors())
    assert (
        'role="region" aria-label="Table 1, We buy several critical components from one supplier each." tabindex="0"'
        in page
    )
    assert '<th scope="col" class="num">Share of fiscal 2025 sales</th>' in page
    assert '<th scope="col">Used in</th>' in page
    assert '<th scope="row">Glass scale</th><td></td><td class="num">—</td>' in page


def test_a_heading_over_several_columns_spans_them_and_is_no_figure() -> None:
    text = Text().table(("", "Years ended", "2025"), ("Sales", "1", "2"))
    (block,) = text.blocks
    spanned = (block.rows[0][0], replace(block.rows[0][1], span=2))
    page = section_html(text.text, [replace(block, rows=(spanned, block.rows[1]))])
    assert '<th scope="colgroup" colspan="2">Years ended</th>' in page


@pytest.mark.parametrize("printed", ["31%", "(8)", "—", "$ 1,234.5", "12 %", "N/A", "1,234", "-", "n/m"])
def test_it_knows_a_figure(printed: str) -> None:
    assert is_figure(printed)


@pytest.mark.parametrize("printed", ["Meridian", "Note 4", "December 31, 2025", "9" * 60 + "a", "", "1" * 100])
def test_it_knows_what_is_no_figure(printed: str) -> None:
    assert not is_figure(printed)


def test_words_that_no_block_covers_are_shown() -> None:
    page = section_html("before\n\nblock\n\nafter", [Block("paragraph", 8, 13)])
    assert re.findall(r"<p>(.*?)</p>", page) == ["before", "block", "after"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_range_is_marked_whole_and_nothing_else_is(data: st.DataObject) -> None:
    text = risk_factors()
    start = data.draw(st.integers(0, len(text.text) - 1))
    end = data.draw(st.integers(start + 1, len(text.text)))
    page = html(text, Mark(start, end, 1))
    assert "".join("".join(marked(page)).split()) == "".join(text.text[start:end].split())
    assert words(page) == "".join(text.text.split())


# --- ranges of an address ---


@pytest.mark.parametrize(("given", "ranges"), [("0-5", ((0, 5),)), ("1-2,4-10", ((1, 2), (4, 10)))])
def test_ranges_are_read(given: str, ranges: tuple[tuple[int, int], ...]) -> None:
    assert read_ranges(given, 10) == ranges


@pytest.mark.parametrize("given", ["", "a", "5", "5-5", "7-5", "-5-7", "0-11", "1-2,", "99999999999-5", ",".join(["0-1"] * 41)])  # fmt: skip
def test_a_range_that_the_text_does_not_have_is_refused_in_words(given: str) -> None:
    with pytest.raises(BadRange, match=r"range"):
        read_ranges(given, 10)


def test_a_short_passage_is_looked_for_whole() -> None:
    assert text_fragment("An up-to-date list, of 5%") == "#:~:text=An%20up%2Dto%2Ddate%20list%2C%20of%205%25"


def test_a_long_passage_is_looked_for_by_its_first_and_last_words() -> None:
    passage = " ".join(f"word{number}" for number in range(40))
    assert text_fragment(passage) == (
        "#:~:text=word0%20word1%20word2%20word3%20word4%20word5,word34%20word35%20word36%20word37%20word38%20word39"
    )


def test_a_passage_without_words_has_no_fragment() -> None:
    assert text_fragment(" \n ") == ""
