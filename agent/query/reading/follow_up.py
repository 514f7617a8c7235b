"""A question asked after another: what it leaves out is taken from the one before, never from its words."""

import re
from collections.abc import Sequence

from agent.numbers.registry.registry import Registry
from agent.query.dates.years import Asked, Stretch
from agent.query.measures.definitions import Phrase
from agent.query.periods.sentence_periods import newest
from agent.query.wording.text import asks_why
from agent.query.words.lexicon import Named
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Sentence
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.refusals.query_text import measure, when
from agent.state.query import Breakdown, Last, Member, Operation, Periods, Query, Row, Span, Threshold, Years
from agent.state.question_words import Role
from agent.state.references import CompanyRef, Period, PeriodForm, Record, Topic
from agent.words.tokens import Token, plain

# The year beside that of the question before; "last year" is none of them: it is counted from today.
_BESIDE = (
    (re.compile(r"\b(?:the )?(?:(?:fiscal )?year (?:before|earlier|prior)(?: that)?|(?:prior|previous|preceding) (?:fiscal )?year)\b"), -1),
    (re.compile(r"\b(?:the )?(?:(?:fiscal )?year (?:after|later)(?: that)?|(?:following|next) (?:fiscal )?year)\b"), 1),
)  # fmt: skip


# What the words of a question that changes the table before it mean.
CHANGE = "changes the table above"


class Taken(Record):
    """A part of a question that was taken from the one before."""

    part: str
    value: str


def companies_of(previous: Query | None, refs: tuple[CompanyRef, ...], sentence: Sentence) -> tuple[CompanyRef, ...]:
    """The companies named; of the question before where none is, or beside them: "compare with Microsoft"."""
    if previous is None:
        return refs
    compared = any(part.value("operation") == "compare" for part in sentence.parts)
    named = bool(sentence.mentions)
    both = tuple(dict.fromkeys((*previous.companies, *refs)))
    return both if (len(refs) == 1 and compared) or not named else refs


def periods_of(previous: Query) -> Asked:
    """The periods of the question before, for one that names none; of the latest one, whatever a question asks by itself."""
    if isinstance(previous.periods, Years):
        return Asked(years=tuple(one for one in previous.periods.periods if one.form is not PeriodForm.LATEST))
    return Asked(range=previous.periods)


def beside(question: str, tokens: Sequence[Token], previous: Query | None) -> list[Stretch]:
    """The year before or after those of the question before: "and the year before?". Blank where none is known so.

    "Compared with the year before" asks for a change, and for no other year.
    """
    folded = plain(question)
    for pattern, step in _BESIDE if previous else ():
        for hit in pattern.finditer(folded.text):
            start, end = folded.offsets[hit.start()], folded.offsets[hit.end() - 1] + 1
            places = [place for place, token in enumerate(tokens) if token.start < end and start < token.end]
            compared = places and places[0] and tokens[places[0] - 1].base in connecting("comparing")
            if places and previous and not compared:
                periods = _shifted(previous.periods, step)
                return [Stretch(places[0], places[-1] + 1, question[start:end], periods=periods)]
    return []


def _shifted(periods: Periods, step: int) -> Periods | None:
    """The year beside the first or the last one of some; None where that is not known without looking at filings."""
    edge: Period | None
    match periods:
        case Years(periods=named):
            edge = min(named, key=_order) if step < 0 else max(named, key=_order)
        case Span(first=first, last=last):
            edge = first if step < 0 else last
        case Last(count=count, until=until):
            edge = _moved(until, 1 - count) if until and step < 0 else until
    if edge and (edge.year or edge.end):
        return Years(periods=(_moved(edge, step),))
    # Behind the latest year: it, and the one before it.
    newest = isinstance(periods, Years) and len(periods.periods) == 1 and step < 0
    return Last(count=2) if newest else None


def _order(period: Period) -> int:
    return period.year or (period.end.year if period.end else 0)


def _moved(period: Period, years: int) -> Period:
    """A year so many later. A day moves with it: which year ends near it, the filings say."""
    if period.end:
        leap = (period.end.month, period.end.day) == (2, 29)
        end = period.end.replace(year=period.end.year + years, day=28 if leap else period.end.day)
        return period.model_copy(update={"end": end, "text": f"{end:%B} {end.day}, {end.year}"})
    year = (period.year or 0) + years
    return period.model_copy(update={"year": year, "text": str(year)})


def thing_of(previous: Query | None, registry: Registry) -> str:
    """What "it" and "they" stand for behind a question for measures: their words; empty where that is not clear."""
    named = [word.text for word in previous.words if word.role is Role.MEASURE and word.meaning] if previous else []
    rows = [row for row in previous.rows if not row.mention] if previous else []
    of_parts = any(isinstance(row.measure, Member) for row in rows)
    if not of_parts and (len(named) == len(rows) or len(named) == 1):
        return " and ".join(named)
    # A table that was changed, or is of a part of the company, is named by what it shows.
    changed = previous is not None and (of_parts or any(word.meaning == CHANGE for word in previous.words))
    return " and ".join(dict.fromkeys(measure(row.measure, registry) for row in rows)) if changed else ""


