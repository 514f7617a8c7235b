"""Tables of a document beside its statements: which figures are certain, and what each of them means."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from filings.document.layout import read_layout
from filings.tables.balances import balances_of
from filings.tables.cell_meanings import ReadCell
from filings.tables.column_periods import Subject
from filings.tables.every_table import ReadTable, every_table
from filings.xbrl.parsed_xbrl import ParsedFact
from tests.support.printed_report import table

YEAR = Subject(date(2024, 12, 31), 2024, annual=True)
QUARTER = Subject(date(2024, 9, 30), 2024, 3)
FULL, BEFORE = (date(2024, 1, 1), date(2024, 12, 31)), (date(2023, 1, 1), date(2023, 12, 31))
END = (date(2024, 12, 31), date(2024, 12, 31))
UNIT = "<p>(In millions)</p>"


def tables(markup: str, subject: Subject = YEAR) -> list[ReadTable]:
    return list(every_table([read_layout(f"<html><body>{markup}</body></html>".encode())], subject))


def cells(markup: str, subject: Subject = YEAR) -> dict[tuple[str, str], ReadCell]:
    """The figures by row and by the words of their columns."""
    return {(row.label, one.column): one for read in tables(markup, subject) for row in read.rows for one in row.cells}


def period(cell: ReadCell) -> tuple[date, date]:
    return cell.period.start, cell.period.end


def test_columns_of_parts_are_of_the_period_above_them() -> None:
    heads = "<tr><td></td><td colspan=2>Year Ended December 31, 2024</td></tr><tr><td></td><td>Optics</td><td>Coatings</td></tr>"
    rows = "<tr><td>Net sales</td><td>$ 90</td><td>$ 30</td></tr>"
    read = cells(f"{UNIT}<table>{heads}{rows}</table>")
    optics = read["Net sales", "Year Ended December 31, 2024 Optics"]
    assert (optics.value, optics.unit, period(optics)) == (90_000_000, "USD", FULL)


@pytest.mark.parametrize(
    ("above", "when"),
    [
        ("Sales by part for the year ended December 31, 2023 were as follows (in millions):", BEFORE),
        ("Assets by part as of December 31, 2024 were as follows (in millions):", END),
        ("The parts were as follows (in millions):", None),
        ("Sales by part for 2024 and 2023 were as follows (in millions):", None),
    ],
)
def test_columns_without_a_period_are_of_the_one_that_leads_to_the_table(
    above: str, when: tuple[date, date] | None
) -> None:
    read = cells(f"<p>{above}</p>{table(('', 'Optics', 'Coatings'), [('Alm Glass', '$ 90', '$ 30')])}")
    assert [period(one) for one in read.values()] == ([when, when] if when else [])


def test_a_note_below_another_table_dates_none() -> None:
    first = table(("", "2024"), [("Duties", "$ 4")])
    second = table(("", "Optics"), [("Alm Glass", "$ 90")])
    read = cells(f"{UNIT}{first}<p>(1) Duties as of December 31, 2023 were higher.</p>{UNIT}{second}")
    assert ("Alm Glass", "Optics") not in read


@pytest.mark.parametrize(
    ("above", "head", "when"),
    [
        ("Receivables", "December 31, 2024", END),
        ("Receivables as of December 31,", "2024", END),
        ("Sales for the years ended December 31,", "2024", FULL),
        ("Sales", "2024", FULL),
        ("Receivables", "2024 Less than 12 Months", FULL),
        ("A summary of income for 2024 and 2023:", "December 31, 2024", None),
    ],
)
def test_a_day_is_of_a_balance_and_a_year_alone_the_fiscal_year(
    above: str, head: str, when: tuple[date, date] | None
) -> None:
    read = cells(f"<p>{above}</p>{UNIT}{table(('', head), [('Alm Glass', '$ 90')])}")
    assert [period(one) for one in read.values()] == ([when] if when else [])


def test_a_fourth_quarter_spoken_of_above_makes_no_quarter_of_a_year() -> None:
    above = "<p>In the fourth quarter of fiscal 2024 a furnace was sold.</p>"
    (cell,) = cells(f"{UNIT}{above}{table(('', '2024'), [('Alm Glass', '$ 90')])}").values()
    assert period(cell) == FULL


def test_a_column_of_changes_is_of_the_later_of_its_two_years() -> None:
    heads = ("Years ended December 31,", "2024", "2023", "% Change")
    read = cells(f"{UNIT}{table(heads, [('Net sales', '$ 90', '$ 80', '12.5 %')])}")
    change = read["Net sales", "% Change"]
    assert (change.value, change.unit, period(change)) == (Decimal("12.5"), "percent", FULL)


def test_changes_that_follow_each_year_are_of_that_year() -> None:
    heads = ("Years ended December 31,", "2024", "Change", "2023", "Change ", "2022")
    (row,) = tables(f"{UNIT}{table(heads, [('Net sales', '$ 90', '12 %', '$ 80', '14 %', '$ 70')])}")[0].rows
    assert [one.period.end.year for one in row.cells] == [2024, 2024, 2023, 2023, 2022]


def test_a_line_in_the_midst_dates_the_rows_below_it() -> None:
    heads = ("Three months ended September 30,", "2024", "2023")
    rows = [("Sales", "$ 9", "$ 8"), ("Nine months ended September 30,", "", ""), ("Sales of all", "$ 27", "$ 24")]
    read = cells(f"{UNIT}{table(heads, rows)}", QUARTER)
    assert read["Sales", "2024"].period.start == date(2024, 7, 1)
    assert read["Sales of all", "2024"].period.start == date(2024, 1, 1)


def test_a_row_in_the_midst_names_the_columns_anew() -> None:
    rows = [("Sales", "$ 9", "$ 8"), ("", "2022", "2021"), ("Duties", "$ 3", "$ 2")]
    read = cells(f"{UNIT}{table(('Years ended December 31,', '2024', '2023'), rows)}")
    assert read["Duties", "2022"].period.end == date(2022, 12, 31)


def test_what_changed_between_balances_is_of_the_time_between_them() -> None:
    rows = [
        ("Balance at December 31, 2022", "$ 40"),
        ("Additions", "10"),
        ("Balance at December 31, 2023", "$ 50"),
        ("Additions later", "20"),
        ("Balance at December 31, 2024", "$ 70"),
    ]
    read = cells(f"{UNIT}{table(('', 'Goodwill'), rows)}")
    assert period(read["Balance at December 31, 2023", "Goodwill"]) == (date(2023, 12, 31), date(2023, 12, 31))
    assert period(read["Additions", "Goodwill"]) == BEFORE
    assert period(read["Additions later", "Goodwill"]) == FULL


def test_an_opening_balance_is_of_the_day_before() -> None:
    rows = [("Beginning balance", "$ 40"), ("Claims paid", "(5)"), ("Ending balance", "$ 35")]
    read = cells(f"{UNIT}{table(('Years ended December 31,', '2024'), rows)}")
    assert [one.period.end for one in read.values()] == [date(2023, 12, 31), date(2024, 12, 31), date(2024, 12, 31)]
    # A day above movements stands for the time that ends with it: only what is left then is of the day.
    read = cells(f"{UNIT}{table(('', 'December 31, 2024'), rows)}")
    assert [label for label, _ in read] == ["Ending balance"]


def test_years_to_come_as_rows_make_a_schedule_of_the_documents_day() -> None:
    rows = [("2025", "$ 10", "$ 1"), ("2026", "20", "2"), ("Thereafter", "30", "3"), ("Total", "$ 60", "$ 6")]
    read = cells(f"<p>Payments due (in millions):</p>{table(('', 'Notes', 'Leases'), rows)}")
    assert len(read) == 8
    assert {period(one) for one in read.values()} == {END}
    assert read["Thereafter", "Leases"].value == 3_000_000


def test_years_behind_as_rows_are_the_periods_of_their_figures() -> None:
    rows = [("2024", "$ 10", "$ 1"), ("2023", "20", "2")]
    read = cells(f"<p>Five furnaces (in millions):</p>{table(('', 'Sales', 'Duties'), rows)}")
    assert (period(read["2024", "Sales"]), period(read["2023", "Duties"])) == (FULL, BEFORE)


def test_a_dash_is_zero_in_the_unit_of_its_row() -> None:
    rows = [("Duties", "$ 4", "\u2014"), ("Grants", "\u2014", "\u2014")]
    read = cells(f"{UNIT}{table(('Years ended December 31,', '2024', '2023'), rows)}")
    assert (read["Duties", "2023"].value, read["Duties", "2023"].unit) == (0, "USD")
    assert ("Grants", "2024") not in read


def test_a_quarter_by_its_label_is_counted_from_the_documents_own() -> None:
    read = cells(f"{UNIT}{table(('', 'Q3 2024', 'Q4 2023'), [('Sales', '$ 9', '$ 8')])}", QUARTER)
    assert period(read["Sales", "Q4 2023"]) == (date(2023, 10, 1), date(2023, 12, 31))


def test_figures_beside_words_are_read() -> None:
    rows = [("Notes", "4.25 % due in June", "$ 500"), ("Loan", "$ 20", "$ 30")]
    read = cells(f"{UNIT}{table(('', 'Rate', 'December 31, 2024'), rows)}")
    assert read["Notes, 4.25 % due in June", "December 31, 2024"].value == 500_000_000


def test_a_table_on_the_next_page_goes_on_with_the_one_before() -> None:
    first = table(("Years ended December 31,", "2024", "2023"), [("Net sales", "$ 90", "$ 80")])
    rows = "<tr><td>Duties</td><td>4</td><td>3</td></tr>"
    page = "<div>12</div><hr style='page-break-after:always'/>"
    read = cells(f"{UNIT}{first}{page}<table>{rows}</table>")
    assert [one.value for (label, _), one in read.items() if label == "Duties"] == [4_000_000, 3_000_000]


def test_a_title_has_the_headings_and_no_unit() -> None:
    above = "<h2>Item 8. Statements</h2><h3>Note 9 - Debt</h3><p>Notes due in Tromsdal</p>"
    (read,) = tables(f"{above}{UNIT}{table(('', 'December 31, 2024'), [('Alm notes', '$ 90')])}")
    assert read.title.endswith("Note 9 - Debt \u203a Notes due in Tromsdal")


@pytest.mark.parametrize(
    ("heads", "above"),
    [
        (("", "2024 1st", "2024 2nd"), "Quarterly figures"),
        (("", "First Quarter", "Second Quarter"), "Year ended December 31, 2024"),
        (("", "2024", "2023 O/(U)"), "Furnaces"),
    ],
)
def test_a_part_of_a_year_that_is_not_told_is_no_year(heads: tuple[str, ...], above: str) -> None:
    read = cells(f"<p>{above}</p>{UNIT}{table(heads, [('Net sales', '$ 90', '$ 80')])}")
    assert ("Net sales", heads[2]) not in read


def test_columns_without_headings_are_not_told_apart() -> None:
    rows = [("Balance at December 31, 2024", "$ 40", "$ 10")]
    assert cells(f"{UNIT}<table><tr><td>{'</td><td>'.join(rows[0])}</td></tr></table>") == {}
    assert len(cells(f"{UNIT}<table><tr><td>{'</td><td>'.join(rows[0][:2])}</td></tr></table>")) == 1


def test_columns_under_one_heading_are_not_told_apart() -> None:
    heads = "<tr><td></td><td colspan=2>Programs</td></tr>"
    rows = "<tr><td>Balance at December 31, 2024</td><td>$ 40</td><td>$ 10</td></tr>"
    assert cells(f"{UNIT}<table>{heads}{rows}</table>") == {}


def test_a_row_of_a_quarter_is_not_of_the_year_of_its_column() -> None:
    rows = [("Net sales", "$ 90"), ("Duties in the fourth quarter of 2024", "$ 3")]
    read = cells(f"{UNIT}{table(('Years ended December 31,', '2024'), rows)}")
    assert [label for label, _ in read] == ["Net sales"]


def test_an_opening_balance_of_a_day_is_of_none_that_is_known() -> None:
    heads = ("At December 31, 2024", "Balance at beginning of year", "Additions", "Balance at end of year")
    read = cells(f"{UNIT}{table(heads, [('Allowance', '$ 4', '$ 2', '$ 6')])}")
    assert [column for _, column in read] == ["Balance at end of year"]


def test_a_row_of_a_month_is_not_of_the_quarter_that_its_column_is_of() -> None:
    heads = ("Three months ended June 30, 2024", "Spent")
    rows = [("April 1 - 30", "$ 40"), ("May 1 - 31", "$ 50"), ("Total", "$ 90")]
    assert {label for label, _ in cells(f"{UNIT}{table(heads, rows)}")} <= {"Total"}


@pytest.mark.parametrize(
    ("rows", "whens"),
    [
        ([("Pledged assets", "$ 90"), ("Net orders", "$ 30")], {"Pledged assets": END, "Net orders": FULL}),
        ([("Pledged assets", "$ 90"), ("Opening balance", "$ 30")], {}),
        ([("Optics plant", "$ 90"), ("Net orders", "$ 30")], {"Net orders": FULL}),
    ],
)
def test_balances_under_the_head_of_a_year_are_of_its_last_day_or_of_no_day_that_is_certain(
    rows: list[tuple[str, str]], whens: dict[str, tuple[date, date]]
) -> None:
    day, month = date(2024, 12, 31), date(2024, 12, 1)
    facts = [
        ParsedFact("us-gaap", tag, "USD", start, day, "1", Decimal(1), 0, label=tag, dimensions=dimensions)
        for tag, start, dimensions in (
            ("Pledged assets", day, ""),
            ("Net orders", day, ""),
            ("Net orders", month, ""),
            ("Optics plant", day, "ProductAxis=PlantMember"),
        )
    ]
    subject = replace(YEAR, balances=balances_of(facts))
    read = cells(f"{UNIT}{table(('', 'Year ended December 31, 2024'), rows)}", subject)
    found = {label: period(one) for (label, _), one in read.items() if label != "Opening balance"}
    assert found == whens


@pytest.mark.parametrize(
    ("head", "subject", "when"),
    [
        ("Fiscal Year 2023", QUARTER, BEFORE),
        ("FY 2023", QUARTER, BEFORE),
        ("2023", QUARTER, None),  # the same quarter of that year
        ("Fiscal 2023 year to date", QUARTER, None),
        ("Fiscal year 2023", replace(QUARTER, end=date(2024, 9, 28)), None),  # of 52 or of 53 weeks
        ("2023", replace(YEAR, end=date(2024, 6, 30)), (date(2022, 7, 1), date(2023, 6, 30))),
        ("Calendar year 2023", replace(YEAR, end=date(2024, 6, 30)), BEFORE),
    ],
)
def test_a_year_alone_is_fiscal_in_an_annual_report_and_where_its_heads_say_so(
    head: str, subject: Subject, when: tuple[date, date] | None
) -> None:
    read = cells(f"{UNIT}{table(('', head), [('Net orders', '$ 30')])}", subject)
    assert [period(one) for one in read.values()] == ([when] if when else [])


def test_rmb_is_the_renminbi() -> None:
    rows = [("Net orders", "RMB 30")]
    (cell,) = cells(f"<p>(RMB in millions)</p>{table(('', 'Year ended December 31, 2024'), rows)}").values()
    assert (cell.unit, cell.value) == ("CNY", Decimal(30_000_000))


@pytest.mark.parametrize(
    ("years", "group"), [((2024, 2023, 2022) * 2, "Pension "), ((2024, 2023, 2022, 2021, 2020, 2019), "")]
)
def test_a_heading_in_the_middle_of_its_columns_is_of_all_where_the_groups_are_named_alike(
    years: tuple[int, ...], group: str
) -> None:
    heads = "<tr><td></td><td></td><td>Pension</td><td></td><td colspan=3>Other plans</td></tr>"
    below = "".join(f"<td>{year}</td>" for year in years)
    figures = "".join(f"<td>$ {place}</td>" for place in range(11, 17))
    read = cells(f"{UNIT}<table>{heads}<tr><td></td>{below}</tr><tr><td>Service cost</td>{figures}</tr></table>")
    assert read["Service cost", f"{group}2024"].value == 11_000_000


def test_a_column_of_units_tells_the_unit_of_each_row() -> None:
    rows = [
        ("Adjusted earnings (1)", "$ MM", "$ 3,627"),
        ("Adjusted earnings per share", "$/Share", "$ 1.85"),
        ("Lenses ground", "MLPD", "$ 40"),
    ]
    read = cells(f"{UNIT.replace('In millions', 'Unaudited')}{table(('', 'Unit', '2024'), rows)}")
    assert {label: (one.value, one.unit) for (label, _), one in read.items()} == {
        "Adjusted earnings": (Decimal(3_627_000_000), "USD"),
        "Adjusted earnings per share": (Decimal("1.85"), "USD/shares"),
    }
