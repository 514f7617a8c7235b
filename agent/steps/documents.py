"""Which documents other than the 10-K a question for text is asked of: the kinds, and of each those of its periods."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property
from pathlib import PurePath

from django.conf import settings

from agent.numbers.periods.asked_years import is_on
from agent.prose.questions.topics import is_of_year, sources_of, topic_of
from agent.query.periods.document_periods import before
from agent.query.reading.source_words import OF_PERIOD
from agent.query.words.refused_question import MAY_BE_SOURCED, Misread
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.refusals.grammar import listed
from agent.state import CompanyRef, Period, PeriodForm, Query, Topic
from agent.state.query import Last, Periods, Span, Years
from agent.state.query import interim as has_parts
from agent.state.question_words import Role
from agent.state.references import RelativePeriod
from agent.steps.quarters_asked import by_quarter, of_one_kind, place_of, quarters_of
from agent.words.tokens import stems
from filings.models import Document, Filing
from filings.models.source_kinds import ANNUAL, CALL, CURRENT, KINDS, NEWS, QUARTERLY, SourceKind
from filings.xbrl.periods import QUARTER_DAYS, QUARTERS

# Of the newest documents, which are shown by their first sentences.
MOST_NEWEST = 5
# Of the newest documents so many, where a stretch is counted back from the newest.
_COUNTED: dict[object, int] = {RelativePeriod.HALF: 2, RelativePeriod.NINE_MONTHS: 3, RelativePeriod.TRAILING: 4}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The documents that are asked, oldest first; the kinds to look in after them; what the reader must know."""

    filings: tuple[Filing, ...]
    then: tuple[SourceKind, ...] = ()
    remark: str = ""
    missing: tuple[tuple[str, ...], ...] = ()  # of several quarters, those before each document


class Held:
    """The documents other than 10-Ks whose text is held of one company, newest first, by kind: read once a question.

    first: keys of news that stands before other news, as it was found for this question.
    """

    def __init__(self, cik: int, first: Sequence[int] = ()) -> None:
        self.cik = cik
        found = Filing.objects.searched().exclude(source=ANNUAL.key)
        rows = found.of_companies([cik]).select_related("company").order_by("-filed", "-pk")
        self.by_kind: dict[str, list[Filing]] = {}
        for filing in rows:
            if not filing.is_amendment:
                self.by_kind.setdefault(filing.source, []).append(filing)
        self.by_kind.get(NEWS.key, []).sort(key=lambda one: one.pk not in first)
        imported = [one.pk for of_kind in self.by_kind.values() for one in of_kind if one.is_imported]
        self.files: dict[int, list[str]] = {}
        for document in Document.objects.filter(filing__in=imported) if imported else ():
            self.files.setdefault(document.filing_id, []).append(PurePath(document.filename).stem)

    def of(self, kind: SourceKind) -> Sequence[Filing]:
        return self.annual if kind is ANNUAL else self.by_kind.get(kind.key, ())

    @cached_property
    def annual(self) -> Sequence[Filing]:
        """The 10-Ks whose text is held, newest first."""
        return list(Filing.objects.askable(self.cik, text=True).filter(chunks_stored__gt=0))

    def ends_year(self, day: Period) -> bool:
        """Whether a fiscal year of the company ends on a day."""
        return any(is_on(end, day) for end in self._ends)

    @cached_property
    def _ends(self) -> list[date]:
        yearly = Filing.objects.filter(company__cik=self.cik, source=ANNUAL.key, period_end__isnull=False)
        return [end for end in yearly.values_list("period_end", flat=True) if end]


def is_interim(periods: Periods, held: Held, topic: Topic) -> bool:
    """Whether parts of years are asked: by name, or by a day or month in which none of the company's years ends."""
    if has_parts(periods):
        return True
    days = [one for one in periods.periods if one.form is PeriodForm.ENDED] if isinstance(periods, Years) else []
    # The end of a year is that of a quarter where the question says so.
    return bool(days) and ("quarter" in stems(topic.text) or not any(held.ends_year(one) for one in days))


def is_of_event(periods: Periods, held: Held) -> bool:
    """Whether days or months are asked in which a report was filed and no quarter ends: of what happened then."""
    if not isinstance(periods, Years) or any(one.form is not PeriodForm.ENDED or one.part for one in periods.periods):
        return False
    ends = {one.period_end for one in held.of(QUARTERLY) if one.period_end}
    filed = {one.filed for one in held.of(CURRENT)}
    return any(is_on(one, day) for one in filed for day in periods.periods) and not any(
        is_on(end, day) for end in ends for day in periods.periods
    )


