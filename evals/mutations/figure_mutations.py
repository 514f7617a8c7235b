"""Corruptions of a table of figures between two steps: each makes something false of what the table says.

Nothing of `agent.numbers` is used: values are changed digit by digit, and formulas are computed again by plain arithmetic.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from agent.state import Cell, FactRef
from agent.state.tables import CellOperand, Result, Table
from evals.truths.derived_truth import NotRecomputed, evaluate

# Figures have so many leading digits that a reader reads.
LEADING = 4
# Names of a formula: revenue, revenue[FY-1], revenue:aapl.
NAME = re.compile(r"[A-Za-z_][\w:.-]*(?:\[FY-\d+\])?")
# A part of a company that no company has.
STRANGE_PART = "StatementBusinessSegmentsAxis=DivisionOfNobodyMember"
A_YEAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Place:
    """One asserted cell of a table, with others to exchange it with.

    strangers: asserted cells of other questions, of other companies and measures. parts: facts of parts of the company under
    the same tag.
    """

    table: Table
    at: int
    strangers: Sequence[Cell]
    parts: Sequence[FactRef]
    chosen: random.Random

    @property
    def cell(self) -> Cell:
        return self.table.cells[self.at]

    def having(self, **update: Any) -> Table:
        """The table with another content of the cell."""
        return of_cell(self.table, self.at, self.cell.model_copy(update=update))

    def another(self, *, company: bool) -> Cell | None:
        """A cell of another company, or of another measure of this one; None where there is none."""
        fitting = [
            one
            for one in self.strangers
            if (one.cik != self.cell.cik if company else one.cik == self.cell.cik and one.label != self.cell.label)
            and one.value != self.cell.value
        ]
        return self.chosen.choice(fitting) if fitting else None

    def neighbours(self) -> list[Cell]:
        """The cells of other periods in the same row."""
        own = self.cell
        return [
            one
            for one in self.table.cells
            if (one.cik, one.label, one.reading) == (own.cik, own.label, own.reading)
            and one.period_end != own.period_end
            and one.value not in (None, own.value)
        ]


def of_cell(table: Table, at: int, cell: Cell) -> Table:
    return table.model_copy(update={"cells": (*table.cells[:at], cell, *table.cells[at + 1 :])})


def recomputed(formula: str, operands: Sequence[CellOperand]) -> Decimal | None:
    """A formula of + - * / over its operands; None for others."""
    names = {one.name: f"v{place}" for place, one in enumerate(operands)}
    plain = NAME.sub(lambda found: names.get(found[0], found[0]), formula)
    values = {f"v{place}": one.fact.value for place, one in enumerate(operands)}
    try:
        return evaluate(plain, values)
    except (NotRecomputed, ArithmeticError, SyntaxError):
        return None


def digit_changed(value: Decimal, chosen: random.Random) -> Decimal:
    """The value with one of its leading digits a unit off."""
    sign, digits, exponent = value.as_tuple()
    place = chosen.randrange(min(LEADING, len(digits)))
    digit = digits[place] + (1 if digits[place] < 9 else -1)
    return Decimal((sign, (*digits[:place], digit, *digits[place + 1 :]), exponent))


def with_value(place: Place, change: Callable[[Decimal], Decimal]) -> Iterator[Table]:
    """The value changed: where it is shown, in the fact as well, and in one operand with what follows from it."""
    cell = place.cell
    if cell.value is None or change(cell.value) == cell.value:
        return
    yield place.having(value=change(cell.value))
    if cell.fact:
        yield place.having(value=change(cell.value), fact=fact_with(cell.fact, change(cell.fact.value)))
    for number, one in enumerate(cell.operands[:1]):
        fact = fact_with(one.fact, change(one.fact.value))
        operands = (
            *cell.operands[:number],
            one.model_copy(update={"fact": fact}),
            *cell.operands[number + 1 :],
        )
        value = recomputed(cell.formula, operands)
        if value is not None and value != cell.value:
            yield place.having(value=value, operands=operands)


def fact_with(fact: FactRef, value: Decimal) -> FactRef:
    return fact.model_copy(update={"value": value, "raw": format(-value if fact.negated else value, "f")})


def digit(place: Place) -> Iterator[Table]:
    yield from with_value(place, lambda value: digit_changed(value, place.chosen))


def scale(place: Place) -> Iterator[Table]:
    yield from with_value(place, lambda value: value * place.chosen.choice((1000, 100)))
    yield from with_value(place, lambda value: value / 1000)


def sign(place: Place) -> Iterator[Table]:
    yield from with_value(place, lambda value: -value)


def rounding(place: Place) -> Iterator[Table]:
    def rounded(value: Decimal) -> Decimal:
        return value.quantize(Decimal((0, (1,), value.adjusted() - 1))) if value else value

    yield from with_value(place, rounded)


def year(place: Place) -> Iterator[Table]:
    """The year before or behind over the same figure, by its label alone or with its day."""
    cell = place.cell
    if cell.fiscal_year is None or cell.period_end is None:
        return
    for off in (-1, 1):
        yield place.having(fiscal_year=cell.fiscal_year + off)
        yield place.having(fiscal_year=cell.fiscal_year + off, period_end=cell.period_end + off * A_YEAR)
    yield place.having(period_end=cell.period_end - A_YEAR)
    if cell.fact:
        moved = {"start": cell.fact.start - A_YEAR, "end": cell.fact.end - A_YEAR}
        yield place.having(fact=cell.fact.model_copy(update=moved))


def content(cell: Cell) -> dict[str, Any]:
    """The figure of a cell and where it comes from."""
    return {"value": cell.value, "fact": cell.fact, "operands": cell.operands, "formula": cell.formula}


def neighbour(place: Place) -> Iterator[Table]:
    """The figure of another column: alone, with its facts, and with its filing as well."""
    for one in place.neighbours()[-1:]:
        yield place.having(value=one.value)
        yield place.having(**content(one))
        yield place.having(**content(one), accession=one.accession, filed=one.filed, url=one.url)


def accession(place: Place) -> Iterator[Table]:
    """Another filing: of the cell, of its fact, and of both."""
    cell = place.cell
    others = [one.accession for one in place.neighbours() if one.accession != cell.accession]
    stranger = place.another(company=True)
    for other in [*others[-1:], *([stranger.accession] if stranger else [])]:
        yield place.having(accession=other)
        if cell.fact:
            fact = cell.fact.model_copy(update={"accession": other})
            yield place.having(fact=fact)
            yield place.having(accession=other, fact=fact)


def company(place: Place) -> Iterator[Table]:
    """Another company: over the same figure, and its figure under this company's name."""
    other = place.another(company=True)
    if other is None:
        return
    yield place.having(company=other.company)
    yield place.having(company=other.company, cik=other.cik)
    yield place.having(value=other.value)
    yield place.having(**content(other))
    yield place.having(**content(other), accession=other.accession, filed=other.filed, url=other.url)
    whole = {**content(other), "accession": other.accession, "filed": other.filed, "url": other.url, "cik": other.cik}
    yield place.having(**whole, period_end=other.period_end, measure=other.measure, unit=other.unit)


