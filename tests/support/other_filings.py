"""Fictional 8-Ks with a release, proxy statements and 20-Fs, as the local EDGAR publishes them."""

from datetime import date, timedelta

from tests.support.edgar import Other


def page(*paragraphs: str) -> str:
    return f"<html><body>{''.join(f'<p>{text}</p>' for text in paragraphs)}</body></html>"


def release(day: date, *, items: str = "2.02,9.01", serial: int = 50, form: str = "8-K") -> Other:
    """An 8-K of a day, with what it furnishes as Exhibit 99.1."""
    current = page(
        "FORM 8-K",
        "CURRENT REPORT",
        "Item 2.02 Results of Operations and Financial Condition.",
        "Tiny Widgets Inc. announced the results of its quarter in a release, which is furnished as Exhibit 99.1.",
        "Item 9.01 Financial Statements and Exhibits.",
        "Exhibit 99.1: Release of Tiny Widgets Inc.",
    )
    told = page(
        "Tiny Widgets Inc. Announces Results of the Quarter",
        "Widget sales grew because three more harbours ordered tuning kits than in the quarter before.",
        "The company expects the workshop in Lowfield to open in the spring.",
    )
    documents = [(form, "twi-8k.htm", current), ("EX-99.1", "twi-ex991.htm", told)]
    return Other(form, day, day, documents, items=items, serial=serial)


def proxy(filed: date, *, serial: int = 70) -> Other:
    """A proxy statement for a meeting six weeks after it was filed."""
    text = page(
        "PROXY STATEMENT",
        "Election of directors",
        "The board has seven members, of whom five are independent of the company and of its suppliers.",
        "Executive compensation",
        "The chief executive is paid a salary and a bonus that depends on how many widgets are returned.",
    )
    return Other("DEF 14A", filed, filed + timedelta(days=42), [("DEF 14A", "twi-proxy.htm", text)], serial=serial)


def foreign_report(year: int, *, form: str = "20-F", serial: int = 80) -> Other:
    """The annual report of a foreign filer for a calendar year."""
    text = page(
        f"FORM {form}",
        "Item 3. Key Information",
        "Our only quay freezes in some winters, and then no barge can be loaded.",
        "Item 4. Information on the Company",
        "We repair barges on two rivers and employ ninety people.",
    )
    end = date(year, 12, 31)
    return Other(form, end + timedelta(days=80), end, [(form, "barges-20f.htm", text)], serial=serial)