def kinds_for(query: Query, topic: Topic, *, interim: bool) -> tuple[SourceKind, ...]:
    """The kinds to look in, the likeliest first: those that the question names, then those that tell of its subject.

    News is asked only where it is named, or last of all where it is always searched and no document is named.
    """
    if topic.newest:
        return tuple(KINDS[key] for key in query.sources)
    told = [KINDS[key] for key in (*query.sources, *sources_of(topic.text, interim=interim))]
    return tuple(dict.fromkeys((*told, NEWS) if settings.NEWS_ALWAYS and not query.sources else told))


def chosen(query: Query, company: CompanyRef, topic: Topic, held: Held, *, dated: bool = False) -> Chosen | None:
    """The documents that answer first; None where that is a 10-K, or where nothing of the periods asked is held.

    dated: whether the periods are months and days, which are in a quarter.
    """
    if query.document is not None:
        filing = Filing.objects.select_related("company").get(pk=query.document)
        return Chosen((filing,))
    if query.sources == (ANNUAL.key,):
        return None
    periods = query.periods_of(company.cik)
    interim = dated or is_interim(periods, held, topic)
    kinds = kinds_for(query, topic, interim=interim)
    if interim and not query.sources and is_of_event(periods, held):
        kinds = tuple(sorted(kinds, key=lambda kind: kind.span != "day"))
    if titled := _named_by_title(topic, company, held):
        return Chosen((titled,))
    if not query.sources:
        several = by_quarter(periods, kinds, held.of)
        if several.filings:
            return Chosen(several.filings, remark=several.outside, missing=several.missing)
    told = is_of_year(topic.text)
    passed: list[SourceKind] = []
    for place, kind in enumerate(kinds):
        if kind is ANNUAL:
            if company.covered and not interim:
                return None
            continue
        if topic.newest:
            latest = newest_of(periods, kind, held)
            return Chosen(tuple(latest)) if latest else None
        # Of news one article at a time, until one answers.
        found = of_news(periods, held)[:1] if kind is NEWS else of_periods(periods, kind, held.of(kind), told=told)
        if found:
            by = of_one_kind(kind, found, periods)
            remark = " ".join(filter(None, (_not_held(company, query, passed), by.outside)))
            # Of documents that the question names none else is asked.
            later = kinds[place + 1 :]
            then = tuple(one for one in later if one.key in query.sources) if kind.key in query.sources else later
            if kind is NEWS:
                then = (NEWS,)
            return Chosen(by.filings, then, remark, by.missing)
        passed.append(kind)
    return None


def following(query: Query, topic: Topic) -> tuple[str, ...]:
    """The kinds to look in where the 10-K does not answer: none where it is to be asked alone."""
    if query.sources == (ANNUAL.key,):
        return ()
    return tuple(kind.key for kind in kinds_for(query, topic, interim=False) if kind is not ANNUAL)


def topic_in(kind: SourceKind, topic: Topic) -> Topic:
    """The topic as it is asked of a kind of document: only one with Items, or of the newest, is read as a whole; only one
    of a year is compared with that of the year before.
    """
    topic = topic if kind.span == "year" else topic.alone
    return topic if kind.has_items or topic.newest else topic.model_copy(update={"whole": False, "named": False})


def _named_by_title(topic: Topic, company: CompanyRef, held: Held) -> Filing | None:
    """The newest imported document that the question names by the words of its title or file, without company and
    period.
    """
    asked = stems(topic.text)
    for of_kind in held.by_kind.values():
        for one in of_kind:
            for name in (one.title, *(held.files.get(one.pk, ()))):
                words = _distinct(name, company)
                if len(words) > 1 and any(asked[at : at + len(words)] == words for at in range(len(asked))):
                    return one
    return None


@cache
def _distinct(title: str, company: CompanyRef) -> tuple[str, ...]:
    """The words of a title that say which document of a company it is."""
    named = {*stems(company.name), *stems(company.short), company.symbol.lower()}
    return tuple(one for one in stems(title) if one not in named and not OF_PERIOD.fullmatch(one))


def _not_held(company: CompanyRef, query: Query, passed: Sequence[SourceKind]) -> str:
    """That what the question names is not held, where another kind is searched in its place."""
    named = [kind.called for kind in passed if kind.key in query.sources]
    return f"No {listed(named, 'or')} of {company.called} for that period is in our data." if named else ""