def measure(place: Place) -> Iterator[Table]:
    """Another measure of the company: its name over this figure, and its figure under this name."""
    other = place.another(company=False)
    if other is None:
        return
    yield place.having(label=other.label)
    yield place.having(label=other.label, measure=other.measure)
    if other.period_end == place.cell.period_end:
        yield place.having(**content(other))
        yield place.having(**content(other), unit=other.unit)


def unit(place: Place) -> Iterator[Table]:
    """Another unit: of the cell, of the fact, and of both."""
    cell = place.cell
    other = place.chosen.choice([one for one in ("USD", "EUR", "shares", "percent", "ratio") if one != cell.unit])
    yield place.having(unit=other)
    if cell.fact:
        fact = cell.fact.model_copy(update={"unit": other})
        yield place.having(fact=fact)
        yield place.having(unit=other, fact=fact)


def member(place: Place) -> Iterator[Table]:
    """A part for the whole or for another part, by name alone and with its figure."""
    cell = place.cell
    if cell.fact is None:
        return
    yield place.having(fact=cell.fact.model_copy(update={"dimensions": STRANGE_PART}))
    for one in place.parts:
        if one.dimensions != cell.fact.dimensions and one.value != cell.value and one.end == cell.fact.end:
            yield place.having(fact=one, value=one.value)
            yield place.having(fact=one, value=one.value, accession=one.accession)
            return


