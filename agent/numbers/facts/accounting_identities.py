"""Checks the registry's accounting identities on one filing.

A failed hard identity blocks its operands; a failed soft one is a warning beside the number.
"""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property

from agent.numbers.facts.render import number
from agent.numbers.facts.rounding import half_unit
from agent.numbers.registry.formula import (
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
from agent.numbers.registry.registry import Identity, Registry
from agent.refusals.grammar import lower_first


@dataclass(frozen=True, slots=True)
class Reported:
    """A concept's value in a filing.

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


# Returns a concept's value in fiscal year FY + offset as the filing reports it, or None.
Lookup = Callable[[str, int], Reported | None]


@dataclass(frozen=True)
class Outcome:
    """The result of one identity on one filing.

    note: the explanation of an accepted exception. describe: computes the detail, which costs more than the check and
    is needed only where it is shown. about: the concepts that this identity checks by the others; empty: all of them.
    """

    id: str
    hard: bool
    ok: bool
    describe: Callable[[], str]
    note: str = ""
    about: tuple[str, ...] = ()

    @cached_property
    def detail(self) -> str:
        """The identity's sides with their values."""
        return self.describe()


def check(registry: Registry, lookup: Lookup, concept: str | None = None) -> tuple[Outcome, ...]:
    """The identities whose operands are all present: every one, or those that involve `concept`.

    For a concept, `hard` means that a failure blocks that concept: a share count off by a million fails against EPS and
    net income, and only the share count is refused.
    """
    identities = registry.identities if concept is None else registry.identities_of(concept)
    found = (
        _outcome(identity, key, lookup, concept)
        for identity in identities
        for key in identity.trees
        if not (concept and key) or key == concept
    )
    return tuple(outcome for outcome in found if outcome)


def _outcome(identity: Identity, key: str, lookup: Lookup, concept: str | None) -> Outcome | None:
    """One identity, with `x` replaced by `key`. None where it does not apply to this filing."""
    if not _applies(identity, lookup):
        return None
    rounded = identity.tolerance == "rounding"
    held = _holds(identity.trees[key], rounded, lookup)
    if held is None:
        return None
    ok, describe = held
    note = ""
    if not ok and identity.otherwise:
        explained = _holds(identity.otherwise.expr, rounded, lookup)
        if explained and explained[0]:
            ok, note = True, identity.otherwise.note
    hard = identity.hard and (concept is None or not identity.blocks or concept in identity.blocks)
    return Outcome(f"{identity.id} {key}".strip(), hard, ok, describe, note, identity.when.tagged)


def _applies(identity: Identity, lookup: Lookup) -> bool:
    tagged = (lookup(key, 0) for key in identity.when.tagged)
    positive = (lookup(key, 0) for key in identity.when.positive)
    return all(one is not None and one.tagged for one in tagged) and all(
        one is not None and one.value > 0 for one in positive
    )


def _holds(tree: Comparison, rounded: bool, lookup: Lookup) -> tuple[bool, Callable[[], str]] | None:
    """Whether every comparison of the chain holds, and its sides in words. None where an operand is missing."""
    used: dict[tuple[str, int], Reported] = {}

    def resolve(name: Name, offset: int) -> Decimal:
        reported = lookup(name.key, offset)
        if reported is None:
            raise Missing(name, offset)
        used[name.key, offset] = reported
        return reported.value

    def slack(left: Expr, right: Expr) -> Decimal:
        return _slack(Binary("-", left, right), used) if rounded else Decimal(0)

    try:
        values = [evaluate(side, resolve) for side in tree.sides]
        with localcontext(PRECISION):
            # What holds exactly holds with any slack; computing the slack is the expensive half.
            ok = all(
                _compare(operator, left - right, Decimal(0)) or _compare(operator, left - right, slack(*sides))
                for operator, (left, right), sides in zip(
                    tree.operators, itertools.pairwise(values), itertools.pairwise(tree.sides), strict=True
                )
            )
    except (Missing, DivisionByZero):
        return None

    def describe() -> str:
        return _detail(tree, values, max(slack(*sides) for sides in itertools.pairwise(tree.sides)))

    return ok, describe


def _slack(gap: Expr, used: dict[tuple[str, int], Reported]) -> Decimal:
    """How far rounding of the operands can move the difference: half of each last reported digit, summed.

    For sums this is the sum of the half units; in products an operand is weighted by its factor.
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
    """Whether left - right satisfies the operator, within the slack."""
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
    """A number with at most six decimals: quotients have no last digit."""
    whole = value.to_integral_value()
    return whole if value == whole else round(value, 6).normalize()


KEY = re.compile(r"[a-z][a-z_]*")
SIGNS = (("opt(", "("), (" * ", " \u00d7 "), (" | ", " or "), (">=", "at least"), ("<=", "at most"), ("==", "equals"))


def in_words(detail: str, registry: Registry) -> str:
    """An identity with its values, in the registry's labels instead of its keys."""
    for sign, word in SIGNS:
        detail = detail.replace(sign, word)
    detail = detail.replace("[FY]", "").replace("[FY-1]", " of the year before")

    def label(match: re.Match[str]) -> str:
        concept = registry.concepts.get(match.group())
        return lower_first(concept.label) if concept else match.group()

    text = KEY.sub(label, detail)
    return text[:1].upper() + text[1:]