def explained(previous: Query, asked: Asked, sentence: Sentence) -> Asked:
    """The year of which a question for a reason that names none is asked: that of the table's newest column.

    Raises Refused for a table of quarters, whose reports' text is not held.
    """
    if not previous.rows or not asks_why(sentence):
        return asked
    if (year := newest(previous.periods)) is None:
        raise Refused(Code.INTERIM_PERIOD)
    return Asked(years=(year,))


def phrases_of(previous: Query, sentence: Sentence) -> list[Phrase]:
    """The measures of the question before, for one that names none; none where a word of it is unknown.

    "And in 2022?", "what about Microsoft?", "and the growth?" leave the measure out; "and the risks?" does not. They
    are read with the words of this question, as any that it names: "in Q3", "diluted", "excluding leases".
    """
    parts = sentence.parts
    axes = {row.measure.axis for row in previous.rows if isinstance(row.measure, Breakdown)}
    kinds = [part for part in parts if part.has("part") and part.value("part") not in axes]
    if kinds or any(part.unknown or part.has("text", "statement") for part in parts):
        return []
    found: list[Phrase] = []
    for row in previous.rows:
        held = found[-1].named.rows if found else ()
        if held and (row.mention or (row.term and row.term == held[0].term)):
            found[-1].named = Named((*held, row))
        else:
            found.append(Phrase(parts[0], Named((row,)), 0, last=parts[0].first, taken=True))
    return found


def carried(query: Query, previous: Query, sentence: Sentence, *, measures: bool) -> Query:
    """A query for figures with what else goes on from the question before. measures: whether its measures are taken."""
    own = not query.own and query.companies == previous.companies
    own = own and not any(part.stretch for part in sentence.parts)
    update = {"align": query.align or previous.align, "basis": query.basis or previous.basis, "as_of": previous.as_of}
    found = query.model_copy(update=update)
    found = found.model_copy(update={"own": previous.own}) if own else found
    if not measures:
        return found.model_copy(update={"rows": of_the_same_part(found.rows, previous, sentence)})
    return found.model_copy(
        update={
            "operations": found.operations or operations_of(previous, len(query.companies), query.periods, sentence),
            "scale": query.scale or previous.scale,
            "topics": topics_of(previous, sentence)[0],
        }
    )


def of_the_same_part(rows: tuple[Row, ...], previous: Query, sentence: Sentence) -> tuple[Row, ...]:
    """Measures named behind a question about one part of a company are of it too, unless a company or "total" is named."""
    parts = {(one.label, one.members) for row in previous.rows if isinstance(one := row.measure, Member)}
    whole = any(part.mention or "total" in part.stems for part in sentence.parts)
    if whole or len(parts) != 1 or any(row.measure.kind != "member" for row in previous.rows):
        return rows
    ((label, members),) = parts
    return tuple(
        row.of(Member(of=row.measure, label=label, members=members))
        if row.measure.kind in {"concept", "metric", "line"}
        else row
        for row in rows
    )


def operations_of(previous: Query, companies: int, periods: Periods, sentence: Sentence) -> tuple[Operation, ...]:
    """What is made of the measures taken from the question before, where this one makes nothing of them itself.

    An average or a growth rate stays one where as many companies and years are asked, one or several.
    """
    if sentence.having("operation", "comparator"):
        return ()
    alike = (companies > 1) == (len(previous.companies) > 1) and is_single(periods) == is_single(previous.periods)
    return tuple(one for one in previous.operations if alike or isinstance(one, Threshold))


def is_single(periods: Periods) -> bool:
    """Whether one year is asked."""
    return isinstance(periods, Years) and len(periods.periods) == 1


def topics_of(previous: Query | None, sentence: Sentence) -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """What the question before asked of text and of the filing, for one that only names another company or year."""
    ours = [part for part in sentence.parts if not (part.mention or part.stretch or part.has("frame"))]
    if previous is None or any(part.value("operation") != "compare" for part in ours):
        return (), ()
    return previous.topics, previous.particulars


def taken(previous: Query, query: Query) -> tuple[Taken, ...]:
    """What a query has of the question before and not of its own words, for whoever reads its answer."""
    named = {word.role for word in query.words}
    found = []
    if Role.COMPANY not in named and query.companies:
        found.append(Taken(part="Company", value=", ".join(company.called for company in query.companies)))
    words = [word.text for word in previous.words if word.role is Role.MEASURE and word.meaning]
    if Role.MEASURE not in named and query.rows and words:
        found.append(Taken(part="Measure", value=", ".join(words)))
    if query.topics and query.topics == previous.topics:
        found.append(
            Taken(part="Topic", value=", ".join(one.label for topic in query.topics for one in topic.queries))
        )
    if query.particulars and query.particulars == previous.particulars and Role.TOPIC not in named:
        found.append(
            Taken(part="Data of the filing", value=", ".join(key.replace("_", " ") for key in query.particulars))
        )
    if Role.PERIOD not in named and query.periods != Years(periods=(Period(form=PeriodForm.LATEST),)):
        found.append(Taken(part="Period", value=when(query.periods).removeprefix("in ")))
    return tuple(found)