def operands(place: Place) -> Iterator[Table]:
    """Two operands exchanged, one of another year or measure in a place, and one in two places."""
    cell = place.cell
    if not cell.operands:
        return
    first, *others = cell.operands
    for last in others[-1:]:
        swapped = first.model_copy(update={"fact": last.fact}), last.model_copy(update={"fact": first.fact})
        twice = first, last.model_copy(update={"fact": first.fact})
        for two in (swapped, twice):
            yield from changed_operands(place, (two[0], *others[:-1], two[1]))
    for near in place.neighbours()[-1:]:
        fitting = [one for one in near.operands if one.name == first.name]
        for one in fitting:
            yield from changed_operands(place, (first.model_copy(update={"fact": one.fact}), *others))
    other = place.another(company=False)
    if other and other.fact and other.period_end == cell.period_end:
        yield from changed_operands(place, (first.model_copy(update={"fact": other.fact}), *others))


def changed_operands(place: Place, changed: tuple[CellOperand, ...]) -> Iterator[Table]:
    """Other operands under the value, and with the value that follows from them."""
    if [one.fact for one in changed] == [one.fact for one in place.cell.operands]:
        return
    value = recomputed(place.cell.formula, changed)
    if value is not None and value != place.cell.value:
        yield place.having(operands=changed)
        yield place.having(operands=changed, value=value)


def formula(place: Place) -> Iterator[Table]:
    """Another formula over the same operands, under the value and with the value that follows from it."""
    cell = place.cell
    for text in variants(cell.formula):
        value = recomputed(text, cell.operands)
        if value is not None and value != cell.value:
            yield place.having(formula=text, value=value)
            yield place.having(formula=text)


def variants(formula: str) -> list[str]:
    """A formula with its sides turned, a sign changed, or its factor dropped."""
    made = [re.sub(r"(\w+) / (\w+)", r"\2 / \1", formula)]
    made += [formula.replace(" + ", " - ", 1), formula.replace(" - ", " + ", 1), formula.replace(" / ", " * ", 1)]
    made += [formula.removeprefix("100 * ")]
    return [one for one in dict.fromkeys(made) if one != formula]


def context(place: Place) -> Iterator[Table]:
    """A figure beside the answer as the answer: with the right one, and in its place."""
    beside = [number for number, one in enumerate(place.table.cells) if not one.asked and one.value is not None]
    for number in beside[-1:]:
        cell = place.table.cells[number].model_copy(update={"asked": True})
        yield of_cell(place.table, number, cell)
        moved = of_cell(place.table, number, cell)
        yield of_cell(moved, place.at, place.cell.model_copy(update={"asked": False}))


