"""Explains how a question was read, for developers: all matches, the best readings with their scores, the query."""

from collections.abc import Iterator
from datetime import date

from agent.numbers.registry.registry import Registry
from agent.query.question import read
from agent.query.reading.asked_question import Lines
from agent.query.reading.lattice import score
from agent.query.reading.reader import Reader
from agent.query.words.lexicon import Match
from agent.query.words.refused_question import Misread
from agent.query.words.spelling import spelled_out
from agent.registrants.registrant_index import Companies
from agent.state.query import (
    Breakdown,
    Change,
    Combined,
    Formula,
    Last,
    Measure,
    Member,
    Operation,
    OverYears,
    Periods,
    Query,
    Rank,
    Share,
    Span,
    Threshold,
)
from agent.state.references import Period, RelativePeriod
from agent.words.tokens import tokenise


def explain(question: str, companies: Companies, registry: Registry, today: date, lines: Lines | None = None) -> str:
    """Several lines of text: every match, the best readings, and the query that follows."""
    tokens = spelled_out(question, tokenise(question))
    if not tokens:
        return "The question has no words."
    reader = Reader(question, tokens, companies, registry, today, lines)
    found = reader.read()
    halves = read(question, companies, registry, today, lines)
    near = [f"Read as: {'; and '.join(map(line, halves))}"] if halves != (found,) else []
    return "\n".join([*_lattice(reader), *_covers(reader), f"Query: {line(found)}", *near, *_unused(found)])


def line(found: Query | Misread) -> str:
    """A query, or the refusal, in one line."""
    if isinstance(found, Misread):
        said = f" [{'; '.join(found.words)}]" if found.words else ""
        return f"{found.code.value}{said}"
    if found.meta:
        return f"meta: {found.meta}"
    names = ", ".join(company.symbol or company.called for company in found.companies)
    names = "everyone" if found.everyone else names
    own = "".join(f" ({one.cik}: {periods(one.periods)})" for one in found.own)
    rows = " + ".join(f"{'~' if row.mention else ''}{measure(row.measure)}" for row in found.rows)
    done = "".join(f" > {operation(one)}" for one in found.operations)
    told = "".join(f" text: {topic.text!r}" for topic in found.topics) + "".join(
        f" data: {key}" for key in found.particulars
    )
    near = "".join(f" without {word!r}" for word in found.left_out)
    near += f" by a name near {found.near_name!r}" if found.near_name else ""
    near += f" for any {found.several_meanings!r}" if found.several_meanings else ""
    return f"{names} | {periods(found.periods)}{own} | {rows}{done}{told}{near}"


def measure(one: Measure) -> str:
    """A measure as its key, or as the formula asked."""
    if isinstance(one, Change):
        return f"{'sequential ' if one.sequential else ''}{'growth' if one.percent else 'change'}({measure(one.of)})"
    if isinstance(one, Share):
        return f"{measure(one.part)} % of {measure(one.whole)}"
    if isinstance(one, Combined):
        return "(" + f" {one.sign} ".join(measure(part) for part in one.parts) + ")"
    if isinstance(one, Formula):
        return f"[{one.expression}]{' %' if one.unit else ''}"
    if isinstance(one, Member):
        return f"{measure(one.of)} of {one.label!r}"
    if isinstance(one, Breakdown):
        told = "each % of total " if one.shares else ""
        by = f"{one.extreme} {f'{one.top} ' if one.top > 1 else ''}{one.axis} by" if one.extreme else ""
        return f"{by} {measure(one.of)}" if by else f"{told}{measure(one.of)} by {one.axis}"
    if one.kind == "metric":
        return f"{one.key}:{one.variant}" if one.variant else one.key
    if one.kind == "concept":
        return one.key
    if one.kind == "statement":
        return " ".join(filter(None, ("statement", one.statement, one.form)))
    return f"printed {one.words!r}" if one.kind == "printed" else f"line {one.label!r}"


def periods(one: Periods) -> str:
    """The periods asked, short."""
    if isinstance(one, Span):
        return f"{_period(one.first)}..{_period(one.last) if one.last else ''}"
    if isinstance(one, Last):
        return f"last {one.count}{' quarters' if one.quarters else ''}" + (
            f" to {_period(one.until)}" if one.until else ""
        )
    return ", ".join(_period(period) for period in one.periods)


def operation(one: Operation) -> str:
    """An operation in a word or two."""
    if isinstance(one, OverYears):
        return one.over.value
    if isinstance(one, Rank):
        return f"{'highest' if one.highest else 'lowest'} {one.top or 'first'}"
    if isinstance(one, Threshold):
        return f"{one.comparison} {one.bound}"
    return "difference in percent" if one.percent else "difference"


def _period(period: Period) -> str:
    marks = {"fiscal": "FY", "calendar": "CY"}
    year = f"{marks.get(period.form.value, '')}{period.year}" if period.year else period.form.value
    part = "" if period.part in (None, RelativePeriod.DAY) else period.part
    return " ".join(filter(None, (part, str(period.end or year))))


def _lattice(reader: Reader) -> Iterator[str]:
    yield "Matches found in the question, with their scores:"
    for match in sorted(reader.lattice, key=lambda one: (one.first, -one.last)):
        yield f"  {_text(reader, match)!r} {score(match):g}: {_meanings(match)}"


def _covers(reader: Reader) -> Iterator[str]:
    for number, cover in enumerate((reader.cover, *reader.others), 1):
        words = " | ".join(_text(reader, match) for match in cover.matches)
        yield f"Reading {number}, score {cover.score:g}: {words}"


def _unused(found: Query | Misread) -> Iterator[str]:
    words = found.words if isinstance(found, Query) else found.read
    for one in words:
        meaning = f" ({one.meaning})" if one.meaning else ""
        yield f"  {one.text!r}: {one.role.value}{meaning}{'' if one.typed else ', misspelt'}"


def _text(reader: Reader, match: Match) -> str:
    tokens = reader.sentence.tokens
    return " ".join(token.base for token in tokens[match.first : match.last])


def _meanings(match: Match) -> str:
    said = [
        f"measure {', '.join(one.value.keys)}" if one.kind == "measure" else f"{one.kind} {one.value}"
        for one in match.meanings
    ]
    return "; ".join(said)
