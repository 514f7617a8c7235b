"""What the cells of printed tables mean, and which meaning is not certain."""

from datetime import date
from decimal import Decimal

import pytest

from filings.document.layout import read_layout
from filings.tables.column_periods import Period, Subject, apart, period_of, said_of
from filings.tables.printed_facts import printed_statements
from filings.tables.printed_numbers import figure, is_dash
from filings.tables.statements import kind_of_title
from filings.tables.sums import added_up, signs
from filings.tables.table_units import MONEY, PER_SHARE, PERCENT, SHARES, TableUnit, counted_in, own_power, table_unit
from filings.xbrl.parsed_xbrl import ParsedFact
from tests.support.printed_report import ROWS_OF_INCOME, table

YEAR = Subject(date(2024, 12, 31), 2024, annual=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$ 1,234", "1234"),
        ("(1,234.5)", "-1234.5"),
        ("$ (8)", "-8"),
        ("($8)", "-8"),
        ("-2", "-2"),
        ("\u221212 %", "-12"),
        (".37", "0.37"),
        ("4,120 (1)", "4120"),
        ("US$ 12", "12"),
        ("1,23", None),
        ("(12", None),
        ("12)", None),
        ("\u2014", None),
        ("n/a", None),
        ("Q3", None),
    ],
)
def test_a_figure_is_read_with_its_sign_or_not_at_all(text: str, value: str | None) -> None:
    told = figure(text)
    assert (told.value if told else None) == (Decimal(value) if value else None)


def test_a_dash_is_no_figure() -> None:
    assert is_dash("$ \u2014")
    assert not is_dash("$ 1")


@pytest.mark.parametrize(
    ("said", "money", "shares"),
    [
        ("(In millions)", 6, 6),
        ("(in thousands, except per share data)", 3, 3),
        ("(Dollars in millions, except share and per share data)", 6, None),
        ("(In millions, except number of shares, which are reflected in thousands, and per-share amounts)", 6, 3),
        ("$ and shares in millions, except per share amounts", 6, 6),
        ("(Dollars and Shares in Millions Except Per Share Amounts)", 6, 6),
        ("(Millions of Dollars, Except Per-Share Amounts)", 6, 6),
        ("($ million)", 6, 6),
        ("($000)", 3, 3),
        ("(in thousands) (in millions)", None, None),
        ("Years ended December 31", None, None),
    ],
)
def test_a_table_says_its_scale_of_money_and_of_shares(said: str, money: int | None, shares: int | None) -> None:
    unit = table_unit(said)
    assert (unit.money, unit.shares) == (money, shares)


def test_the_currency_is_said_in_words() -> None:
    assert table_unit("(Millions of Dollars)").currency == "USD"
    assert table_unit("(Millions of Canadian dollars)").currency == "CAD"
    assert TableUnit().known is False


@pytest.mark.parametrize(
    ("label", "heading", "kind"),
    [
        ("Net sales", "", MONEY),
        ("Diluted", "Earnings per share", PER_SHARE),
        ("Diluted earnings per common share", "", PER_SHARE),
        ("Diluted", "Weighted-average shares used in per share amounts", SHARES),
        ("Average shares outstanding", "Per share", SHARES),
        ("Effect of dilutive securities", "", SHARES),
        ("Common stock, $.01 par value per share; 100 shares authorized", "", MONEY),
        ("Proceeds from issuance of common shares", "", MONEY),
        ("Effective tax rate (percent)", "", PERCENT),
        ("Percent of revenue", "", PERCENT),
        ("Shares of a fund", "", "?"),
    ],
)
def test_a_row_says_what_it_counts(label: str, heading: str, kind: str) -> None:
    assert counted_in(label, heading) == ("" if kind == "?" else kind)


def test_a_label_may_name_its_own_scale() -> None:
    assert own_power("Average shares (000's)") == 3
    assert own_power("Average shares (in millions)") == 6
    assert own_power("Average shares") is None


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Three Months Ended September 30, 2024", date(2024, 7, 1), date(2024, 9, 30)),
        ("Nine months ended 9/30/2024", date(2024, 1, 1), date(2024, 9, 30)),
        ("Thirteen Weeks Ended June 29, 2024", date(2024, 3, 31), date(2024, 6, 29)),
        ("12 Weeks Ended 3/23/2024", date(2023, 12, 31), date(2024, 3, 23)),
        ("Year ended December 31, 2023", date(2023, 1, 1), date(2023, 12, 31)),
        ("2023 (Unaudited)", date(2023, 1, 1), date(2023, 12, 31)),
        ("FY23", date(2023, 1, 1), date(2023, 12, 31)),
    ],
)
def test_a_heading_names_its_period(text: str, start: date, end: date) -> None:
    assert period_of(said_of(text), YEAR, instant=False) == Period(start, end)


