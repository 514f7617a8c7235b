"""Rows over the years: their order and units, how they are sorted, what a gap says, and where each figure leads."""

from datetime import date
from decimal import Decimal

import pytest
from django.urls import reverse

from agent.refusals.codes import Code
from agent.state import Cell, Scale, Table
from agent.state.tables import Result
from agent.web.tables.year_table import CARRIED, Order, YearRows, YearTable, order_of
from filings.xbrl.periods import Place
from tests.agent.tables.cells import APPLE, MICROSOFT, NORTHWIND, card, cell, growth, margin, result, rows, texts
from tests.agent.tables.test_table_card import RANK

NONE = "\u2013"
REASON = Code.CONCEPT_NOT_REPORTED.row.title
# Apple has more revenue and Microsoft the higher margin; neither is told in that order.
BOTH = (
    cell("200000000000", 2023, MICROSOFT),
    cell("245122000000", 2024, MICROSOFT),
    cell("383285000000", 2023),
    cell("391035000000", 2024),
    margin(2023, MICROSOFT, "68.9", row=1),
    margin(2024, MICROSOFT, "69.8", row=1),
    margin(2023, value="44.1", row=1),
    margin(2024, row=1),
)


def view(*cells: Cell, scale: Scale | None = None, order: Order | None = None, id: str = "") -> YearTable:
    return YearRows(Table(cells=cells), scale, id).view("Title", order)


def companies(found: YearTable) -> list[list[str]]:
    """The rows of each group."""
    return [[row.label for row in group.rows] for group in found.groups]


# --- rows and units ---


def test_rows_keep_the_order_of_the_table_and_leave_room_for_a_year_without_a_cell() -> None:
    found = view(cell("1000000", 2023), cell("2500000"), cell(None, 2024, row=1, label="Net income", measure="ni"))
    assert [column.label for column in found.columns] == ["FY2023", "FY2024"]
    assert texts(found) == [["Total revenue", "1.0", "2.5"], ["Net income", "", NONE]]
    assert (found.corner, [group.label for group in found.groups], found.width) == ("Measure", [""], 3)


def test_two_rows_of_a_statement_under_one_tag_are_two() -> None:
    """Cash at the beginning and at the end of the year are one element at two days."""
    kept = {"measure": "us-gaap:Cash"}
    found = view(
        cell("46740000", label="Cash, beginning of year", **kept), cell("56015000", label="Cash, end of year", **kept)
    )
    assert texts(found) == [["Cash, beginning of year", "46.740"], ["Cash, end of year", "56.015"]]


def test_a_statement_keeps_its_headings_and_its_totals() -> None:
    lines = (
        ("Cash", "Current assets:"),
        ("Current assets: Marketable securities", "Current assets:"),
        ("Total current assets", "Current assets:"),
        ("Goodwill", ""),
        ("Total assets", ""),
    )
    cells = tuple(
        cell(label=label, heading=heading, measure=f"us-gaap:{row}", row=row)
        for row, (label, heading) in enumerate(lines)
    )
    found = YearRows(Table(cells=cells)).statement("Balance sheet")
    assert (found.corner, [group.label for group in found.groups]) == ("Line", ["Current assets:", ""])
    assert companies(found) == [
        ["Cash", "Marketable securities", "Total current assets"],
        ["Goodwill", "Total assets"],
    ]
    assert [row.total for group in found.groups for row in group.rows] == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("cells", "scale", "unit", "units"),
    [
        ((cell(), cell("1", 2023)), None, "US$ millions", [""]),
        ((cell(), cell("1", 2023)), Scale.BILLIONS, "US$ billions", [""]),
        ((cell(), cell("1", 2023)), Scale.UNITS, "US$", [""]),
        ((cell(unit="EUR"),), None, "EUR millions", [""]),
        # A figure that carries its unit needs no heading, and a percentage beside amounts no note.
        ((margin(), margin(2023)), None, "", [""]),
        ((cell(), margin(row=1)), None, "US$ millions", ["", ""]),
        (
            (cell(), cell("2", measure="cost"), cell("6.08", unit="USD/shares", measure="eps", row=1)),
            None,
            "US$ millions",
            ["", "", "US$ per share"],
        ),
        ((cell("15000000000", unit="shares", measure="shares"),), Scale.BILLIONS, "Billion shares", [""]),
        ((margin(unit="days"),), None, "Days", [""]),
        # That of most rows stands above them all, wherever these rows stand.
        (
            (cell("6.08", unit="USD/shares", measure="eps"), cell(row=1), cell("2", measure="cost", row=2)),
            None,
            "US$ millions",
            ["US$ per share", "", ""],
        ),
    ],
)
def test_a_unit_is_said_once_and_only_for_rows_that_differ(
    cells: tuple[Cell, ...], scale: Scale | None, unit: str, units: list[str]
) -> None:
    found = view(*cells, scale=scale)
    assert (found.unit, [row.unit for row in rows(found)], found.has_other_units) == (unit, units, any(units))


