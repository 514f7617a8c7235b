"""A table as plain text, with figures rendered by `render`, and as rows of JSON in full precision."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from agent.numbers.cells.operation_results import OVER, operation_name
from agent.numbers.facts.render import WORDS, exact, in_table, is_money, rounded, shown
from agent.refusals.grammar import capitalized, listed, lower_first
from agent.state import Scale
from agent.state.conversion import converted
from agent.state.table_rows import TableFact, TableGap, TableRow
from agent.state.tables import Cell, Placed, Result, Table
from filings.xbrl.periods import Place

ROUNDED = "Computed figures are rounded for display only."
# Before a figure that is not on one basis with the year before; after one that is shown as a later 10-K restates it.
BREAK, RESTATED = "\u2016 ", " (r)"
COMPARISONS = {">": "above", ">=": "at least", "<": "below", "<=": "at most", "==": "exactly"}
SIGNS = {">": "positive", "<": "negative"}
# The fields of a row in batches, in this order.
IN_BATCHES = (
    "company", "cik", "fiscal_year", "fiscal_period", "column", "period_end", "measure", "part", "role", "value", "unit", "asked",
    "guided_as_of", "formula", "facts", "restated_in", "first_reported", "basis_break", "gap",
)  # fmt: skip


def rows_of(table: Table, statements: Sequence[str] = ()) -> list[TableRow]:
    """The cells for JSON. statements: the statement of each row of the query."""
    return [
        converted(
            TableRow,
            one,
            column=one.column.short if one.fiscal_year is not None else "",
            key=one.measure,
            measure=measure(one),
            statement=statements[one.row] if statements else "",
            value=one.digits,
            asked=one.asked and not one.alternative,
            facts=[converted(TableFact, fact, tag=fact.name, value=fact.digits) for fact in one.facts],
            restated_in=one.recast.accession if one.recast else None,
            gap=TableGap(code=one.gap.code, text=f"{one.gap.text} {one.gap.detail}".strip()) if one.gap else None,
        )
        for one in table.cells
    ]


def rows(table: Table) -> list[dict[str, Any]]:
    """The cells as JSON for batches, with what each is in a breakdown."""
    cells = zip(rows_of(table), table.cells, strict=True)
    found = (row.model_dump(mode="json") | {"part": one.part, "role": one.role} for row, one in cells)
    return [{name: row[name] for name in IN_BATCHES} for row in found]


def measure(cell: Cell) -> str:
    """A cell's measure with its definition: Return on equity (average equity)."""
    return f"{cell.label} ({cell.reading})" if cell.reading else cell.label


def ranges(table: Table, scale: Scale | None = None) -> Iterator[str]:
    """Each range that is guided in a sentence: "Halden, net sales, Q2 fiscal 2025, guided, as of ...: $4 - $5 million"."""
    asked = [one for one in table.asserted if one.limit]
    for low, high in pairwise(asked):
        if (low.limit, high.limit) == ("low", "high") and (low.row, low.place) == (high.row, high.place):
            said = " \u2013 ".join(
                shown(one.value, one.unit, scale, reported=one.fact is not None)
                for one in (low, high)
                if one.value is not None
            )
            when = ", ".join((low.place.called, low.guided))
            yield f"{low.company}, {lower_first(low.label)}, {when}: {said}"


def in_full(cell: Cell, scale: Scale | None = None) -> str:
    """A figure, and in brackets all its digits where these add to it: $31,370 million (31,370,000,000 US dollars)."""
    if cell.value is None:
        raise ValueError(f"{cell.label} of {cell.place.called} has no value.")
    said = shown(cell.value, cell.unit, scale, reported=cell.fact is not None)
    full = exact(cell.value, cell.unit) if cell.fact else ""
    return f"{said} ({full})" if full and full != said else said


def row_label(cell: Cell) -> str:
    """What stands before a row: the measure, or in a breakdown the part alone."""
    return cell.part or measure(cell)


def lines(table: Table) -> list[list[Cell]]:
    """The cells of each company and measure, one row each.

    A statement may have one tag in two rows of a year, such as cash at the beginning and at the end.
    """
    found: dict[tuple[int, int, str, str, int], list[Cell]] = {}
    for one in table.cells:
        place = 0
        while any(
            other.column == one.column for other in found.get((one.row, one.cik, one.measure, one.reading, place), ())
        ):
            place += 1
        found.setdefault((one.row, one.cik, one.measure, one.reading, place), []).append(one)
    return list(found.values())


def markdown(table: Table, scale: Scale | None = None) -> str:
    """The table with a row for each company and measure and a column for each fiscal year, then results and notes."""
    places = sorted({one.column for one in table.cells if one.fiscal_year is not None})
    several = len({one.cik for one in table.cells}) > 1
    heads = " | ".join(one.short for one in places)
    said = [f"| | {heads} |", f"|---|{'---:|' * len(places)}"] if places else []
    for cells in lines(table):
        by_place = {one.column: one for one in cells}
        shown = [_in_column(by_place.get(one), scale) for one in places]
        name = f"{cells[0].company}: {row_label(cells[0])}" if several else row_label(cells[0])
        said.append(f"| {name}{_unit(cells, scale)} | {' | '.join(shown)} |")
    said += ["", *_below(table, scale)]
    return "\n".join(said).strip() + "\n"


def _unit(cells: list[Cell], scale: Scale | None) -> str:
    unit = next((one.unit for one in cells if one.value is not None), "")
    if is_money(unit):
        return f", {unit} {WORDS[scale or Scale.MILLIONS]}".rstrip()
    return f", {WORDS[scale]} shares" if unit == "shares" and scale and WORDS[scale] else ""


