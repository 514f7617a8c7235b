"""Makes rows and operations of a query from the slots that a model filled: only of what was offered, and what fits."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from agent.grounding.candidates import Candidate
from agent.grounding.slots import OperationPiece, Piece, RowPiece
from agent.numbers.cells.row_expressions import versions
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.units import UnitError
from agent.query.dates.years import Asked, is_number, number_of
from agent.query.measures.operations import BOUND_SCALES, COURSE, RECORDS
from agent.query.words.word_classes import classes
from agent.state.query import (
    MOST_YEARS,
    Breakdown,
    Change,
    Combined,
    Difference,
    Formula,
    Last,
    Line,
    Measure,
    Member,
    Operation,
    Over,
    OverYears,
    Printed,
    Rank,
    Row,
    Share,
    Span,
    Statement,
    Threshold,
)
from agent.words.tokens import tokenise

_COMPARISONS = {"above": ">", "at least": ">=", "below": "<", "at most": "<="}
_SIGNS: dict[str, Literal[">", "<"]] = {"positive": ">", "negative": "<"}
_EXTREMES = {"highest": True, "lowest": False, "rank highest": True, "rank lowest": False}
_FIRST: dict[str, Literal["", "highest", "lowest"]] = {"largest": "highest", "smallest": "lowest", "": ""}


class Unfit(Exception):
    """Raised where slots make no query: a candidate that was not offered, measures that make no sum, no years to add."""


def rows_of(piece: RowPiece, registry: Registry) -> tuple[Row, ...]:
    """The rows of one piece: several where each of its candidates is one meaning of it. Raises Unfit."""
    measures = [one.measure for one in piece.candidates if one.measure is not None]
    if not piece.complete or not measures:
        raise Unfit(piece.piece.text)
    if piece.made:
        return tuple(Row(measure=one, text=piece.piece.text) for one in piece.made)
    if piece.form == "value" and not piece.by:
        made: list[Measure] = [_of_part(one, piece.part) for one in measures]
    else:
        made = [_made(piece, measures)]
    for one in made:
        if not isinstance(one, Statement | Breakdown):
            try:
                versions(one, registry)
            except (UnitError, KeyError) as error:
                raise Unfit(piece.piece.text) from error
    term = piece.piece.text if len(made) > 1 else ""
    return tuple(Row(measure=one, text=piece.piece.text, term=term) for one in made)


def _made(piece: RowPiece, measures: Sequence[Measure]) -> Measure:
    """The one measure that a form makes of others. Raises Unfit."""
    first, others = measures[0], tuple(measures[1:])
    if any(isinstance(one, Statement) for one in measures) or (piece.by and (piece.part or others)):
        raise Unfit(piece.piece.text)
    if piece.form in {"share", "sum", "difference"} and others and piece.part:
        raise Unfit(piece.piece.text)  # which of them are of the part is not told
    match piece.form:
        case "value":
            made = first
        case "share" if piece.by:
            return Breakdown(of=first, axis=piece.by, shares=True, extreme=_FIRST[piece.first])
        case "share" if others:
            return Share(part=first, whole=Combined(sign="+", parts=others) if len(others) > 1 else others[0])
        case "share" if piece.part:
            return Share(part=_of_part(first, piece.part), whole=first)
        case "difference" if piece.part:
            return Combined(sign="-", parts=(first, _of_part(first, piece.part)))
        case "sum" | "difference" if others:
            return Combined(sign="+" if piece.form == "sum" else "-", parts=tuple(measures))
        case "change" | "growth" | "quarterly change" | "quarterly growth" if not others:
            of = _of_part(first, piece.part)
            made = Change(of=of, percent="growth" in piece.form, sequential="quarterly" in piece.form)
        case _:
            raise Unfit(piece.piece.text)
    if piece.by:
        return Breakdown(of=made, axis=piece.by, extreme=_FIRST[piece.first])
    return made


def _of_part(measure: Measure, part: Candidate | None) -> Measure:
    """A measure, of a part of the company where one is named. Raises Unfit."""
    if part is None:
        return measure
    if isinstance(measure, Statement):
        raise Unfit(part.label)
    return Member(of=measure, label=part.part, members=part.members, own=part.own)


def is_of_companies(row: Row) -> bool:
    """Whether a row holds a line or a part, which are those of the companies for which they were offered."""

    def inside(one: Measure) -> bool:
        match one:
            case Line() | Member() | Printed():
                return True
            case Change(of=of) | Breakdown(of=of):
                return inside(of)
            case Share(part=part, whole=whole):
                return inside(part) or inside(whole)
            case Combined(parts=parts):
                return any(map(inside, parts))
            case Formula(operands=operands):
                return any(inside(each.of) for each in operands)
        return False

    return inside(row.measure)


# --- operations ---


def with_operations(
    said: Sequence[OperationPiece], rows: Sequence[Row], found: Asked, companies: int, *, balances: bool
) -> tuple[tuple[Row, ...], tuple[Operation, ...], Asked]:
    """The rows, operations and periods of a query in which operations are said. Raises Unfit for one without an object.

    balances: whether all measures are balances, which no years add up.
    """
    named = bool(found.years or found.range or found.count)
    if not named and any(one.kind in {*Over, "over time"} for one in said):
        count = RECORDS if any(one.kind in _EXTREMES for one in said) else COURSE
        found = replace(found, range=Last(count=count))
    made: list[Operation] = []
    for one in said:
        if one.kind == "over time" and not found.several and found.range is None:
            raise Unfit(one.piece.text)
        if one.kind in {"growth", "change"} and not found.several:
            rows = [_moved(row, percent=one.kind == "growth", piece=one.piece) for row in rows]
        elif one.kind in set(Over):
            if not found.several or (one.kind == "sum" and balances):
                raise Unfit(one.piece.text)
            if one.kind == "cagr":
                found = _stretched(found, one.piece)
            made.append(OverYears(over=Over(one.kind)))
        elif one.kind in _EXTREMES:
            divided = any(isinstance(row.measure, Breakdown) for row in rows)
            if not (companies > 1 or found.several or divided or len(rows) > 1):
                raise Unfit(one.piece.text)
            top = _places(one.number) if one.number else None
            made += [] if divided else [Rank(highest=_EXTREMES[one.kind], top=top)]
        elif one.kind in {"difference", "difference in percent"}:
            two = companies == 2 or len(rows) == 2 or found.several
            if not two:
                raise Unfit(one.piece.text)
            made.append(Difference(percent=one.kind == "difference in percent"))
        elif one.kind in _SIGNS:
            made.append(Threshold(comparison=_SIGNS[one.kind], bound=Decimal(0)))
        elif one.kind in _COMPARISONS:
            bound = number_in(one.number or one.piece)
            made.append(Threshold.model_validate({"comparison": _COMPARISONS[one.kind], "bound": bound}))
    return tuple(rows), tuple(dict.fromkeys(made)), found


def _moved(row: Row, *, percent: bool, piece: Piece) -> Row:
    """The change of a row over the year before. Raises Unfit for one that is none of a level."""
    if isinstance(row.measure, Change):
        return row
    if isinstance(row.measure, Statement | Breakdown):
        raise Unfit(piece.text)
    return row.model_copy(update={"measure": Change(of=row.measure, percent=percent)})


def _stretched(found: Asked, piece: Piece) -> Asked:
    """The span of a rate of growth: "5-year" counts the steps, one fewer than the years. Raises Unfit."""
    if isinstance(found.range, Last):
        return replace(found, range=found.range.model_copy(update={"count": min(found.range.count + 1, MOST_YEARS)}))
    if found.range:
        return found
    if len(found.years) > 1:
        years = sorted(found.years, key=lambda one: one.year or 0)
        return replace(found, years=(), range=Span(first=years[0], last=years[-1]))
    if found.count:
        return replace(found, count=min(found.count + 1, MOST_YEARS))
    raise Unfit(piece.text)


def _places(piece: Piece) -> int:
    """How many places of an order are asked. Raises Unfit for what is no whole number of them."""
    found = number_in(piece)
    if found != int(found) or not 1 <= found <= MOST_YEARS or "-" in piece.text:
        raise Unfit(piece.text)
    return int(found)


def number_in(piece: Piece) -> Decimal:
    """The number that words give, with its scale: $1.5 billion, 30 %, ten. Raises Unfit for none or several."""
    tokens = tokenise(piece.text)
    numbers = [token.base for token in tokens if is_number(token.base)]
    meanings = [one for token in tokens for one in classes().get((token.stem,), ())]
    scales = [str(one.value) for one in meanings if one.kind == "scale"]
    if len(numbers) != 1 or len(scales) > 1:
        raise Unfit(piece.text)
    return number_of(numbers[0]) * BOUND_SCALES[scales[0] if scales else "units"]