@pytest.mark.parametrize("unit", sorted(CARRIED))
def test_a_figure_whose_unit_is_not_told_carries_it_itself(unit: str) -> None:
    found = view(margin(unit=unit, value="1.234"))
    assert (found.unit, rows(found)[0].unit) == ("", "")
    assert texts(found)[0][1].endswith(("%", "x"))


def test_amounts_of_a_company_have_as_many_decimals_as_the_longest() -> None:
    found = view(cell("56015000"), cell("25140000", measure="b"), cell("6.1", measure="c", unit="USD/shares"))
    assert sorted(row[1] for row in texts(found)) == ["25.140", "56.015", "6.10"]
    assert not found.is_rounded


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        # Who files in thousands is shown as who files in millions; what is small keeps two digits.
        (("391035000000", "56015500"), ("391,035", "56")),
        (("391035000000", "-56015500"), ("391,035", "\u221256")),
        (("391035000000", "4015500"), ("391,035.0", "4.0")),
        (("391035000000", "0"), ("391,035", "0")),
        (("56015500", "25140000"), ("56.02", "25.14")),
    ],
)
def test_amounts_of_several_companies_have_as_many_decimals_and_say_where_they_are_rounded(
    values: tuple[str, str], shown: tuple[str, str]
) -> None:
    found = view(cell(values[0]), cell(values[1], cik=MICROSOFT), order=Order(places={APPLE: 0, MICROSOFT: 1}))
    assert tuple(row[1] for row in texts(found)) == shown
    for row, value in zip(rows(found), values, strict=True):
        (one,) = row.shown
        assert one is not None
        exact = Decimal(one.text.replace(",", "").replace("\u2212", "-")) * 1_000_000 == Decimal(value)
        assert bool(one.full) is bool(one.exact) is not exact
    assert found.is_rounded is any(one and one.full for row in rows(found) for one in row.shown)


def test_a_rounded_amount_has_its_own_digits_beside_it() -> None:
    found = view(cell(), cell("56015500", cik=MICROSOFT))
    (one,) = rows(found)[1].shown
    assert one is not None
    assert (one.text, one.full, one.exact) == ("56", "56.0155", "56,015,500 US dollars")


def test_each_measure_of_several_companies_has_decimals_of_its_own() -> None:
    found = view(
        cell(),
        cell("56015500", cik=MICROSOFT),
        cell("1015500", row=1, label="Net income", measure="net_income"),
        cell("2500000", row=1, label="Net income", measure="net_income", cik=MICROSOFT),
    )
    assert [row[1] for row in texts(found)] == ["391,035", "56", "1.0", "2.5"]


@pytest.mark.parametrize(
    ("cells", "ends"),
    [
        ((cell(), cell("1", 2023)), ["Sep 2023", "Sep 2024"]),
        ((cell(), cell("1", cik=MICROSOFT)), ["Sep 2024"]),
        # Where one of them ended on another day, or on none that is known, the heading says what holds for all.
        ((cell(), cell("1", cik=MICROSOFT, period_end=cell(year=2023).period_end), cell("1", 2023)), ["Sep 2023", ""]),
        ((cell(), cell(None, cik=MICROSOFT, period_end=None)), ["Sep 2024"]),
        ((cell(None, period_end=None),), [""]),
    ],
)
def test_a_column_says_when_its_year_ended_only_where_all_of_it_ended_then(
    cells: tuple[Cell, ...], ends: list[str]
) -> None:
    assert [column.below for column in view(*cells).columns] == ends


# --- what a row moves by ---


def test_what_a_row_moves_by_stands_below_it_with_a_sign_either_way() -> None:
    found = view(cell("1", 2023), cell(), growth("-2.8", 2023), growth("2.02"))
    assert texts(found)[1] == ["Growth", "\u22122.8%", "+2.0%"]
    assert [row.asked for row in rows(found)] == [True, False]
    change = view(
        margin(), growth("1.5", measure="change of gross_margin", label="Change of gross margin", unit="points")
    )
    assert texts(change)[1][0] == "Change"
    assert texts(change)[1][1].startswith("+1.5")


