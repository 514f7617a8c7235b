"""The values that a definition may have over cited figures: by the registry's expressions and plain arithmetic alone.

Where a definition has alternatives, or several figures are cited for one measure and period, each gives a value.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Context, Decimal, DecimalException, localcontext
from itertools import product

from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Alternative, Binary, Call, Expr, Name, Negative, Number
from agent.numbers.registry.formula import PRECISION
from agent.numbers.registry.metrics import QUARTER_BEFORE
from agent.numbers.registry.registry import Registry
from agent.state import FactRef
from agent.state.tables import CellOperand
from filings.xbrl.periods import QUARTERS, TRAILING, FiscalPeriod, Place

# Figures are compared to so many digits: sums in another order differ in the last of eighty.
DIGITS = Context(prec=12)
TO_DATE = (FiscalPeriod.Q1, FiscalPeriod.H1, FiscalPeriod.NINE_MONTHS, FiscalPeriod.YEAR)
OPERATORS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "**": lambda left, right: left**right,
}
Terms = tuple[tuple[int, Place], ...]


def computed(text: str, operands: Iterable[CellOperand], value: Callable[[FactRef], Decimal | None]) -> Decimal | None:
    """A formula over the values of its operands; None where it has none."""
    values: dict[Name, Decimal] = {}
    for one in operands:
        name, found = formula.parse(one.name), value(one.fact)
        if isinstance(name, Name) and found is not None:
            values[name] = found

    def resolve(name: Name, offset: int) -> Decimal:
        named = Name(name.key, name.variant, offset)
        if named not in values:
            raise formula.Missing(name, offset)
        return values[named]

    try:
        return formula.evaluate(formula.parse(text), resolve)
    except (formula.FormulaError, formula.Missing):
        return None


def alike(one: Decimal, other: Decimal) -> bool:
    """Whether two values are the same to twelve digits."""
    return DIGITS.plus(one) == DIGITS.plus(other)


@dataclass(frozen=True)
class Figures:
    """Cited figures of one company: their stored values by key of the measure and period."""

    registry: Registry
    held: dict[tuple[str, Place], set[Decimal]] = field(default_factory=dict)

    def add(self, key: str, place: Place, value: Decimal) -> None:
        self.held.setdefault((key, place), set()).add(value)

    def values(self, expr: Expr, place: Place, *, derive: bool = True) -> set[Decimal]:
        """Every value that an expression over measures may have for a period; empty where a figure is missing."""
        match expr:
            case Number(value=value):
                return {value}
            case Name(key=key, offset=offset):
                return self._of_measure(key, place._replace(year=place.year + offset), derive=derive)
            case Negative(operand=operand):
                return {-one for one in self.values(operand, place, derive=derive)}
            case Binary(operator=operator, left=left, right=right):
                sides = (self.values(side, place, derive=derive) for side in (left, right))
                return combined(operator, *sides)
            case Alternative(options=options):
                return {one for option in options for one in self.values(option, place, derive=derive)}
            case Call(function=function, argument=argument):
                return self._call(function, argument, place, derive=derive)
        return set()

    def _call(self, function: str, argument: Expr, place: Place, *, derive: bool) -> set[Decimal]:
        before = quarter_before(place) if function == QUARTER_BEFORE else place._replace(year=place.year - 1)
        if function in {"prev", QUARTER_BEFORE}:
            return self.values(argument, before, derive=derive)
        now = self.values(argument, place, derive=derive)
        match function:
            case "opt":
                return now or {Decimal(0)}
            case "abs":
                return {abs(one) for one in now}
            case "avg":
                return combined("/", combined("+", now, self.values(argument, before, derive=derive)), {Decimal(2)})
            case "d":
                return combined("-", now, self.values(argument, before, derive=derive))
        return now  # marks of what must be above zero, or held

    def _of_measure(self, key: str, place: Place, *, derive: bool) -> set[Decimal]:
        """The cited figures of a measure; else what parts of years leave; else what the registry derives it from."""
        if found := self.held.get((key, place)):
            return found
        for terms in made_of(place):
            values = [{sign * one for one in self.held.get((key, part), ())} for sign, part in terms]
            if all(values):
                return {sum(one, Decimal(0)) for one in product(*values)}
        concept = self.registry.concepts.get(key) if derive else None
        return {
            one
            for expression in (concept.derivations if concept else ())
            for one in self.values(expression, place, derive=False)
        }


def combined(operator: str, left: Iterable[Decimal], right: Iterable[Decimal]) -> set[Decimal]:
    """The values of an operator over every pair; without those that have none, such as a division by zero."""
    return set(_pairs(operator, tuple(left), tuple(right)))


def _pairs(operator: str, left: tuple[Decimal, ...], right: tuple[Decimal, ...]) -> Iterator[Decimal]:
    with localcontext(PRECISION):
        for one, other in product(left, right):
            try:
                yield OPERATORS[operator](one, other)
            except DecimalException:
                continue


def quarter_before(place: Place) -> Place:
    year, quarter = divmod(place.year * len(QUARTERS) + place.period.quarter - 2, len(QUARTERS))
    return Place(year, QUARTERS[quarter])


def made_of(place: Place) -> list[Terms]:
    """How a part of a year, or twelve months, is made of reported parts: with their signs."""
    year, period = place.year, place.period

    def at(part: FiscalPeriod, of: int = year) -> Place:
        return Place(of, part)

    number = period.quarter - 1
    if period in TRAILING:
        return [((1, at(FiscalPeriod.YEAR, year - 1)), (1, at(TO_DATE[number])), (-1, at(TO_DATE[number], year - 1)))]
    if period is FiscalPeriod.H2:
        return [((1, at(FiscalPeriod.YEAR)), (-1, at(FiscalPeriod.H1)))]
    if period.of_quarter and number:
        quarters: Terms = tuple((-1, at(one)) for one in QUARTERS[:number])
        return [((1, at(TO_DATE[number])), (-1, at(TO_DATE[number - 1]))), ((1, at(TO_DATE[number])), *quarters)]
    if period in TO_DATE[1:]:
        return [tuple((1, at(one)) for one in QUARTERS[: TO_DATE.index(period) + 1])]
    return []
