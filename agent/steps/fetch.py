"""fetch: which filing of which company answers."""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta

from django.db.models import Q

from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import AgentState, FilingRef, PeriodForm, Refusal, Target
from agent.steps.deps import Deps
from filings.models import FIRST_YEAR, Filing

TRANSITION = "That year has a transition report (10-KT), which has no annual figures."
# People round the end of a 52/53-week year to the end of the month.
END_TOLERANCE = timedelta(days=6)


REMEMBERED_SECONDS = 30 * 60.0
# Companies, each for text and for figures.
MOST_REMEMBERED = 2_000

_held: dict[tuple[str, int, bool], tuple[float, Sequence[Filing]]] = {}
_lock = threading.Lock()


def available(cik: int, text: bool, corpus: str, look_up: Callable[[], Sequence[Filing]]) -> Sequence[Filing]:
    """The filings that can answer, as `look_up` finds them. corpus: its version, another after every ingestion."""
    now, key = time.monotonic(), (corpus, cik, text)
    with _lock:
        kept = _held.get(key)
    if kept is not None and now - kept[0] < REMEMBERED_SECONDS:
        return kept[1]
    found = tuple(look_up())
    with _lock:
        # Of another corpus nothing is asked any more.
        stale = [one for one, (since, _) in _held.items() if one[0] != corpus or now - since >= REMEMBERED_SECONDS]
        for one in stale if len(_held) < MOST_REMEMBERED else list(_held):
            del _held[one]
        _held[key] = now, found
    return found


def forget() -> None:
    """Look everything up again."""
    with _lock:
        _held.clear()


def fetch(state: AgentState, deps: Deps) -> AgentState:
    """Resolve each open target's company and period to one filing, or two where the words name two fiscal years.

    Reads   plan.targets
    Adds    filings (target, accession, fiscal_year, period_end, filed, reading)
    Refuses company_not_covered, foreign_filer, sign_in_required, year_before_2015, year_not_ingested, future_period,
            interim_period; per target
    """
    for target in state.open_targets():
        filings = held(target, deps)
        outcome = (
            company_refusal(target) or closed(target, deps) or resolve(target, readable(target, filings), deps.today)
        )
        if isinstance(outcome, tuple) and not target.readings:
            outcome = outcome[:1]  # text is quoted from one filing: of a bare year, the company's own label
        state = state.add(refusals=outcome) if isinstance(outcome, Refusal) else state.add(filings=outcome)
    return state


def held(target: Target, deps: Deps) -> Sequence[Filing]:
    """The filings that can answer a target; remembered between the runs that ask a model."""
    cik, text = target.company.cik, not target.readings
    if deps.session is None:
        return list(Filing.objects.askable(cik, text=text))
    return available(cik, text, deps.versions.corpus, lambda: list(Filing.objects.askable(cik, text=text)))


def readable(target: Target, filings: Sequence[Filing]) -> Sequence[Filing]:
    """The filings that a target may be answered from: where text of no certain year is asked, those whose text is held."""
    if target.readings or target.period.form not in {PeriodForm.LATEST, PeriodForm.PREVIOUS}:
        return filings
    return [filing for filing in filings if filing.chunks_stored] or filings


def company_refusal(target: Target) -> Refusal | None:
    """The refusal of a company that cannot be asked about, or None."""
    if target.company.covered:
        return None
    code = Code.FOREIGN_FILER if target.company.foreign else Code.COMPANY_NOT_COVERED
    return refuse(target, code)


def closed(target: Target, deps: Deps) -> Refusal | None:
    """The refusal of a company that is asked about with an account only, where whoever asks has none; or None."""
    if deps.grant.covers(target.company.cik):
        return None
    return refuse(target, Code.SIGN_IN_REQUIRED, looked_for=[("Company", target.company.name)])