def of_periods(periods: Periods, kind: SourceKind, filings: Sequence[Filing], *, told: bool = False) -> list[Filing]:
    """The documents of one kind for the periods asked, oldest first and each once. filings: newest first. told: whether a
    bare year is the one that they tell of.
    """
    if not filings:
        return []
    found: Iterable[Filing]
    match periods:
        case Years(periods=named):
            found = [one for period in named for one in _of_period(period, kind, filings, told=told)]
        case Span(first=first, last=last):
            found = _between(first, last, kind, filings)
        case Last(count=count, until=until, quarters=quarters):
            newest = _of_period(until, kind, filings)[:1] if until else filings[:1]
            start = filings.index(newest[0]) if newest else len(filings)
            counted = _counted(filings[start:], kind)
            found = counted[:count] if quarters else _of_last_years(counted, count)
    return sorted({one.pk: one for one in found}.values(), key=lambda one: (one.filed, one.pk))


def is_latest(periods: Periods) -> bool:
    """Whether the newest is asked, and not what is of a period."""
    return isinstance(periods, Years) and any(one.form is PeriodForm.LATEST for one in periods.periods)


def of_news(periods: Periods, held: Held) -> list[Filing]:
    """The news of the periods asked, in the order of `held`; all of it where the latest is asked."""
    news = held.of(NEWS)
    if is_latest(periods):
        return list(news)
    dated = sorted(news, key=lambda one: (one.filed, one.pk), reverse=True)
    asked = {one.pk for one in of_periods(periods, NEWS, dated)}
    return [one for one in news if one.pk in asked]


def newest_of(periods: Periods, kind: SourceKind, held: Held) -> list[Filing]:
    """The newest documents of a kind within the periods asked, newest first."""
    dated = sorted(held.of(kind), key=lambda one: (one.filed, one.pk), reverse=True)
    latest = is_latest(periods)
    asked = {one.pk for one in ([] if latest else of_periods(periods, kind, dated))}
    return [one for one in dated if latest or one.pk in asked][:MOST_NEWEST]


def _counted(filings: Sequence[Filing], kind: SourceKind) -> list[Filing]:
    """Of several documents of one quarter the first, which stands for it."""
    once: dict[object, Filing] = {}
    for one in filings:
        once.setdefault(place_of(one) or one.pk, one)
    return list(once.values())


def _of_last_years(filings: Sequence[Filing], count: int) -> list[Filing]:
    newest = filings[0].fiscal_year if filings else None
    if newest is None:
        return list(filings[:1])
    return [one for one in filings if one.fiscal_year is not None and one.fiscal_year > newest - count]


def _between(first: Period, last: Period | None, kind: SourceKind, filings: Sequence[Filing]) -> list[Filing]:
    begun = _of_period(first, kind, filings)
    ended = _of_period(last, kind, filings) if last else filings[:1]
    if not begun or not ended:
        return []
    days = min(one.filed for one in begun), max(one.filed for one in ended)
    return [one for one in filings if days[0] <= one.filed <= days[1]]


def _of_period(period: Period, kind: SourceKind, filings: Sequence[Filing], *, told: bool = False) -> list[Filing]:
    """The documents of one period, newest first. told: as `of_periods` has it."""
    quarters = quarters_of(period)
    if period.form in {PeriodForm.LATEST, PeriodForm.PREVIOUS}:
        newest = filings[0]
        if quarters:
            year = (newest.fiscal_year or 0) - 1 if period.form is PeriodForm.PREVIOUS else None
            same = [one for one in filings if one.fiscal_quarter in quarters and year in (None, one.fiscal_year)]
            return [one for one in same if one.fiscal_year == same[0].fiscal_year]
        if period.part is RelativePeriod.TO_DATE:
            return [one for one in filings if one.fiscal_year == newest.fiscal_year]
        return list(filings[: _COUNTED.get(period.part, 1)])
    if period.form is PeriodForm.ENDED:
        return _of_day(period, kind, filings)
    if kind.span == "day" and not quarters:
        if told and period.form is PeriodForm.BARE:
            of_year = [one for one in filings if (one.fiscal_year or one.filed.year - 1) == period.year]
            if of_year:
                return of_year
        # What is of a day is named by the year in which it was filed, unless a fiscal year is asked.
        fiscal = period.form is PeriodForm.FISCAL and any(one.fiscal_year for one in filings)
        same = [one for one in filings if (one.fiscal_year if fiscal else one.filed.year) == period.year]
        if any(one.fiscal_quarter for one in filings):
            # What is told of a quarter tells of the whole year with its last one.
            same = [one for one in filings if one.fiscal_year == period.year]
            same = [one for one in same if one.fiscal_quarter == len(QUARTERS)] or same
        return same or [one for one in filings if one.fiscal_year == period.year]
    of_year = [one for one in filings if one.fiscal_year == period.year]
    if not quarters:
        return of_year
    return [one for one in of_year if one.fiscal_quarter in quarters]


