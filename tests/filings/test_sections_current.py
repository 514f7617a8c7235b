"""Which text of an 8-K is which Item, and its exhibits 99."""

import pytest

from filings.sections import ParsedSection, SourceDocument, read_sections
from tests.support.lantern import bold, document, p, table

RESULTS = (
    "On 4 May Lantern Works announced its results in a release, which is furnished as Exhibit 99.1 and not filed."
)
SIGNED = bold("SIGNATURE") + p(
    "Signed for Lantern Works by its treasurer, who is fictional as the company is, on 4 May."
)


def report(*items: tuple[str, str]) -> SourceDocument:
    cover = p("LANTERN WORKS LIMITED") + p(
        "FORM 8-K, CURRENT REPORT of a company whose lanterns are sold in nine countries."
    )
    text = "".join(bold(title) + p(body) for title, body in items)
    return SourceDocument("lantern-8k.htm", "8-K", document(cover + text + SIGNED))


def exhibit(kind: str, *parts: str) -> SourceDocument:
    return SourceDocument(f"{kind.lower()}.htm", kind, document("".join(parts)))


def read(*documents: SourceDocument) -> dict[str, ParsedSection]:
    return {section.item: section for section in read_sections(documents, "current") if section.item}


RELEASE = exhibit(
    "EX-99.1",
    p("Exhibit 99.1"),
    bold("NEWS RELEASE"),
    bold("Lantern Works sells more lanterns than ever"),
    p(f"Lowfield, 4 May. {'Sales of lanterns rose in all nine countries, most of all in the north. ' * 6}"),
    bold("Consolidated Balance Sheets"),
    table(("", "2025", "2024"), ("Cash", "12", "11")),
)
FILED = report(
    ("Item 2.02 Results of Operations and Financial Condition.", RESULTS),
    ("Item 9.01(d) Financial Statements and Exhibits.", "Exhibit 99.1 is the release of 4 May."),
)


def test_only_items_that_the_report_has_are_there() -> None:
    assert list(read(FILED, RELEASE)) == ["2.02", "9.01", "99.1"]


def test_what_an_item_says_of_its_exhibit_is_its_text() -> None:
    item = read(FILED, RELEASE)["2.02"]
    assert (item.status, item.where) == ("extracted", "")
    assert item.text.endswith(RESULTS)


def test_cover_and_signatures_are_cited_by_their_pages() -> None:
    left = [section.text for section in read_sections([FILED, RELEASE], "current") if not section.item]
    assert len(left) == 2
    assert "nine countries" in left[0]
    assert "treasurer" in left[1]


def test_a_release_is_named_by_its_headline_and_keeps_its_own_headings() -> None:
    release = read(FILED, RELEASE)["99.1"]
    assert (release.status, release.heading) == ("extracted", "Lantern Works sells more lanterns than ever")
    headings = [release.text[block.start : block.end] for block in release.blocks if block.kind == "heading"]
    assert "Consolidated Balance Sheets" in headings


@pytest.mark.parametrize(
    ("kinds", "keys"),
    [
        (["EX-99.1", "EX-99.2"], ["99.1", "99.2"]),
        (["EX-99.01", "EX-99.02"], ["99.1", "99.2"]),
        (["EX-99", "EX-99"], ["99.1", "99.2"]),
        (["EX-99.2", "EX-99"], ["99.2", "99.1"]),
        (["EX-99.1", "EX-10.1", "EX-104"], ["99.1"]),
        (["EX-99.12"], ["99.1"]),
    ],
)
def test_exhibits_99_are_numbered_and_others_left_out(kinds: list[str], keys: list[str]) -> None:
    exhibits = [exhibit(kind, p(f"Number {place}: {RESULTS}")) for place, kind in enumerate(kinds)]
    assert [key for key in read(FILED, *exhibits) if key.startswith("99")] == keys


def test_more_exhibits_than_the_list_has_are_kept_without_an_item() -> None:
    exhibits = [exhibit("EX-99", p(f"Number {place}: {RESULTS}")) for place in range(11)]
    found = read_sections([FILED, *exhibits], "current")
    assert sum(section.item.startswith("99.") for section in found) == 9
    assert [section.text[:9] for section in found if section.item == "" and section.filename == "ex-99.htm"] == [
        "Number 9:",
        "Number 10",
    ]


def test_an_exhibit_in_the_markup_of_a_full_submission_is_read() -> None:
    wrapped = (
        b"<DOCUMENT>\n<TYPE>EX-99.1\n<SEQUENCE>2\n<FILENAME>a.htm\n<TEXT>\n"
        + RELEASE.content
        + b"\n</TEXT>\n</DOCUMENT>\n"
    )
    plain, found = read(FILED, RELEASE)["99.1"], read(FILED, SourceDocument("a.htm", "EX-99.1", wrapped))["99.1"]
    assert found.text == plain.text
    assert "SEQUENCE" not in found.text


def test_an_item_named_in_prose_is_no_heading() -> None:
    told = report(
        ("Item 8.01 Other Events.", "Item 2.02 of the report of March is repeated here in part, as it concerns May.")
    )
    assert list(read(told)) == ["8.01"]


def test_without_a_report_its_exhibits_are_read() -> None:
    assert list(read(RELEASE)) == ["99.1"]
