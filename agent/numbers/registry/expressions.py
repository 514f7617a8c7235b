"""Registry expressions as typed trees, which print back as they are written."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Number:
    """A literal."""

    value: Decimal

    def __str__(self) -> str:
        return format(self.value, "f")


@dataclass(frozen=True, slots=True)
class Name:
    """A concept or metric key, a metric's variant, in fiscal year FY + offset."""

    key: str
    variant: str = ""
    offset: int = 0

    def __str__(self) -> str:
        variant = f":{self.variant}" if self.variant else ""
        return f"{self.key}{variant}" + (f"[FY{self.offset:+d}]" if self.offset else "")


@dataclass(frozen=True, slots=True)
class Negative:
    """-x"""

    operand: "Expr"

    def __str__(self) -> str:
        return f"-{_wrapped(self.operand, self)}"


@dataclass(frozen=True, slots=True)
class Binary:
    """left operator right, with + - * / **."""

    operator: str
    left: "Expr"
    right: "Expr"

    def __str__(self) -> str:
        # Equal rank needs parentheses on the side that does not associate.
        power = self.operator == "**"
        left = _wrapped(self.left, self, tight=power)
        right = _wrapped(self.right, self, tight=not power)
        return f"{left} {self.operator} {right}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One or more comparisons in a row: 1 < x < 3. True or false, not a number."""

    operators: tuple[str, ...]
    sides: tuple["Expr", ...]

    def __str__(self) -> str:
        first, *rest = (_wrapped(side, self, tight=True) for side in self.sides)
        return first + "".join(f" {op} {side}" for op, side in zip(self.operators, rest, strict=True))


@dataclass(frozen=True, slots=True)
class Call:
    """function(argument)"""

    function: str
    argument: "Expr"

    def __str__(self) -> str:
        return f"{self.function}({self.argument})"


@dataclass(frozen=True, slots=True)
class Alternative:
    """a | b: the first option that has a value."""

    options: tuple["Expr", ...]

    def __str__(self) -> str:
        return " | ".join(_wrapped(option, self, tight=True) for option in self.options)


Expr = Number | Name | Negative | Binary | Comparison | Call | Alternative


def _rank(expr: Expr) -> int:
    match expr:
        case Alternative():
            return 0
        case Comparison():
            return 1
        case Binary(operator=operator):
            return {"+": 2, "-": 2, "*": 3, "/": 3, "**": 5}[operator]
        case Negative():
            return 4
        case Number(value=value) if value < 0:
            return 4
    return 6


def _wrapped(inner: Expr, outer: Expr, *, tight: bool = False) -> str:
    loose = _rank(inner) < _rank(outer) or (tight and _rank(inner) == _rank(outer))
    return f"({inner})" if loose else str(inner)


def replaced(tree: Comparison, old: Name, new: Name) -> Comparison:
    """A comparison with one name replaced by another; each keeps its year."""

    def put(name: Name) -> Name:
        return Name(new.key, new.variant, name.offset) if (name.key, name.variant) == (old.key, old.variant) else name

    return Comparison(tree.operators, tuple(mapped(side, put) for side in tree.sides))


def shifted(expr: Expr, years: int) -> Expr:
    """An expression with every name moved by so many years."""
    return mapped(expr, lambda name: Name(name.key, name.variant, name.offset + years)) if years else expr


def mapped(expr: Expr, put: Callable[[Name], Expr]) -> Expr:
    """An expression with every name replaced."""
    return put(expr) if isinstance(expr, Name) else with_parts(expr, lambda part: mapped(part, put))


def wrapped(expr: Expr, parts: Collection[Expr], function: str) -> Expr:
    """An expression with each of these parts as the argument of a function."""
    if expr in parts:
        return Call(function, expr)
    return with_parts(expr, lambda part: wrapped(part, parts, function))


def within(part: Expr, expr: Expr) -> bool:
    """Whether an expression has a part."""
    return wrapped(expr, (part,), "") != expr


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression."""
    found: list[Expr] = []
    with_parts(expr, lambda part: found.append(part) or part)  # type: ignore[func-returns-value]
    return tuple(found)


def with_parts(expr: Expr, put: Callable[[Expr], Expr]) -> Expr:
    """An expression with each of its direct parts replaced."""
    match expr:
        case Negative(operand=operand):
            return Negative(put(operand))
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, put(left), put(right))
        case Call(function=function, argument=argument):
            return Call(function, put(argument))
        case Alternative(options=options):
            return Alternative(tuple(map(put, options)))
        case Comparison(operators=operators, sides=sides):
            return Comparison(operators, tuple(map(put, sides)))
    return expr