def _of_day(period: Period, kind: SourceKind, filings: Sequence[Filing]) -> list[Filing]:
    """The documents of the period that ends on a day, and those filed on it or in its month; else the one of the period
    that the day lies in.
    """
    dated = [(one.period_end, one) for one in filings if one.period_end]
    ended = [one for end, one in dated if is_on(end, period)]
    filed = [one for one in filings if is_on(one.filed, period) or _in_month(one, period)]
    found = (filed or ended) if kind.span == "day" else (ended or filed)
    day = period.end
    if found or day is None:
        return found
    later = [(end, one) for end, one in dated if day <= end <= day + timedelta(days=max(QUARTER_DAYS))]
    return [min(later, key=lambda both: both[0])[1]] if later else []


def _in_month(filing: Filing, period: Period) -> bool:
    """Whether a document was filed in the month that a period names without a day."""
    day = period.end
    return (
        day is not None
        and not re.search(r"\b\d{1,2}\b", period.text)
        and ((filing.filed.year, filing.filed.month) == (day.year, day.month))
    )


def taken(half: Query | Misread) -> Query | Misread:
    """A refused half as what other documents are asked, where any of them is held; else the half as it is."""
    if isinstance(half, Query) or half.sourced is None:
        return half
    query = half.sourced
    if not query.sources and (half.code is Code.PREDICTION or _foretells(query.topics)):
        return _guidance(query, half) or half
    asked = half.code in MAY_BE_SOURCED or bool(query.sources)
    return query if asked and is_held(query) else half


def _foretells(topics: Sequence[Topic]) -> bool:
    """Whether what a company foretold is asked: its guidance for a quarter, and not that quarter."""
    return any(connecting("forecast").intersection(stems(topic.text)) for topic in topics)


def _guidance(query: Query, half: Misread) -> Query | None:
    """What a company itself expects, asked of its releases, calls and 10-Qs: of those in which the period was foretold,
    else of that period, else of the newest; None for anybody else's forecast, or where none is held.
    """
    said = {word for one in half.words for word in one.lower().split()}
    if half.code is Code.PREDICTION and not connecting("foretold") & said:
        return None
    told = query.model_copy(update={"sources": (CURRENT.key, CALL.key, QUARTERLY.key)})
    newest = Years(periods=(Period(form=PeriodForm.LATEST),))
    asked = (told.model_copy(update={"periods": one}) for one in (before(query.periods), query.periods, newest))
    return next((one for one in asked if is_held(one)), None)


def searched_beside(half: Query | Misread, question: str) -> Query | None:
    """What is searched beside the refusal of a half: the documents that may tell of it where any is held, else the 10-K; of
    figures of a part of a year that no report tags the documents of that part, and of figures of a document its text.
    """
    if isinstance(half, Query):
        of_text = half.rows and (half.interim or half.document is not None) and not half.everyone
        told = as_text(half, question) if of_text else None
        return told if told is not None and is_held(told) else None
    if half.sourced is not None and is_held(half.sourced):
        return half.sourced
    return None if half.untimely else half.told


def as_text(query: Query, question: str) -> Query | None:
    """A question for figures as one for the text of documents; None where it has no word that could be looked for."""
    apart = {Role.COMPANY, Role.PERIOD, Role.SOURCE}
    said = " ".join(word.text for word in query.words if word.role not in apart) or question
    topic = topic_of(said)
    return query.model_copy(update={"rows": (), "operations": (), "topics": (topic,)}) if topic else None


def is_held(query: Query) -> bool:
    """Whether a document of the periods asked is held of any company asked."""
    for company in query.companies:
        held = Held(company.cik)
        if (held.by_kind or query.document is not None) and any(
            chosen(query, company, topic, held) for topic in query.topics
        ):
            return True
    return False


def named_by_model(half: Query | Misread, source: str) -> Query | None:
    """What a document is asked that a model says the question names, whether or not one is held; None for no kind of ours.

    source: one of the names that a model may reply with (agent.programs.schemas.Source).
    """
    kind = next((one for one in KINDS.values() if source in (one.key, one.called)), None)
    query = (half.sourced or half.told) if isinstance(half, Misread) else half
    if kind is None or query is None or not query.topics:
        return None
    return query.model_copy(update={"sources": (kind.key,)})
