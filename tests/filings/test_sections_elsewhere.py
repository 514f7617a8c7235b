"""Items whose text stands elsewhere: in another Item, in Exhibit 13, or on the pages that an index names."""

import pytest

from filings.sections.item_status import where as pointing
from tests.support.lantern import (
    TITLES,
    balance_sheet,
    bodies,
    bold,
    contents,
    document,
    heading,
    p,
    prose,
    report,
    sections,
    table,
)

POINTER = p("The statements are set forth in Item 15 of this report, on the pages that its index names.")


@pytest.mark.parametrize("holder", ["15", "16"])
def test_it_follows_item_8_to_the_statements_in_item_15_or_after_item_16(holder):
    exhibits = {"15": p("Documents filed:") + balance_sheet(), "16": p("None.") + balance_sheet()}
    found = sections(report({"8": POINTER, holder: exhibits[holder]}))
    assert found["8"].status == "extracted"
    assert found["8"].text.startswith(
        "Item 8. Financial Statements and Supplementary Data\n\nThe statements are set forth"
    )
    assert "Total assets\t$ 56\t$ 54" in found["8"].text
    assert "Report of Independent Registered Public Accounting Firm" in found["8"].text
    assert "Total assets" not in found[holder].text


def test_it_follows_item_8_to_the_statements_inside_item_7():
    found = sections(report({"8": POINTER, "7": prose("the results", 40_000) + balance_sheet()}))
    assert "Total assets" in found["8"].text
    assert "Total assets" not in found["7"].text
    assert "the results" in found["7"].text
    assert "the results" not in found["8"].text


AVERAGES = [("Cash", "1"), ("Loans", "3"), ("Total assets", "9"), ("Deposits", "2"), ("Total liabilities", "7")]
AVERAGES += [
    ("Total equity", "2"),
    ("Total liabilities and equity", "9"),
    ("Spread", "1"),
    ("Margin", "2"),
    ("Rate", "2"),
]


def test_a_table_of_balances_in_the_discussion_is_not_taken_for_the_statements():
    told = prose("the results") + bold("Average Balances") + table(*AVERAGES) + prose("the results", 900)
    whole = sections(report({"7": told}))["7"].text
    found = sections(report({"7": told, "8": POINTER, "15": p("Documents filed:") + balance_sheet()}))
    assert found["7"].text == whole
    assert "Retained earnings" in found["8"].text
    elsewhere = sections(report({"7": told, "8": STUB}))
    assert elsewhere["7"].text == whole
    assert elsewhere["8"].status == "by_reference"


def test_statements_are_known_by_their_notes_where_the_balance_sheet_is_in_two_tables():
    parted = balance_sheet().replace("<tr><td>Payables", "</table><p>Funds</p><table><tr><td>Payables")
    pages = table(("Report of Independent Auditors", "F-1"), ("Balance Sheets", "F-2"), ("Notes", "F-3"))
    for pointer in (POINTER, pages):
        found = sections(report({"8": pointer, "15": p("Documents filed:") + parted}))["8"]
        assert found.status == "extracted"
        assert "Total assets" in found.text
        assert found.text.count("As for the notes") == parted.count("As for the notes")


def test_a_report_of_management_on_the_business_does_not_end_the_discussion():
    told = prose("the results") + bold("Management\u2019s Report on Lamps") + table(("Brass", "1"), ("Glass", "2"))
    assert "Glass" in sections(report({"7": told + prose("the results", 900)}))["7"].text


@pytest.mark.parametrize(
    ("title", "pointer"),
    [
        (
            "Management\u2019s Financial Discussion and Analysis",
            "See Management\u2019s Financial Discussion and Analysis below.",
        ),
        (
            "MANAGEMENT\u2019S FINANCIAL DISCUSSION AND ANALYSIS OF LANTERN WORKS AND ITS DEALERS",
            "Refer to \u201cManagement\u2019s Financial Discussion and Analysis of Lantern Works and its Dealers\u201d here.",
        ),
        (
            "Management\u2019s Discussion and Analysis",
            "It is set forth under the heading \u201cManagement\u2019s Discussion and Analysis\u201d on pages 20 to 30.",
        ),
    ],
)
@pytest.mark.parametrize("holder", ["1", "8", "16"])
def test_it_follows_item_7_to_the_discussion_under_a_heading_elsewhere(title, pointer, holder):
    told = bold(title) + prose("the results") + balance_sheet()
    texts = {"1": prose("the business"), "8": p("See the statements below."), "16": p("None.")}
    found = sections(report(texts | {"7": p(pointer), "7A": p(pointer), holder: texts[holder] + told}))
    assert (found["7"].status, found["7A"].status, found["8"].status) == ("extracted", "by_reference", "extracted")
    assert found["7"].text.startswith(f"Item 7. {TITLES['7']}\n\n{pointer}\n\n{title}")
    assert found["7"].text.count("As for the results") == told.count("As for the results")
    assert "the results" not in found[holder].text
    assert found["8"].text.startswith(f"Item 8. {TITLES['8']}\n\nSee the statements below.\n\nReport of Independent")
    assert "Total assets" in found["8"].text


STUB = p("The information is incorporated by reference from our annual report to shareholders, Exhibit 13.")


def test_it_takes_items_7_and_8_from_exhibit_13():
    exhibit = document(bold("Management\u2019s Discussion and Analysis") + prose("the results"), balance_sheet())
    found = sections(report({"7": STUB, "8": STUB}), exhibit)
    assert (found["7"].status, found["7"].filename) == ("extracted", "lantern-ex13-1.htm")
    assert (found["8"].status, found["8"].filename) == ("extracted", "lantern-ex13-1.htm")
    assert found["7"].text.startswith("Management\u2019s Discussion and Analysis")
    assert "Total assets" in found["8"].text
    assert "Total assets" not in found["7"].text


