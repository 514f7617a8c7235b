"""The registry's identities, checked on one filing.

A failed hard identity blocks its operands; a failed soft one is a warning beside the number.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext

from agent.numbers.expressions import replaced
from agent.numbers.formula import (
    PRECISION,
    Binary,
    Comparison,
    DivisionByZero,
    Expr,
    Missing,
    Name,
    evaluate,
    operands,
)
from agent.numbers.registry import Identity, Registry
from agent.numbers.render import number
from agent.numbers.rounding import half_unit


@dataclass(frozen=True, slots=True)
class Reported:
    """What a filing says of one concept.

    `tagged` is False for a derived value, whose `slack` is the sum of its operands' half units; a fact's slack follows
    from its decimals.
    """

    value: Decimal
    decimals: int | None = None
    tagged: bool = True
    slack: Decimal | None = None

    @property
    def half_unit(self) -> Decimal:
        return half_unit(self.value, self.decimals) if self.slack is None else self.slack


# The value of a concept key in fiscal year FY + offset, as the filing in hand reports it; None where it does not.
Lookup = Callable[[str, int], Reported | None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One identity on one filing. `detail` gives its sides; `note` what explains an accepted exception."""

    id: str
    hard: bool
    ok: bool
    detail: str
    note: str = ""


def check(registry: Registry, lookup: Lookup, concept: str | None = None) -> tuple[Outcome, ...]:
    """The identities whose operands are all present: every one, or those that `concept` is an operand of.

    For a concept, `hard` says that a failure blocks that concept: a share count off by a million fails against EPS
    and net income, and only the share count is refused.
    """
    identities = registry.identities if concept is None else registry.identities_of(concept)
    found = (
        _outcome(identity, key, lookup, concept)
        for identity in identities
        for key in (identity.for_each or ("",))
        if not (concept and key) or key == concept
    )
    return tuple(outcome for outcome in found if outcome)


def _outcome(identity: Identity, key: str, lookup: Lookup, concept: str | None) -> Outcome | None:
    """One identity, with `x` read as `key`. None where it says nothing of this filing."""
    if not _applies(identity, lookup):
        return None
    rounded = identity.tolerance == "rounding"
    tree = replaced(identity.expr, Name("x"), Name(key)) if key else identity.expr
    held = _holds(tree, rounded, lookup)
    if held is None:
        return None
    ok, detail = held
    note = ""
    if not ok and identity.otherwise:
        explained = _holds(identity.otherwise.expr, rounded, lookup)
        if explained and explained[0]:
            ok, note = True, identity.otherwise.note
    hard = identity.hard and (concept is None or not identity.blocks or concept in identity.blocks)
    return Outcome(f"{identity.id} {key}".strip(), hard, ok, detail, note)


def _applies(identity: Identity, lookup: Lookup) -> bool:
    tagged = (lookup(key, 0) for key in identity.when.tagged)
    positive = (lookup(key, 0) for key in identity.when.positive)
    return all(one is not None and one.tagged for one in tagged) and all(
        one is not None and one.value > 0 for one in positive
    )


def _holds(tree: Comparison, rounded: bool, lookup: Lookup) -> tuple[bool, str] | None:
    """Whether every comparison of the chain holds, and its sides in words. None where an operand is missing."""
    used: dict[tuple[str, int], Reported] = {}

    def resolve(name: Name, offset: int) -> Decimal:
        reported = lookup(name.key, offset)
        if reported is None:
            raise Missing(name, offset)
        used[name.key, offset] = reported
        return reported.value

    try:
        values = [evaluate(side, resolve) for side in tree.sides]
        slacks = [
            _slack(Binary("-", left, right), used) if rounded else Decimal(0)
            for left, right in itertools.pairwise(tree.sides)
        ]
    except (Missing, DivisionByZero):
        return None
    with localcontext(PRECISION):
        pairs = zip(tree.operators, itertools.pairwise(values), slacks, strict=True)
        ok = all(_compare(operator, left - right, slack) for operator, (left, right), slack in pairs)
    return ok, _detail(tree, values, max(slacks))


def _slack(gap: Expr, used: dict[tuple[str, int], Reported]) -> Decimal:
    """How far rounding of the operands can move a gap: each moved by half its last reported digit, summed.

    For sums this is the sum of the half units; a factor weighs its operand by what it multiplies.
    """

    def moved(cell: tuple[str, int] | None, step: int) -> Decimal:
        def resolve(name: Name, offset: int) -> Decimal:
            one = used.get((name.key, offset))
            if one is None:
                raise Missing(name, offset)
            return one.value + step * one.half_unit if (name.key, offset) == cell else one.value

        return evaluate(gap, resolve)

    with localcontext(PRECISION):
        still = moved(None, 0)
        return sum((max(abs(moved(cell, step) - still) for step in (1, -1)) for cell in used), Decimal(0))


def _compare(operator: str, gap: Decimal, slack: Decimal) -> bool:
    """Whether left - right = gap satisfies the operator, give or take the slack."""
    match operator:
        case "==":
            return abs(gap) <= slack
        case "<=":
            return gap <= slack
        case ">=":
            return gap >= -slack
        case "<":
            return gap < slack or (not slack and gap < 0)
    return gap > -slack or (not slack and gap > 0)


def _detail(tree: Comparison, values: list[Decimal], slack: Decimal) -> str:
    sides = [
        str(side) if not operands(side) else f"{side} ({number(_short(value))})"
        for side, value in zip(tree.sides, values, strict=True)
    ]
    text = sides[0] + "".join(f" {operator} {side}" for operator, side in zip(tree.operators, sides[1:], strict=True))
    return f"{text}, give or take {number(_short(slack))}" if slack else text


def _short(value: Decimal) -> Decimal:
    """Quotients have no last digit: six decimals are enough to see why one failed."""
    whole = value.to_integral_value()
    return whole if value == whole else round(value, 6).normalize()
