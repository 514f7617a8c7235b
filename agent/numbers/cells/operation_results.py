"""The inputs and results of operations on table cells."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from agent.numbers.cells.cells import BuiltCell, names, operands, renamed, unit_of
from agent.numbers.cells.meaningful import computed
from agent.numbers.cells.row_expressions import Version
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.evaluated import Evaluated, plain
from agent.numbers.facts.gaps import meaningless
from agent.numbers.registry.expressions import Expr
from agent.refusals.codes import Code
from agent.refusals.grammar import few_years, lower_first, possessive
from agent.state.tables import Gap, Placed, Result
from filings.xbrl.periods import FiscalPeriod, Place

# What an operation makes of a measure, in words: "Average of operating margin".
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


def operation_name(operation: str) -> str:
    """An operation of a result in words: Average, Compound annual growth rate, Rank."""
    return OVER.get(operation, operation.capitalize())


@dataclass(frozen=True)
class RowValue:
    """One input of an operation: a cell's value, or the result of an earlier operation."""

    row: int
    version: Version
    company_filings: CompanyFilings
    places: tuple[Place, ...]
    value: Decimal | None
    unit: str
    evaluated: Evaluated | None = None
    gap: Gap | None = None
    basis_break: str = ""  # why it is not on one basis with the year before
    calendar: tuple[Place, ...] = ()  # the calendar periods that its years stand under beside other companies
    end: date | None = None

    @property
    def year(self) -> int:
        """The newest of its years; 0 where none is known."""
        return self.places[-1].year if self.places else 0

    @property
    def place(self) -> Place:
        """The newest of its years or parts of years."""
        return self.places[-1] if self.places else Place(0, self.company_filings.period)

    @property
    def column(self) -> Place:
        """What other companies' values are compared under: a calendar period, or its own."""
        return self.calendar[-1] if self.calendar else self.place

    @property
    def called(self) -> str:
        """The company, and the year where it is known."""
        name = self.company_filings.company.called
        return f"{possessive(name)} {self.place.called}" if self.places else name

    def base(self, operation: str, places: Iterable[Place], *, alone: bool = True, **others: Any) -> Result:
        """The result of an operation on its row, before it has a value.

        places: its years, or parts of years. alone: whether it is of this company only.
        """
        return Result(
            operation=operation,
            row=self.row,
            label=self.version.label,
            cik=self.company_filings.company.cik if alone else None,
            unit=self.unit,
            **of_places(places),
            **others,
        )

    @property
    def placed(self) -> Placed:
        """The value's place in a ranking. Raises ValueError where there is no value."""
        if self.value is None:
            raise ValueError(f"{self.version.label} has no value.")
        year, period, _ = self.place
        cik = self.company_filings.company.cik
        return Placed(cik=cik, row=self.row, fiscal_year=year, fiscal_period=period, value=self.value)

    def named_after(self, operation: str) -> "RowValue":
        """The value under the name of what made it, as which a further operation compares it."""
        label = f"{operation_name(operation)} of {lower_first(self.version.label)}"
        return replace(self, version=replace(self.version, label=label))


@dataclass(frozen=True)
class Outcome:
    """A result, with what a further operation needs of it."""

    result: Result
    item: RowValue | None = None


def items_of(cells: Iterable[BuiltCell]) -> list[RowValue]:
    """The asked cells with a value, or those that lack one for a reason."""
    return [
        RowValue(
            one.cell.row,
            one.version,
            one.company_filings,
            () if one.cell.fiscal_year is None else (one.cell.place,),
            one.cell.value,
            one.cell.unit,
            one.evaluated if one.cell.value is not None else None,
            one.cell.gap,
            one.cell.basis_break,
            (one.cell.column,) if one.cell.calendar_year is not None else (),
            one.cell.period_end,
        )
        for one in cells
        if one.cell.asked and not one.cell.alternative
    ]


def grouped(items: Iterable[RowValue], key: Callable[[RowValue], object]) -> list[list[RowValue]]:
    groups: dict[object, list[RowValue]] = {}
    for one in items:
        groups.setdefault(key(one), []).append(one)
    return list(groups.values())


