"""A question as code reads it beside the same as a model does."""

from agent.query.measures.query_rows import distinct
from agent.query.words.refused_question import Misread
from agent.state.query import Last, Periods, Query, Rank, Span, Years
from agent.state.references import Period


def compared(query: Query, first: Query | Misread) -> Query:
    """The query, beside what code reads otherwise: then neither is asserted. What a model read before is no other reading."""
    if not isinstance(first, Query) or not first.rows or first.by_model:
        return query
    mine, others = asked_of(query), asked_of(first)
    if mine == others:
        update = {"left_out": query.left_out, "near_name": "", "several_meanings": "", "by_model": query.by_model}
        return first.model_copy(update=update)
    if mine[:2] == others[:2] and not (query.operations or first.operations):
        rows = distinct((*query.rows, *first.rows))
        return first.model_copy(update={"rows": rows, "by_model": query.by_model})
    unsure = tuple(filter(None, (first.near_name, first.several_meanings)))
    return query.model_copy(update={"left_out": first.left_out or query.left_out or unsure})


def asked_of(query: Query) -> tuple[frozenset[int], str, frozenset[str], tuple[str, ...]]:
    """What a query asks, whatever words ask it."""
    periods = [_plain(query.periods), *sorted(f"{own.cik}: {_plain(own.periods)}" for own in query.own)]
    rows = frozenset(row.measure.model_dump_json() for row in query.rows if not row.mention)
    # How many places of an order are wanted, a model need not say.
    operations = tuple(
        (one.model_copy(update={"top": None}) if isinstance(one, Rank) else one).model_dump_json()
        for one in query.operations
    )
    return frozenset(company.cik for company in query.companies), "; ".join(periods), rows, operations


def _plain(periods: Periods) -> str:
    """Periods without the words that name them."""

    def bare(one: Period | None) -> Period | None:
        return one.model_copy(update={"text": ""}) if one else None

    match periods:
        case Years(periods=named):
            return Years(periods=tuple(filter(None, map(bare, named)))).model_dump_json()
        case Span(first=first, last=last):
            return periods.model_copy(update={"first": bare(first), "last": bare(last)}).model_dump_json()
        case Last(until=until):
            return periods.model_copy(update={"until": bare(until)}).model_dump_json()
