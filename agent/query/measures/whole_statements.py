"""Whole statements that are asked for, and the form of their rows: amounts, in percent of a total, or as growth; and key figures."""

from collections.abc import Sequence

from agent.numbers.registry.concept import WHOLES
from agent.query.measures.growth import in_order, neighbours
from agent.query.words.lexicon import Lexicon, key_of, measure_of
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence
from agent.query.words.word_classes import GROWING
from agent.refusals.codes import Code
from agent.state.query import Periods, Row, Span, Statement, Years

# Statements that are shown whole.
_STATEMENTS = frozenset({"income", "comprehensive", "balance", "cashflow", "equity"})
_GROWING = frozenset(GROWING) - {"qoq"}
# Operations on one figure or a few, which no table of a statement is.
_OF_FIGURES = frozenset({"cagr", "average", "highest", "lowest", "rank", "difference", "share", "ratio", "qoq"})
# Words beside a company that ask for nothing of it: "Apple 10-K 2025", "Apple vs Microsoft".
_NAMING = frozenset({"source", "time", "function", "polite"})


def whole_statements(sentence: Sentence) -> tuple[Row, ...]:
    """Whole statements, where they are asked for and nothing of them.

    Raises Refused for a part of the company, and for an operation or a form that a statement does not have.
    """
    if sentence.unknown:
        return ()
    parts = [part for part in sentence.parts if part.value("statement") in _STATEMENTS]
    divided = sentence.having("part", "axis", "member")
    if parts and divided:
        raise Refused(Code.DIMENSIONAL_ONLY, sentence.text(divided[0]))
    form = _form(sentence) if parts else ""
    return tuple(
        Row(
            measure=Statement.model_validate({"statement": part.value("statement"), "form": form}),
            text=sentence.text(part),
        )
        for part in parts
    )


def in_percent_of_total(sentence: Sentence) -> tuple[Row, ...]:
    """Whole statements in percent of the total that their common-size form has: "income statement as % of revenue"."""
    parts = [part for part in sentence.parts if part.value("statement") in WHOLES]
    measured = [part for part in sentence.parts if part.named]
    shares = sentence.meaning("operation", "share")
    if sentence.unknown or not (parts and len(measured) == len(shares) == 1):
        return ()
    of = {key_of(row.measure) for row in measured[0].named.asserted} if measured[0].named else set()
    wholes = {WHOLES[kind] for part in parts if (kind := part.value("statement"))}
    if of != wholes or not parts[-1].first < shares[0].first < measured[0].first:
        return ()
    return tuple(
        Row(measure=Statement.model_validate({"statement": part.value("statement"), "form": "common_size"}))
        for part in parts
    )


def statement_periods(periods: Periods, rows: Sequence[Row]) -> Periods:
    """The periods that statements are shown of: of growth over two neighbouring years the later."""
    if not any(isinstance(row.measure, Statement) and row.measure.form == "growth" for row in rows):
        return periods
    match periods:
        case Span(first=first, last=last) if last and neighbours(first, last):
            return Years(periods=(last,))
        case Years(periods=named) if len(years := in_order(named)) == len(named) == 2 and neighbours(*years):
            return Years(periods=(years[1],))
    return periods


def _form(sentence: Sentence) -> str:
    """The form asked for; empty for the amounts as printed."""
    sized = sentence.having("statement_form")
    grown = sentence.meaning("operation", *_GROWING) or [
        part for part in sized if part.value("statement_form") == "growth"
    ]
    of_figures = [part for part in sentence.parts if part.values("operation") & _OF_FIGURES and part not in grown]
    common = [part for part in sized if part not in grown]
    _refuse_first(sentence, of_figures or (grown and common))
    if common:
        without = [part for part in sentence.parts if part.value("statement") in _STATEMENTS - set(WHOLES)]
        _refuse_first(sentence, without and common)
        return "common_size"
    return "growth" if grown else ""


def _refuse_first(sentence: Sentence, parts: list[Part]) -> None:
    if parts:
        raise Refused(Code.NOT_UNDERSTOOD, sentence.text(parts[0]))


def key_figures(sentence: Sentence, lexicon: Lexicon) -> tuple[Row, ...]:
    """The registry's key figures, where a question names companies, years and reports alone; else none."""
    if not all(map(_names, sentence.parts)) or sentence.passed:
        return ()
    return tuple(Row(measure=measure_of(lexicon.registry, key)) for key in lexicon.registry.key_figures.concepts)


def _names(part: Part) -> bool:
    if part.stretch is not None:
        return part.stretch.month is None  # of a month there are balances alone
    return part.mention is not None or part.value("frame") in _NAMING or part.value("operation") == "compare"