@pytest.mark.parametrize(
    "text",
    ["% Change 2024", "2024 2023", "Adjusted pro forma 2024", "Three and nine months ended September 30, 2024", "Segment A 2024", "Q2 FY24", "June 31, 2024"],
)  # fmt: skip
def test_a_heading_that_says_more_or_less_names_none(text: str) -> None:
    assert period_of(said_of(text), YEAR, instant=False) is None


def test_a_quarters_label_is_that_of_the_documents_own_quarter() -> None:
    subject = Subject(date(2024, 10, 27), 2025, 3)
    assert period_of(said_of("Q3 FY25"), subject, instant=False) == Period(date(2024, 7, 29), date(2024, 10, 27))
    assert period_of(said_of("3Q24"), subject, instant=False) == Period(date(2023, 7, 31), date(2023, 10, 29))
    assert period_of(said_of("Q2 FY25"), subject, instant=False) is None


def test_of_two_columns_with_one_period_neither_is_known() -> None:
    one, other = Period(date(2024, 1, 1), date(2024, 12, 31)), Period(date(2023, 1, 1), date(2023, 12, 31))
    assert apart([one, other, one]) == [None, other, None]


def test_a_year_of_weeks_begins_after_the_one_before() -> None:
    one, other = Period(date(2023, 1, 29), date(2024, 2, 3)), Period(date(2022, 1, 30), date(2023, 1, 28))
    assert apart([Period(date(2023, 2, 5), one.end), other])[0] == one


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("CONSOLIDATED BALANCE SHEETS", "balance"),
        ("Condensed Consolidated Statements of Operations (Unaudited)", "income"),
        ("Consolidated Statements of Operations and Comprehensive Loss", "income"),
        ("Consolidated Statements of Comprehensive Income", "comprehensive"),
        ("Statements of Consolidated Cash Flows", "cashflow"),
        ("Consolidated Statements of Shareholders' Equity", "other"),
        ("Condensed Consolidating Statement of Income", "other"),
        ("Pro forma statement of operations", "other"),
        ("The following table shows our statements of income.", "other"),
        ("Liquidity", ""),
    ],
)
def test_a_title_names_a_primary_statement_or_another(line: str, kind: str) -> None:
    assert kind_of_title(line) == kind


def facts(markup: str, subject: Subject = YEAR) -> dict[tuple[str, date], ParsedFact]:
    read = printed_statements([read_layout(f"<html><body>{markup}</body></html>".encode())], subject)
    return {(fact.label, fact.end): fact for fact in read.facts}


TITLE = "<h3>Consolidated Statements of Income</h3><p>(In thousands, except per share amounts)</p>"


def test_columns_may_be_headed_by_quarters_and_by_the_year_to_date() -> None:
    heads = "<tr><td></td><td colspan=2>Three Months Ended September 30,</td><td colspan=2>Nine Months Ended September 30,</td></tr>"
    years = "<tr><td></td><td>2024</td><td>2023</td><td>2024</td><td>2023</td></tr>"
    rows = "".join(
        f"<tr><td>{name}</td><td>{a}</td><td>{b}</td><td>$ 9,001</td><td>8,001</td></tr>"
        for name, a, b in ROWS_OF_INCOME
        if a
    )
    read = printed_statements(
        [read_layout(f"<html><body>{TITLE}<table>{heads}{years}{rows}</table></body></html>".encode())],
        Subject(date(2024, 9, 30), 2024, 3),
    )
    sales = {(fact.start, fact.end): fact.value for fact in read.facts if fact.label == "Net sales"}
    assert sales == {
        (date(2024, 7, 1), date(2024, 9, 30)): 4_120_000,
        (date(2023, 7, 1), date(2023, 9, 30)): 3_870_000,
        (date(2024, 1, 1), date(2024, 9, 30)): 9_001_000,
        (date(2023, 1, 1), date(2023, 9, 30)): 8_001_000,
    }


def test_a_statement_of_another_year_is_not_the_documents() -> None:
    markup = TITLE + table(("Years ended December 31,", "2022", "2021"), ROWS_OF_INCOME)
    assert facts(markup) == {}


def test_columns_of_parts_are_not_the_companys() -> None:
    markup = TITLE + table(("Years ended December 31,", "2024 Optics", "2024"), ROWS_OF_INCOME)
    assert {end for _, end in facts(markup)} == {date(2024, 12, 31)}
    assert facts(markup)["Net sales", date(2024, 12, 31)].printed == "$ 3,870"


def test_an_amount_with_cents_in_a_table_of_thousands_is_not_one_of_thousands() -> None:
    rows = [(label, *figures) for label, *figures in ROWS_OF_INCOME if label != "Earnings per share:"]
    read = facts(TITLE + table(("Years ended December 31,", "2024", "2023"), rows))
    assert ("Net sales", date(2024, 12, 31)) in read
    assert ("Diluted", date(2024, 12, 31)) not in read or read["Diluted", date(2024, 12, 31)].unit == "shares"


