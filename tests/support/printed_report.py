"""An annual report of a fictional company without XBRL: its primary statements as HTML tables."""

from collections.abc import Sequence

ROWS_OF_INCOME = (
    ("Net sales", "$ 4,120", "$ 3,870"),
    ("Cost of sales", "(2,310)", "(2,204)"),
    ("Gross profit", "1,810", "1,666"),
    ("Selling, general and administrative", "(912)", "(880)"),
    ("Operating income", "898", "786"),
    ("Income tax expense", "(188)", "(165)"),
    ("Net income", "710", "621"),
    ("Net income attributable to noncontrolling interests", "(12)", "(9)"),
    ("Net income attributable to Halden Optics", "$ 698", "$ 612"),
    ("Earnings per share:", "", ""),
    ("Basic", "$ 3.49", "$ 3.01"),
    ("Diluted", "$ 3.41", "$ 2.96"),
    ("Weighted-average shares used in per share amounts:", "", ""),
    ("Basic", "200.0", "203.3"),
    ("Diluted", "204.7", "206.8"),
)
ROWS_OF_BALANCE = (
    ("Cash and cash equivalents", "$ 640", "$ 512"),
    ("Accounts receivable, net", "430", "401"),
    ("Total current assets", "1,070", "913"),
    ("Property, plant and equipment, net", "2,215", "2,080"),
    ("Total assets", "$ 3,285", "$ 2,993"),
    ("Total current liabilities", "801", "760"),
    ("Total liabilities", "1,940", "1,850"),
    ("Total Halden Optics shareholders' equity", "1,303", "1,109"),
    ("Noncontrolling interests", "42", "34"),
    ("Total equity", "1,345", "1,143"),
    ("Total liabilities and equity", "$ 3,285", "$ 2,993"),
)
ROWS_OF_CASH = (
    ("Net income", "$ 710", "$ 621"),
    ("Depreciation and amortization", "310", "295"),
    ("Net cash provided by operating activities", "1,020", "916"),
    ("Purchases of property, plant and equipment", "(445)", "(402)"),
    ("Net cash used in investing activities", "(445)", "(402)"),
    ("Dividends paid", "(447)", "(430)"),
    ("Net cash used in financing activities", "(447)", "(430)"),
    ("Net increase in cash", "128", "84"),
    ("Cash at beginning of year", "512", "428"),
    ("Cash at end of year", "$ 640", "$ 512"),
)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with one row of headings."""
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in (heads, *rows))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def report(
    year: int = 2024,
    *,
    unit: str = "(In millions, except per share amounts)",
    without: str = "",
    called: tuple[str, str] = ("", ""),
    beside: str = "",
) -> bytes:
    """The report of a calendar year. without: a label whose row is left out. called: a label, and another for it.

    beside: HTML that stands in Item 7.
    """

    def changed(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
        return [(called[1], *row[1:]) if row[0] == called[0] else row for row in rows if row[0] != without]

    years = ("Years ended December 31,", str(year), str(year - 1))
    days = ("", f"December 31, {year}", f"December 31, {year - 1}")
    return f"""<html><body><h1>FORM 10-K</h1><p>For the fiscal year ended December 31, {year}</p><p>Halden Optics, Inc.</p>
<h2>Item 7. Management's Discussion and Analysis</h2><p>Sales of lenses rose with the second furnace in Tromsdal.</p>{beside}
<h2>Item 8. Financial Statements</h2>
<h3>Consolidated Statements of Income</h3><p>{unit}</p>{table(years, changed(ROWS_OF_INCOME))}
<h3>Consolidated Balance Sheets</h3><p>{unit}</p>{table(days, changed(ROWS_OF_BALANCE))}
<h3>Consolidated Statements of Cash Flows</h3><p>{unit}</p>{table(years, changed(ROWS_OF_CASH))}
<h2>Item 9. Changes in and Disagreements with Accountants</h2><p>None.</p></body></html>""".encode()