def ordered(held: list[RowValue], *, highest: bool) -> tuple[Placed, ...]:
    ordered = sorted((one.placed for one in held), key=lambda one: one.value, reverse=highest)
    ranks = {one.value: place for place, one in reversed(list(enumerate(ordered, start=1)))}
    return tuple(one.model_copy(update={"rank": ranks[one.value]}) for one in ordered)


def undecided(items: Iterable[RowValue]) -> Gap | None:
    """Why no first place can be given: one of those compared has no figure, though it may have had one."""
    for one in items:
        # A quarter's value may be unknown: its earnings per share do not follow from those of the year.
        known = (
            one.gap is not None and one.gap.code is Code.NOT_MEANINGFUL and not one.company_filings.period.of_quarter
        )
        if one.value is None and one.gap is not None and not known:
            text = f"Not ranked: {one.called} has no figure."
            return one.gap.model_copy(update={"text": text, "detail": one.gap.text})
    return None


def left_out(items: Iterable[RowValue]) -> tuple[str, ...]:
    """Who is not in a ranking: with them the order might be another. The reasons stand with their cells."""
    return tuple(
        f"Not ranked, {'not meaningful' if one.gap.code is Code.NOT_MEANINGFUL else 'no figure'}: {one.called}."
        for one in items
        if one.value is None and one.gap is not None
    )


def merge(tree: Expr, of: Iterable[Evaluated]) -> Evaluated:
    """An evaluated expression over the facts of several."""
    found = list(of)
    return Evaluated(
        tree,
        {name: part for one in found for name, part in one.parts.items()},
        tuple(dict.fromkeys(note for one in found for note in one.notes)),
        tuple(dict.fromkeys(said for one in found for said in one.failed)),
        tuple(dict.fromkeys(check for one in found for check in one.passed)),
    )


def of_places(places: Iterable[Place]) -> dict[str, Any]:
    """The fields of a result that name its years or parts of years."""
    found = tuple(places)
    periods = tuple(one.period for one in found)
    return {
        "fiscal_years": tuple(one.year for one in found),
        "fiscal_period": periods[-1] if periods else FiscalPeriod.YEAR,
        "fiscal_periods": periods if len(set(periods)) > 1 else (),
        "calendar": any(one.calendar for one in found),
    }


def finished(
    base: Result,
    merged: Evaluated,
    unit: str,
    last: RowValue,
    places: tuple[Place, ...],
    calendar: tuple[Place, ...] = (),
) -> Outcome:
    """A result with its value, formula and facts. calendar: the calendar periods that its years stand under."""
    value, gap = computed(merged, last.version.label, last.company_filings, last.year)
    if unit_of(replace(last.version, unit=unit), merged) is None:
        value, gap = None, meaningless(f"{last.version.label} mixes figures in different units.")
    named = names(merged, last.year)
    newest = max((part.year for part in merged.parts.values()), default=last.year)
    result = base.model_copy(
        update={
            "value": value,
            "unit": unit,
            "gap": gap,
            **of_places(places),
            "formula": str(renamed(plain(merged.tree), named, newest)),
            "operands": operands(merged.parts, named, newest),
            "notes": tuple(dict.fromkeys((*merged.notes, *_seams(merged)))),
        }
    )
    item = (
        RowValue(
            base.row,
            last.version,
            last.company_filings,
            places,
            value,
            unit,
            merged,
            gap,
            calendar=calendar,
            end=last.end,
        )
        if value is not None
        else None
    )
    return Outcome(result, item)


def _seams(merged: Evaluated) -> list[str]:
    """A note that names the filings, where one company's figures come from several."""
    found = []
    of_years = [
        (company_filings, of)
        for company_filings, of in merged.filings.values()
        if company_filings.period is FiscalPeriod.YEAR
    ]
    for cik in dict.fromkeys(company_filings.company.cik for company_filings, _ in merged.filings.values()):
        years = sorted({of for company_filings, of in of_years if company_filings.company.cik == cik}, reverse=True)
        if len(years) > 1:
            found.append(f"From several 10-Ks: fiscal {few_years(sorted(years))}.")
    return found