def test_a_balance_among_flows_is_of_its_day() -> None:
    markup = "<h3>Consolidated Statements of Cash Flows</h3><p>(In thousands)</p>" + table(
        ("Years ended December 31,", "2024", "2023"),
        (
            ("Net cash provided by operating activities", "$ 9", "8"),
            ("Net cash used in investing activities", "(1)", "(1)"),
            ("Net cash used in financing activities", "(2)", "(3)"),
            ("Cash at beginning of year", "4", "5"),
            ("Cash at end of year", "10", "4"),
        ),
    )
    read = facts(markup)
    assert read["Cash at end of year", date(2024, 12, 31)].start == date(2024, 12, 31)
    assert read["Cash at beginning of year", date(2023, 12, 31)].value == 4000


def test_sums_say_whether_a_cost_is_added_or_taken_off() -> None:
    def rows(*figures: tuple[int, int]) -> list[dict[object, Decimal]]:
        return [{"a": Decimal(one), "b": Decimal(other)} for one, other in figures]

    assert signs(rows((898, 786), (-188, -165), (710, 621))) == [0, 1, 0]
    assert signs(rows((898, 786), (188, 165), (710, 621))) == [0, -1, 0]
    assert signs(rows((898, 786), (188, 165), (500, 621))) == [0, 0, 0]
    assert signs(rows((898, 786), (0, 0), (898, 786))) == [0, 0, 0]
    assert added_up(rows((1, 2), (3, 4), (4, 6), (9, 9))) == {0, 1, 2}


def test_a_total_without_a_label_is_named_by_the_heading_of_the_rows_that_make_it() -> None:
    rows = (
        ("Revenues:", "", ""),
        ("Lenses", "$ 70", "$ 60"),
        ("Coatings", "30", "25"),
        ("", "100", "85"),
        ("Cost of revenues", "60", "50"),
        ("", "39", "35"),
        ("Net income", "$ 12", "$ 11"),
        ("Diluted earnings per share", "$ 0.12", "$ 0.11"),
    )
    read = facts(TITLE + table(("Years ended December 31,", "2024", "2023"), rows))
    assert read["Total Revenues [sum without a label]", date(2024, 12, 31)].value == 100_000
    assert sum(label.startswith("Total") for label, _ in read) == 2


def test_a_statement_may_go_on_below_a_heading_of_its_second_half() -> None:
    heads = ("", "December 31, 2024", "December 31, 2023")
    first = (("Cash and cash equivalents", "$ 640", "$ 512"), ("Total current assets", "640", "512"))
    second = (
        ("Accounts payable", "$ 140", "$ 112"),
        ("Long-term debt", "100", "100"),
        ("Total liabilities", "240", "212"),
        ("Total equity", "400", "300"),
        ("Total liabilities and equity", "$ 640", "$ 512"),
    )
    bare = table(second[0], second[1:])
    title = "<h3>Consolidated Balance Sheets</h3><p>(In thousands)</p>"
    read = facts(f"{title}{table(heads, first)}<h4>Liabilities and equity</h4>{bare}")
    assert read["Total liabilities", date(2024, 12, 31)].value == 240_000


@pytest.mark.parametrize(
    ("before", "unit"),
    [
        ("<p>(In thousands of Canadian dollars, except per share amounts)</p>", "CAD"),
        ("<p>All amounts are expressed in Canadian dollars.</p><p>(In thousands)</p>", "CAD"),
        ("<p>(In thousands)</p>", "USD"),
        ("<p>(In thousands of euros)</p>", ""),
    ],
)
def test_dollars_are_those_that_the_document_says(before: str, unit: str) -> None:
    markup = f"{before.partition('<p>(')[0]}<h3>Consolidated Statements of Income</h3>{before[before.index('<p>(') :]}"
    read = facts(markup + table(("Years ended December 31,", "2024", "2023"), ROWS_OF_INCOME))
    assert {fact.unit for (label, _), fact in read.items() if label == "Net sales"} == ({unit} if unit else set())


def test_of_two_companies_statements_in_one_document_none_is_taken_for_the_companys() -> None:
    heads = ("Years ended December 31,", "2024", "2023")
    other = tuple((label, *(one.replace("1", "7") for one in rest)) for label, *rest in ROWS_OF_INCOME)
    assert facts(TITLE + table(heads, ROWS_OF_INCOME[:-3]) + TITLE + table(heads, other)) == {}
    # That of a subsidiary behind the company's own has fewer rows.
    read = facts(TITLE + table(heads, ROWS_OF_INCOME) + TITLE + table(heads, other[:-3]))
    assert read["Net sales", date(2024, 12, 31)].printed == "$ 4,120"


def test_statements_of_a_parent_alone_are_not_the_companys() -> None:
    heads = ("Years ended December 31,", "2024", "2023")
    above = "<h3>Condensed Financial Information of Registrant</h3>"
    assert facts(above + TITLE + table(heads, ROWS_OF_INCOME)) == {}
