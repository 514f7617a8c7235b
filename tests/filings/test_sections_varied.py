"""Reports whose headings are printed in other words, with units behind them, or again at the top of every page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filings.sections.items import ITEMS
from filings.sections.titles import is_own_title, title_end
from tests.support.lantern import BREAK, TITLES, bodies, bold, document, p, prose, sections

ORDER = [item for item in TITLES if item in bodies() and item != "6"]
UNITS = ("", " (in thousands)", " (in millions, except for each share)")
REWORDED = {
    "1": "Our Businesses",
    "1A": "Principal Risk Factor Disclosures",
    "3": "Litigation and Legal Proceedings",
    "7": "Management\u2019s Discussion of Financial Conditions and Operating Results",
    "7A": "Disclosures of Market Risks, Qualitative and Quantitative",
    "8": "Consolidated Statements and Supplementary Financial Data",
    "9A": "Control and Procedure",
    "12": "Beneficial Ownership of Securities by Certain Owners and Managements",
    "14": "Accountants\u2019 Principal Fees and Services",
    "15": "Schedules of Financial Statements, and Exhibit",
}
# Which Item a page names at its top: none, the one that goes on from the page before, or the first that begins on it.
HEADS = ("none", "goes on", "begins")


def titles(reworded: bool, singular: bool) -> dict[str, str]:
    """A title for every Item."""
    found = {item: (REWORDED if reworded else TITLES).get(item, TITLES[item]) for item in ORDER}
    return {item: title.replace("s ", " ").removesuffix("s") if singular else title for item, title in found.items()}


def varied(texts: dict[str, str], heads: str, marked: bool, numbered: bool, length: int) -> bytes:
    """A report of pages of a few paragraphs each, on which Items begin anywhere."""
    lines: list[tuple[str, str]] = []  # paragraph, the Item that begins with it
    for item in ORDER:
        body = bodies()[item] if item == "8" else prose(f"matters of {item}", 3_000)
        set_apart = bold if marked else p
        lines.append((set_apart(f"Item {item}. {texts[item]}"), item))
        lines += [(part, "") for part in body.replace("</p>", "</p>\0").split("\0") if part]
    pages = []
    at = ""
    for first in range(0, len(lines), length):
        page = lines[first : first + length]
        begun = next((item for _, item in page if item), at)
        name = {"none": "", "goes on": at, "begins": begun}[heads]
        head = bold(f"Item {name}. {texts[name]}") if name and page[0][1] != name else ""
        pages.append(head + "".join(part for part, _ in page) + p(str(len(pages) + 1)))
        at = next((item for _, item in reversed(page) if item), at)
    return document("".join(pages)) if numbered else document(*pages)


@settings(max_examples=25, deadline=None)
@given(
    reworded=st.booleans(),
    singular=st.booleans(),
    units=st.sampled_from(UNITS),
    heads=st.sampled_from(HEADS),
    marked=st.booleans(),
    numbered=st.booleans(),
    length=st.integers(5, 14),
)
def test_every_item_begins_and_ends_where_it_does(reworded, singular, units, heads, marked, numbered, length):
    texts = {item: title + units for item, title in titles(reworded, singular).items()}
    content = varied(texts, heads, marked, numbered, length)
    found = sections(content)
    for item in ORDER:
        text = found[item].text
        assert found[item].status == "extracted", item
        assert text.startswith(f"Item {item}. {texts[item]}\n\n"), item
        assert text.count(f"As for matters of {item}:") == content.count(f"As for matters of {item}:".encode()), item
        assert text.endswith("after the new year."), item
        assert sum(other != item and f"As for matters of {other}:" in text for other in ORDER) == 0, item


@pytest.mark.parametrize("item", REWORDED)
def test_a_title_is_told_by_its_words_and_not_by_another_items(item):
    assert title_end(item, REWORDED[item])
    assert title_end(item, ITEMS[item].title + " (in thousands)") == len(ITEMS[item].title)
    assert title_end(item, "of this report says more of it") is None
    assert title_end(item, "Lamps of Brass and Glass") is None


@pytest.mark.parametrize(
    ("item", "text", "own"),
    [
        ("1", "Our Business", True),
        ("1", "Business Combinations", False),
        ("2", "PROPERTIES", True),
        ("3", "Legal Matters", False),
        ("7", "Management\u2019s Financial Discussion and Analysis", True),
        ("7", "Financial Section", False),
        ("9A", "Disclosure Controls", False),
        ("15", "Exhibits", True),
    ],
)
def test_a_title_without_a_label_has_hardly_a_word_of_its_own(item, text, own):
    assert is_own_title(item, text) is own


def test_pages_are_counted_by_their_numbers_where_nothing_breaks_them():
    found = sections(varied(titles(reworded=False, singular=False), "goes on", True, True, 9))
    assert [page.printed for page in found["1A"].pages] == ["2", "3", "4"]
    assert BREAK not in found["1A"].text
