"""Whether words that ask for an operation are served by the one that a model names, and by the form of a row."""

from collections.abc import Mapping, Sequence

from agent.grounding.slots import OperationPiece, RowPiece
from agent.query.words.sentence import Part
from agent.query.words.word_classes import GROWING, connecting

# Operations that every table of several figures serves.
NEUTRAL = frozenset({"compare", "trend", "each", "which_one", "which_year"})
_GROWING = frozenset({*GROWING, "difference"})
# "How much bigger", "by how many percent lower" ask for a change.
_MOVING = frozenset({"growth", "change", "difference", "difference in percent"})
_LARGER = frozenset({"highest", "lowest"})
# What an operation or a form serves of the words that ask for one.
_SERVED: Mapping[str, frozenset[str]] = {
    "average": frozenset({"average"}),
    "sum": frozenset({"sum"}),
    "cagr": frozenset({"cagr", "growth", "average"}),
    "growth": _GROWING,
    "change": _GROWING,
    "quarterly growth": _GROWING - {"yoy"},
    "quarterly change": _GROWING - {"yoy"},
    "highest": frozenset({"highest", "rank"}),
    "lowest": frozenset({"lowest", "rank"}),
    "rank highest": frozenset({"highest", "rank"}),
    "rank lowest": frozenset({"lowest", "rank"}),
    "difference": _GROWING,
    "difference in percent": _GROWING,
    "over time": frozenset(GROWING),
    "positive": frozenset({"positive"}),
    "negative": frozenset({"negative"}),
    "share": frozenset({"share", "ratio"}),
}
# Signs of the bounds that a comparison may be said with.
_SIGNS: Mapping[str, frozenset[str]] = {
    "above": frozenset({">", ">="}),
    "at least": frozenset({">", ">="}),
    "below": frozenset({"<", "<="}),
    "at most": frozenset({"<", "<="}),
}
_ADDED, _TAKEN_AWAY = frozenset({"plus", "+"}), frozenset({"minus", "less"})
_OF_YEAR = {"yoy": frozenset({"growth", "change"}), "qoq": frozenset({"quarterly growth", "quarterly change"})}


def serves(form: str, words: Part) -> bool:
    """Whether the words of one part ask for nothing but what an operation, or the form of a row, makes."""
    asked = words.values("operation") - NEUTRAL
    if any(form not in _OF_YEAR[one] for one in asked & _OF_YEAR.keys() if form in _SERVED and "growth" in form):
        return False
    served = not asked or bool(asked & _SERVED.get(form, frozenset()))
    signs = words.values("comparator")
    if form in _SIGNS and signs:
        return bool(signs & _SIGNS[form])
    return served


def fits(operation: OperationPiece, parts: Sequence[Part], rows: Sequence[RowPiece]) -> bool:
    """Whether an operation is what its own words ask for. parts: those in its span.

    A negation, a second bound, a place in an order that it does not count, and words of another operation do not fit.
    """
    number = operation.number
    within = any(one.piece.start <= operation.piece.start and operation.piece.end <= one.piece.end for one in rows)
    if within and operation.kind != "over time" and not any(part.has("operation", "comparator") for part in parts):
        return False
    for part in parts:
        inside = number is not None and number.start <= part.tokens[0].start < number.end
        placed = operation.kind not in _MOVING and bool({*part.bases} & connecting("ordinal"))
        uncounted = placed or any(base[:1].isdigit() for base in part.bases)
        if part.has("guard", "non_gaap", "currency") and not part.has("operation", "comparator"):
            return False
        if not inside and uncounted:
            return False
        bigger = operation.kind in _MOVING and part.values("operation") - NEUTRAL <= _GROWING | _LARGER
        if not (bigger or serves(operation.kind, part) or _is_of_form(part, rows)):
            return False
    return sum(part.has("comparator") and part.value("frame") != "function" for part in parts) <= 1


def served_by(part: Part, rows: Sequence[RowPiece], operations: Sequence[OperationPiece]) -> bool:
    """Whether words of an operation in the span of rows are served by their form, or by an operation of the question."""
    forms = [one.form for one in rows] + [one.kind for one in operations]
    asked = part.values("operation") - NEUTRAL
    return not asked or any(serves(form, part) and asked & _SERVED.get(form, frozenset()) for form in forms)


def _is_of_form(part: Part, rows: Sequence[RowPiece]) -> bool:
    """Whether words in the span of an operation say the form of a row: "who grew faster"."""
    return not part.has("comparator") and any(serves(one.form, part) and one.form in _SERVED for one in rows)


def contradicts(row: RowPiece, parts: Sequence[Part]) -> bool:
    """Whether the words of a row add what its form takes away, or the reverse. parts: those in its span."""
    words = {base for part in parts for base in part.bases}
    return (row.form == "difference" and bool(words & _ADDED)) or (row.form == "sum" and bool(words & _TAKEN_AWAY))