def _in_column(cell: Cell | None, scale: Scale | None) -> str:
    if cell is None:
        return ""
    if cell.value is None:
        return "\u2013"
    value = cell.value if cell.fact else rounded(cell.value, cell.unit)
    text = in_table(value, cell.unit, scale)
    text = f"**{text}**" if cell.asserted else text
    return f"{BREAK if cell.basis_break else ''}{text}{RESTATED if cell.recast else ''}{own_period(cell)}"


def own_period(cell: Cell) -> str:
    """The company's own name of a period under a calendar one, with its last day, behind a figure."""
    if cell.calendar_year is None or cell.period_end is None:
        return ""
    return f" ({cell.place.short}, {cell.period_end:%-d %b %Y})"


def operands_said(cell: Cell, scale: Scale | None = None) -> str:
    """The figures of a value that is not given: " Net income, fiscal 2024: $5 million; ..."; empty without any."""
    said = "; ".join(
        f"{one.label}, {one.place.called}: {shown(one.fact.value, one.fact.unit, scale)}" for one in cell.operands
    )
    return f" {said}." if said and cell.value is None else ""


def _below(table: Table, scale: Scale | None) -> Iterator[str]:
    for one in table.results:
        yield sentence(one, table, scale)
    asked = [one for one in table.cells if one.asked]
    said = [
        f"{one.company}, {one.label}: {one.gap.text} {one.gap.detail}{operands_said(one, scale)}".strip()
        for one in asked
        if one.gap and one.gap.text
    ]
    said += [f"{capitalized(one.place.called)}: {one.period_reading}." for one in asked if one.period_reading]
    said += [note for one in asked if one.asserted for note in one.notes]
    yield from dict.fromkeys((*said, *(note for one in table.results for note in one.notes), *table.notes))
    if any(one.formula and one.value is not None for one in table.cells) or any(one.formula for one in table.results):
        yield ROUNDED


def sentence(result: Result, table: Table, scale: Scale | None = None) -> str:
    """One result of an operation, in words."""
    names = table.names
    label = lower_first(result.label)
    who = f"{names.get(result.cik, '')}, " if result.cik else ""
    when = span(result.places)
    if result.gap is not None or result.value is None:
        gap = f" {result.gap.text} {result.gap.detail}".rstrip() if result.gap else ""
        return f"{operation_name(result.operation)} of {label}, {who}{when}: none.{gap}"
    value = figure(result, scale)
    match result.operation:
        case "rank":
            rows = ranked_rows(result, table)
            placed = [rows.get(one.row) or _placed(one, result, names) for one in result.order]
            all_named = not rows and result.cik and len(result.order) == len(result.places)
            years = "" if all_named or not result.places else f", {when}"
            best = "highest" if result.highest else "lowest"
            if len(placed) == 1:
                return f"{best.capitalize()}{'' if rows else f' {label}'}{years}: {placed[0]}, {value}."
            listing = ", ".join(
                f"{one.rank}. {name} {shown(one.value, result.unit, scale)}"
                for one, name in zip(result.order, placed, strict=True)
            )
            return f"{f'{who}{when}' if rows else f'{result.label}{years}'}, {best} first: {listing}."
        case "threshold":
            bound = shown(result.bound or Decimal(0), result.unit, scale)
            asked = f"{COMPARISONS.get(result.comparison, result.comparison)} {bound}"
            asked = asked if result.bound else SIGNS.get(result.comparison, asked)
            answer = "yes" if result.holds else "no"
            return f"{result.label}, {who}{when}: {value}. {asked[:1].upper()}{asked[1:]}: {answer}."
        case "highest" | "lowest":
            return f"{OVER[result.operation]} {label}, {who}{when}: {value} {best_years(result)}."
    return f"{OVER[result.operation]} of {label}, {who}{when}: {value}."


def ranked_rows(result: Result, table: Table) -> dict[int, str]:
    """Row -> its measure, where the rows of one company and period are put in order; empty where anything else is."""
    if result.operation != "rank" or result.cik is None or len(result.places) > 1:
        return {}
    rows = {one.row: measure(one) for one in table.cells if one.asked and one.cik == result.cik}
    return rows if len(rows) > 1 else {}


def figure(result: Result, scale: Scale | None = None) -> str:
    """The value of a result: 9.2%."""
    if result.value is None:
        raise ValueError(f"The {result.operation} of {result.label} has no value.")
    return shown(result.value, result.unit, scale, reported=False if result.formula else None)


def best_years(result: Result) -> str:
    """The years of an extreme: "in fiscal 2022"."""
    first = [result.place_of(one) for one in result.order if one.rank == 1]
    return f"in {places_said(first)}"


def _placed(place: Placed, result: Result, names: dict[int, str]) -> str:
    return result.place_of(place).called if result.cik else names.get(place.cik, str(place.cik))


def span(places: Sequence[Place]) -> str:
    """Fiscal years, or one part of each, from the first to the last: fiscal 2019 to 2024, Q3 fiscal 2019 to 2024."""
    if not places:
        return "no year"
    first, last = places[0], places[-1]
    if first == last:
        return first.called
    alike = len({one.period for one in places}) == 1
    return f"{first.called} to {last.year if alike else last.called}"


def places_said(of: Iterable[Place]) -> str:
    """Fiscal years and parts of them: "fiscal 2022 to 2024", "Q3 fiscal 2024 and Q4 fiscal 2024"; empty without
    any.
    """
    found = sorted(set(of))
    if not found:
        return ""
    years = [one.year for one in found]
    if len({one.period for one in found}) == 1:
        running = len(years) > 2 and years[-1] - years[0] == len(years) - 1
        return found[0].called.removesuffix(str(years[0])) + (
            f"{years[0]} to {years[-1]}" if running else listed([str(year) for year in years])
        )
    return f"{found[0].called} to {found[-1].called}" if len(found) > 2 else listed([one.called for one in found])
