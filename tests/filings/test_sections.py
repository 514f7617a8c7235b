"""Which text of a report is which Item, with the traps that real reports set."""

import hashlib

import pytest

from filings.sections.items import ITEMS
from tests.support.lantern import (
    LONG,
    TITLES,
    bodies,
    bold,
    contents,
    document,
    heading,
    p,
    prose,
    remainder,
    report,
    sections,
    table,
)

WITHOUT_1C = {item: text for item, text in bodies().items() if item != "1C"}


def test_it_gives_every_item_of_the_closed_list_once_and_in_order():
    assert list(sections(report())) == list(ITEMS)


def test_it_tells_extracted_none_omitted_and_by_reference_apart():
    found = sections(report())
    status = {item: section.status for item, section in found.items()}
    assert [i for i, s in status.items() if s == "none"] == ["1B", "4", "9", "9B", "9C", "16"]
    assert [i for i, s in status.items() if s == "by_reference"] == ["10", "11", "12", "13", "14"]
    assert [i for i, s in status.items() if s == "omitted"] == ["6"]
    assert {s for i, s in status.items() if i in {"1", "1A", "1C", "2", "3", "5", "7", "7A", "8", "9A", "15"}} == {
        "extracted"
    }
    assert (
        found["11"].where
        == "The information required by this Item is incorporated by reference to our 2025 proxy statement."
    )


def test_it_freezes_each_item_with_its_own_heading_its_hash_its_pages_and_its_blocks():
    section = sections(report())["1A"]
    assert section.heading == "Item 1A. Risk Factors"
    assert section.text.startswith("Item 1A. Risk Factors\n\n1. As for the risks: ")
    assert "the business" not in section.text
    assert section.sha256 == hashlib.sha256(section.text.encode()).hexdigest()
    assert section.filename == "lantern-10k.htm"
    assert [(page.start, page.printed) for page in section.pages] == [(0, "4")]
    assert (section.blocks[0].kind, section.blocks[0].level, section.blocks[0].start) == ("heading", 1, 0)
    assert all(section.text[block.start : block.end].strip() for block in section.blocks)
    assert section.blocks[-1].end == len(section.text)


def test_it_gives_no_text_to_two_items():
    texts = [section.text for section in sections(report()).values() if section.text]
    assert len(texts) == len(set(texts))
    sentences = [
        part for text in texts for part in text.split("\n\n") if len(part) > 100 and part.startswith("1. As for")
    ]
    assert len(sentences) == len(set(sentences))


def test_it_leaves_cover_and_signatures_to_their_pages_and_drops_the_contents():
    left = remainder(report())
    assert [(section.item, section.status) for section in left] == [("", "unverified")] * len(left)
    assert "LANTERN WORKS LIMITED" not in "".join(section.text for section in sections(report()).values())
    assert any("Signed for Lantern Works" in section.text for section in left)
    assert not any("Unresolved Staff Comments" in section.text for section in left)


@pytest.mark.parametrize(
    "printed",
    [
        "ITEM 1A. RISK FACTORS",
        "Item 1A: Risk Factors",
        "Item 1A \u2013 Risk Factors",
        "Item 1A.Risk Factors",
        "ITEM 1(A). RISK FACTORS",
        "PART I, Item 1A. Risk Factors",
    ],
)
def test_it_knows_a_heading_however_it_is_printed(printed):
    found = sections(report(headings={"1A": bold(printed)}))
    assert (found["1A"].status, found["1A"].heading) == ("extracted", printed)


@pytest.mark.parametrize(
    "printed",
    [
        bold("Item 1A.") + bold("Risk Factors"),
        table((bold("Item 1A."), bold("Risk Factors"))),
        "<p><b>Item 1A.</b> &#160; <b>Risk Factors</b></p>",
        "<p><u>Item 1A</u><u>. Risk Factors</u></p>",
        '<div id="i1A"></div>' + bold("RISK FACTORS"),
    ],
)
def test_it_knows_a_heading_in_two_lines_in_a_table_or_behind_a_link(printed):
    found = sections(report(headings={"1A": printed}))
    assert found["1A"].status == "extracted"
    assert "the risks" in found["1A"].text
    assert "the risks" not in found["1"].text


def test_it_is_not_misled_by_items_named_in_prose():
    text = prose("the business") + p("Item 1A. Risk Factors of this report tells of the risks of our trade.")
    text += p("See Item 7, “Management\u2019s Discussion and Analysis”, for more.") + p("Item 8 has the statements.")
    found = sections(report({"1": text}))
    assert "tells of the risks" in found["1"].text
    assert "Item 8 has the statements." in found["1"].text
    assert found["1A"].text.startswith("Item 1A. Risk Factors\n\n1. As for the risks")


