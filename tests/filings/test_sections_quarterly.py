"""Which text of a 10-Q is which Item, though both its parts count from 1."""

import pytest

from filings.sections.items import QUARTERLY_ITEMS
from tests.support.lantern import p, prose, table
from tests.support.lantern_quarter import TITLES, quarter, sections

SUBJECTS = {"I.2": "the quarter", "I.3": "brass prices", "I.4": "controls", "II.1": "law suits", "II.2": "shares"}


def test_every_item_of_both_parts_is_there_once_and_in_order() -> None:
    assert list(sections(quarter())) == list(QUARTERLY_ITEMS)


def test_items_of_one_number_are_told_apart_by_their_titles() -> None:
    found = sections(quarter())
    for item, subject in SUBJECTS.items():
        assert found[item].status == "extracted", item
        assert f"As for {subject}" in found[item].text
        others = [text for key, text in SUBJECTS.items() if key != item]
        assert not [text for text in others if f"As for {text}" in found[item].text]
    assert "Total assets" in found["I.1"].text
    assert found["II.1"].heading == "Item 1. Legal Proceedings"


def test_none_and_omitted_are_told_apart() -> None:
    without = [item for item in TITLES if item not in {"II.1A", "II.5"}]
    found = sections(quarter(order=without))
    assert (found["II.3"].status, found["II.4"].status) == ("none", "none")
    assert (found["II.1A"].status, found["II.5"].status) == ("omitted", "omitted")


def test_an_item_ends_before_the_name_of_the_next_part_and_the_last_one_before_the_signatures() -> None:
    found = sections(quarter())
    assert "PART II" not in found["I.4"].text
    assert "Signed for" not in found["II.6"].text


def test_the_discussion_may_stand_before_the_statements() -> None:
    order = ["I.2", "I.1", *list(TITLES)[2:]]
    found = sections(quarter(order=order))
    assert (found["I.1"].status, found["I.2"].status) == ("extracted", "extracted")
    assert "As for the quarter" in found["I.2"].text
    assert "Total assets" in found["I.1"].text


def test_a_first_part_without_labels_is_found_by_its_titles() -> None:
    titles = {item: TITLES[item] for item in ("I.2", "I.3", "I.4")} | {"I.1": "Condensed Consolidated Balance Sheets"}
    found = sections(quarter(headings=titles, toc=False))
    assert [found[item].status for item in titles] == ["extracted"] * 4
    assert found["I.4"].heading == "Controls and Procedures"
    assert "As for law suits" in found["II.1"].text


def test_a_label_alone_on_its_line_has_the_title_of_the_next() -> None:
    printed = {
        item: f"Item {item.partition('.')[2]}.</span></p><p><span style='font-weight:700'>{TITLES[item]}"
        for item in ("I.2", "II.2")
    }
    found = sections(quarter(headings=printed))
    assert "As for the quarter" in found["I.2"].text
    assert "As for shares" in found["II.2"].text


def test_a_reserved_item_is_of_the_part_that_it_stands_in() -> None:
    found = sections(quarter({"II.4": ""}, {"II.4": "Item 4. [Reserved]"}))
    assert (found["II.4"].status, found["II.4"].heading) == ("omitted", "Item 4. [Reserved]")
    assert "As for controls" in found["I.4"].text


def test_an_item_whose_heading_is_the_first_row_of_a_table_is_found_by_its_link() -> None:
    rows = table(("Item 6. Exhibits", ""), ("31.1", "Certificate of an officer"), ("32.1", "Certificate of another"))
    toc = table(*((f'<a href="#x{item}">Item {item.partition(".")[2]}. {TITLES[item]}</a>', "9") for item in TITLES))
    texts = {"II.5": prose("other matters", 700) + '<div id="xII.6"></div>' + rows}
    content = quarter(texts, order=[item for item in TITLES if item != "II.6"], toc=False)
    found = sections(content.replace(b"FORM 10-Q</p>", b"FORM 10-Q</p>" + toc.encode()))
    assert found["II.6"].status == "extracted"
    assert "Certificate of an officer" in found["II.6"].text
    assert "Certificate" not in found["II.5"].text


def test_an_item_with_the_heading_of_another_in_it_is_cited_by_its_page() -> None:
    inside = (
        prose("controls", 700) + "<p><b>Item 2. Unregistered Sales of Equity Securities</b></p>" + p("None were sold.")
    )
    found = sections(quarter({"I.4": inside}))
    assert (found["I.4"].status, found["I.4"].text) == ("unverified", "")
    assert found["I.4"].where == "The heading of Part II, Item 2 stands in it."


@pytest.mark.parametrize(
    "printed", ["ITEM 1A. RISK FACTORS", "PART II, Item 1A. Risk Factors", "Item 1A \u2013 Risk Factors"]
)
def test_a_label_is_known_however_it_is_printed(printed: str) -> None:
    found = sections(quarter(headings={"II.1A": printed}))
    assert (found["II.1A"].status, found["II.1A"].heading) == ("extracted", printed)