def resolve(target: Target, filings: Sequence[Filing], today: date) -> Refusal | tuple[FilingRef, ...]:
    """The filings of the period a target asks for; filings are newest first and share one company."""
    period = target.period
    if not filings:
        return refuse(target, Code.COMPANY_NOT_COVERED)
    match period.form:
        case PeriodForm.LATEST | PeriodForm.PREVIOUS:
            newest = filings[0]
            unread = Filing.objects.unread(target.company.cik, label(newest)[1])
            return (reference(target, newest, newer=unread.filed if unread else None),)
        case PeriodForm.ENDED:
            return ended(target, filings, today)
        case PeriodForm.CALENDAR if not near_year_end(filings[0].period_end):
            return refuse(target, Code.INTERIM_PERIOD, period=period.text, years=held_years(filings))
    year = period.year or 0
    found = {filing.fiscal_year: filing for filing in reversed(filings)}
    if year not in found:
        return missing_year(target, year, filings, today)
    first = found[year]
    if period.form is not PeriodForm.BARE or first.period_end is None or first.period_end.month >= 6:
        return (reference(target, first),)
    other = found.get(year + 1 if first.period_end.year == year else year - 1)
    if other is None or other.period_end is None:
        return (reference(target, first),)
    return (
        reference(target, first, f"Fiscal {first.fiscal_year}, as the company names its years"),
        reference(target, other, other_reading(year, other.period_end)),
    )


def other_reading(year: int, end: date) -> str:
    """What the other fiscal year of a bare year is, in words."""
    return f"The fiscal year that ended in {year}" if end.year == year else f"The fiscal year that began in {year}"


def near_year_end(end: date | None) -> bool:
    """Whether a fiscal year is the calendar year but for at most ten days."""
    return end is not None and (end - timedelta(days=10)).year != (end + timedelta(days=11)).year


def ended(target: Target, filings: Sequence[Filing], today: date) -> Refusal | tuple[FilingRef, ...]:
    """The filing whose fiscal year ends on the date asked, give or take a rounding to the end of the month."""
    end = target.period.end
    if end is None:
        return missing_year(target, target.period.year or 0, filings, today)
    for filing in filings:
        if filing.period_end and abs(filing.period_end - end) <= END_TOLERANCE:
            return (reference(target, filing),)
    oldest, newest = filings[-1].period_end, filings[0].period_end
    if oldest and newest and oldest < end < newest:
        return refuse(target, Code.INTERIM_PERIOD, period=target.period.text, years=held_years(filings))
    return missing_year(target, end.year, filings, today)


def missing_year(target: Target, year: int, filings: Sequence[Filing], today: date) -> Refusal:
    """Why no filing of a fiscal year can answer: too old, not over yet, or not held."""
    if year < FIRST_YEAR:
        return refuse(target, Code.YEAR_BEFORE_2015, year=str(year), years=held_years(filings))
    newest_year, newest_end = label(filings[0])
    expected = newest_end + timedelta(days=365.25 * (year - newest_year))
    code = Code.FUTURE_PERIOD if expected > today else Code.YEAR_NOT_INGESTED
    detail = TRANSITION if has_transition(target, year) else ""
    return refuse(target, code, detail=detail, year=str(year), years=held_years(filings))


def has_transition(target: Target, year: int) -> bool:
    """Whether the year asked is a transition period, which no annual figure describes."""
    that_year = Q(report_date__year=year) | Q(period_end__year=year)
    return Filing.objects.filter(that_year, company__cik=target.company.cik, is_transition=True).exists()


def held_years(filings: Sequence[Filing]) -> str:
    """The fiscal years held of a company, in words."""
    return years_in_words(sorted(filing.fiscal_year for filing in filings if filing.fiscal_year))


def years_in_words(years: Sequence[int]) -> str:
    """Fiscal years as ranges: 2015 to 2019, 2021."""
    ranges: list[list[int]] = []
    for year in years:
        if ranges and year == ranges[-1][1] + 1:
            ranges[-1][1] = year
        else:
            ranges.append([year, year])
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in ranges)


def label(filing: Filing) -> tuple[int, date]:
    """Fiscal year and period end, which every primary filing has."""
    if filing.fiscal_year is None or filing.period_end is None:
        raise ValueError(f"{filing} is no primary filing: it has no fiscal year.")
    return filing.fiscal_year, filing.period_end


def reference(target: Target, filing: Filing, reading: str = "", newer: date | None = None) -> FilingRef:
    """The filing as the state keeps it."""
    fiscal_year, period_end = label(filing)
    return FilingRef(
        target=target.id,
        filing=filing.pk,
        accession=filing.accession,
        form=filing.form,
        filed=filing.filed,
        fiscal_year=fiscal_year,
        period_end=period_end,
        url=filing.url,
        reading=reading,
        newer=newer,
    )
