"""Row labels and headings of statement tables."""

import pytest
from lxml import etree

from filings.document.inline import read_inline
from filings.document.inline.tables import label_text
from filings.xbrl.parsed_xbrl import Line
from tests.support import northwind as nw


def income_lines(*rows: str) -> dict[str, Line]:
    """Lines by tag of an income statement that has these rows at its end."""
    income = nw.table(*nw.INCOME_ROWS, *nw.PER_SHARE_ROWS, *rows)
    document = read_inline(nw.document(nw.COVER, income, nw.BALANCE))
    return {line.tag: line for face in document.statements if face.kind == "income" for line in face.lines}


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        ("Net  sales\n<b>total</b>", "Net sales total"),
        ("Cost of sales (1)", "Cost of sales"),
        ("Cost of sales (a)(b)", "Cost of sales"),
        ("Cost of sales<sup>(12)</sup>", "Cost of sales"),
        ('Cost of sales<span style="vertical-align:super">2</span>', "Cost of sales"),
        ("Goodwill*", "Goodwill"),
        ("Commitments and contingencies (Note 9)", "Commitments and contingencies"),
        ("Debt (see Notes 4, 5 and 11)", "Debt"),
        ("Research and development (R&amp;D)", "Research and development (R&D)"),
        ("Translation, net of tax of $(4)", "Translation, net of tax of $(4)"),
        ("Other\u200b income", "Other income"),
        ("Benefit plans<br/>and other", "Benefit plans and other"),
    ],
)
def test_a_label_is_folded_and_its_marks_are_cut(markup: str, label: str) -> None:
    assert label_text(etree.fromstring(f"<td>{markup}</td>")) == label


def test_an_empty_indent_cell_before_the_label_is_passed_over() -> None:
    cell = nw.fact("us-gaap:OtherNonoperatingIncomeExpense", "5")
    lines = income_lines(f"<tr><td>&#160;</td><td>Other income</td><td>$</td><td>{cell}</td></tr>")
    assert lines["us-gaap:OtherNonoperatingIncomeExpense"].label == "Other income"


def test_a_row_printed_without_a_label_has_none() -> None:
    lines = income_lines(nw.line("", "us-gaap:OtherNonoperatingIncomeExpense", "5"))
    assert lines["us-gaap:OtherNonoperatingIncomeExpense"].label == ""


def test_a_label_printed_over_two_rows_is_one() -> None:
    lines = income_lines(
        nw.row("Net income attributable to the holders of"),
        nw.line("preferred stock", "us-gaap:PreferredStockDividendsIncomeStatementImpact", "5"),
    )
    found = lines["us-gaap:PreferredStockDividendsIncomeStatementImpact"]
    assert (found.label, found.heading) == ("Net income attributable to the holders of preferred stock", "")


def test_a_heading_holds_for_the_rows_under_it_up_to_their_total() -> None:
    lines = income_lines()
    assert lines["us-gaap:ResearchAndDevelopmentExpense"].heading == "Operating expenses:"
    assert lines["us-gaap:OperatingExpenses"].heading == "Operating expenses:"
    assert lines["us-gaap:OperatingIncomeLoss"].heading == ""


def test_the_same_label_twice_is_told_apart_by_its_heading() -> None:
    lines = income_lines()
    basic = lines["us-gaap:EarningsPerShareBasic"], lines["us-gaap:WeightedAverageNumberOfSharesOutstandingBasic"]
    assert [line.label for line in basic] == ["Basic", "Basic"]
    assert [line.heading for line in basic] == ["Earnings per share:", "Shares used in the computation:"]


def test_a_heading_ends_where_rows_stand_further_out() -> None:
    lines = income_lines(
        nw.row("Attributable to:"),
        nw.line("Owners", "us-gaap:NetIncomeLossAvailableToCommonStockholdersBasic", "184", indent=1),
        nw.line("Dividends declared", "us-gaap:DividendsCommonStock", "104"),
    )
    assert lines["us-gaap:NetIncomeLossAvailableToCommonStockholdersBasic"].heading == "Attributable to:"
    assert lines["us-gaap:DividendsCommonStock"].heading == ""


def test_a_heading_ends_with_its_total_where_all_rows_stand_equally_far_in() -> None:
    lines = income_lines(
        nw.row("Other items:"),
        nw.line("Rents", "us-gaap:OtherNonoperatingIncomeExpense", "5"),
        nw.line("Total other items", "us-gaap:NonoperatingIncomeExpense", "5"),
        nw.line("Dividends declared", "us-gaap:DividendsCommonStock", "104"),
    )
    assert lines["us-gaap:NonoperatingIncomeExpense"].heading == "Other items:"
    assert lines["us-gaap:DividendsCommonStock"].heading == ""


def test_dates_above_the_columns_are_no_heading() -> None:
    income = nw.table(nw.row("Year ended December 31,"), *nw.INCOME_ROWS[4:], *nw.PER_SHARE_ROWS)
    (face, *_) = read_inline(nw.document(nw.COVER, income, nw.BALANCE)).statements
    assert (face.kind, face.lines[0].label, face.lines[0].heading) == ("income", "Total revenue", "")


def test_a_figure_inside_a_label_is_an_aside_of_its_line() -> None:
    document = read_inline(nw.annual_report())
    lines = [line for face in document.statements if face.kind == "balance" for line in face.lines if line.order == 2]
    assert [(line.tag, line.aside) for line in lines] == [
        ("us-gaap:AccountsReceivableNetCurrent", False),
        ("us-gaap:AllowanceForDoubtfulAccountsReceivableCurrent", True),
    ]
    assert {line.label for line in lines} == {"Receivables, net of allowance of $3"}