def test_it_says_where_items_7_and_8_are_when_the_exhibit_is_not_at_hand():
    found = sections(report({"7": STUB, "8": STUB}))
    assert (found["7"].status, found["8"].status) == ("by_reference", "by_reference")
    assert "Exhibit 13" in found["8"].where


def test_it_does_not_take_a_row_of_items_that_only_point_for_a_table_of_contents():
    changed = {"7": STUB, "7A": STUB, "8": STUB, "9A": p("Controls are effective, as Exhibit 13 says.")}
    exhibit = document(bold("Management\u2019s Discussion and Analysis") + prose("the results"), balance_sheet())
    order = list(TITLES)
    texts = bodies() | changed
    found = sections(document(contents(order), "".join(heading(item) + texts[item] for item in order)), exhibit)
    assert {found[item].status for item in ("1A", "7", "8")} == {"extracted"}
    assert found["7A"].status == "by_reference"
    assert found["9"].text.endswith("Financial Disclosure\n\nNone.")


def index_report(index: str) -> bytes:
    """Eight numbered pages without headings of Items, and an index of them."""
    texts = [bold("About Lantern Works") + prose("the business", 3_000), prose("the business too", 3_000)]
    texts += [
        bold("Management\u2019s Discussion and Analysis") + prose("the results", 4_000),
        prose("the results and market risk", 900),
    ]
    texts += [bold("RISK FACTORS") + prose("the risks", 3_000), bold("LEGAL PROCEEDINGS") + prose("law suits", 600)]
    texts += [balance_sheet(), index + p("(a) Incorporated by reference to our 2025 proxy statement.")]
    return document(*(f"{text}{p(str(number))}" for number, text in enumerate(texts, 1)))


@pytest.mark.parametrize("ranges", [True, False])
def test_it_reads_a_cross_reference_index_and_gives_no_page_to_two_items(ranges):
    pages = {"1": "1-2", "1A": "5", "3": "6", "7": "3-4", "7A": "4", "8": "7"}
    if not ranges:
        pages = {item: f"Page {place.split('-')[0]}" for item, place in pages.items()}
    rows = [
        (f"Item {item}.", title, pages.get(item, "(a)" if item in {"10", "11"} else "Not applicable"))
        for item, title in TITLES.items()
    ]
    found = sections(index_report(table(*rows)))
    assert {item for item, section in found.items() if section.status == "extracted"} == {"1", "1A", "3", "7", "8"}
    assert "the business too" in found["1"].text
    assert found["1A"].text.startswith("RISK FACTORS\n\n1. As for the risks")
    assert "law suits" not in found["1A"].text
    assert found["7"].text.startswith("Management\u2019s Discussion and Analysis")
    assert "market risk" in found["7"].text
    assert "Total assets" in found["8"].text
    assert found["7A"].status == "by_reference"
    assert found["7A"].where == "Page 4, printed within Item 7."
    assert found["1B"].status == "none"
    assert found["10"].where == "Incorporated by reference to our 2025 proxy statement."


def test_a_title_at_the_end_of_an_item_of_an_index_names_what_follows():
    rows = [
        (f"Item {item}.", title, {"1": "1-2", "1A": "5", "3": "6", "7": "3-4", "8": "7"}.get(item, "Not applicable"))
        for item, title in TITLES.items()
    ]
    content = index_report(table(*rows))
    page = p("4").encode()
    assert content.count(page) == 1
    divided = sections(content.replace(page, p("Other Lamp Matters").encode() + page))
    assert divided["7"].text == sections(content)["7"].text
    for ending in (
        ["Source: the Lamp Council"],
        ["/s/ Mara Wick", "Port Amber"],
        ["Port Amber, Ostland", "May 1, 2025"],
    ):
        ended = sections(content.replace(page, "".join(map(p, ending)).encode() + page))
        assert ended["7"].text.endswith("\n\n".join(ending))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (
            "Information for Item 7 can be found in the Annual Report to Shareholders under \u201cFinancial Review.\u201d It is long.",
            "Information for Item 7 can be found in the Annual Report to Shareholders under \u201cFinancial Review.\u201d",
        ),
        (
            "It is included under the heading \u201cProposal No. 1. Election of Directors\u201d in the Proxy Statement. More.",
            "It is included under the heading \u201cProposal No. 1. Election of Directors\u201d in the Proxy Statement.",
        ),
        (
            'It is included in "Governance of Lantern, Inc. Board" in the Proxy Statement. More follows.',
            'It is included in "Governance of Lantern, Inc. Board" in the Proxy Statement.',
        ),
        (
            "It is included in the Proxy Statement filed with the U.S. Securities and Exchange Commission. More.",
            "It is included in the Proxy Statement filed with the U.S. Securities and Exchange Commission.",
        ),
        (
            "What Note 14. \u201cLamps and Law\u201d of Item 8. of this report says is incorporated by reference. More.",
            "What Note 14. \u201cLamps and Law\u201d of Item 8. of this report says is incorporated by reference.",
        ),
    ],
)
def test_where_to_is_one_whole_sentence_and_leaves_no_quotation_open(text, where):
    assert pointing(text) == where


def test_a_long_where_to_is_cut_and_its_quotation_closed():
    found = pointing(f"See \u201cItem 7. {'Results of operations ' * 40}\u201d of the Annual Report.")
    assert len(found) <= 500
    assert found.endswith("\u2026\u201d")
