"""Parses a formula in English (asked_formula.lark): an expression over its operands, each still in words.

Years that a formula names stand in the tree until the year that it is asked for is known (`placed`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, reduce
from pathlib import Path

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from agent.numbers.registry.expressions import Binary, Call, Expr, Name, Negative, Number, mapped, parts_of, with_parts
from agent.query.formulas.formula_words import SILENT, Piece
from agent.query.words.grammars import read_grammar
from agent.query.words.word_classes import SIGNS

MOST_PIECES = 120
DEEPEST = 12
MOST_DIGITS = 15
# More years back than any report is asked for.
MOST_BACK = 20


@dataclass(frozen=True, slots=True)
class Wording:
    """An operand as the question words it: its name with what qualifies it, and the statement that it is taken from."""

    pieces: tuple[Piece, ...]
    statement: Piece | None = None


@dataclass(slots=True)
class Parsed:
    """An expression over x0, x1, ..., and the words of each. percent: whether it says itself that it is a percentage."""

    expr: Expr
    operands: list[Wording] = field(default_factory=list)
    percent: bool = False

    @property
    def years(self) -> frozenset[int]:
        """The years that it names."""
        return frozenset(year for call in _calls(self.expr) for year in _years_of(call))

    @property
    def averages(self) -> bool:
        """Whether it averages over two years that it does not name."""
        return any(call.function == "avg" for call in _calls(self.expr))


@cache
def _grammar() -> Lark:
    return read_grammar(Path(__file__).with_name("asked_formula.lark"), "lalr")


def parse(pieces: Sequence[Piece]) -> Parsed | None:
    """The formula that the pieces are; None where they are none, or a larger one than anybody asks for."""
    told = [one for one in pieces if one.kind not in SILENT]
    told = [one for one, behind in zip(told, [*told[1:], None], strict=True) if not _idle(one, behind)]
    if not told or len(told) > MOST_PIECES or _depth(told) > DEEPEST:
        return None
    try:
        tree = _grammar().parse([Token(one.kind, one) for one in told])
    except UnexpectedInput:
        return None
    found = Parsed(Number(Decimal(0)))
    found.expr = _Trees(found).transform(tree)
    return found


def _idle(piece: Piece, behind: Piece | None) -> bool:
    """Whether a comma stands before a sign, where it says nothing."""
    return piece.kind == "COMMA" and behind is not None and behind.kind in SIGNS


def _depth(pieces: Sequence[Piece]) -> int:
    depth = deepest = 0
    for one in pieces:
        depth += (one.kind in {"LPAR", "MINUS"}) - (one.kind == "RPAR")
        deepest = max(deepest, depth)
    return deepest


@v_args(inline=True)
class _Trees(Transformer[Token, Expr]):
    """Expressions of the rules of the grammar."""

    def __init__(self, found: Parsed) -> None:
        super().__init__()
        self.found = found

    # --- operands ---

    def number(self, number: Token) -> Expr:
        return Number(Decimal(number.value.value))

    def rate(self, number: Token, _: Token) -> Expr:
        return Number(Decimal(number.value.value) / 100)

    def words(self, *words: Token) -> Wording:
        pieces = [one.value for one in words if one.type not in {"LPAR", "RPAR"}]
        statement = pieces.pop() if pieces[-1].kind == "STATEMENT" else None
        return Wording(tuple(pieces), statement)

    def operand(self, words: Wording) -> Expr:
        self.found.operands.append(words)
        return Name(f"x{len(self.found.operands) - 1}")

    def opening(self, _: Token, words: Wording) -> Expr:
        return Call("prev", self.operand(words))

    def growth(self, words: Wording, _: Token) -> Expr:
        self.found.percent = True
        of = self.operand(words)
        return Binary("-", Binary("/", of, Call("prev", of)), Number(Decimal(1)))

    def growth_of(self, growth: Token, words: Wording) -> Expr:
        return self.growth(words, growth)

    def group(self, _: Token, inner: Expr, __: Token) -> Expr:
        return inner

    def early(self, period: Token, value: Expr) -> Expr:
        return Call(f"in:{_year(period)}", value)

    def late(self, value: Expr, period: Token) -> Expr:
        return self.early(period, value)

    # --- signs ---

    def plus(self, left: Expr, _: Token, right: Expr) -> Expr:
        return Binary("+", left, right)

    def minus(self, left: Expr, _: Token, right: Expr) -> Expr:
        return Binary("-", left, right)

    def times(self, left: Expr, _: Token, right: Expr) -> Expr:
        return Binary("*", left, right)

    def divided(self, left: Expr, _: Token, right: Expr) -> Expr:
        return Binary("/", left, right)

    def share(self, part: Expr, _: Token, whole: Expr) -> Expr:
        self.found.percent = True
        return Binary("/", part, whole)

    def part_and_whole(self, part: Expr, _: Token, __: Token, whole: Expr, ___: Token) -> Expr:
        return Binary("/", part, whole)

    def negative(self, _: Token, inner: Expr) -> Expr:
        return Negative(inner)

    # --- of years ---

    def average(self, _: Token, of: Expr) -> Expr:
        return Call("avg", of)

    def average_over(self, _: Token, of: Expr, span: Token) -> Expr:
        return Call(f"mean:{_listed(span)}", of)

    def average_in(self, average: Token, span: Token, words: Wording) -> Expr:
        return self.average_over(average, self.operand(words), span)

    def in_average(self, span: Token, average: Token, of: Expr) -> Expr:
        return self.average_over(average, of, span)

    def average_of_years(self, count: Token, _: Token, of: Expr) -> Expr:
        return _mean([_before(of, back) for back in range(count.value.value)])

    def change(self, _: Token, of: Expr) -> Expr:
        return Call("d", of)

    def change_over(self, _: Token, of: Expr, span: Token) -> Expr:
        return Call(f"change:{_listed(span)}", of)

    def fall(self, fall: Token, of: Expr) -> Expr:
        return Negative(self.change(fall, of))

    def fall_over(self, fall: Token, of: Expr, span: Token) -> Expr:
        return Negative(self.change_over(fall, of, span))

    def sum_over(self, _: Token, of: Expr, span: Token) -> Expr:
        return Call(f"sum:{_listed(span)}", of)

    # --- of several ---

    def average_of(self, *listed: Expr | Token) -> Expr:
        return _mean(_values(listed))

    def sum_of(self, *listed: Expr | Token) -> Expr:
        return _sum(_values(listed))

    def difference(self, _: Token, one: Expr, __: Token, other: Expr) -> Expr:
        return Binary("-", one, other)

    def product_of(self, _: Token, one: Expr, __: Token, other: Expr) -> Expr:
        return Binary("*", one, other)

    def ratio(self, _: Token, one: Expr, __: Token, other: Expr) -> Expr:
        return Binary("/", one, other)


def _values(listed: Sequence[Expr | Token]) -> list[Expr]:
    return [one for one in listed if not isinstance(one, Token)]


def _year(period: Token) -> int:
    return int(period.value.value[0].year)


def _listed(span: Token) -> str:
    return ",".join(str(one.year) for one in span.value.value)


def _sum(values: Sequence[Expr]) -> Expr:
    return reduce(lambda added, value: Binary("+", added, value), values)


def _mean(values: Sequence[Expr]) -> Expr:
    return Binary("/", _sum(values), Number(Decimal(len(values))))


def _before(expr: Expr, years: int) -> Expr:
    """An expression so many years earlier."""
    for _ in range(years):
        expr = Call("prev", expr)
    return expr


# --- years ---


def _calls(expr: Expr) -> Iterator[Call]:
    if isinstance(expr, Call):
        yield expr
    for part in parts_of(expr):
        yield from _calls(part)


def _years_of(call: Call) -> list[int]:
    _, colon, years = call.function.partition(":")
    return [int(one) for one in years.split(",")] if colon else []


def placed(expr: Expr, year: int) -> Expr:
    """The expression of a fiscal year, every year that it names counted back from that one. Raises ValueError where one is
    later, or too far back.
    """
    if isinstance(expr, Call) and (years := _years_of(expr)):
        if max(years) > year or year - min(years) > MOST_BACK:
            raise ValueError(f"{min(years)} to {max(years)} in the formula of {year}")
        return _over(expr.function.partition(":")[0], expr.argument, years, year)
    return with_parts(expr, lambda part: placed(part, year))


def _over(made: str, of: Expr, years: Sequence[int], year: int) -> Expr:
    values = [_before(placed(of, one), year - one) for one in years]
    if made == "mean":
        newest = max(years)
        if sorted(years) == [newest - 1, newest] and placed(of, newest) == placed(of, newest - 1):
            return _before(Call("avg", placed(of, newest)), year - newest)
        return _mean(values)
    if made == "change":
        first, last = values[0], values[-1]
        if sorted(years) == list(years) == [years[-1] - 1, years[-1]] and placed(of, years[0]) == placed(
            of, years[-1]
        ):
            return _before(Call("d", placed(of, years[-1])), year - years[-1])
        return Binary("-", last, first)
    return _sum(values)


def named(expr: Expr, names: Sequence[str]) -> Expr:
    """The expression with its operands called so."""
    return mapped(expr, lambda name: Name(names[int(name.key[1:])]))
