"""What a question takes for granted, held against the figures of the filing that it is asked of.

"Why did revenue fall?" where revenue rose, or "why did it suspend its dividend?" where it paid one: the figures are the
answer. They are read and cited as any figure is, and nothing is said where they leave it open.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agent.numbers.facts.render import shown
from agent.numbers.registry.registry import Registry
from agent.numbers.tables.table import tabulate
from agent.prose.answers.causes import given
from agent.prose.answers.premises import is_told, joined, premises, takes_for_granted
from agent.prose.answers.yes_no import is_negative
from agent.prose.extract import Extraction
from agent.prose.questions.topics import asks_of_years
from agent.prose.text.candidate_sentences import texts
from agent.prose.text.quotations import claim
from agent.prose.text.reasons import YEAR, rooted
from agent.query.words.lexicon import PARENTHESES, Lexicon, lexicon_of, measure_of
from agent.state import AgentState, Cell, Claim, FilingRef, Period, PeriodForm, Query, Scale, Table, Target, Topic
from agent.state.query import Change, Concept, Metric, Row, Years
from agent.steps.deps import Deps
from agent.words.stems import roots
from agent.words.tokens import tokenise
from filings.models.source_kinds import ANNUAL

PATH = Path(__file__).with_name("presumed.yaml")
DECEMBER = 12


@dataclass(frozen=True, slots=True)
class Presumed:
    """What a question takes for granted, as figures would show otherwise.

    rows: the measures, all of which must show it. moved: which way each moved, by the question; empty where its sign is what
    counts. shown_by: the sign by which it was not so.
    """

    rows: tuple[Row, ...]
    moved: str = ""
    shown_by: str = ""
    untold: bool = False
    says: str = ""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The figures that show that something was not as a question takes it for granted, and what they say, in sentences.

    claims: the cause that the filing gives for the change that there was.
    """

    table: Table
    said: str
    claims: tuple[Claim, ...] = ()


def shown_otherwise(target: Target, state: AgentState, deps: Deps) -> Otherwise | None:
    """The figures by which it was not as a question takes it for granted; None where they leave it open or bear it out."""
    filing: FilingRef = state.of(state.filings, target)[0]
    topic = target.topic
    if topic is None or len(topic.queries) != 1 or topic.ahead or not is_of_year(target, filing, state):
        return None
    if state.plan is None or state.plan.query is None or len(state.plan.query.companies) != 1:
        return None  # one beside another is compared
    presumed = presumed_in(topic.text, deps.registry)
    if presumed is None:
        return None
    of_year = Years(periods=(Period(form=PeriodForm.FISCAL, year=filing.fiscal_year),))
    rows = [one for row in presumed.rows for one in asked_of(row, moved=bool(presumed.moved))]
    table = tabulate(Query(companies=(target.company,), periods=of_year, rows=tuple(rows)), deps)
    cells = [one for one in table.cells if one.asked]
    # Only what this filing reports is held against what it tells.
    if not cells or any(one.value is None or not is_of_filing(one, filing) for one in cells):
        return None
    scale = state.plan.scale if state.plan else None
    said = moves(presumed, cells, scale) if presumed.moved else amounts(presumed, cells, scale)
    if not said or ((presumed.untold or presumed.moved) and is_told(topic.text, filing.filing, filing.fiscal_year)):
        return None
    return Otherwise(table, " ".join(said), cause(target, topic, filing, state) if presumed.moved else ())


def cause(target: Target, topic: Topic, filing: FilingRef, state: AgentState) -> tuple[Claim, ...]:
    """The sentence that gives the cause of the opposite of the change that is asked about; none where there is none."""
    extraction = Extraction(target, topic, filing, state.of(state.retrievals, target)[0])
    change = extraction.change
    found = change and given(change, extraction.causes)
    if not change or not found or found.way == change.way:
        return ()
    picked = extraction.part(0).picked
    held = texts(one.passage.section for one in picked)
    return tuple(claim(target, one, held[one.passage.section].section) for one in picked)


def is_of_year(target: Target, filing: FilingRef, state: AgentState) -> bool:
    """Whether one fiscal year is asked of, that of a 10-K, and no other is named."""
    periods = state.plan.query.periods if state.plan and state.plan.query else None
    years = [one.year for one in periods.periods] if isinstance(periods, Years) else []
    period = target.period
    single = len(years) == 1 or (len(years) == 2 and None not in years and abs(years[0] - years[1]) == 1)  # type: ignore[operator]
    return (
        single
        and filing.source == ANNUAL.key
        and period.part is None
        and period.end in {None, filing.period_end}
        and period.year in {None, filing.fiscal_year}
        and (period.form is not PeriodForm.CALENDAR or filing.period_end.month == DECEMBER)
        and not asks_of_years(target.topic.text if target.topic else "")
        and not re.search(_data()["of_others"], state.question, re.IGNORECASE)
        and len(set(YEAR.findall(state.question))) < 2
    )


def asked_of(row: Row, *, moved: bool) -> Iterator[Row]:
    if moved:
        yield Row(measure=Change(of=row.measure))
    yield row


