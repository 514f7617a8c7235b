"""In which unit the figures of tables beside the statements are."""

from decimal import Decimal

import pytest

from tests.filings.tables.test_every_table import UNIT, cells
from tests.support.printed_report import table

HEADS = ("Years ended December 31,", "2024")
SALES = ("Net sales", "$ 900")


def unit(markup: str, label: str) -> tuple[Decimal, str] | None:
    return next(((one.value, one.unit) for (name, _), one in cells(markup).items() if name == label), None)


@pytest.mark.parametrize(
    ("row", "read"),
    [
        (("Tax rate (percent)", "24.5"), (Decimal("24.5"), "percent")),
        (("Sales growth", "7 %"), (7, "percent")),
        (("Notes of 3.5% due 2027", "700"), (700_000_000, "USD")),
        (("Diluted earnings per share", "$ 3.41"), (Decimal("3.41"), "USD/shares")),
        (("Income for diluted earnings per share", "$ 900"), None),
        (("Number of furnaces", "12"), None),
        (("Number of furnaces (in thousands)", "12"), (12_000, "count")),
        (("Average price per ton", "$ 41.20"), None),
        (("Expected life in years", "4.5"), None),
        (("Weighted-average shares outstanding", "200"), (200_000_000, "shares")),
    ],
)
def test_a_row_says_its_unit_or_is_not_read(row: tuple[str, str], read: tuple[Decimal, str] | None) -> None:
    assert unit(f"{UNIT}{table(HEADS, [SALES, row])}", row[0]) == read


def test_a_count_has_no_scale_where_the_tables_is_of_money() -> None:
    rows = [SALES, ("Number of furnaces", "12")]
    assert unit(f"<p>($ in millions)</p>{table(HEADS, rows)}", "Number of furnaces") is None
    assert unit(f"<p>(Dollars in millions)</p>{table(HEADS, rows)}", "Number of furnaces") == (12, "count")


@pytest.mark.parametrize(
    ("label", "read"), [("Company-operated stores", (1204, "count")), ("Due to customers", None), ("Furnaces", None)]
)
def test_things_are_counted_in_a_table_without_money(label: str, read: tuple[Decimal, str] | None) -> None:
    assert unit(table(HEADS, [(label, "1,204")]), label) == read


def test_behind_a_count_nothing_is_money_before_the_next_sign() -> None:
    rows = [SALES, ("Number of furnaces (in thousands)", "12"), ("Idle", "2"), ("Duties", "$ 4"), ("Fees", "3")]
    read = {label for label, _ in cells(f"{UNIT}{table(HEADS, rows)}")}
    assert read == {"Net sales", "Number of furnaces (in thousands)", "Duties", "Fees"}


def test_a_table_without_a_sign_shows_no_money() -> None:
    signed = f"{UNIT}{table(HEADS, [SALES])}"
    assert unit(f"{signed}{UNIT}{table(HEADS, [('Idle', '12')])}", "Idle") is None


def test_columns_may_be_of_shares_and_of_money() -> None:
    heads = "<tr><td></td><td>Shares</td><td>Amount</td></tr>"
    rows = "<tr><td>Balance at December 31, 2024</td><td>200</td><td>$ 900</td></tr>"
    read = cells(f"{UNIT}<table>{heads}{rows}</table>")
    units = {column: (one.value, one.unit) for (_, column), one in read.items()}
    assert units == {"Shares": (200_000_000, "shares"), "Amount": (900_000_000, "USD")}


@pytest.mark.parametrize(
    ("declared", "read"),
    [
        ("<p>Amounts in tables are in millions, unless otherwise stated.</p>", (900_000_000, "USD")),
        ("<p>Notes</p><p>(Dollars in thousands)</p><p>Alm</p><p>Glass is made in Tromsdal.</p><p>Of sand.</p>", (900_000, "USD")),
        ("<p>Amounts in the following table are in millions.</p><p>It was a good year.</p>", None),
        ("<p>Five thousand workers have $3 million.</p>", None),
    ],
)  # fmt: skip
def test_a_unit_may_be_declared_for_all_tables(declared: str, read: tuple[Decimal, str] | None) -> None:
    between = "<p>Glass of all kinds.</p>" * 2
    assert unit(f"{declared}{between}{table(HEADS, [SALES])}", "Net sales") == read


def test_a_sentence_leads_to_all_tables_that_follow_it() -> None:
    one, other = table(HEADS, [SALES]), table(HEADS, [("Duties", "$ 4")])
    assert unit(f"<p>The following tables show income (in millions):</p>{one}{other}", "Duties") == (4_000_000, "USD")
    assert unit(f"<p>The following table shows income (in millions):</p>{one}{other}", "Duties") is None


def test_a_count_in_full_among_millions_is_no_money() -> None:
    assert unit(f"{UNIT}{table(HEADS, [SALES, ('Issued', '51,694,395')])}", "Issued") is None


def test_cents_are_no_dollars() -> None:
    heads = ("Years ended December 31,", "2024", "EPS (US cents) 2024")
    read = cells(f"{UNIT}{table(heads, [('Net income', '$ 805', '70.5')])}")
    assert [one.unit for one in read.values()] == ["USD"]


def test_a_dash_of_money_is_no_share() -> None:
    heads = "<tr><td></td><td>Shares</td><td>Amount</td></tr>"
    rows = "<tr><td>Balance at December 31, 2024</td><td>200</td><td>$ \u2014</td></tr>"
    read = cells(f"{UNIT}<table>{heads}{rows}</table>")
    assert [column for _, column in read] == ["Shares"]


def test_money_in_full_has_no_scale() -> None:
    heads = ("Years ended December 31,", "2024 (in whole dollars)")
    read = cells(f"{UNIT}{table(heads, [('Average award', '$ 59,200')])}")
    assert [one.value for one in read.values()] == [59_200]


def test_a_scale_of_things_is_none_of_money() -> None:
    rows = [("Vehicles sold", "599"), ("Net sales", "$ 15,074")]
    read = cells(f"<p>(vehicles in thousands)</p>{table(HEADS, rows)}")
    assert all(one.unit != "USD" for one in read.values())


def test_a_row_with_a_scale_of_its_own_and_no_sign_may_be_of_things() -> None:
    rows = [SALES, ("Average daily parcels (in thousands)", "812"), ("Deferred shares granted", "40")]
    read = {label: one.unit for (label, _), one in cells(f"{UNIT}{table(HEADS, rows)}").items()}
    assert read == {"Net sales": "USD", "Deferred shares granted": "shares"}


def test_things_beside_amounts_without_a_sign_are_not_money() -> None:
    rows = [SALES, ("Company-operated stores", "310"), ("Physical stores", "$ 12")]
    read = {label for label, _ in cells(f"{UNIT}{table(HEADS, rows)}")}
    assert read == {"Net sales", "Physical stores"}
