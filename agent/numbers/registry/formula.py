"""Registry expressions as typed trees: parsed once, printed back, evaluated in Decimal, never by `eval`.

Grammar (formula.lark): alternative `a | b`, comparison `a <= b < c`, arithmetic, names `key`, `key:variant`, `key[FY]`,
`key[FY-1]`, and the functions avg(x) = (x + x[FY-1]) / 2, prev(x) = x[FY-1], d(x) = x - x[FY-1], opt(x) = x or 0 where
it is missing, abs(x).
"""

from collections.abc import Callable
from decimal import Context, Decimal, DecimalException, localcontext
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args

from agent.numbers.registry.expressions import (
    Alternative,
    Binary,
    Call,
    Comparison,
    Expr,
    Name,
    Negative,
    Number,
    parts_of,
)

__all__ = [
    "Alternative",
    "Binary",
    "Call",
    "Comparison",
    "DivisionByZero",
    "Expr",
    "FormulaError",
    "FormulaSyntaxError",
    "Missing",
    "Name",
    "Negative",
    "Number",
    "Operand",
    "evaluate",
    "operands",
    "parse",
]

FUNCTIONS = frozenset({"avg", "prev", "d", "opt", "abs"})
MAX_DEPTH = 64
# Facts have at most 40 digits: sums and products of two stay exact, quotients carry far more digits than are shown.
PRECISION = Context(prec=80)


class FormulaError(ValueError):
    """An expression that cannot be read or computed."""


class FormulaSyntaxError(FormulaError):
    """Text that is not an expression. `position` counts characters from 0."""

    def __init__(self, message: str, text: str, position: int) -> None:
        super().__init__(f"{message} at position {position} of {text!r}")
        self.position = position


class DivisionByZero(FormulaError):
    """A denominator is zero: the ratio is refused, never shown as 0 or infinity."""


class Missing(LookupError):
    """A name has no value. Raised by resolvers; `opt(x)` and `a | b` catch it."""

    def __init__(self, name: Name, offset: int = 0) -> None:
        super().__init__(str(Name(name.key, name.variant, offset)))
        self.name = name
        self.offset = offset


Resolve = Callable[[Name, int], Decimal]


class Operand(NamedTuple):
    """A name in an expression: the fiscal year it is read in, relative to FY, and whether `opt` lets it be missing."""

    name: Name
    offset: int
    optional: bool


# --- parsing ---


@v_args(inline=True)
class _Trees(Transformer[Token, Expr]):
    """Expressions of the rules of the grammar."""

    def number(self, number: Token) -> Expr:
        return Number(Decimal(number))

    def name(self, name: Token, year: str = "[FY]") -> Expr:
        key, _, variant = str(name).partition(":")
        return Name(key, variant, int(year[3:-1] or 0))

    def call(self, name: Token, argument: Expr) -> Expr:
        if name not in FUNCTIONS:
            raise UnexpectedToken(name, FUNCTIONS)  # type: ignore[no-untyped-call]
        return Call(str(name), argument)

    def negative(self, _: Token, operand: Expr) -> Expr:
        return Negative(operand)

    def binary(self, left: Expr, operator: Token, right: Expr) -> Expr:
        return Binary(str(operator), left, right)

    def compared(self, *parts: Any) -> Expr:
        return Comparison(tuple(map(str, parts[1::2])), parts[::2])

    def alternative(self, *options: Expr) -> Expr:
        return Alternative(options)


@cache
def _grammar() -> Lark:
    text = Path(__file__).with_name("formula.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", transformer=_Trees())


@cache
def parse(text: str) -> Expr:
    """The tree of an expression. Raises FormulaSyntaxError with the position of the fault."""
    try:
        found = cast("Expr", _grammar().parse(text))
    except UnexpectedCharacters as error:
        raise FormulaSyntaxError(f"Unexpected character {error.char!r}", text, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        if error.token.type == "$END":
            raise FormulaSyntaxError("Unexpected end", text, len(text)) from None
        raise FormulaSyntaxError(f"Unexpected {error.token.value!r}", text, error.token.start_pos or 0) from None
    level: list[Expr] = [found]
    for _ in range(MAX_DEPTH):
        level = [part for one in level for part in parts_of(one)]
    if level:
        raise FormulaSyntaxError(f"More than {MAX_DEPTH} levels deep", text, 0)
    return found


# --- reading and computing ---


def operands(expr: Expr, offset: int = 0, optional: bool = False) -> tuple[Operand, ...]:
    """Every name with the year it is read in, in order of first appearance, each pair once."""
    match expr:
        case Name():
            found: tuple[Operand, ...] = (Operand(Name(expr.key, expr.variant), offset + expr.offset, optional),)
        case Negative(operand=inner):
            found = operands(inner, offset, optional)
        case Binary(left=left, right=right):
            found = operands(left, offset, optional) + operands(right, offset, optional)
        case Comparison(sides=parts) | Alternative(options=parts):
            found = tuple(operand for part in parts for operand in operands(part, offset, optional))
        case Call(function=function, argument=inner):
            optional = optional or function == "opt"
            now = () if function == "prev" else operands(inner, offset, optional)
            before = operands(inner, offset - 1, optional) if function in {"avg", "prev", "d"} else ()
            found = now + before
        case _:
            found = ()
    return tuple(dict.fromkeys(found))


def evaluate(expr: Expr, resolve: Resolve, offset: int = 0) -> Decimal:
    """The value of an expression in fiscal year FY + offset.

    `resolve(name, offset)` gives the value of a name or raises Missing; it may keep what it gave, as provenance.
    Raises Missing, DivisionByZero, or FormulaError for a comparison or a power without a real value.
    """
    with localcontext(PRECISION):
        try:
            return _value(expr, resolve, offset)
        except DecimalException as error:
            raise FormulaError(f"{expr} has no value: {type(error).__name__}") from error


def _value(expr: Expr, resolve: Resolve, offset: int) -> Decimal:
    match expr:
        case Number(value=value):
            return value
        case Name():
            return resolve(Name(expr.key, expr.variant), offset + expr.offset)
        case Negative(operand=operand):
            return -_value(operand, resolve, offset)
        case Binary(operator=operator, left=left, right=right):
            return _binary(operator, _value(left, resolve, offset), _value(right, resolve, offset), expr)
        case Call(function=function, argument=argument):
            return _call(function, argument, resolve, offset)
        case Alternative(options=options):
            for option in options[:-1]:
                try:
                    return _value(option, resolve, offset)
                except Missing:
                    continue
            return _value(options[-1], resolve, offset)
    raise FormulaError(f"{expr} is true or false, not a number")


def _binary(operator: str, left: Decimal, right: Decimal, expr: Expr) -> Decimal:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "**":
        if left == 0 and right < 0:
            raise DivisionByZero(f"{expr}: zero to a negative power")
        return Decimal(1) if right == 0 else left**right
    if right == 0:
        raise DivisionByZero(f"{expr}: the denominator is zero")
    return left / right


def _call(function: str, argument: Expr, resolve: Resolve, offset: int) -> Decimal:
    if function == "opt":
        try:
            return _value(argument, resolve, offset)
        except Missing:
            return Decimal(0)
    if function == "prev":
        return _value(argument, resolve, offset - 1)
    value = _value(argument, resolve, offset)
    if function == "abs":
        return abs(value)
    before = _value(argument, resolve, offset - 1)
    return value - before if function == "d" else (value + before) / 2