def beside(place: Place) -> Iterator[Table]:
    """A figure beside the answer changed: of another year, restated later, first reported, or of a part."""
    cell = place.cell
    others = [number for number, one in enumerate(place.table.cells) if not one.asked and one.value is not None]
    for number in others[:1]:
        near = place.table.cells[number]
        yield of_cell(
            place.table,
            number,
            near.model_copy(update={"value": digit_changed(near.value or Decimal(0), place.chosen)}),
        )
        yield of_cell(place.table, number, near.model_copy(update={"fiscal_year": (near.fiscal_year or 0) - 1}))
    for one in cell.restated[:1]:
        fact = fact_with(one.later.fact, digit_changed(one.later.fact.value, place.chosen))
        later = one.later.model_copy(update={"fact": fact, "change": fact.value - one.used})
        yield place.having(restated=(one.model_copy(update={"later": later}), *cell.restated[1:]))
        wrong = one.model_copy(update={"used": digit_changed(one.used, place.chosen)})
        yield place.having(restated=(wrong, *cell.restated[1:]))
    if cell.recast and cell.recast.first is not None and cell.recast.fact:
        first = digit_changed(cell.recast.first, place.chosen)
        yield place.having(recast=cell.recast.model_copy(update={"first": first}))
    for part in cell.breakdown[:1]:
        fact = fact_with(part.fact, digit_changed(part.fact.value, place.chosen))
        yield place.having(breakdown=(part.model_copy(update={"fact": fact}), *cell.breakdown[1:]))


# --- results of operations ---


def results(place: Place) -> Iterator[Table]:
    """A result with another value, company, period, unit, operation, order, bound or verdict."""
    for number, one in enumerate(place.table.results):
        if one.gap is None and one.value is not None:
            for update in of_result(one, place):
                made = one.model_copy(update=update)
                kept = place.table.results
                yield place.table.model_copy(update={"results": (*kept[:number], made, *kept[number + 1 :])})


def of_result(one: Result, place: Place) -> Iterator[dict[str, Any]]:
    """What may be wrong of a result."""
    yield {"value": digit_changed(one.value or Decimal(0), place.chosen)}
    yield {"unit": "ratio" if one.unit != "ratio" else "percent"}
    yield {"fiscal_years": tuple(year - 1 for year in one.fiscal_years)}
    yield {"label": "Something else"}
    if other := place.another(company=True):
        yield {"cik": other.cik}
    if len(one.operands) > 1:
        first, *between, last = one.operands
        two = first.model_copy(update={"fact": last.fact}), last.model_copy(update={"fact": first.fact})
        changed = (two[0], *between, two[1])
        value = recomputed(one.formula, changed)
        if value is not None and value != one.value:
            yield {"operands": changed, "value": value}
    for text in variants(one.formula):
        value = recomputed(text, one.operands)
        if value is not None and value != one.value:
            yield {"formula": text, "value": value}
    if len(one.order) > 1 and one.order[0].value != one.order[-1].value:
        turned = tuple(
            placed.model_copy(update={"rank": rank})
            for rank, placed in enumerate(reversed(one.order), one.order[0].rank)
        )
        yield {"order": turned, "value": turned[0].value}
        exchanged = one.order[0].model_copy(
            update={"cik": one.order[-1].cik, "fiscal_year": one.order[-1].fiscal_year}
        )
        yield {"order": (exchanged, *one.order[1:])}
    if one.holds is not None and one.bound is not None:
        yield {"holds": not one.holds}
        yield {"bound": one.bound + 1}
        yield {
            "comparison": {">": "<", ">=": "<=", "<": ">", "<=": ">="}.get(one.comparison, ">"),
            "holds": not one.holds,
        }
    others = {"highest": "lowest", "lowest": "highest", "average": "sum", "sum": "average", "growth": "cagr"}
    if one.operation in others:
        yield {"operation": others[one.operation]}


CLASSES: Mapping[str, Callable[[Place], Iterator[Table]]] = {
    "value, a digit": digit,
    "scale": scale,
    "sign": sign,
    "rounding": rounding,
    "year": year,
    "neighbour column": neighbour,
    "accession": accession,
    "company": company,
    "measure": measure,
    "unit": unit,
    "member": member,
    "operand": operands,
    "formula variant": formula,
    "context cell asserted": context,
    "figure beside the answer": beside,
    "result of an operation": results,
}
