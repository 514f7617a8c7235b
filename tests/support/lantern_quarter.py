"""Quarterly reports of a fictional company, Lantern Works, as prose: built here, read by the tests of sections."""

from filings.sections import ParsedSection, SourceDocument, read_sections
from tests.support.lantern import balance_sheet, bold, document, p, prose, table

TITLES = {
    "I.1": "Financial Statements",
    "I.2": "Management\u2019s Discussion and Analysis of Financial Condition and Results of Operations",
    "I.3": "Quantitative and Qualitative Disclosures About Market Risk",
    "I.4": "Controls and Procedures",
    "II.1": "Legal Proceedings",
    "II.1A": "Risk Factors",
    "II.2": "Unregistered Sales of Equity Securities and Use of Proceeds",
    "II.3": "Defaults Upon Senior Securities",
    "II.4": "Mine Safety Disclosures",
    "II.5": "Other Information",
    "II.6": "Exhibits",
}
PARTS = {"I.1": "PART I. FINANCIAL INFORMATION", "II.1": "PART II. OTHER INFORMATION"}


def label(item: str) -> str:
    """The label as printed: both parts count from 1."""
    return f"Item {item.partition('.')[2]}."


def bodies() -> dict[str, str]:
    """What stands under each Item of an ordinary quarterly report."""
    return {
        "I.1": balance_sheet(),
        "I.2": prose("the quarter"),
        "I.3": prose("brass prices", 700),
        "I.4": prose("controls", 700),
        "II.1": prose("law suits", 700),
        "II.1A": prose("the risks"),
        "II.2": prose("shares", 700),
        "II.3": p("None."),
        "II.4": p("Not applicable."),
        "II.5": prose("other matters", 700),
        "II.6": p("The exhibits are these.") + table(("31.1", "Certificate"), ("32.1", "Certificate")),
    }


def contents(items: list[str]) -> str:
    """A table of contents whose labels and pages lead to the first Item of their number, as some filers' do."""
    rows = [(f'<a href="#i{item.partition(".")[2]}">{label(item)}</a>', TITLES[item], "7") for item in items]
    return table(*rows)


def heading(item: str, printed: str = "") -> str:
    anchor = f'<div id="i{item.partition(".")[2]}"></div>' if item.startswith("I.") or item == "II.1A" else ""
    part = bold(PARTS[item]) if item in PARTS else ""
    return part + anchor + bold(printed or f"{label(item)} {TITLES[item]}")


def quarter(
    changed: dict[str, str] | None = None,
    headings: dict[str, str] | None = None,
    order: list[str] | None = None,
    toc: bool = True,
) -> bytes:
    """A quarterly report. `changed` replaces texts, `headings` the printed headings, `order` the Items and their order."""
    texts = bodies() | (changed or {})
    items = order or list(texts)
    pages = [bold("LANTERN WORKS LIMITED") + p("FORM 10-Q"), contents(items) if toc else ""]
    pages += [heading(item, (headings or {}).get(item, "")) + texts[item] for item in items]
    pages[-1] += bold("SIGNATURES") + p(
        "Signed for Lantern Works by its officers, who are fictional as the company is."
    )
    return document(*(page for page in pages if page))


def sections(content: bytes) -> dict[str, ParsedSection]:
    """The Items of a quarterly report by key."""
    found = read_sections([SourceDocument("lantern-10q.htm", "10-Q", content)], "quarterly")
    return {section.item: section for section in found if section.item}
