"""Registry expressions as typed trees: parsed once, printed back, evaluated in Decimal, never by `eval`.

Grammar, loosest first: alternative `a | b` · comparison `a <= b < c` · `+ -` · `* /` · unary `-` · `**` (right to left)
· names `key`, `key:variant`, `key[FY]`, `key[FY-1]`, literals, parentheses, and the functions avg(x) = (x + x[FY-1]) /
2, prev(x) = x[FY-1], d(x) = x - x[FY-1], opt(x) = x or 0 where it is missing, abs(x).
"""

import re
from collections.abc import Callable, Iterator
from decimal import Context, Decimal, DecimalException, localcontext
from functools import cache
from typing import NamedTuple

from agent.numbers.expressions import (
    Alternative,
    Binary,
    Call,
    Comparison,
    Expr,
    Name,
    Negative,
    Number,
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
COMPARISONS = frozenset({"==", "<=", "<", ">=", ">"})
MAX_DEPTH = 40
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

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z_][a-z0-9_]*(?::[a-z_][a-z0-9_]*)?)"
    r"|(?P<year>\[FY(?:-\d+)?\])|(?P<operator>\*\*|==|<=|>=|[-+*/()|<>])"
)


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise FormulaSyntaxError(f"Unexpected character {text[position]!r}", text, position)
        if match.lastgroup != "space":
            yield _Token(match.lastgroup or "", match.group(), position)
        position = match.end()
    yield _Token("end", "", position)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.index = 0
        self.depth = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def take(self) -> _Token:
        token = self.token
        self.index += token.kind != "end"
        return token

    def accept(self, *texts: str) -> str:
        return self.take().text if self.token.kind == "operator" and self.token.text in texts else ""

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.error(f"Expected {text!r}")

    def error(self, expected: str) -> FormulaSyntaxError:
        found = repr(self.token.text) if self.token.text else "the end"
        return FormulaSyntaxError(f"{expected}, found {found}", self.text, self.token.position)

    def alternative(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaSyntaxError(f"More than {MAX_DEPTH} levels deep", self.text, self.token.position)
        options = [self.comparison()]
        while self.accept("|"):
            options.append(self.comparison())
        self.depth -= 1
        return Alternative(tuple(options)) if len(options) > 1 else options[0]

    def comparison(self) -> Expr:
        operators, sides = [], [self.sum()]
        while operator := self.accept(*COMPARISONS):
            operators.append(operator)
            sides.append(self.sum())
        return Comparison(tuple(operators), tuple(sides)) if operators else sides[0]

    def sum(self) -> Expr:
        left = self.product()
        while operator := self.accept("+", "-"):
            left = Binary(operator, left, self.product())
        return left

    def product(self) -> Expr:
        left = self.unary()
        while operator := self.accept("*", "/"):
            left = Binary(operator, left, self.unary())
        return left

    def unary(self) -> Expr:
        # Signs and powers recurse without parentheses, so they count towards the depth too.
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaSyntaxError(f"More than {MAX_DEPTH} levels deep", self.text, self.token.position)
        expr: Expr = Negative(self.unary()) if self.accept("-") else self.power()
        self.depth -= 1
        return expr

    def power(self) -> Expr:
        base = self.atom()
        return Binary("**", base, self.unary()) if self.accept("**") else base

    def atom(self) -> Expr:
        if self.accept("("):
            expr = self.alternative()
            self.expect(")")
            return expr
        if self.token.kind == "number":
            return Number(Decimal(self.take().text))
        if self.token.kind != "name":
            raise self.error("Expected a name, a number or '('")
        name = self.take()
        if name.text in FUNCTIONS and self.accept("("):
            argument = self.alternative()
            self.expect(")")
            return Call(name.text, argument)
        if self.token.text == "(":
            raise FormulaSyntaxError(f"Unknown function {name.text!r}", self.text, name.position)
        key, _, variant = name.text.partition(":")
        offset = int(self.take().text[3:-1] or 0) if self.token.kind == "year" else 0
        return Name(key, variant, offset)


@cache
def parse(text: str) -> Expr:
    """The tree of an expression. Raises FormulaSyntaxError with the position of the fault."""
    parser = _Parser(text)
    expr = parser.alternative()
    if parser.token.kind != "end":
        raise parser.error("Expected an operator or the end")
    return expr


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