@pytest.mark.parametrize(
    "toc",
    [
        "",
        "".join(p(f"Item {item}. {title} {n}") for n, (item, title) in enumerate(TITLES.items(), 3)),
        table(*((f"{item}.", title, str(n)) for n, (item, title) in enumerate(TITLES.items(), 3))),
        table(*(("PART I" if item == "1" else "", f"Item {item}.", title, "9") for item, title in TITLES.items())),
    ],
)
def test_it_never_takes_the_table_of_contents_for_the_items(toc):
    found = sections(report(toc=toc))
    assert found["1"].text.startswith("Item 1. Business\n\n1. As for the business")
    assert found["7"].text.startswith(f"Item 7. {TITLES['7']}\n\n1. As for the results")


def test_it_does_not_let_1b_swallow_1c():
    found = sections(report())
    assert found["1B"].text == "Item 1B. Unresolved Staff Comments\n\nNone."
    assert found["1C"].text.startswith("Item 1C. Cybersecurity\n\n1. As for cyber defence")


def test_it_says_that_an_item_is_omitted_which_neither_contents_nor_text_name():
    pages = [contents(WITHOUT_1C), *(heading(item) + text for item, text in WITHOUT_1C.items())]
    assert sections(document(*pages))["1C"].status == "omitted"


def test_it_says_that_an_item_is_not_found_which_the_contents_name():
    pages = [contents(bodies()), *(heading(item) + text for item, text in WITHOUT_1C.items())]
    assert sections(document(*pages))["1C"].status == "not_found"


def test_it_cuts_running_headers_that_say_an_item_goes_on():
    order = [item for item in TITLES if item in bodies()]
    pages = []
    for item in order:
        body = prose("the results", 9_000) if item == "7" else bodies()[item]
        if item == "7":
            third = len(body) // 3
            first, second, third_part = body[: body.index("<p", third)], "", body[body.index("<p", third) :]
            middle = third_part[: third_part.index("<p", third)]
            second, last = middle, third_part[len(middle) :]
            again = bold("Item 7. Management\u2019s Discussion and Analysis (continued)")
            pages += [heading(item) + first, again + second, again + last]
        else:
            pages.append(heading(item) + body)
    found = sections(document(contents(order), *pages))
    assert found["7"].status == "extracted"
    assert "continued" not in found["7"].text
    assert found["7"].text.count("As for the results") == prose("the results", 9_000).count("As for the results")


def test_it_cuts_bare_names_of_items_that_head_every_page():
    order = [item for item in TITLES if item in bodies()]
    pages = [p(f"Item {item}") + bold(f"ITEM {item}. {TITLES[item].upper()}") + bodies()[item] for item in order]
    pages.insert(order.index("8"), p("Item 7, 7A") + prose("brass prices once more", 600))
    found = sections(document(contents(order), *pages))
    assert found["1A"].text.startswith("ITEM 1A. RISK FACTORS\n\n1. As for the risks")
    assert found["1"].text.endswith("after the new year.")
    assert "Item 7, 7A" not in found["7A"].text


def test_it_gives_a_joint_heading_to_its_first_item_and_points_the_others_there():
    changed = {item: text for item, text in bodies().items() if item != "2"}
    pages = [bold("Items 1 and 2. Business and Properties") + prose("the business and the works")]
    pages += [heading(item) + text for item, text in changed.items() if item != "1"]
    found = sections(document(contents(changed), *sorted_pages(pages)))
    assert found["1"].text.startswith("Items 1 and 2. Business and Properties")
    assert (found["2"].status, found["2"].text) == ("by_reference", "")
    assert found["2"].where == "Under one heading with Item 1."


def sorted_pages(pages: list[str]) -> list[str]:
    """Pages in the order of the Items whose headings they begin with."""
    order = list(TITLES)

    def place(page: str) -> int:
        return next((n for n, item in enumerate(order) if f"Item {item}. {TITLES[item]}" in page[:600]), 0)

    return sorted(pages, key=place)


def test_it_reads_a_joint_part_three():
    changed = {item: text for item, text in bodies().items() if item not in {"10", "11", "12", "13", "14"}}
    order = [item for item in TITLES if item in changed]
    pages = [heading(item) + changed[item] for item in order]
    pages.insert(
        order.index("15"),
        bold("PART III")
        + bold("Items 10, 11, 12, 13 and 14")
        + p(f"{LONG[:60]} incorporated by reference from our proxy statement."),
    )
    found = sections(document(contents(bodies()), *pages))
    assert {found[item].status for item in ("10", "11", "12", "13", "14")} == {"by_reference"}
    assert "PART III" not in found["9C"].text


