"""Whether a formula that a question gives is one of the registry's own metrics, in whatever order it is written."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from agent.numbers.registry.expressions import (
    Alternative,
    Binary,
    Call,
    Expr,
    Name,
    Negative,
    Number,
    mapped,
    shifted,
    with_parts,
)
from agent.numbers.registry.formula import operands
from agent.query.measures.accounting_words import Measures
from agent.state.query import Metric

_ZERO = Number(Decimal(0))


def same_metric(expr: Expr, keys: Sequence[str], measures: Measures) -> Metric | None:
    """The metric that is computed just so: one of those that the question names (keys), else any; None for none.

    An operand that a metric may do without need not be told.
    """
    metrics = measures.registry.metrics
    named = dict.fromkeys(key.partition(":")[0] for key in keys if key.partition(":")[0] in metrics)
    listed = list(named) or [key for key, one in metrics.items() if not one.hidden]
    told = {one.name.key for one in operands(expr)}
    near: list[Metric] = []
    for key in listed:
        for variant, tree in _written(key, measures):
            if _form(_spread(tree, told, measures)) != _form(_spread(expr, told, measures)):
                continue
            if all(one.name.key in told for one in operands(tree) if one.optional):
                return Metric(key=key, variant=variant)
            near.append(Metric(key=key, variant=variant))
    return near[0] if near else None


def _written(key: str, measures: Measures) -> Iterator[tuple[str, Expr]]:
    """The expressions of a metric by variant, the default first."""
    metric = measures.registry.metrics[key]
    if metric.expr is not None:
        yield "", metric.expr
    for name in sorted(metric.variants, key=lambda one: one != metric.default):
        yield name, metric.variants[name].expr


def _spread(expr: Expr, told: Collection[str], measures: Measures) -> Expr:
    """An expression over concepts, without what is optional and not told."""

    def put(name: Name) -> Expr:
        key = f"{name.key}:{name.variant}" if name.variant else name.key
        if not measures.is_formula(key):
            return name
        return shifted(_spread(measures.formula(key), told, measures), name.offset)

    def without(one: Expr) -> Expr:
        if isinstance(one, Call) and one.function == "opt":
            held = {part.name.key for part in operands(one.argument)} & {*told}
            return one.argument if held else _ZERO
        return with_parts(one, without)

    return mapped(without(expr), put)


def _form(expr: Expr) -> tuple[object, ...]:
    """A form in which sums and products are equal in whatever order they stand, and without zeros."""
    match expr:
        case Binary(operator="+" | "-"):
            terms = [one for one in _terms(expr, 1) if one[1] != _form(_ZERO)]
            return ("+", *sorted(terms, key=repr)) if len(terms) != 1 or terms[0][0] < 0 else terms[0][1]
        case Binary(operator="*" | "/"):
            return ("*", *sorted(_factors(expr, 1), key=repr))
        case Negative():
            return ("+", *sorted(_terms(expr, 1), key=repr))
        case Call(function="opt", argument=argument):
            return _form(argument)
        case Call(function=function, argument=argument):
            return (function, _form(argument))
        case Alternative(options=options):
            return ("|", *map(_form, options))
    return (str(expr),)


def _terms(expr: Expr, sign: int) -> Iterator[tuple[int, tuple[object, ...]]]:
    match expr:
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            yield from _terms(left, sign)
            yield from _terms(right, sign if operator == "+" else -sign)
        case Negative(operand=operand):
            yield from _terms(operand, -sign)
        case _:
            yield sign, _form(expr)


def _factors(expr: Expr, power: int) -> Iterator[tuple[int, tuple[object, ...]]]:
    match expr:
        case Binary(operator="*" | "/" as operator, left=left, right=right):
            yield from _factors(left, power)
            yield from _factors(right, power if operator == "*" else -power)
        case _:
            yield power, _form(expr)