def test_growth_that_was_asked_has_its_whole_name_and_its_sign() -> None:
    found = view(growth("2.02", asked=True), growth("0", 2023, asked=True))
    assert texts(found) == [["Growth of total revenue", "0.00%", "+2.0%"]]
    assert [one.kind for one in rows(found)[0].shown if one] == ["asked", "asked"]


# --- companies under their measure ---


def test_companies_stand_under_each_measure_in_the_order_of_the_first() -> None:
    found = view(*BOTH)
    assert found.corner == "Company"
    assert [group.label for group in found.groups] == ["Total revenue", "Gross margin"]
    assert companies(found) == [["Apple", "Microsoft"], ["Apple", "Microsoft"]]
    assert texts(found)[2:] == [["Apple", "44.1%", "46.2%"], ["Microsoft", "68.9%", "69.8%"]]


def test_one_measure_of_several_companies_needs_no_heading() -> None:
    assert [group.label for group in view(*BOTH[:4]).groups] == [""]


def test_definitions_of_one_measure_are_groups_of_their_own() -> None:
    found = view(*(margin(cik=cik, reading=one) for one in ("average", "year-end") for cik in (APPLE, MICROSOFT)))
    assert [group.label for group in found.groups] == ["Gross margin (average)", "Gross margin (year-end)"]


# Each leads in one year; Northwind has a figure in the first alone.
LEADS = (
    cell("5000000", 2023, NORTHWIND), cell(None, 2024, NORTHWIND),
    cell("3000000", 2023, MICROSOFT), cell("1000000", 2024, MICROSOFT),
    cell("1000000", 2023), cell("2000000", 2024),
)  # fmt: skip


@pytest.mark.parametrize(
    ("order", "names"),
    [
        (Order(Place(2023), highest=True), ["Northwind", "Microsoft", "Apple"]),
        (Order(Place(2023), highest=False), ["Apple", "Microsoft", "Northwind"]),
        # Without a figure in that year a company is last, either way.
        (Order(Place(2024), highest=True), ["Apple", "Microsoft", "Northwind"]),
        (Order(Place(2024), highest=False), ["Microsoft", "Apple", "Northwind"]),
        # By none they stand as they were asked; unasked, by the newest that most have.
        (Order(), ["Northwind", "Microsoft", "Apple"]),
        (None, ["Apple", "Microsoft", "Northwind"]),
    ],
)
def test_companies_are_sorted_by_a_year_either_way(order: Order | None, names: list[str]) -> None:
    assert companies(view(*LEADS, order=order)) == [names]


def test_unasked_companies_are_sorted_by_the_newest_year_that_most_of_them_have() -> None:
    early = (cell("9000000", 2025), *LEADS)
    assert YearRows(Table(cells=early)).newest_with_figures == Place(2024)
    assert YearRows(Table(cells=(cell(None),))).newest_with_figures is None


def test_an_answer_that_orders_companies_has_its_rows_in_that_order() -> None:
    cells = (cell(), cell("1", cik=MICROSOFT), cell("1", 2023), cell("2", 2023, MICROSOFT))
    turned = RANK.model_copy(update={"order": RANK.order[::-1]})
    assert companies(card(*cells, results=(RANK,)).years) == [["Apple", "Microsoft"]]
    assert companies(card(*cells, results=(turned,)).years) == [["Microsoft", "Apple"]]


def test_an_order_of_newest_years_that_differ_is_that_of_the_rows_and_of_the_first() -> None:
    """Each company by its newest year: no column of the table says the order."""
    first, second = RANK.order
    order = (
        second.model_copy(update={"rank": 1, "fiscal_year": 2024}),
        first.model_copy(update={"rank": 2, "fiscal_year": 2025}),
    )
    newest = RANK.model_copy(update={"order": order, "fiscal_years": (2024, 2025)})
    found = card(margin(2025, APPLE), margin(2024, MICROSOFT), results=(newest,))
    assert companies(found.years) == [["Microsoft", "Apple"]]
    assert found.winner is not None
    assert (found.winner.who, found.winner.place.year) == ("Microsoft", 2024)


@pytest.mark.parametrize(
    "one",
    [result("cagr"), result("rank"), RANK.model_copy(update={"cik": APPLE}), RANK.model_copy(update={"order": ()})],
)
def test_what_does_not_order_companies_orders_no_rows(one: Result) -> None:
    assert order_of(Table(results=(one,))) is None