@pytest.mark.parametrize(
    ("item", "text", "status"),
    [
        ("1B", "None.", "none"),
        ("1B", "There are no unresolved staff comments.", "none"),
        ("1B", "We have received no written comments from the staff that remain unresolved.", "none"),
        ("4", "Not applicable.", "none"),
        ("9B", "N/A", "none"),
        ("3", "See Note 12, “Contingencies”, of the notes to the financial statements.", "by_reference"),
        ("3", "The information in Note 12 is incorporated herein by reference.", "by_reference"),
        ("7A", "Information on market risk is included under “Market Risk” in Item 7.", "by_reference"),
        ("6", "[Reserved]", "omitted"),
        ("6", "Selected financial data are no longer required.", "omitted"),
        ("7A", "As a smaller reporting company we are not required to provide this information.", "omitted"),
        ("3", f"A dealer has sued us over the glass of some lanterns. {LONG * 3} See Note 12.", "extracted"),
    ],
)
def test_it_reads_the_status_from_the_words(item, text, status):
    assert sections(report({item: p(text)}))[item].status == status


def test_it_ends_an_answered_item_before_what_is_something_else():
    officers = p("Not applicable.") + bold("Information about our Executive Officers") + prose("the officers", 900)
    found = sections(
        report({"4": officers, "16": p("None.") + bold("EXHIBIT INDEX") + table(("3.1", "Articles", "Filed"))})
    )
    assert found["4"].text == "Item 4. Mine Safety Disclosures\n\nNot applicable."
    assert found["16"].text == "Item 16. Form 10-K Summary\n\nNone."
    left = remainder(report({"4": officers}))
    assert any("the officers" in section.text for section in left)


def test_every_character_of_a_table_at_the_end_of_an_item_is_in_a_cell_or_between_two():
    signed = table(("Name", "Title", "Day"), ("Mara Wick", "Director", "1 May"), ("Ole Tarn", "Director", ""))
    found = sections(report({"15": p("The exhibits are these.") + signed}))["15"]
    block = found.blocks[-1]
    assert block.kind == "table"
    assert [[found.text[cell.start : cell.end] for cell in row] for row in block.rows] == [
        ["Name", "Title", "Day"],
        ["Mara Wick", "Director", "1 May"],
        ["Ole Tarn", "Director", ""],
    ]
    assert block.rows[-1][-1].end == block.end == len(found.text)


@pytest.mark.parametrize(
    ("item", "text", "status"),
    [
        ("15", "All schedules are omitted, since nothing in them is required.", "extracted"),
        (
            "3",
            "A dispute over the pier of the works in Port Amber ended in May, when we paid for it. No other proceedings are open.",
            "extracted",
        ),
        ("3", "There are no proceedings against us.", "none"),
        ("16", "The summary is intentionally omitted.", "omitted"),
    ],
)
def test_an_item_that_says_something_is_neither_omitted_nor_none(item, text, status):
    assert sections(report({item: p(text)}))[item].status == status


def test_it_reads_an_amendment_with_part_three_only():
    part = {item: prose(f"matters of {item}") for item in ("10", "11", "12", "13", "14")}
    pages = [contents(part), *(heading(item) + text for item, text in part.items())]
    found = sections(document(*pages))
    assert {item for item, section in found.items() if section.status == "extracted"} == set(part)
    assert {found[item].status for item in ("1", "1A", "7", "8")} == {"omitted"}


def test_it_does_not_verify_an_item_of_implausible_size():
    found = sections(report({"1A": p("Many things may go wrong with lanterns.") + p("We name none of them here.")}))
    assert (found["1A"].status, found["1A"].text) == ("unverified", "")
    assert found["1A"].where.endswith("characters are not plausible for this Item.")
    left = remainder(report({"1A": p("Many things may go wrong with lanterns.") + p("We name none of them here.")}))
    assert any("Many things may go wrong" in section.text for section in left)


def test_it_does_not_verify_an_item_with_another_ones_heading_in_it():
    wrong = prose("the risks") + bold("Item 1. Business") + prose("the business once more")
    found = sections(report({"1A": wrong}))
    assert found["1A"].status == "unverified"
    assert found["1A"].where == "The heading of Item 1 stands in it."


def test_it_finds_nothing_in_a_document_without_items():
    found = sections(document(prose("lanterns")))
    assert {section.status for section in found.values()} == {"not_found"}
    assert len(remainder(document(prose("lanterns")))) == 1


def test_it_finds_nothing_without_a_readable_document():
    assert {section.status for section in sections(b"").values()} == {"not_found"}


def test_it_gives_the_same_text_and_hash_every_time():
    first, second = sections(report()), sections(report())
    assert [section.sha256 for section in first.values()] == [section.sha256 for section in second.values()]
