"""fetch: which filing of which company answers."""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import date

from agent.numbers import years
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import AgentState, FilingRef, PeriodForm, Refusal, Target
from agent.steps.deps import Deps
from filings.models import Filing

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
    found = years.resolve(target.period, filings, today)
    if isinstance(first := found[0], years.Missing):
        return refuse(target, first.code, detail=first.detail, **first.words)
    return tuple(
        reference(target, one.filing, one.reading, one.newer) for one in found if isinstance(one, years.Asked)
    )


def reference(target: Target, filing: Filing, reading: str = "", newer: date | None = None) -> FilingRef:
    """The filing as the state keeps it."""
    fiscal_year, period_end = years.label(filing)
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
