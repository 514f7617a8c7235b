"""Rows of a query as expressions over concepts and printed lines, with their units, before any filing is read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import reduce
from typing import Literal

from agent.numbers.facts.statement_lines import LineFinder, LineOf, key_of
from agent.numbers.parts import part_figures
from agent.numbers.parts.printed_parts import PrintedPart
from agent.numbers.printed import printed_finder
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Binary, Call, Expr, Name, Number, mapped
from agent.numbers.registry.formula import operands
from agent.numbers.registry.metrics import QUARTER_BEFORE, Definition, definitions
from agent.numbers.registry.registry import PeriodType, Registry
from agent.numbers.registry.units import DIMENSIONS, UNITS, UnitError, dimension
from agent.refusals.grammar import capitalized, lower_first
from agent.state.query import Change, Combined, Concept, Formula, Line, Measure, Member, Metric, Printed, Share
from filings.models import Fact

HUNDRED = Number(Decimal(100))
ONE = Number(Decimal(1))
# What a company prints of a measure that companies define themselves, beside our definition.
AS_COMPANIES_PRINT = "as the company prints it"
PERCENTAGES = ("percent", "points")


@dataclass(frozen=True)
class Version:
    """One reading of a row. unit: from the registry; empty for a printed line, whose fact has it."""

    key: str
    label: str
    unit: str
    expr: Expr
    reading: str = ""
    alternative: bool = False
    part: bool = False  # the metric asked for, shown beside it
    lines: Mapping[str, LineOf] = field(default_factory=dict)
    meaningless_for: frozenset[str] = frozenset()
    only_for: tuple[str, ...] = ()
    crosscheck: str = ""
    balance: bool = False  # whether it is one balance, which cannot be added up over years
    sides: tuple[Expr, ...] = ()  # of a share: the part and the whole

    @property
    def finder(self) -> LineFinder | None:
        """For a row of a whole statement, what finds it in a filing."""
        found = (one for one in self.lines.values() if isinstance(one, LineFinder) and one.statement)
        return next(found, None)

    @property
    def is_blank(self) -> bool:
        """Whether it stands for a whole statement without rows."""
        return not (self.lines or self.unit)

    @property
    def is_statement_row(self) -> bool:
        return self.finder is not None


def versions(measure: Measure, registry: Registry) -> tuple[Version, ...]:
    """The readings of a row: the default first, then the alternatives shown beside it.

    Raises UnitError, and KeyError for an unknown key.
    """
    match measure:
        case Concept(key=key):
            concept = registry.concepts[key]
            return (
                Version(
                    key,
                    concept.label,
                    concept.unit,
                    Name(key),
                    meaningless_for=frozenset(concept.not_meaningful_for),
                    balance=concept.period is not PeriodType.DURATION,
                ),
            )
        case Metric(key=key, variant=variant):
            return _of_metric(key, variant, registry)
        case Line():
            name = key_of(measure)
            return (Version(name, measure.label, "", Name(name), lines={name: LineFinder(measure)}),)
        case Printed(words=words, unit=unit):
            name = printed_finder.key_of(measure)
            lines: dict[str, LineOf] = {name: printed_finder.PrintedFinder((measure,))}
            return (Version(name, capitalized(words), unit, Name(name), lines=lines),)
        case Member():
            return _of_member(measure, registry)
        case Change(of=of, percent=percent, sequential=sequential):
            return (change(versions(of, registry)[0], percent=percent, sequential=sequential),)
        case Share(part=part, whole=whole, quotient=quotient):
            made = share(versions(part, registry)[0], versions(whole, registry)[0])
            return (replace(made, sides=()) if quotient else made,)
        case Combined(sign=sign, parts=parts):
            return (_combined(sign, [versions(part, registry)[0] for part in parts]),)
        case Formula():
            return (_of_formula(measure, registry),)
    raise TypeError(f"{measure} is read line by line.")


def _of_member(measure: Member, registry: Registry) -> tuple[Version, ...]:
    """A measure of a part of the company: every figure in it is that of the part."""
    whole = versions(measure.of, registry)[0]
    lines: dict[str, LineOf] = {}
    told = measure.of.of if isinstance(measure.of, Change) else measure.of

    def named(name: Name) -> Name:
        of = told if isinstance(told, Line) else Concept(key=name.key)
        key = part_figures.key_of(name.key, measure.label)
        lines[key] = part_figures.MemberFinder(measure, of)
        return Name(key, name.variant, name.offset)

    expr = mapped(whole.expr, named)
    label = part_figures.called(measure.label, whole.label)
    # Parts of several companies are compared as one measure.
    key = part_figures.key_of(whole.key, "of parts" if measure.own else measure.label)
    return (replace(whole, key=key, label=label, expr=expr, lines=lines, reading="", crosscheck=""),)


def of_part(of: Measure, whole: Version, name: str, facts: Sequence[Fact]) -> Version:
    """A measure of a part of the company, each of whose figures is tagged, or printed, as these facts are; their sum, if several.

    of: the measure; whole: its reading for the whole company. name: of the part.
    """
    lines: dict[str, LineOf] = {}
    told = of.of if isinstance(of, Change) else of
    label = part_figures.called(name, whole.label)

    def named(one: Name) -> Expr:
        divided = told if isinstance(told, Line) else Concept(key=one.key)
        terms: list[Expr] = []
        for place, fact in enumerate(facts):
            key = part_figures.key_of(one.key, f"{name} {place}" if place else name)
            lines[key] = (
                part_figures.PartFinder(name, label, divided, fact.dimensions, fact.name)
                if fact.pk
                else PrintedPart(label, divided, fact)
            )
            terms.append(Name(key, one.variant, one.offset))
        return reduce(lambda added, term: Binary("+", added, term), terms)

    expr = mapped(whole.expr, named)
    key = part_figures.key_of(whole.key, name)
    return replace(whole, key=key, label=label, expr=expr, lines=lines, reading="", crosscheck="")


def _of_metric(key: str, variant: str, registry: Registry) -> tuple[Version, ...]:
    found = definitions(registry, key, variant)
    made = tuple(_defined(one, place, len(found) > 1 or bool(variant)) for place, one in enumerate(found))
    metric = registry.metrics[key]
    if metric.own:
        made = (*made, _as_printed(made[0], (metric.label, *metric.aliases)))
    if not metric.show_parts or metric.expr is None:
        return made
    parts = [registry.metrics[one.name.key] for one in operands(metric.expr) if one.name.key in registry.metrics]
    forced = [(one.key, metric.force_variant if metric.force_variant in one.variants else "") for one in parts]
    shown = [definitions(registry, *one)[0] for one in forced]
    said = f"part of {lower_first(metric.label)}"
    return made + tuple(replace(_defined(one, 1, False), reading=said, part=True) for one in shown)


def _as_printed(of: Version, names: Sequence[str]) -> Version:
    """A metric that companies define themselves, as they print it."""
    unit = of.unit if of.unit in {"USD", "percent", "shares"} else ""
    asked = tuple(Printed(words=one, unit=unit) for one in names)
    key = printed_finder.key_of(asked[0])
    lines: dict[str, LineOf] = {key: printed_finder.PrintedFinder(asked)}
    return Version(key, of.label, of.unit, Name(key), AS_COMPANIES_PRINT, alternative=True, lines=lines)


def _defined(one: Definition, place: int, named: bool) -> Version:
    return Version(
        one.key,
        one.metric.label,
        one.metric.unit,
        Binary("*", HUNDRED, one.expr) if one.metric.unit == "percent" else one.expr,
        reading=one.label if named else "",
        alternative=place > 0,
        meaningless_for=one.meaningless_for,
        only_for=one.only_for,
        crosscheck=one.metric.crosscheck,
    )


def changed(now: Expr, before: Expr, unit: str, *, percent: bool) -> tuple[Expr, str]:
    """The change of a value and its unit: percentages change by points, never by percent."""
    gap = Binary("-", now, before)
    if unit in PERCENTAGES:
        return gap, "points"
    if unit == "pure":  # a rate as tagged, 0.241
        return Binary("*", HUNDRED, gap), "points"
    return (growth(now, before), "percent") if percent else (gap, unit)


def growth(now: Expr, before: Expr) -> Expr:
    """Percent from one value to another."""
    return Binary("*", HUNDRED, Binary("-", Binary("/", now, before), ONE))


def change(of: Version, *, percent: bool, sequential: bool = False) -> Version:
    """The change of a row from the year before, or the quarter before: as an amount, or in percent."""
    before = Call(QUARTER_BEFORE if sequential else "prev", of.expr)
    expr, unit = changed(of.expr, before, of.unit, percent=percent)
    word = "growth" if unit == "percent" else "change"
    return replace(
        of,
        key=f"{'sequential ' if sequential else ''}{word} of {of.key}",
        label=f"{word.capitalize()} of {lower_first(of.label)}{' over the quarter before' if sequential else ''}",
        unit=unit,
        expr=expr,
        alternative=False,
        crosscheck="",
        balance=False,
    )


def share(part: Version, whole: Version) -> Version:
    """A part as a percentage of a whole. Raises UnitError."""
    _alike([part, whole])
    return Version(
        f"{part.key} of {whole.key}",
        f"{part.label} as % of {lower_first(whole.label)}",
        "percent",
        Binary("*", HUNDRED, Binary("/", part.expr, whole.expr)),
        lines={**part.lines, **whole.lines},
        meaningless_for=part.meaningless_for | whole.meaningless_for,
        only_for=(*part.only_for, *whole.only_for),
        sides=(part.expr, whole.expr),
    )


def _of_formula(measure: Formula, registry: Registry) -> Version:
    """A formula that the question gives; a percentage in it is the fraction that it stands for. Raises UnitError."""
    of = {one.name: versions(one.of, registry)[0] for one in measure.operands}
    asked = formula.parse(measure.expression)
    rates = all(one.unit in PERCENTAGES for one in of.values())
    expr = mapped(asked, lambda name: _fraction(of[name.key]))
    unit = _unit_of_formula(measure, asked, of)
    if unit == "ratio" and (measure.unit == "percent" or rates or _is_of_hundred(asked)):
        expr, unit = expr if _is_of_hundred(asked) else Binary("*", HUNDRED, expr), "percent"
    return Version(
        str(mapped(asked, lambda name: Name(re.sub(r"\W", "_", of[name.key].key)))),
        capitalized(measure.term or measure.text),
        unit,
        expr,
        reading=measure.text if measure.term else "",
        lines={name: line for one in of.values() for name, line in one.lines.items()},
        meaningless_for=frozenset().union(*(one.meaningless_for for one in of.values())),
        only_for=tuple(name for one in of.values() for name in one.only_for),
    )


def _fraction(one: Version) -> Expr:
    """A measure as it stands in a formula: 0.21 for 21 percent."""
    if one.unit not in PERCENTAGES:
        return one.expr
    if isinstance(one.expr, Binary) and one.expr.operator == "*" and one.expr.left == HUNDRED:
        return one.expr.right
    return Binary("/", one.expr, HUNDRED)


def _is_of_hundred(expr: Expr) -> bool:
    """Whether a formula is multiplied by 100, which makes a percentage of it."""
    match expr:
        case Binary(operator="*", left=left, right=right):
            return HUNDRED in (left, right) or _is_of_hundred(left) or _is_of_hundred(right)
        case Binary(operator="/", left=left):
            return _is_of_hundred(left)
    return False


def _unit_of_formula(measure: Formula, expr: Expr, of: Mapping[str, Version]) -> str:
    """The unit that a formula gives: an amount, an amount per share, shares, days or a plain ratio. Raises UnitError.

    Printed lines are amounts. 365 stands for the days of a year where the formula then gives days.
    """
    faults = []
    for in_days in (True, False):
        try:
            found = dimension(expr, lambda name: DIMENSIONS[_plain_unit(of[name.key].unit)], in_days=in_days)
        except UnitError as error:
            faults.append(error)
            continue
        for unit in ("USD", "USD/share", "shares", "days", "ratio"):
            if DIMENSIONS[unit] == found:
                return unit
        faults.append(UnitError(f"\u201c{measure.text}\u201d gives {found}."))
    raise faults[-1]


def _plain_unit(unit: str) -> str:
    return "percent" if unit in PERCENTAGES else unit.replace("/shares", "/share") or "USD"


def _combined(sign: Literal["+", "-"], parts: list[Version]) -> Version:
    _alike(parts)
    first, *rest = parts
    expr, label, key = first.expr, first.label, first.key
    for one in rest:
        expr = Binary(sign, expr, one.expr)
        label += f" {'plus' if sign == '+' else 'less'} {lower_first(one.label)}"
        key += f" {sign} {one.key}"
    return Version(
        key,
        label,
        "points" if sign == "-" and first.unit in PERCENTAGES else first.unit,
        expr,
        lines={name: line for one in parts for name, line in one.lines.items()},
        meaningless_for=frozenset().union(*(one.meaningless_for for one in parts)),
        only_for=tuple(name for one in parts for name in one.only_for),
        balance=all(one.balance for one in parts),
    )


def _alike(parts: list[Version]) -> None:
    """Refuses to combine unlike units; those of printed lines are checked with their facts."""
    units = {"percent" if one.unit == "points" else one.unit.replace("/shares", "/share") for one in parts if one.unit}
    if len(units) > 1:
        said = [f"{lower_first(one.label)} is in {in_words(one.unit)}" for one in parts if one.unit]
        raise UnitError(f"{' and '.join(dict.fromkeys(said))}.")


def in_words(unit: str) -> str:
    """A unit of the registry in words."""
    return unit if unit in {"percent", "points", "days"} else UNITS[DIMENSIONS[unit]]
