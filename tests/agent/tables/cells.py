"""Cells of tables of companies, cards of them, and the rows that these show."""

from datetime import date
from decimal import Decimal
from typing import Any

from agent.refusals.codes import Code
from agent.state import Cell, Scale, Table
from agent.state.tables import Gap, Result
from agent.web.tables.table_card import TableCard
from agent.web.tables.year_table import Row, YearTable
from tests.support import answers

APPLE, MICROSOFT, NORTHWIND = 320193, 789019, 9_999_988_801
NAMES = {APPLE: "Apple", MICROSOFT: "Microsoft", NORTHWIND: "Northwind"}


def accession_of(year: int, cik: int = APPLE) -> str:
    """The 10-K that a cell is of."""
    return f"{cik:010d}-{year % 100}-000001"


def cell(value: str | None = "391035000000", year: int = 2024, cik: int = APPLE, **changes: Any) -> Cell:
    """Revenue of a company in a year; None: a gap."""
    accession = accession_of(year, cik)
    end = date(year, 9, 28)
    source = answers.fact_ref(
        "Revenues", value or "0", fact=cik + year, cik=cik, accession=accession, end=end, start=date(year - 1, 10, 1),
        unit=changes.get("unit", "USD"), decimals=-6, printed="",
    )  # fmt: skip
    fields: dict[str, Any] = {
        "cik": cik, "company": NAMES[cik], "measure": "revenue", "label": "Total revenue", "fiscal_year": year,
        "period_end": end, "accession": accession,
    }  # fmt: skip
    if value is None:
        gap = Gap(code=Code.CONCEPT_NOT_REPORTED, text=f"{NAMES[cik]} reports none.", detail="Look elsewhere.")
        return answers.cell(source, **{**fields, "value": None, "fact": None, "gap": gap, **changes})
    return answers.cell(source, **{**fields, **changes})


def margin(year: int = 2024, cik: int = APPLE, value: str = "46.206349", **changes: Any) -> Cell:
    """Gross margin, computed."""
    revenue, profit = (answers.fact_ref(value=one, cik=cik) for one in ("391035000000", "180683000000"))
    return cell(
        value, year, cik,
        **{
            "measure": "gross_margin", "label": "Gross margin", "unit": "percent", "fact": None,
            "formula": "100 * (gross_profit / revenue)",
            "operands": (
                answers.operand("gross_profit", "Gross profit", profit, fiscal_year=year, cik=cik),
                answers.operand("revenue", "Total revenue", revenue, fiscal_year=year, cik=cik),
            ),
            **changes,
        },
    )  # fmt: skip


def growth(value: str, year: int = 2024, cik: int = APPLE, **changes: Any) -> Cell:
    """What revenue moved by, shown below it unless it is asked."""
    named = {
        "measure": "growth of revenue",
        "label": "Growth of total revenue",
        "formula": "100 * (revenue / prev(revenue) - 1)",
    }
    return margin(year, cik, value, **{"asked": False, **named, **changes})


def card(*cells: Cell, scale: Scale | None = None, statement: str = "", **table: Any) -> TableCard:
    return TableCard(Table(cells=cells, **table), scale, statement)


def rows(years: YearTable) -> list[Row]:
    """All rows, whatever heading they stand under."""
    return [row for group in years.groups for row in group.rows]


def texts(years: YearTable) -> list[list[str]]:
    """The rows with their figures; empty where a year has no cell."""
    return [[row.label, *(one.text if one else "" for one in row.shown)] for row in rows(years)]


def result(operation: str, value: str = "9.2477", unit: str = "percent", **changes: Any) -> Result:
    fields: dict[str, Any] = {"row": 0, "label": "Total revenue", "cik": APPLE, "fiscal_years": (2020, 2024)}
    return Result(operation=operation, value=Decimal(value), unit=unit, **{**fields, **changes})
