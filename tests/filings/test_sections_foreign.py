"""Which text of a 20-F is which Item; a 40-F is divided at its exhibits' own headings."""

import textwrap

from filings.sections import ParsedSection, SourceDocument, read_sections
from filings.sections.items import FOREIGN_ITEMS
from tests.support.lantern import balance_sheet, bold, document, p, prose, table

WORDS = "The makers of Lowfield say of"
TEXTS = {
    "Item 3. Key Information": bold("A. Selected Data") + prose("the years", 700),
    "D. Risk Factors": prose("the risks"),
    "Item 4. Information on the Company": prose("the company"),
    "Item 4A. Unresolved Staff Comments": p("None."),
    "Item 5. Operating and Financial Review and Prospects": prose("the results"),
    "Item 8. Financial Information": prose("law suits", 700),
    "Item 11. Quantitative and Qualitative Disclosures About Market Risk": prose("brass prices", 700),
    "Item 16K. Cybersecurity": prose("cyber defence", 700),
    "Item 17. Financial Statements": p("Not applicable."),
    "Item 18. Financial Statements": p("The financial statements begin on page F-1 of this annual report."),
    "Item 19. Exhibits": p("The exhibits are these.") + table(("1.1", "Articles"), ("8.1", "List of works")),
}


def foreign(texts: dict[str, str] | None = None) -> dict[str, ParsedSection]:
    parts = [bold(title) + text for title, text in (texts or TEXTS).items()]
    signed = bold("SIGNATURES") + p("Signed for Lantern Works by its officers, who are fictional as the company is.")
    content = document(
        p("LANTERN WORKS LIMITED, FORM 20-F"), *parts, signed, bold("INDEX TO FINANCIAL STATEMENTS") + balance_sheet()
    )
    found = read_sections([SourceDocument("lantern-20f.htm", "20-F", content)], "foreign")
    return {section.item: section for section in found if section.item}


def test_every_item_is_there_once_and_in_order() -> None:
    assert list(foreign()) == list(FOREIGN_ITEMS)


def test_risk_factors_are_cut_from_key_information_by_their_title() -> None:
    found = foreign()
    assert found["20F.3D"].heading == "D. Risk Factors"
    assert "As for the risks" in found["20F.3D"].text
    assert "As for the risks" not in found["20F.3"].text
    assert "As for the company" not in found["20F.3D"].text


def test_risk_factors_may_have_a_label_of_their_own() -> None:
    texts = {
        ("Item 3.D. Risk Factors" if title == "D. Risk Factors" else title): text for title, text in TEXTS.items()
    }
    assert "As for the risks" in foreign(texts)["20F.3D"].text


def test_parts_of_an_item_that_begin_on_one_page_are_no_heads_of_it() -> None:
    parts = {"16.A": "Audit Committee Financial Expert", "16.B": "Code of Ethics", "16.C": "Principal Accountant Fees"}
    pages = [bold(title) + text for title, text in TEXTS.items()]
    pages.insert(7, "".join(bold(f"Item {key}. {title}") + prose(title, 700) for key, title in parts.items()))
    document_ = SourceDocument("lantern-20f.htm", "20-F", document(*pages))
    found = {section.item: section for section in read_sections([document_], "foreign")}
    for key, title in parts.items():
        section = found[f"20F.{key.replace('.', '')}"]
        assert section.heading == f"Item {key}. {title}"
        assert section.text.count("As for") == prose(title, 700).count("As for")


def test_statuses_are_those_of_a_10k() -> None:
    found = foreign()
    assert [found[f"20F.{key}"].status for key in ("4", "4A", "5", "17", "6")] == [
        "extracted",
        "none",
        "extracted",
        "none",
        "omitted",
    ]


def test_statements_at_the_end_belong_to_the_item_that_refers_to_them() -> None:
    found = foreign()
    assert found["20F.18"].status == "extracted"
    assert "Total assets" in found["20F.18"].text
    assert "Total assets" not in found["20F.19"].text


def test_the_exhibits_of_a_40f_are_divided_at_their_headings() -> None:
    cover = SourceDocument(
        "cover.htm", "40-F", document(p("FORM 40-F of Lantern Works, whose exhibits are its annual report."))
    )
    report = SourceDocument("a.htm", "EX-99.1", document(bold("The Year in Lowfield") + prose("the year", 3_000)))
    found = read_sections([cover, report, SourceDocument("x.htm", "EX-23", report.content)], "foreign")
    assert [(section.item, section.heading, section.filename) for section in found] == [
        ("", "", "cover.htm"),
        ("", "The Year in Lowfield", "a.htm"),
    ]


def typed(title: str, text: str) -> str:
    return f"\n\n{title}\n\n{textwrap.fill(text, 78)}\n"


def test_a_text_typed_line_by_line_has_its_items_although_a_page_stands_around_it() -> None:
    """As filings until 2001 are kept by many: EDGAR's plain text, its columns marked, in one element of a page."""
    pages = [
        typed("Item 3. Key Information", f"{WORDS} the years. " * 9)
        + "<TABLE>\n<CAPTION>\n                                      1999      2000\n<S>"
        "                                   <C>       <C>\nOrgans tuned &amp; mended                  41        52\n"
        "Organs built                             6         7\n</TABLE>\n",
        "\nRisk factors\n- ------------\n\n" + textwrap.fill(f"{WORDS} the risks. " * 60, 78),
        typed("Item 4. Information on the Company", f"{WORDS} the company. " * 60),
        typed("Item 5. Operating and Financial Review and Prospects", f"{WORDS} the results. " * 60),
        typed("Item 8. Financial Information", "See Item 18. " + f"{WORDS} the courts. " * 9),
        typed("Item 18. Financial Statements", f"{WORDS} the statements. " * 60),
    ]
    numbered = "".join(
        f"{page}\n\n                                     -{number}-\n" for number, page in enumerate(pages, 1)
    )
    content = f"<html><body><div>\nLANTERN ORGANS N.V., FORM 20-F\n{numbered}</div></body></html>".encode()
    found = read_sections([SourceDocument("0009999999-01-000001.html", "20-F", content)], "foreign")
    items = {section.item: section for section in found if section.item and section.text}
    assert list(items) == ["20F.3", "20F.3D", "20F.4", "20F.5", "20F.8", "20F.18"]
    assert "the risks" in items["20F.3D"].text
    (table_,) = [block for block in items["20F.3"].blocks if block.kind == "table"]
    assert items["20F.3"].text[table_.start : table_.end] == (
        "\t1999\t2000\nOrgans tuned & mended\t41\t52\nOrgans built\t6\t7"
    )
    assert [items[item].pages[0].number for item in items] == [1, 2, 3, 4, 5, 6]
    assert not any(mark in section.text for section in found for mark in ("<", "-2-"))
