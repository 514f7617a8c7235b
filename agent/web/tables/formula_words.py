"""Writes formulas for people: with the operands' labels, and with their figures, each linked to its fact."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from agent.numbers.facts.render import MINUS, in_table, is_money, number
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import (
    Binary,
    Call,
    Expr,
    Name,
    Negative,
    Number,
    parts_of,
    shifted,
    with_parts,
)
from agent.numbers.registry.formula import FormulaSyntaxError
from agent.refusals.grammar import listed, lower_first
from agent.state import FactRef, Scale
from agent.state.tables import CellOperand
from filings.xbrl.periods import FiscalPeriod, Place

SIGNS = {"-": f" {MINUS} ", "*": " \u00d7 ", "/": " \u00f7 ", "+": " + ", "**": "^"}
RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
# Factors of a hundred for percent: the figure's sign already says so.
HUNDRED = Number(Decimal(100))
CALLED = {"avg": "average", "d": "change in", "prev": "prior-year", "abs": "absolute"}
OF_A_HUNDRED = {"percent", "points"}


@dataclass(frozen=True)
class Piece:
    """A piece of a formula; with its fact where it is a fact's figure."""

    text: str
    fact: FactRef | None = None


Written = tuple[Piece, ...]
Said = Callable[[Expr], Written | None]


def _each(places: Collection[Place]) -> str:
    """fiscal 2023 and 2024; parts of years each by name."""
    found = sorted(set(places))
    if len({one.period for one in found}) == 1 and found[0].period is FiscalPeriod.YEAR:
        return f"fiscal {listed([str(one.year) for one in found])}"
    return listed([one.called for one in found])


def in_words(
    text: str, unit: str, operands: Sequence[CellOperand], place: Place | None, names: Mapping[int, str] | None = None
) -> str:
    """A formula with its operands' labels.

    place: the fiscal year, or part of one, that is answered; its operands are not dated. names: of the companies, by
    CIK, where there are several.
    """
    if not text:
        return ""
    tree = _tree(text, unit)
    if tree is None:
        return text
    by_name = {one.name: one for one in operands}
    plain = {by_name[str(one)].place for one in _plain_names(tree) if str(one) in by_name}
    dated = len(plain | ({place} if place and place.year else set())) > 1
    several = len({one.cik for one in operands}) > 1

    def label(one: CellOperand, places: Sequence[Place]) -> str:
        who = (names or {}).get(one.cik, f"CIK {one.cik}") if several else ""
        when = _each(places)
        told = ", ".join(filter(None, (who, when)))
        return f"{lower_first(one.label)}{f' ({told})' if told else ''}"

    def said(expr: Expr) -> Written | None:
        match expr:
            case Name():
                one = by_name.get(str(expr))
                if one is None:
                    return (Piece(expr.key.replace("_", " ")),)
                return (Piece(label(one, (one.place,) if dated else ())),)
            case Call(function=("avg" | "d") as function, argument=Name() as inner):
                now, before = by_name.get(str(inner)), by_name.get(str(shifted(inner, -1)))
                if now is None or before is None:
                    return None
                what = "average" if function == "avg" else "change in"
                return (Piece(f"{what} {label(now, (before.place, now.place))}"),)
            case Call(function=("avg" | "d") as function, argument=inner):
                places = {one.place for each in _both(inner) if (one := by_name.get(str(each)))}
                when = f" in {_each(places)}" if places else ""
                what = "average" if function == "avg" else "change"
                return (Piece(f"({what} of "), *written(inner, said), Piece(f"{when})"))
            case Call(function="abs", argument=inner):
                return (Piece("the absolute value of ("), *written(inner, said), Piece(")"))
        return None

    return as_text(written(tree, said))


def in_labels(expr: Expr, label: Callable[[str], str]) -> str:
    """A registry formula with labels, for no company and no year. label: of a key."""

    def said(inner: Expr) -> Written | None:
        match inner:
            case Name(key=key):
                return (Piece(lower_first(label(key))),)
            case Call(function=("avg" | "d" | "prev" | "abs") as function, argument=argument):
                of = written(argument, said)
                return (
                    Piece(f"{CALLED[function]} "),
                    *(of if isinstance(argument, Name) else (Piece("("), *of, Piece(")"))),
                )
        return None

    return as_text(written(expr, said))


