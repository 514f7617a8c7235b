"""Whether a computed value means anything: what it is divided by, and what the registry names, must be above zero."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.evaluated import Evaluated, plain
from agent.numbers.facts.gaps import meaningless
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Alternative, Binary, Call, Expr, Name, Negative, Number, shifted
from agent.numbers.registry.metrics import POSITIVE
from agent.refusals.grammar import capitalized, listed, lower_first
from agent.state.tables import Gap
from filings.xbrl.periods import Place


def computed(
    one: Evaluated, label: str, company_filings: CompanyFilings, year: int
) -> tuple[Decimal | None, Gap | None]:
    """The value of an evaluated measure, or the reason why it has none: a zero or negative denominator."""
    for base in bases(one.tree):
        value = formula.evaluate(plain(base.expr), one.resolve)
        if value < 0 or (value == 0 and not base.or_zero):
            return None, _without_base(one, base.expr, value, label, company_filings, year)
    try:
        return one.value, None
    except formula.DivisionByZero:
        return None, meaningless(
            f"{label} is not meaningful for {company_filings.company.called} in {Place(year, company_filings.period).called}.",
            "The denominator is zero.",
        )
    except formula.FormulaError:
        return None, meaningless(
            f"{label} cannot be computed for {company_filings.company.called} in {Place(year, company_filings.period).called}."
        )


def _without_base(
    one: Evaluated, base: Expr, value: Decimal, label: str, company_filings: CompanyFilings, year: int
) -> Gap:
    inner = base.argument if isinstance(base, Call) and base.function == "avg" else base
    named = (Name(of.name.key, of.name.variant, of.offset) for of in formula.operands(base))
    labels = dict.fromkeys(lower_first(one.parts[name].label) for name in named if name in one.parts)
    what = f"The part computed from {listed(list(labels))}"
    if isinstance(inner, Name) and (part := one.parts.get(inner)):
        average = "average " if base is not inner else ""
        what = (
            f"{capitalized(Place(part.year, part.company_filings.period).called)} {average}{lower_first(part.label)}"
        )
    text = f"{label} is not meaningful for {company_filings.company.called} in {Place(year, company_filings.period).called}."
    return meaningless(text, f"{what} is {'zero' if value == 0 else 'negative'}.")


class Base(NamedTuple):
    """A part of an evaluated expression that must be above zero, or at least not below it."""

    expr: Expr
    or_zero: bool = False


def bases(tree: Expr) -> Iterator[Base]:
    """The parts that must be positive, or the value means nothing: denominators, and those that the registry names.

    An average must not have passed through zero: both of its years count.
    """
    match tree:
        case Call(function=function, argument=inner) if function == POSITIVE:
            yield from bases(inner)
            yield Base(inner)
        case Call(argument=inner) | Negative(operand=inner):
            yield from bases(inner)
        case Binary(operator=operator, left=left, right=right):
            yield from bases(left)
            yield from bases(right)
            if operator == "/" and formula.operands(right):
                yield from (Base(one, or_zero=True) for one in _averaged(right))
                yield Base(right)
        case Alternative(options=options):
            for option in options:
                yield from bases(option)


def _averaged(expr: Expr) -> tuple[Expr, ...]:
    """The two years of an average, the earlier first; none of another expression."""
    match expr:
        case Call(function="avg", argument=now):
            return shifted(now, -1), now
        case Binary(operator="/", left=Binary(operator="+", left=now, right=before), right=Number(value=value)):
            return (before, now) if value == 2 else ()
    return ()
