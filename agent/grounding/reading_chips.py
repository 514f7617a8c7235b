"""How the slots of a model's reading were filled, and how else they can be: each other filling is a question in words."""

from collections.abc import Iterator

from agent.grounding.candidates import candidates
from agent.grounding.slots import Understanding
from agent.numbers.registry.registry import Registry
from agent.query.measures.operations import COURSE
from agent.query.words.lexicon import Lexicon
from agent.refusals.query_text import measure as in_words
from agent.refusals.query_text import question as asks
from agent.refusals.query_text import when
from agent.registrants.registrant_index import Companies
from agent.state.plan import Chip
from agent.state.query import Last, Query, Row, Years
from agent.state.references import Alternative, Period, PeriodForm

# Other fillings of one slot.
MOST_OTHERS = 4


def chips_of(
    query: Query,
    said: Understanding,
    registry: Registry,
    companies: Companies,
    lexicon: Lexicon,
    own: Query | None,
) -> tuple[Chip, ...]:
    """The chips of a query for figures: its companies, measures and periods.

    lexicon: the names of its companies. own: how code reads the question where that is another reading.
    """
    rows = [row for row in query.rows if not row.mention]
    return (
        *(_company(query, place, companies, said, registry) for place in range(len(query.companies))),
        *(_measure(query, row, registry, lexicon, own) for row in rows),
        _period(query, said, registry),
    )


def _company(query: Query, place: int, companies: Companies, said: Understanding, registry: Registry) -> Chip:
    """A company, and those whose names are near."""
    company = query.companies[place]
    text = said.companies[place].text if place < len(said.companies) else ""
    near = [one for one in companies.near(text or company.called) if one.covered and one not in query.companies]
    others = [
        Alternative(question=asks(_with(query, companies=_replaced(query, place, one)), registry), why=one.called)
        for one in near[:MOST_OTHERS]
    ]
    return Chip(slot="company", label=company.called, text=text, others=tuple(others))


def _replaced(query: Query, place: int, company: object) -> tuple[object, ...]:
    return (*query.companies[:place], company, *query.companies[place + 1 :])


def _measure(query: Query, row: Row, registry: Registry, lexicon: Lexicon, own: Query | None) -> Chip:
    """A measure, and those that are near its words; first what code reads them as."""
    told = in_words(row.measure, registry)
    others = [Alternative(question=asks(own, registry), why=asks(own, registry))] if own else []
    for one in _near(row, registry, lexicon):
        rows = tuple(one if each == row else each for each in query.rows if not each.mention)
        others.append(
            Alternative(question=asks(_with(query, rows=rows), registry), why=in_words(one.measure, registry))
        )
    return Chip(slot="measure", label=told[:1].upper() + told[1:], text=row.text, others=tuple(others[:MOST_OTHERS]))


def _near(row: Row, registry: Registry, lexicon: Lexicon) -> Iterator[Row]:
    """Other measures that are near the words of one, of the registry or printed by the company."""
    for one in candidates(row.text, registry, lexicon, MOST_OTHERS * 4):
        if one.measure is not None and one.measure != row.measure and one.measure.kind != "statement":
            yield Row(measure=one.measure)


def _period(query: Query, said: Understanding, registry: Registry) -> Chip:
    """The periods, and others beside them: the latest year, the years before and after, a course over five years."""
    text = ", ".join(one.text for one in said.periods)
    periods = query.periods
    latest, course = Years(periods=(Period(form=PeriodForm.LATEST),)), Last(count=COURSE)
    near: list[Years | Last] = [latest, course]
    if isinstance(periods, Years) and len(periods.periods) == 1 and (year := periods.periods[0].year):
        plain = periods.periods[0].model_copy(update={"text": ""})
        moved = [plain.model_copy(update={"year": year + by}) for by in (-1, 1)]
        near = [*(Years(periods=(one,)) for one in moved), course]
    others = [
        Alternative(question=asks(_with(query, periods=one), registry), why=when(one).removeprefix("in "))
        for one in near
        if when(one) != when(periods) and not (query.operations and isinstance(one, Years))
    ]
    told = when(periods).removeprefix("in ")
    return Chip(slot="period", label=told, text=text, others=tuple(others[:MOST_OTHERS]))


def _with(query: Query, **fields: object) -> Query:
    """The query with one slot filled otherwise."""
    return query.model_copy(update=fields)