def test_a_heading_leads_to_the_other_way_of_its_year_and_to_the_highest_of_another() -> None:
    def address(order: Order) -> str:
        return f"?{order.place and order.place.year}{'+' if order.highest else '-'}"

    def headings(order: Order) -> list[tuple[str, str]]:
        return [(column.sorts, column.sorted) for column in view(*BOTH, order=order).columns]

    assert headings(Order(Place(2024), True, address=address)) == [("?2023+", ""), ("?2024-", "descending")]
    assert headings(Order(Place(2024), False, address=address)) == [("?2023+", ""), ("?2024+", "ascending")]
    # Where no page sorts them, they are no links and say nothing of an order.
    assert headings(Order(Place(2024))) == [("", ""), ("", "")]


# --- gaps ---


def test_a_gap_has_its_reason() -> None:
    (row,) = rows(view(cell(), cell(None, 2023)))
    assert next((one.text, one.kind, one.reason, one.href) for one in row.shown if one) == (NONE, "gap", REASON, "")
    assert row.gap == ""


def test_a_row_that_is_a_gap_in_all_years_says_why_once() -> None:
    whole = rows(view(cell(None, 2023), cell(None), cell("1", 2025, row=1, measure="cost", label="Cost")))
    assert [row.gap for row in whole] == [REASON, ""]
    # One cell that is a gap needs no more room than it has.
    assert rows(view(cell(None)))[0].gap == ""


def test_a_company_that_is_a_gap_of_no_year_is_one_in_all_that_are_shown() -> None:
    closed = cell(None, cik=MICROSOFT, fiscal_year=None, period_end=None)
    found = view(cell("1", 2023), cell(), closed)
    assert [column.label for column in found.columns] == ["FY2023", "FY2024"]
    assert [(row.label, row.gap) for row in rows(found)] == [("Apple", ""), ("Microsoft", REASON)]


# --- links ---


def test_a_reported_figure_leads_to_its_fact_and_a_computed_one_to_its_computation() -> None:
    found = view(cell(), margin(row=1, asked=False), growth("2.0", row=0))
    assert [one.href for row in rows(found) for one in row.shown if one] == [
        reverse("fact", args=[APPLE + 2024]),
        reverse("figure", args=[APPLE, 2024, "gross_margin"]),
        reverse("figure", args=[APPLE, 2024, "growth of revenue"]),
    ]


def test_in_an_answer_what_was_asked_leads_to_its_formula_on_the_page() -> None:
    asked, around = margin(), margin(2023, asked=False)
    shown = [one for one in rows(view(asked, around, id="2"))[0].shown if one]
    assert shown[0].href == reverse("figure", args=[APPLE, 2023, "gross_margin"])
    assert shown[1].href.startswith("#formula-2-")
    assert [one.kind for one in shown] == ["context", "asked"]


def test_what_is_computed_from_a_printed_line_has_no_page() -> None:
    change = growth("1", measure="change of us-gaap:Cash", label="Change of cash")
    assert [one.href for row in rows(view(cell(measure="us-gaap:Cash"), change)) for one in row.shown if one] == [
        reverse("fact", args=[APPLE + 2024]),
        "",
    ]


def test_figures_around_those_asked_are_told_apart() -> None:
    assert view(cell(), cell("1", 2023, asked=False)).has_context
    assert not view(cell(), cell("1", 2023), cell(None, 2022)).has_context


# --- several companies by calendar ---


def test_a_calendar_column_has_its_ends_and_each_figure_its_own_year() -> None:
    found = view(
        cell(calendar_year=2024),
        cell("281724000000", 2025, MICROSOFT, calendar_year=2024, period_end=date(2025, 6, 30)),
        cell(None, 2026, NORTHWIND, calendar_year=2024, period_end=None),
    )
    (column,) = found.columns
    assert (column.label, column.below) == ("CY2024", "Sep 2024 to Jun 2025")
    assert [[one.own for one in row.shown if one] for row in rows(found)] == [
        [("FY2024", "Sep 2024")],
        [("FY2025", "Jun 2025")],
        [("FY2026",)],
    ]


def test_rows_are_sorted_by_a_calendar_column_that_an_address_names() -> None:
    cells = (cell("1000000000", calendar_year=2024), cell("2000000000", 2025, MICROSOFT, calendar_year=2024))
    found = view(*cells, order=Order(Place(2024), highest=True, address=lambda order: "/grid"))
    assert [row.label for row in rows(found)] == ["Microsoft", "Apple"]
    assert found.columns[0].sorted == "descending"
