"""Annual reports of a fictional company, Lantern Works, as prose: built here, read by the tests of sections.

`report()` puts Items between pages; each Item is its heading and its paragraphs. Nothing here is of a real filing.
"""

from collections.abc import Iterable

from filings.sections import ParsedSection, SourceDocument, read_sections

BREAK = '<hr style="page-break-after:always"/>'
LONG = (
    "Lantern Works makes lanterns of brass and glass for harbours, and sells them through dealers in nine countries. "
    "Orders rise in autumn, when the evenings grow short, and fall after the new year. "
)
TITLES = {
    "1": "Business",
    "1A": "Risk Factors",
    "1B": "Unresolved Staff Comments",
    "1C": "Cybersecurity",
    "2": "Properties",
    "3": "Legal Proceedings",
    "4": "Mine Safety Disclosures",
    "5": "Market for Registrant\u2019s Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities",
    "6": "[Reserved]",
    "7": "Management\u2019s Discussion and Analysis of Financial Condition and Results of Operations",
    "7A": "Quantitative and Qualitative Disclosures About Market Risk",
    "8": "Financial Statements and Supplementary Data",
    "9": "Changes in and Disagreements with Accountants on Accounting and Financial Disclosure",
    "9A": "Controls and Procedures",
    "9B": "Other Information",
    "9C": "Disclosure Regarding Foreign Jurisdictions that Prevent Inspections",
    "10": "Directors, Executive Officers and Corporate Governance",
    "11": "Executive Compensation",
    "12": "Security Ownership of Certain Beneficial Owners and Management",
    "13": "Certain Relationships and Related Transactions, and Director Independence",
    "14": "Principal Accountant Fees and Services",
    "15": "Exhibits and Financial Statement Schedules",
    "16": "Form 10-K Summary",
}
PROXY = "The information required by this Item is incorporated by reference to our 2025 proxy statement."


def p(text: str, style: str = "") -> str:
    """A paragraph."""
    return f'<p style="{style}">{text}</p>'


def bold(text: str) -> str:
    """A heading in bold."""
    return f'<p><span style="font-weight:700">{text}</span></p>'


def prose(subject: str, characters: int = 4_000) -> str:
    """Paragraphs that all name their subject, long enough for an Item."""
    sentence = f"As for {subject}: {LONG}"
    return "".join(p(f"{number}. {sentence}") for number in range(1, 2 + characters // len(sentence)))


def table(*rows: Iterable[str]) -> str:
    """A table of cells."""
    return "<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows) + "</table>"


def balance_sheet() -> str:
    """The statements: an auditor's report, a balance sheet of twelve rows, and notes."""
    rows = [("", "2024", "2023"), ("Cash", "$ 12", "$ 11"), ("Receivables", "5", "6"), ("Lanterns in stock", "9", "8")]
    rows += [("Works and tools", "30", "29"), ("Total assets", "$ 56", "$ 54"), ("Payables", "4", "5")]
    rows += [("Loans", "10", "12"), ("Total liabilities", "14", "17"), ("Share capital", "20", "20")]
    rows += [("Retained earnings", "22", "17"), ("Total equity", "42", "37")]
    rows += [("Total liabilities and equity", "$ 56", "$ 54")]
    return (
        bold("Report of Independent Registered Public Accounting Firm")
        + p(f"To the shareholders of Lantern Works. {LONG * 3}")
        + bold("Consolidated Balance Sheets")
        + table(*rows)
        + bold("Notes to Consolidated Financial Statements")
        + prose("the notes", 9_000)
    )


def bodies() -> dict[str, str]:
    """What stands under each Item of an ordinary report."""
    texts = {item: p("None.") for item in ("1B", "9", "9B", "16")}
    texts |= {item: p("Not applicable.") for item in ("4", "9C")}
    texts |= {item: p(PROXY) for item in ("10", "11", "12", "13", "14")}
    texts |= {
        "6": "",
        "8": balance_sheet(),
        "15": p("The exhibits are these.") + table(("3.1", "Articles"), ("21", "List")),
    }
    for item, subject in (("1", "the business"), ("1A", "the risks"), ("7", "the results"), ("9A", "controls")):
        texts[item] = prose(subject)
    for item, subject in (("1C", "cyber defence"), ("2", "the works"), ("3", "law suits"), ("5", "shares")):
        texts[item] = prose(subject, 700)
    texts["7A"] = prose("brass prices", 700)
    return texts


def contents(items: Iterable[str]) -> str:
    """A table of contents with links and page numbers."""
    return table(
        *(
            (f'<a href="#i{item}">Item {item}.</a>', f'<a href="#i{item}">{TITLES[item]}</a>', str(number))
            for number, item in enumerate(items, 3)
        )
    )


def heading(item: str, title: str = "") -> str:
    """An Item's own heading, which the table of contents leads to."""
    return f'<div id="i{item}"></div>' + bold(f"Item {item}. {title or TITLES[item]}")


def report(
    changed: dict[str, str] | None = None, headings: dict[str, str] | None = None, toc: str | None = None
) -> bytes:
    """A whole report, each Item on a page of its own.

    `changed` replaces what stands under Items, or leaves an Item out where empty text is given for it as None;
    `headings` replaces headings; `toc` the table of contents.
    """
    texts = bodies() | (changed or {})
    parts = [bold("LANTERN WORKS LIMITED") + p("FORM 10-K"), contents(texts) if toc is None else toc]
    for item, text in texts.items():
        if item in (headings or {}):
            parts.append((headings or {})[item] + text)
        else:
            parts.append(heading(item) + text)
    order = list(TITLES)
    keyed = dict(zip(texts, parts[2:], strict=True))
    pages = parts[:2] + [keyed[item] for item in order if item in keyed]
    pages[-1] += bold("SIGNATURES") + p(
        "Signed for Lantern Works by its officers, who are fictional as the company is."
    )
    return document(*(f"{page}{p(str(number), 'text-align:center')}" for number, page in enumerate(pages, 1)))


def document(*pages: str, head: str = "") -> bytes:
    """A document of pages."""
    body = BREAK.join(pages)
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{head}</head><body>{body}</body></html>'.encode()


def sections(content: bytes, *exhibits: bytes) -> dict[str, ParsedSection]:
    """The Items of a report, and of its Exhibits 13, by key."""
    documents = [SourceDocument("lantern-10k.htm", "10-K", content)]
    documents += [SourceDocument(f"lantern-ex13-{n}.htm", "EX-13", one) for n, one in enumerate(exhibits, 1)]
    return {section.item: section for section in read_sections(documents) if section.item}


def remainder(content: bytes) -> list[ParsedSection]:
    """What a report holds under no verified Item."""
    return [s for s in read_sections([SourceDocument("lantern-10k.htm", "10-K", content)]) if not s.item]
