"""Figures of parts and of years to come that no fact holds: the rows of a printed table that add up to their total."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest
from django.test import Client

from accounts.models import User
from agent.numbers.parts.part_facts import Divided
from agent.numbers.parts.printed_parts import printed_divisions
from agent.numbers.registry.registry import load
from agent.numbers.verification.verify import verify
from agent.runs.answer_json import as_text, row
from agent.state import Answer
from agent.state.query import Breakdown, Concept, Measure, Member, Printed
from agent.state.tables import Cell, Table
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.ingest.store_printed import store_tables
from filings.models import Fact, Filing, Section
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import Period as PrintedPeriod
from filings.tables.every_table import ReadTable
from tests.support.answers import run_with
from tests.support.sample import Sample
from tests.support.tables import table, years

pytestmark = pytest.mark.django_db


def answer(question: str) -> Answer:
    return pipeline.answer(question, Deps.current())


def asserted(question: str) -> Table:
    (block,) = answer(question).blocks
    assert (block.outcome, bool(block.table)) == ("answered", True)
    assert all(one.ok for one in block.checks)
    assert block.table
    return block.table


BY_SEGMENT = "Northwind cost of sales by segment 2024"


def test_a_breakdown_that_is_only_printed_is_a_table_of_its_rows(sample: Sample) -> None:
    found = asserted(BY_SEGMENT)
    assert [(one.part, one.role, one.value) for one in found.cells] == [
        ("Instruments", "part", 50_460_000),
        ("Software", "part", 3_420_000),
        ("Service and calibration", "part", 13_910_000),
        ("", "", 67_790_000),
    ]
    assert all(one.fact and one.fact.place and one.fact.as_printed for one in found.asserted)
    assert found.asserted[0].notes[0].endswith("they add up to the total.")
    assert verify(found) == ()


def test_its_page_text_and_json_say_that_it_is_printed(sample: Sample, as_alice: Client, alice: User) -> None:
    given = answer(BY_SEGMENT)
    assert "as printed, page" in as_text(given)
    assert [one["value"] for one in row("x", given, 0)["values"]] == ["50460000", "3420000", "13910000"]
    page = as_alice.get(run_with(given, alice).get_absolute_url())
    assert page.status_code == 200
    assert "they add up to the total" in page.content.decode()


def test_shares_and_extremes_of_printed_parts_are_computed(sample: Sample) -> None:
    shares = asserted(f"{BY_SEGMENT} as % of total").asserted
    assert [round(one.value or 0, 2) for one in shares if one.unit == "percent"] == [
        Decimal("74.44"), Decimal("5.04"), Decimal("20.52"),
    ]  # fmt: skip
    (first,) = asserted("Northwind largest segment by cost of sales 2024").asserted
    assert (first.part or first.label, first.value) == ("Cost of revenue of Instruments (largest segment)", 50_460_000)


def test_parts_above_a_share_stand_first(sample: Sample) -> None:
    found = asserted("Which segments make up more than 10 % of Northwind's cost of sales in 2024?")
    assert [(round(one.value or 0, 2), one.holds) for one in found.results] == [
        (Decimal("74.44"), True), (Decimal("20.52"), True), (Decimal("5.04"), False),
    ]  # fmt: skip
    assert verify(found) == ()


def test_a_digit_that_is_printed_otherwise_is_found(sample: Sample) -> None:
    found = asserted(BY_SEGMENT)
    for section in Section.objects.filter(filing__accession=found.cells[0].accession, text__contains="3,420"):
        Section.objects.filter(pk=section.pk).update(text=section.text.replace("3,420", "3,421"))
    assert any("does not print" in one or "differs" in one for one in verify(found))


# --- which rows divide a figure ---

COST = (("Cutters", 60), ("Presses", 30), ("Eliminations", -10), ("Total", 80))


def divided(filing: Filing, kind: str, *tables: ReadTable) -> list[list[str]]:
    """The parts into which tables divide a cost of 80 dollars."""
    store_tables(filing, list(tables))
    year = {"start": date(2024, 1, 1), "end": date(2024, 12, 31)}
    whole = Fact(filing=filing, company=filing.company, value=Decimal(80), decimals=0, unit="USD", **year)
    figure = Divided("Cost of revenue", whole, (), ())
    return [
        [part.told for part in one.rows] for one in printed_divisions(kind, figure, filing, "cost_of_revenue", load())
    ]


def printed(rows: Sequence[tuple[str, int]], period: PrintedPeriod, title: str, column: str, start: int) -> ReadTable:
    read = []
    for first, (label, value) in zip(range(start, start + 900, 10), rows, strict=False):
        cell = ReadCell(first, first + 5, str(value), Decimal(value), "USD", 0, 0, period, column)
        read.append(ReadRow(label, "", (cell,)))
    return ReadTable(1, "table", start, start + 900, title, "33", tuple(read))


def listed(rows: Sequence[tuple[str, int]], title: str = "", start: int = 0) -> ReadTable:
    return printed(rows, PrintedPeriod(date(2024, 1, 1), date(2024, 12, 31)), title, "2024", start)


@pytest.fixture
def filing(sample: Sample) -> Filing:
    found = sample.filing("NWND", 2024)
    for section in found.sections.all():
        Section.objects.filter(pk=section.pk).update(text="Our segments are Cutters and Presses, each with its staff.")
    return found


def test_rows_that_come_to_the_figure_above_their_total_divide_it(filing: Filing) -> None:
    assert divided(filing, "segment", listed(COST)) == [["Cutters", "Presses", "Eliminations"]]


@pytest.mark.parametrize(
    "rows",
    [
        (("Cutters", 60), ("Presses", 35), ("Total", 80)),  # they do not come to it
        (("Cutters", 60), ("Presses", 20)),  # no total is printed
        (("Cutters", 60), ("Presses", 20), ("Total", 85)),
        (("Cutters", 60), ("Interest expense", 20), ("Total", 80)),  # a measure, and no part
        (("Cutters", 60), ("Lathes", 20), ("Total", 80)),  # which the text does not call its segment
    ],
)
def test_other_rows_do_not(filing: Filing, rows: Sequence[tuple[str, int]]) -> None:
    assert divided(filing, "segment", listed(rows, "Cost by segment")) == []


def test_a_subtotal_is_no_part(filing: Filing) -> None:
    rows = (("Japan", 10), ("Other Asia", 20), ("Total Asia", 30), ("Europe", 50), ("Total", 80))
    store_tables(filing, [listed(rows)])
    assert divided(filing, "region", listed(rows)) == [["Japan", "Other Asia", "Total Asia", "Europe"]]


PLACES = (("Japan", 30), ("Rest of the world", 50), ("Total", 80))
MADE = (("Blades", 30), ("Handles", 50), ("Total", 80))


@pytest.mark.parametrize(
    ("rows", "title", "kinds"),
    [
        (PLACES, "Note 8. Segments", ["region"]),  # as they are called, whatever stands above
        (MADE, "Note 8. Segments \u203a Cost by product", ["product"]),
        (MADE, "Note 8. Segments", []),
        (MADE, "Segment and product", []),  # of two kinds, and the rows are called neither
        ((("Goods at a point in time", 30), ("Over time", 50), ("Total", 80)), "Revenue from products", []),
        ((("Sales of products", 30), ("Sales of services", 50), ("Total", 80)), "Cost by product", []),
    ],
)
def test_rows_are_of_the_kind_that_they_are_called_or_that_stands_nearest(
    filing: Filing, rows: Sequence[tuple[str, int]], title: str, kinds: list[str]
) -> None:
    assert [kind for kind in ("segment", "product", "region") if divided(filing, kind, listed(rows, title))] == kinds


def test_figures_side_by_side_divide_it_too(filing: Filing) -> None:
    year = PrintedPeriod(date(2024, 1, 1), date(2024, 12, 31))
    cells = [
        ReadCell(at, at + 5, str(value), Decimal(value), "USD", 0, 0, year, f"2024 {name}")
        for at, (name, value) in enumerate((("Cutters", 60), ("Presses", 20), ("Total", 80)), start=10)
    ]
    across = ReadTable(1, "table", 0, 900, "", "33", (ReadRow("Cost", "", tuple(cells)),))
    assert divided(filing, "segment", across) == [["Cutters", "Presses"]]


def test_a_figure_that_facts_divide_is_not_taken_from_the_text(sample: Sample) -> None:
    assert all(one.fact and not one.fact.place for one in asserted("Calder revenue by segment 2024").asserted)


# --- schedules ---

DUE = (("2025", 10), ("2026", 20), ("2027", 30), ("Thereafter", 40), ("Total", 100))


def due(filing: Filing, what: str, *tables: ReadTable) -> list[Cell]:
    store_tables(filing, list(tables))
    measure: Measure = Breakdown(of=Printed(words=what), axis="year")
    return [one for one in table(filing.company, years(2024), measure).cells if one.value is not None]


def at_end(rows: Sequence[tuple[str, int]], title: str, column: str = "2024", start: int = 0) -> ReadTable:
    return printed(rows, PrintedPeriod(date(2024, 12, 31), date(2024, 12, 31)), title, column, start)


def test_a_schedule_is_given_year_by_year_with_its_total(sample: Sample) -> None:
    found = due(sample.filing("NWND", 2024), "Maturities of debt", at_end(DUE, "Maturities of our debt"))
    assert [(one.part, one.value) for one in found] == [
        ("2025", 10), ("2026", 20), ("2027", 30), ("Thereafter (after 2027)", 40), ("", 100),
    ]  # fmt: skip
    assert found[0].notes == ("Fiscal 2024: as the 10-K prints them on page 33; they add up to the total.",)


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (DUE[:4], "Maturities of our debt"),  # no total is printed
        ((*DUE[:3], ("Total", 65)), "Maturities of our debt"),
        ((DUE[0], *DUE[2:]), "Maturities of our debt"),  # a year is left out
        ((("2023 notes", 10), ("2024 notes", 20), ("2025 notes", 30), ("Total", 60)), "Maturities of our debt"),
        ((("2022", 10), ("2023", 20), ("2024", 30), ("Total", 60)), "Maturities of our debt"),  # years that are over
        (DUE, "Payments of leases"),
        (DUE, "Maturities of debt securities available for sale"),
    ],
)
def test_another_table_is_no_schedule_of_debt(sample: Sample, rows: Sequence[tuple[str, int]], title: str) -> None:
    assert due(sample.filing("NWND", 2024), "Maturities of debt", at_end(rows, title)) == []


def test_of_leases_the_column_tells_which_are_meant(sample: Sample) -> None:
    filing = sample.filing("NWND", 2024)
    tables = [
        at_end(DUE, "Lease payments", "Operating leases"),
        at_end([(label, 2 * value) for label, value in DUE], "Lease payments", "Finance leases", 1000),
    ]
    assert due(filing, "Operating lease payments", *tables)[-1].value == 100
    assert due(filing, "Finance lease payments", *tables)[-1].value == 200
    assert due(filing, "Lease payments", *tables) == []


def test_two_schedules_of_one_kind_are_none(sample: Sample) -> None:
    tables = [at_end(DUE, "Debt maturities"), at_end([(a, 2 * b) for a, b in DUE], "Debt maturities", start=1000)]
    assert due(sample.filing("NWND", 2024), "Maturities of debt", *tables) == []


def test_a_schedule_that_is_tagged_is_given_by_its_facts(sample: Sample) -> None:
    filing = sample.filing("NWND", 2024)
    first = "LongTermDebtMaturitiesRepaymentsOfPrincipal"
    tags = [f"{first}{slot}" for slot in ("InNextTwelveMonths", "InYearTwo", "InYearThree", "AfterYearFive")]
    for tag, value in zip((*tags, "LongTermDebt"), (10, 20, 30, 40, 100), strict=True):
        Fact.objects.create(
            company=filing.company, filing=filing, source=Fact.Source.COMPANYFACTS, taxonomy="us-gaap", tag=tag, unit="USD",
            start=filing.period_end, end=filing.period_end, raw=str(value), value=value, filed=filing.filed, form="10-K",
        )  # fmt: skip
    found = due(filing, "Maturities of debt", at_end(DUE, "Maturities of our debt"))
    assert [(one.part, one.value) for one in found] == [
        ("Fiscal 2025", 10), ("Fiscal 2026", 20), ("Fiscal 2027", 30), ("Thereafter (after fiscal 2027)", 40), ("", 100),
    ]  # fmt: skip
    assert all(one.fact and one.fact.fact for one in found)


@pytest.mark.parametrize("total", [60, 100])
def test_a_schedule_without_a_tag_for_what_is_due_after_its_years_is_not_given_by_its_facts(
    sample: Sample, total: int
) -> None:
    filing = sample.filing("NWND", 2024)
    first = "LongTermDebtMaturitiesRepaymentsOfPrincipal"
    tags = [f"{first}{slot}" for slot in ("InNextTwelveMonths", "InYearTwo", "InYearThree")]
    for tag, value in zip((*tags, "LongTermDebt"), (10, 20, 30, total), strict=True):
        Fact.objects.create(
            company=filing.company, filing=filing, source=Fact.Source.COMPANYFACTS, taxonomy="us-gaap", tag=tag, unit="USD",
            start=filing.period_end, end=filing.period_end, raw=str(value), value=value, filed=filing.filed, form="10-K",
        )  # fmt: skip
    assert due(filing, "Maturities of debt") == []
    # The table that prints all of it does.
    found = due(filing, "Maturities of debt", at_end(DUE, "Maturities of our debt"))
    assert [one.part for one in found] == ["2025", "2026", "2027", "Thereafter (after 2027)", ""]


# --- a part's own row ---

MEMBER = ("ProductOrServiceAxis=SoftwareMember",)


def row_of(label: str, value: str, *, heading: str = "", start: int = 10) -> ReadRow:
    year = PrintedPeriod(date(2024, 1, 1), date(2024, 12, 31))
    return ReadRow(label, heading, (ReadCell(start, start + 5, value, Decimal(value), "USD", 3, 0, year, "2024"),))


def cost_of(sample: Sample, label: str, rows: Sequence[ReadRow], title: str = "Cost of sales") -> Decimal | None:
    """The cost of sales of a part in 2024, where a table prints these rows."""
    filing = sample.filing("NWND", 2024)
    store_tables(filing, [ReadTable(1, "table", 0, 900, title, "33", tuple(rows))])
    measure = Member(of=Concept(key="cost_of_revenue"), label=label, members=MEMBER)
    (cell,) = (one for one in table(filing.company, years(2024), measure).cells if one.asked)
    return cell.value


def test_a_part_without_a_fact_has_the_figure_of_its_row(sample: Sample) -> None:
    assert cost_of(sample, "Software", [row_of("Software", "3420000")]) == Decimal(3_420_000)
    assert cost_of(sample, "Software", [row_of("Cost of sales", "3420000", heading="Software")], "") == 3_420_000


@pytest.mark.parametrize(
    ("label", "rows", "title"),
    [
        ("Software", [row_of("Software", "3420000"), row_of("Software", "3430000", start=40)], "Cost of sales"),
        ("Software", [row_of("Software services", "3420000")], "Cost of sales"),
        ("Software", [row_of("Software", "3420000")], "Gross profit"),
        ("Other", [row_of("Other", "3420000")], "Cost of sales"),
        ("Total", [row_of("Total", "3420000")], "Cost of sales"),
    ],
)
def test_where_its_row_is_not_certain_it_has_none(sample: Sample, label: str, rows: list[ReadRow], title: str) -> None:
    assert cost_of(sample, label, rows, title) is None
