"""Spans of cells: whatever a document writes, a number of columns between one and the most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from filings.document.cell_spans import cell_span
from filings.document.inline.member_figures import _spans
from filings.document.layout import read_layout

HOSTILE = ["²", "9" * 5_000, "٣", "-4", "", "0", "NaN", "1e9", "½"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("3", 3),
        (" 3 ", 3),
        ("+3", 3),
        ("003", 3),
        ("3.7", 3),
        ("2px", 2),
        ("0", 1),
        ("-4", 1),
        ("²", 1),
        ("٣", 1),
        ("", 1),
        (None, 1),
        ("9" * 5_000, 200),
    ],
)
def test_a_span_is_read_as_browsers_read_it(written: str | None, read: int) -> None:
    assert cell_span(written, 200) == read


@given(st.text(), st.integers(1, 500))
def test_any_text_gives_a_span_within_the_limit(text: str, most: int) -> None:
    assert 1 <= cell_span(text, most) <= most


@pytest.mark.parametrize("written", HOSTILE)
def test_a_document_with_a_hostile_span_is_read(written: str) -> None:
    row = f'<tr><td colspan="{written}" rowspan="{written}">Widgets sold</td><td>1,204</td></tr>'
    layout = read_layout(
        f"<html><body><table>{row}<tr><td>Gears sold</td><td>77</td></tr></table></body></html>".encode()
    )
    assert "1,204" in layout.text
    assert "77" in layout.text


@pytest.mark.parametrize("written", HOSTILE)
def test_a_tagged_table_with_a_hostile_span_is_read(written: str) -> None:
    row = etree.fromstring(f'<tr xmlns="http://www.w3.org/1999/xhtml"><td colspan="{written}">a</td><td>b</td></tr>')
    first, second = _spans(row)
    assert first[2] == second[1] >= 1