def in_figures(text: str, unit: str, operands: Sequence[CellOperand]) -> Written:
    """A formula with figures: money in millions, or everything in full beside other units."""
    tree = _tree(text, unit) if text else None
    if tree is None:
        return ()
    scale = None if of_one_money(operands) else Scale.UNITS
    by_name = {one.name: one.fact for one in operands}

    def figure(expr: Expr) -> Written | None:
        match expr:
            case Name():
                fact = by_name.get(str(expr))
                if fact is None:  # inside opt, where nothing is tagged
                    return (Piece("0"),)
                piece = Piece(in_table(fact.value, fact.unit, scale), fact)
                return (Piece("("), piece, Piece(")")) if fact.value < 0 and expr is not tree else (piece,)
            case Call(function="abs", argument=inner):
                return (Piece("|"), *written(inner, figure), Piece("|"))
        return None

    return _joined(written(spelled_out(tree), figure))


def of_one_money(operands: Sequence[CellOperand]) -> bool:
    """Whether all operands are money in one currency, so that millions can be used."""
    units = {one.fact.unit for one in operands}
    return len(units) == 1 and all(map(is_money, units))


# --- the tree ---


def _tree(text: str, unit: str) -> Expr | None:
    """The formula without its factor for percent; None where its format is no longer read."""
    try:
        tree = formula.parse(text)
    except FormulaSyntaxError:
        return None
    return (without_hundreds(tree) or tree) if unit in OF_A_HUNDRED else tree


def without_hundreds(tree: Expr) -> Expr | None:
    """An expression divided by a hundred, where every term has that factor."""
    match tree:
        case Binary(operator="*", left=left, right=right) if left == HUNDRED:
            return right
        case Binary(operator=("*" | "/") as operator, left=left, right=right):
            inner = without_hundreds(left)
            return Binary(operator, inner, right) if inner else None
        case Binary(operator=("+" | "-") as operator, left=left, right=right):
            one, other = without_hundreds(left), without_hundreds(right)
            return Binary(operator, one, other) if one and other else None
        case Negative(operand=operand):
            inner = without_hundreds(operand)
            return Negative(inner) if inner else None
        case Call(function=("avg" | "d" | "prev" | "abs") as function, argument=argument):
            inner = without_hundreds(argument)
            return Call(function, inner) if inner else None
    return None


def spelled_out(tree: Expr) -> Expr:
    """An expression with averages and changes written as sums and differences of two years."""
    match tree:
        case Call(function="avg", argument=argument):
            inner = spelled_out(argument)
            return Binary("/", Binary("+", inner, shifted(inner, -1)), Number(Decimal(2)))
        case Call(function="d", argument=argument):
            inner = spelled_out(argument)
            return Binary("-", inner, shifted(inner, -1))
        case Call(function="prev", argument=argument):
            return shifted(spelled_out(argument), -1)
    return with_parts(tree, spelled_out)


def _both(tree: Expr) -> list[Name]:
    """An expression's names in its year and in the year before."""
    names = [Name(one.name.key, one.name.variant, one.offset) for one in formula.operands(tree)]
    return [*names, *(replace(one, offset=one.offset - 1) for one in names)]


def _plain_names(tree: Expr) -> list[Name]:
    """The names outside averages and changes, which name their years themselves."""
    if isinstance(tree, Name):
        return [tree]
    dated = isinstance(tree, Call) and tree.function in ("avg", "d")
    return [] if dated else [name for part in parts_of(tree) for name in _plain_names(part)]


# --- writing ---


def written(
    expr: Expr, say: Said, above: int = 0, *, tight: bool = False, signs: Mapping[str, str] = SIGNS
) -> Written:
    """An expression with its operators.

    say: the words of a part, or None. above: the rank of the operator beside it; tight: whether on its non-associating
    side. signs: of the operators.
    """
    said = say(expr)
    if said is not None:
        return said
    inside = partial(written, say=say, signs=signs)
    match expr:
        case Number(value=value):
            return (Piece(number(value)),)
        case Negative(operand=operand):
            return (Piece(MINUS), *inside(operand, above=3))
        case Binary(operator=operator, left=left, right=right):
            rank = RANKS[operator]
            text = (
                *inside(left, above=rank, tight=operator == "**"),
                Piece(signs[operator]),
                *inside(right, above=rank, tight=operator in ("-", "/", "**")),
            )
            wrapped = rank < above or (rank == above and tight)
            return (Piece("("), *text, Piece(")")) if wrapped else text
        case Call(argument=argument):
            return inside(argument, above=above, tight=tight)
    return (Piece(str(expr)),)


def as_text(pieces: Written) -> str:
    return "".join(piece.text for piece in pieces)


def _joined(pieces: Written) -> Written:
    """Adjacent pieces without a fact, joined."""
    joined: list[Piece] = []
    for piece in pieces:
        if piece.fact is None and joined and joined[-1].fact is None:
            joined[-1] = Piece(joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return tuple(joined)
