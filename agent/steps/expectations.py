"""What a company expects of a time to come, asked of its 10-K where no release, call or 10-Q is held that may tell."""

import re

from agent.prose.answers.foretold import TELLING, asks_ahead, expecting
from agent.query.words.refused_question import Misread
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm, Query, Topic
from agent.state.query import Periods, Years
from agent.state.question_words import Role
from agent.steps.documents import Held
from agent.words.stems import roots
from filings.models.source_kinds import ANNUAL, CALL, CURRENT, QUARTERLY

# Refusals of a word that says what is expected, where another sense of it would be a figure.
_OF_EXPECTING = frozenset({Code.PREDICTION, Code.NOT_UNDERSTOOD})
_LAST_WORD = re.compile(r"([a-z]+)\W*(?:(?:fiscal(?: year)?|fy|the)\W*)*$", re.IGNORECASE)


def asked_of_annual(half: Query | Misread, question: str) -> Query | Misread:
    """A half for what a company itself expects as one for what its 10-K says of it; the half as it is where it is for
    something else, or where another document is asked.
    """
    query = half if isinstance(half, Query) else half.told if half.code in _OF_EXPECTING else None
    if query is None or not query.topics or query.rows or query.particulars or query.document is not None:
        return half
    if len(query.companies) != 1 or query.sources not in ((), (ANNUAL.key,)):
        return half
    if not all(asks_ahead(topic.text) for topic in query.topics):
        return half
    held = Held(query.companies[0].cik)
    if not held.annual or (not query.sources and any(held.of(kind) for kind in (CURRENT, CALL, QUARTERLY))):
        return half
    periods = query.periods if query.sources else _periods(query, question, held)
    if periods is None:
        return half
    update = {"topics": tuple(map(_ahead, query.topics)), "periods": periods, "sources": (ANNUAL.key,)}
    return query.model_copy(update=update | {"unheld": (), "near_name": ""})


def _ahead(topic: Topic) -> Topic:
    """A topic as one for what is expected of its subject, or of anything where it names none."""
    told = [(one, tuple(word for word in one.words if not roots(word) <= expecting())) for one in topic.queries]
    queries = tuple(one.model_copy(update={"words": words}) for one, words in told if words)
    if queries:
        return topic.model_copy(update={"ahead": True, "whole": False, "queries": queries})
    return topic.model_copy(update={"ahead": True, "whole": True, "queries": topic.queries[:1], "items": TELLING})


def _periods(query: Query, question: str, held: Held) -> Periods | None:
    """The year of the 10-K that is asked: of a year foretold the newest before it, of any other that year's, and where that
    is not held the newest before; of years on from one, as of one foretold; None where none is held.
    """
    periods = query.periods
    if not isinstance(periods, Years) or len(periods.periods) > 2:
        return None
    asked, *newest = periods.periods
    if any(one.form is not PeriodForm.LATEST for one in newest):
        return None
    if asked.year is None:
        return periods if asked.form is PeriodForm.LATEST else None
    if asked.part is not None:
        return None
    years = sorted({one.fiscal_year for one in held.annual if one.fiscal_year is not None}, reverse=True)
    before = next((year for year in years if year < asked.year), None)
    if asked.year in years and (before is None or not (newest or _is_foretold(query, question))):
        return periods
    return Years(periods=(Period(form=PeriodForm.FISCAL, year=before),)) if before is not None else None


def _is_foretold(query: Query, question: str) -> bool:
    """Whether the year stands behind a word such as "for" or "in": it is foretold, and no name of a 10-K."""
    first = next((word.start for word in query.words if word.role is Role.PERIOD), 0)
    last = _LAST_WORD.search(question[:first])
    return last is not None and last[1].lower() in connecting("before a period")
