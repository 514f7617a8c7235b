"""A model's expression over offered rows as a measure: read by the grammar of formulas, and refused where any part of it
is not of the question, of the rows, or of a definition.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, DecimalException
from functools import partial, reduce

from agent.grounding.candidates import Candidate
from agent.numbers.cells.row_expressions import versions
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Binary, Call, Expr, Name, Number, mapped, parts_of
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.units import DAYS_A_YEAR, UnitError
from agent.query.dates.years import is_number, number_of
from agent.refusals.grammar import lower_first
from agent.refusals.query_text import measure as in_words
from agent.state.query import Change, Formula, Measure, Member, Operand, Share
from agent.words.tokens import tokenise

# `opt` counts what is missing as nothing, so no model may use it.
FUNCTIONS = frozenset({"avg", "prev", "d", "abs"})
# Numbers of definitions, which no question need say: of an amount, none makes another.
OF_RATIOS = frozenset(map(Decimal, (1, 2, 4, 12, 100))) | {DAYS_A_YEAR}
# A hundred makes a percentage once.
ONCE = frozenset(map(Decimal, (4, 12, 100)))
AMOUNTS = frozenset({"USD", "USD/share", "USD/shares", "shares", "count"})
# Years back, terms of an average, and operands.
MOST_BACK, MOST_TERMS, MOST_OPERANDS = 9, 10, 12
LONGEST = 400  # characters
YEARS = range(1900, 2101)
CALLED = {"avg": "average {}", "prev": "{} of the year before", "d": "change in {}", "abs": "absolute {}"}


class Unusable(Exception):
    """An expression that makes no figure. The message says why, in a sentence for the model that wrote it."""


def measure_of(
    text: str,
    rows: Mapping[str, Candidate],
    part: Candidate | None,
    question: str,
    term: str,
    unit: str,
    registry: Registry,
) -> Measure:
    """The measure that an expression over ids of rows is; one row by itself is that row's own. Raises Unusable.

    part: the part of the company that every row is of. term: words of the question that it answers. unit: "percent" or
    nothing.
    """
    if len(text) > LONGEST:
        raise Unusable("It is too long.")
    try:
        expr = formula.parse(text.strip())
    except formula.FormulaSyntaxError as error:
        raise Unusable(f"{error}.") from error
    told = {one.name.key: _row(one.name, rows, part) for one in formula.operands(expr)}
    if not told:
        raise Unusable("It has no row.")
    if isinstance(expr, Name) and not expr.offset:
        return told[expr.key]
    _check(expr, question, told)
    if (known := _known(expr, told, unit, registry)) is not None:
        return known
    labels = {key: lower_first(in_words(one, registry)) for key, one in told.items()}
    made = Formula(
        text=worded(expr, labels),
        term=term,
        expression=str(mapped(expr, _before)),
        operands=tuple(Operand(name=key, of=one) for key, one in told.items()),
        unit="percent" if unit == "percent" else "",
    )
    try:
        given = versions(made, registry)[0].unit
    except (UnitError, KeyError) as error:
        raise Unusable(f"Its units do not fit together: {error}") from error
    if given in AMOUNTS and _counts_twice(expr):
        raise Unusable("It counts a row more than once.")
    if given in AMOUNTS and (free := set(_numbers(expr)) - _said(question)):
        raise Unusable(f"{min(free)} makes another amount of an amount.")
    return made


def _known(expr: Expr, told: Mapping[str, Measure], unit: str, registry: Registry) -> Measure | None:
    """The growth, change or share that an expression is, which has a name of its own; None for any other."""
    match expr:
        case Binary("-", Binary("/", Name(offset=0) as now, before), Number(one)) if one == 1 and _is_before(
            before, now
        ):
            return Change(of=told[now.key], percent=True)
        case Binary("-", Name(offset=0) as now, before) if _is_before(before, now):
            return Change(of=told[now.key])
        case Call("d", Name(offset=0) as now):
            return Change(of=told[now.key])
        case Binary("/", Name(offset=0) as part, Name(offset=0) as whole) if unit == "percent":
            kinds = {versions(told[one.key], registry)[0].unit for one in (part, whole)}
            return Share(part=told[part.key], whole=told[whole.key]) if len(kinds) == 1 and kinds <= AMOUNTS else None
    return None


def _is_before(expr: Expr, now: Name) -> bool:
    """Whether an expression is a row of the year before."""
    return expr in (Name(now.key, "", -1), Call("prev", now))


def _row(name: Name, rows: Mapping[str, Candidate], part: Candidate | None) -> Measure:
    found = rows.get(name.key)
    if found is None or found.measure is None or name.variant:
        raise Unusable(f"{name} is no row that was offered.")
    if part is None:
        return found.measure
    return Member(of=found.measure, label=part.part, members=part.members, own=part.own)


def _check(expr: Expr, question: str, told: Mapping[str, Measure]) -> None:
    """Refuses functions and numbers that may not stand in it, and rows that change nothing."""
    nodes = list(_nodes(expr))
    for one in nodes:
        match one:
            case Call(function=function) if function not in FUNCTIONS:
                raise Unusable(f"{function} may not be used.")
            case Name(offset=offset) if offset < -MOST_BACK:
                raise Unusable(f"{one} is too many years back.")
            case Binary(operator="**"):
                _check_power(one)
            case Binary(operator="*" | "/", right=Number(value=value)) if value == 1:
                raise Unusable(f"{one} is no formula.")
            case Binary() | Name() | Number() | Call():
                pass
            case _:
                if type(one).__name__ != "Negative":
                    raise Unusable("It is no number.")
    if len(formula.operands(expr)) > MOST_OPERANDS:
        raise Unusable("It has too many rows.")
    said, counted = _said(question), Counter(_numbers(expr))
    for number, times in counted.items():
        if number not in said and (number not in OF_RATIOS or (number in ONCE and times > 1)):
            raise Unusable(f"{number} stands neither in the question nor in a definition.")
    if idle := [key for key in told if not _counts(key, expr)]:
        raise Unusable(f"{idle[0]} changes nothing.")


def _check_power(one: Binary) -> None:
    """Refuses powers but the root of growth over n years: (a / a[FY-3]) ** (1 / 3)."""
    match one.right:
        case Binary(operator="/", left=Number(value=top), right=Number(value=years)):
            offsets = {each.offset for each in formula.operands(one.left)}
            if top == 1 and 2 <= years <= MOST_BACK and -years in offsets:
                return
    raise Unusable(f"{one.right} is no root over the years of its rows.")


def _nodes(expr: Expr) -> Iterator[Expr]:
    yield expr
    for part in parts_of(expr):
        yield from _nodes(part)


def _numbers(expr: Expr) -> Iterator[Decimal]:
    """The numbers of an expression, but for the count by which a sum of so many terms is averaged, and that of a root."""
    match expr:
        case Number(value=value):
            yield value
        case Binary(operator="/", left=left, right=Number(value=count)) if count == _terms(left) and count > 1:
            yield from _numbers(left)
        case Binary(operator="**", left=left):
            yield from _numbers(left)
        case _:
            for part in parts_of(expr):
                yield from _numbers(part)


def _terms(expr: Expr) -> int:
    """How many terms a sum has; 1 for anything else."""
    match expr:
        case Binary(operator="+", left=left, right=right):
            return _terms(left) + _terms(right)
        case Number():
            return MOST_TERMS + 1
    return 1


def _said(question: str) -> frozenset[Decimal]:
    """The numbers that a question gives, without years."""
    found = (token.base for token in tokenise(question))
    return frozenset(number for one in found if is_number(one) and (number := number_of(one)) not in YEARS)


def _counts(key: str, expr: Expr) -> bool:
    """Whether a row makes a difference: whether another figure of it gives another value."""
    chance = random.Random(key)  # noqa: S311 - figures to try a formula with
    tried = {(one.name.key, one.offset): Decimal(chance.randint(10**6, 10**9)) for one in formula.operands(expr)}
    found: list[Decimal] = []
    for times in (Decimal(1), Decimal("1.7"), Decimal("3.1")):

        def resolve(name: Name, offset: int, times: Decimal = times) -> Decimal:
            # Each year changes by another part, so that a ratio of two years changes, too.
            return tried[name.key, offset] * (times ** (1 - offset) if name.key == key else 1)

        try:
            found.append(formula.evaluate(expr, resolve))
        except (formula.FormulaError, DecimalException):
            continue
    return bool(found) and any(abs(one - found[0]) > abs(found[0]) / 10**9 for one in found[1:])


def _counts_twice(expr: Expr) -> bool:
    """Whether a sum has a row of one year with another weight than it adds once, or is averaged with."""
    weights: Counter[tuple[str, int]] = Counter()

    def add(part: Expr, sign: int, back: int) -> None:
        match part:
            case Binary(operator=("+" | "-") as operator, left=left, right=right):
                add(left, sign, back)
                add(right, sign if operator == "+" else -sign, back)
            case Binary(operator="/", left=left, right=Number()):
                add(left, sign, back)
            case Call(function="prev", argument=inner):
                add(inner, sign, back - 1)
            case Name(key=key, offset=offset):
                weights[key, back + offset] += sign

    add(expr, 1, 0)
    return any(abs(weight) > 1 for weight in weights.values())


def _before(name: Name) -> Expr:
    """A row of an earlier year as the figure of the year before, so many times."""
    plain: Expr = Name(name.key, name.variant)
    return reduce(lambda made, _: Call("prev", made), range(-name.offset), plain)


def worded(expr: Expr, labels: Mapping[str, str]) -> str:
    """An expression in words: revenue / average total assets."""
    said = partial(_in_words, labels=labels)
    return said(expr)


def _in_words(expr: Expr, labels: Mapping[str, str]) -> str:
    said = partial(_in_words, labels=labels)
    match expr:
        case Name(key=key, offset=offset):
            back = {0: "", -1: " of the year before"}.get(offset, f" of {-offset} years before")
            return f"{labels[key]}{back}"
        case Call(function=function, argument=argument):
            inner = said(argument)
            return CALLED[function].format(inner if isinstance(argument, Name) else f"({inner})")
        case Binary(operator=operator, left=left, right=right):
            return f"{_inside(left, operator, said(left), tight=False)} {operator} {_inside(right, operator, said(right), tight=True)}"
        case Number():
            return str(expr)
    (part,) = parts_of(expr)
    return f"-({said(part)})"


def _inside(part: Expr, operator: str, text: str, *, tight: bool) -> str:
    """A side of an operation, in parentheses where it binds less."""
    ranks = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}
    if not isinstance(part, Binary):
        return text
    loose = ranks[part.operator] < ranks[operator] or (tight and ranks[part.operator] == ranks[operator])
    return f"({text})" if loose or operator == "**" else text


def is_safe_term(words: Sequence[str]) -> bool:
    """Whether words of a question can name a figure: a few, with a letter."""
    return 0 < len(words) <= MOST_TERMS and bool(re.search(r"[A-Za-z]", " ".join(words)))
