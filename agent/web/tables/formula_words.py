"""Formulas as people read them: in the labels of their operands, and in their figures, each with its fact."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from agent.numbers import formula
from agent.numbers.expressions import Binary, Call, Expr, Name, Negative, Number, shifted
from agent.numbers.formula import FormulaSyntaxError
from agent.numbers.render import MINUS, in_table, is_money, number
from agent.refusals.grammar import listed, lower_first
from agent.state import FactRef, Scale
from agent.state.tables import CellOperand
from filings.xbrl.periods import FiscalPeriod, Place

SIGNS = {"-": f" {MINUS} ", "*": " \u00d7 ", "/": " \u00f7 ", "+": " + ", "**": "^"}
RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
# Of what is multiplied by a hundred to be given in percent: the sign of the figure says so.
HUNDRED = Number(Decimal(100))
CALLED = {"avg": "average", "d": "change in", "prev": "prior-year", "abs": "absolute"}
OF_A_HUNDRED = {"percent", "points"}


@dataclass(frozen=True)
class Piece:
    """A stretch of a formula; with its fact where it is one's figure."""

    text: str
    fact: FactRef | None = None


Written = tuple[Piece, ...]
Said = Callable[[Expr], Written | None]


def _each(places: Collection[Place]) -> str:
    """fiscal 2023 and 2024; of parts of years each by its name."""
    found = sorted(set(places))
    if len({one.period for one in found}) == 1 and found[0].period is FiscalPeriod.YEAR:
        return f"fiscal {listed([str(one.year) for one in found])}"
    return listed([one.called for one in found])


def in_words(
    text: str, unit: str, operands: Sequence[CellOperand], place: Place | None, names: Mapping[int, str] | None = None
) -> str:
    """A formula in the labels of its operands.

    place: the fiscal year, or part of one, that is answered; operands of it alone are not dated. names: of the
    companies, by CIK, where the operands are of several.
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
                return (Piece(f"({what} of "), *_written(inner, said), Piece(f"{when})"))
            case Call(function="abs", argument=inner):
                return (Piece("the absolute value of ("), *_written(inner, said), Piece(")"))
        return None

    return "".join(piece.text for piece in _written(tree, said))


def in_labels(expr: Expr, label: Callable[[str], str]) -> str:
    """A formula of the registry in the labels of what it is made of, of no company and no year. label: of a key."""

    def said(inner: Expr) -> Written | None:
        match inner:
            case Name(key=key):
                return (Piece(lower_first(label(key))),)
            case Call(function=("avg" | "d" | "prev" | "abs") as function, argument=argument):
                of = _written(argument, said)
                return (
                    Piece(f"{CALLED[function]} "),
                    *(of if isinstance(argument, Name) else (Piece("("), *of, Piece(")"))),
                )
        return None

    return "".join(piece.text for piece in _written(expr, said))


def in_figures(text: str, unit: str, operands: Sequence[CellOperand]) -> Written:
    """A formula in the figures of its operands: money in millions, or all of it in full beside what is no money."""
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
                return (Piece("|"), *_written(inner, figure), Piece("|"))
        return None

    return _joined(_written(_spelled_out(tree), figure))


def of_one_money(operands: Sequence[CellOperand]) -> bool:
    """Whether the operands are money and nothing else, so that millions can be put beside millions."""
    units = {one.fact.unit for one in operands}
    return len(units) == 1 and all(map(is_money, units))


# --- the tree ---


def _tree(text: str, unit: str) -> Expr | None:
    """The formula without what only turns it into percent; None where it is of a form that is read no more."""
    try:
        tree = formula.parse(text)
    except FormulaSyntaxError:
        return None
    return (_without_hundreds(tree) or tree) if unit in OF_A_HUNDRED else tree


def _without_hundreds(tree: Expr) -> Expr | None:
    """A hundredth of an expression, where every term of it is something times a hundred."""
    match tree:
        case Binary(operator="*", left=left, right=right) if left == HUNDRED:
            return right
        case Binary(operator=("*" | "/") as operator, left=left, right=right):
            inner = _without_hundreds(left)
            return Binary(operator, inner, right) if inner else None
        case Binary(operator=("+" | "-") as operator, left=left, right=right):
            one, other = _without_hundreds(left), _without_hundreds(right)
            return Binary(operator, one, other) if one and other else None
        case Negative(operand=operand):
            inner = _without_hundreds(operand)
            return Negative(inner) if inner else None
        case Call(function=("avg" | "d" | "prev" | "abs") as function, argument=argument):
            inner = _without_hundreds(argument)
            return Call(function, inner) if inner else None
    return None


def _spelled_out(tree: Expr) -> Expr:
    """An expression with averages and changes as sums and differences of two years."""
    match tree:
        case Call(function="avg", argument=argument):
            inner = _spelled_out(argument)
            return Binary("/", Binary("+", inner, shifted(inner, -1)), Number(Decimal(2)))
        case Call(function="d", argument=argument):
            inner = _spelled_out(argument)
            return Binary("-", inner, shifted(inner, -1))
        case Call(function="prev", argument=argument):
            return shifted(_spelled_out(argument), -1)
        case Call(function=function, argument=argument):
            return Call(function, _spelled_out(argument))
        case Negative(operand=operand):
            return Negative(_spelled_out(operand))
        case Binary(left=left, right=right):
            return replace(tree, left=_spelled_out(left), right=_spelled_out(right))
    return tree


def _both(tree: Expr) -> list[Name]:
    """The names of an expression in its year and in the year before."""
    names = [Name(one.name.key, one.name.variant, one.offset) for one in formula.operands(tree)]
    return [*names, *(replace(one, offset=one.offset - 1) for one in names)]


def _plain_names(tree: Expr) -> list[Name]:
    """The names that stand outside of averages and changes, which say their years themselves."""
    match tree:
        case Name():
            return [tree]
        case Call(function="avg" | "d"):
            return []
        case Call(argument=inner) | Negative(operand=inner):
            return _plain_names(inner)
        case Binary(left=left, right=right):
            return [*_plain_names(left), *_plain_names(right)]
    return []


# --- writing ---


def _written(expr: Expr, say: Said, above: int = 0, *, tight: bool = False) -> Written:
    """An expression with its signs. say: how a part is written that has words of its own; None for all others.

    above: the rank of the sign that it stands beside; tight: on the side that does not associate.
    """
    said = say(expr)
    if said is not None:
        return said
    inside = partial(_written, say=say)
    match expr:
        case Number(value=value):
            return (Piece(number(value)),)
        case Negative(operand=operand):
            return (Piece(MINUS), *inside(operand, above=3))
        case Binary(operator=operator, left=left, right=right):
            rank = RANKS[operator]
            text = (
                *inside(left, above=rank, tight=operator == "**"),
                Piece(SIGNS[operator]),
                *inside(right, above=rank, tight=operator in ("-", "/")),
            )
            wrapped = rank < above or (rank == above and tight)
            return (Piece("("), *text, Piece(")")) if wrapped else text
        case Call(argument=argument):
            return inside(argument, above=above, tight=tight)
    return (Piece(str(expr)),)


def _joined(pieces: Written) -> Written:
    """Neighbours without a fact in one."""
    joined: list[Piece] = []
    for piece in pieces:
        if piece.fact is None and joined and joined[-1].fact is None:
            joined[-1] = Piece(joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return tuple(joined)