def is_of_filing(cell: Cell, filing: FilingRef) -> bool:
    return all(fact.accession == filing.accession for fact in cell.facts)


# --- what is taken for granted ---


def presumed_in(text: str, registry: Registry) -> Presumed | None:
    """What a question takes for granted of figures, where every word of it is understood; None for anything else.

    text: the question without company and period.
    """
    told = {one.base for one in tokenise(text)}
    if not takes_for_granted(text) or is_negative(text) or told & {*_data()["never"]}:
        return None
    lexicon = lexicon_of(registry)
    ways = {one.way for one in premises(text) if one.way}
    if ways and not roots(text) & _roots(_data()["judging"]) and not told & {*_data()["unmoved"]}:
        moving = frozenset(word for one in premises(text) if one.way for phrase in one.event for word in phrase)
        rows = rows_named(text, lexicon, moving | rooted("asking"), moving)
        if rows:
            return Presumed(rows, moved=ways.pop()) if len(ways) == 1 else None
    return next(filter(None, (presumed_event(event, text, lexicon) for event in _data()["events"])), None)


def presumed_event(event: dict[str, Any], text: str, lexicon: Lexicon) -> Presumed | None:
    """What one event shows itself by, where a question takes it for granted and says nothing else."""
    told = roots(joined(text))
    phrases, things = _phrases(event["event"]), _phrases(event.get("of", []))
    if not any(one <= told for one in phrases) or (things and not any(one <= told for one in things)):
        return None
    if "only" in event and not told & _roots(event["only"]):
        return None
    known = frozenset().union(*phrases, *things, _roots(event["beside"]), rooted("asking"))
    rows = rows_named(text, lexicon, known) if "named" in event else ()
    if any(not isinstance(one.measure, Concept) or one.measure.key not in event["named"] for one in rows):
        return None  # "credit losses"
    if not rows and not told <= known:
        return None
    measures = rows or tuple(Row(measure=measure_of(lexicon.registry, key)) for key in event["measures"])
    return Presumed(measures, shown_by=event["shown_by"], untold=event.get("untold") == "true", says=event["says"])


def rows_named(
    text: str, lexicon: Lexicon, known: frozenset[str], moving: frozenset[str] = frozenset()
) -> tuple[Row, ...]:
    """The measures that a question names with all its words but the known ones; none where a word is left over.

    moving: of the known ones those for which way it moved: one, and none that makes another name of the measure's
    ("contract revenue").
    """
    tokens = tokenise(text)
    found = [one for one in lexicon.matches(tokens) if one.named and not one.named.ask]
    for match in sorted(found, key=len, reverse=True):
        rest = [place for place in range(len(tokens)) if place not in match.places]
        moves = [place for place in rest if roots(tokens[place].text) & moving]
        if moving and (len(moves) != 1 or moves[0] == match.first - 1):
            continue
        if match.named and roots(" ".join(tokens[place].text for place in rest)) <= known:
            rows = match.named.asserted
            return rows if all(isinstance(one.measure, Concept | Metric) for one in rows) else ()
    return ()


# --- what figures say ---


def moves(presumed: Presumed, cells: Sequence[Cell], scale: Scale | None) -> list[str]:
    """A sentence on each measure, where none moved as the question takes it for granted."""
    said = []
    changes = [one for one in cells if one.row % 2 == 0]
    for change in changes:
        now = next((one for one in cells if one.row == change.row + 1 and one.reading == change.reading), None)
        if now is None or change.value is None or now.value is None:
            return []
        if min(now.value, now.value - change.value) < 0:
            return []  # a loss that grew fell, and nobody says so
        way = "up" if change.value > 0 else "down" if change.value < 0 else "same"
        if way == presumed.moved:
            return []
        by = shown(abs(change.value), change.unit, scale)
        said.append(sentence(_data()["moved"][way], now, scale, by))
    return said


def amounts(presumed: Presumed, cells: Sequence[Cell], scale: Scale | None) -> list[str]:
    """What the figures show, where each has the sign by which something was not as the question takes it for granted."""
    sign = presumed.shown_by
    values = [one.value for one in cells if one.value is not None]
    shows = all(one > 0 if sign == "positive" else one < 0 if sign == "negative" else one == 0 for one in values)
    return [sentence(presumed.says, cells[0], scale)] if shows else []


def sentence(template: str, cell: Cell, scale: Scale | None, change: str = "") -> str:
    value = cell.value if cell.value is not None else Decimal()
    amount = shown(value, cell.unit, scale, reported=cell.fact is not None)
    return template.format(
        measure=PARENTHESES.sub("", cell.label), amount=amount, period=cell.place.called, change=change
    )


# --- data ---


def _roots(listed: Sequence[Any]) -> frozenset[str]:
    """The roots of words, of lists of them too."""
    return frozenset(word for one in listed for word in (roots(one) if isinstance(one, str) else _roots(one)))


def _phrases(listed: Sequence[str]) -> tuple[frozenset[str], ...]:
    return tuple(map(roots, listed))


@cache
def _data() -> dict[str, Any]:
    return dict(yaml.load(PATH.read_bytes(), yaml.CBaseLoader))  # noqa: S506 - strings only
