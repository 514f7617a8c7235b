"""A table as plain text, with every figure rendered by `render`, and as rows of JSON with every digit."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from agent.numbers.render import in_table, rounded, shown
from agent.refusals.labels import listed
from agent.state.tables import Cell, Placed, Result, Table

ROUNDED = "Computed figures are rounded here; they were computed and checked in full."
OVER = {
    "average": "Average",
    "sum": "Sum",
    "cagr": "Compound annual growth rate",
    "growth": "Growth",
    "change": "Change",
    "highest": "Highest",
    "lowest": "Lowest",
    "difference": "Difference",
}


def rows(table: Table) -> list[dict[str, Any]]:
    """The cells as JSON: values as decimal strings in full, a gap as its code and sentences."""
    return [
        {
            "company": one.company,
            "cik": one.cik,
            "fiscal_year": one.fiscal_year,
            "period_end": one.period_end.isoformat() if one.period_end else None,
            "measure": measure(one),
            "value": None if one.value is None else format(one.value, "f"),
            "unit": one.unit,
            "asked": one.asked and not one.alternative,
            "formula": one.formula,
            "facts": [
                {
                    "fact": fact.fact,
                    "tag": fact.name,
                    "value": fact.raw,
                    "start": fact.start.isoformat(),
                    "end": fact.end.isoformat(),
                    "accession": fact.accession,
                    "url": fact.url,
                }
                for fact in one.facts
            ],
            "gap": None
            if one.gap is None
            else {"code": str(one.gap.code), "text": " ".join(filter(None, (one.gap.text, one.gap.detail)))},
        }
        for one in table.cells
    ]


def measure(cell: Cell) -> str:
    """A cell's measure with its definition: Return on equity (average equity)."""
    return f"{cell.label} ({cell.reading})" if cell.reading else cell.label


def markdown(table: Table) -> str:
    """The table with a row for each company and measure and a column for each fiscal year, then results and notes."""
    years = sorted({one.fiscal_year for one in table.cells if one.fiscal_year is not None})
    lines: dict[tuple[int, int, str, str], list[Cell]] = {}
    for one in table.cells:
        lines.setdefault((one.row, one.cik, one.measure, one.reading), []).append(one)
    several = len({one.cik for one in table.cells}) > 1
    said = [f"| | {' | '.join(f'FY{year}' for year in years)} |", f"|---|{'---:|' * len(years)}"] if years else []
    for cells in lines.values():
        by_year = {one.fiscal_year: one for one in cells}
        shown = [_in_column(by_year.get(year)) for year in years]
        name = f"{cells[0].company}: {measure(cells[0])}" if several else measure(cells[0])
        said.append(f"| {name}{_unit(cells)} | {' | '.join(shown)} |")
    said += ["", *_below(table)]
    return "\n".join(said).strip() + "\n"


def _unit(cells: list[Cell]) -> str:
    money = next((one.unit for one in cells if one.value is not None and len(one.unit) == 3), "")
    return f", {money} million" if money else ""


def _in_column(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.value is None:
        return "\u2013"
    value = cell.value if cell.fact else rounded(cell.value, cell.unit)
    text = in_table(value, cell.unit)
    return f"**{text}**" if cell.asserted else text


def _below(table: Table) -> Iterator[str]:
    for one in table.results:
        yield sentence(one, table)
    asked = [one for one in table.cells if one.asked]
    said = [f"{one.company}, {one.label}: {one.gap.text} {one.gap.detail}".strip() for one in asked if one.gap]
    said += [f"Fiscal {one.fiscal_year}: {one.period_reading}." for one in asked if one.period_reading]
    said += [note for one in asked if one.asserted for note in one.notes]
    yield from dict.fromkeys((*said, *(note for one in table.results for note in one.notes), *table.notes))
    if any(one.formula and one.value is not None for one in table.cells) or any(one.formula for one in table.results):
        yield ROUNDED


def sentence(result: Result, table: Table) -> str:
    """One result in words."""
    names = {one.cik: one.company for one in table.cells}
    who = f"{names.get(result.cik, '')}, " if result.cik else ""
    when = span(result.fiscal_years)
    if result.gap is not None or result.value is None:
        gap = f" {result.gap.text} {result.gap.detail}".rstrip() if result.gap else ""
        return (
            f"{OVER.get(result.operation, result.operation.capitalize())} of {result.label}, {who}{when}: none.{gap}"
        )
    value = shown(result.value, result.unit, reported=not result.formula)
    match result.operation:
        case "rank":
            years = "" if result.cik or not result.fiscal_years else f" {when}"
            return (
                f"{result.label}{years}, {'highest' if result.highest else 'lowest'} first: {_order(result, names)}."
            )
        case "threshold":
            answer = "yes" if result.holds else "no"
            bound = shown(result.bound or Decimal(0), result.unit, reported=True)
            return f"{result.label}, {who}{when}: {value} {result.comparison} {bound}: {answer}."
        case "highest" | "lowest":
            best = [str(one.fiscal_year) for one in result.order if one.rank == 1]
            return f"{OVER[result.operation]} {result.label}, {who}{when}: {value} in fiscal {listed(best)}."
    return f"{OVER[result.operation]} of {result.label}, {who}{when}: {value}."


def _order(result: Result, names: dict[int, str]) -> str:
    def one(place: Placed) -> str:
        name = f"fiscal {place.fiscal_year}" if result.cik else names.get(place.cik, str(place.cik))
        return f"{place.rank}. {name} {shown(place.value, result.unit)}"

    return ", ".join(map(one, result.order))


def span(years: tuple[int, ...]) -> str:
    """Fiscal years in words: fiscal 2019 to 2024."""
    if not years:
        return "no year"
    return f"fiscal {years[0]}" if len(set(years)) == 1 else f"fiscal {years[0]} to {years[-1]}"
