"""fetch: finds the filing whose text is quoted. Filings of figures are found with their cells (retrieve)."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from threading import Lock

from cachetools import TTLCache, cached

from agent.numbers.periods import asked_years
from agent.query.wording.text import SINCE_REPORT
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import AgentState, FilingRef, Period, PeriodForm, Refusal, Remark, RemarkCode, Target
from agent.steps.deps import Deps
from agent.steps.since_report import later_filings
from filings.models import Filing
from filings.models.source_kinds import ANNUAL

REMEMBERED_SECONDS = 30 * 60.0
# Companies.
MOST_REMEMBERED = 2_000


@cached(TTLCache(MOST_REMEMBERED, REMEMBERED_SECONDS), key=lambda cik, corpus, _: (cik, corpus), lock=Lock())
def available(cik: int, corpus: str, look_up: Callable[[], Sequence[Filing]]) -> Sequence[Filing]:
    """The filings that can be quoted, as `look_up` finds them. corpus: its version, which every ingestion changes."""
    return tuple(look_up())


def fetch(state: AgentState, deps: Deps) -> AgentState:
    """Resolve the company and period of each open target for text to one filing.

    Reads   plan.targets
    Adds    filings (target, accession, fiscal_year, period_end, filed); behind it that of the earlier year which it is
            compared with, and those that came since; remarks, where nothing came since
    Refuses company_not_covered, foreign_filer, sign_in_required, year_before_2015, year_not_ingested, future_period,
            interim_period; per target
    """
    for target in state.open_targets():
        if target.figures:
            continue
        outcome = company_refusal(target) or closed(target, deps) or document(target, deps)
        before = None if isinstance(outcome, Refusal) else earlier(target, outcome, deps)
        if isinstance(outcome, Refusal) or isinstance(before, Refusal):
            state = state.add(refusals=[one for one in (outcome, before) if isinstance(one, Refusal)])
            continue
        later = since(target, outcome)
        state = state.add(filings=[outcome, *([before] if before else []), *later])
        if target.particular == SINCE_REPORT:
            said = known_since(target, outcome, nothing=not later)
            state = state.add(remarks=[Remark(target=target.id, code=RemarkCode.SOURCE, text=one) for one in said])
    return state


def known_since(target: Target, annual: FilingRef, *, nothing: bool) -> Iterator[str]:
    """What is not loaded of a 10-K and of what came since it, and when the list of the company's filings was last read."""
    report = Filing.objects.select_related("company").get(pk=annual.filing)
    if not report.chunks_stored:
        yield f"The text of the {annual.called}, filed {annual.filed:%-d %b %Y}, is not loaded."
    if nothing:
        yield f"No later filing of {target.company.called} is loaded."
    if read := max(filter(None, (report.company.watched, report.company.ingested)), default=None):
        yield f"The list of its filings was last read on {read:%-d %b %Y}."


def earlier(target: Target, newer: FilingRef, deps: Deps) -> Refusal | FilingRef | None:
    """The filing of an earlier year with which a target's is compared; None where it is not."""
    if target.topic is None or not target.topic.compares:
        return None
    year = newer.fiscal_year - 1
    period = target.earlier or Period(form=PeriodForm.FISCAL, year=year, text=f"fiscal {year}")
    of_year = target.model_copy(update={"period": period})
    return resolve(of_year, held(of_year, deps), deps.today)


def document(target: Target, deps: Deps) -> Refusal | FilingRef:
    """The document that was chosen for a target, else the 10-K of its period."""
    if target.document is None:
        found = resolve(target, held(target, deps), deps.today)
        if isinstance(found, Refusal) or target.particular != SINCE_REPORT or not found.newer:
            return found
        # The last 10-K is the newest one, also where it is only listed.
        listed = Filing.objects.unread(target.company.cik, found.period_end)
        return reference(target, listed) if listed and listed.fiscal_year and listed.period_end else found
    return reference(target, Filing.objects.select_related("company").get(pk=target.document))


def since(target: Target, annual: FilingRef) -> list[FilingRef]:
    """The filings after a 10-K, where they are what is asked."""
    if target.particular != SINCE_REPORT:
        return []
    later = later_filings(Filing.objects.select_related("company").get(pk=annual.filing))
    return [reference(target, one) for one in later]


def held(target: Target, deps: Deps) -> Sequence[Filing]:
    """The filings that a target may be quoted from: without a certain year, those whose text is loaded."""
    cik = target.company.cik

    def look_up() -> list[Filing]:
        return list(Filing.objects.askable(cik, text=True))

    # Kept between the runs that ask a model.
    filings = look_up() if deps.session is None else available(cik, deps.versions.corpus, look_up)
    if target.particular == SINCE_REPORT or target.period.form not in {PeriodForm.LATEST, PeriodForm.PREVIOUS}:
        return filings
    return [filing for filing in filings if filing.chunks_stored] or filings


def company_refusal(target: Target) -> Refusal | None:
    """The refusal of a company that cannot be asked about; None where it can."""
    if target.company.covered or target.document is not None:
        return None
    if target.company.readable:
        detail = _of_imports(target) or "Its other documents are not of the period asked."
        return refuse(target, Code.COMPANY_NOT_COVERED, detail=detail)
    code = Code.FOREIGN_FILER if target.company.foreign else Code.COMPANY_NOT_COVERED
    return refuse(target, code)


def closed(target: Target, deps: Deps) -> Refusal | None:
    """The refusal of a company that needs an account, where the asker has none; else None."""
    if deps.grant.covers(target.company.cik):
        return None
    return refuse(target, Code.SIGN_IN_REQUIRED, looked_for=[("Company", target.company.called)])


def resolve(target: Target, filings: Sequence[Filing], today: date) -> Refusal | FilingRef:
    """The filing of the period that a target asks for.

    filings: of one company, newest first. Text is quoted from one filing: for a bare year that may mean two, the one by
    the company's own label.
    """
    found = asked_years.resolve(target.period, filings, today)[0]
    if isinstance(found, asked_years.Missing):
        lacking = found.code is Code.COMPANY_NOT_COVERED and not found.detail
        return refuse(target, found.code, detail=_of_imports(target) if lacking else found.detail, **found.words)
    return reference(target, found.filing, found.newer)


def _of_imports(target: Target) -> str:
    """That a company's documents which people brought can be asked, each by itself; empty where none is searched."""
    brought = Filing.objects.searched().imported().of_companies([target.company.cik])
    return "Choose one of its imported documents to ask about its text." if brought.exists() else ""


def reference(target: Target, filing: Filing, newer: date | None = None) -> FilingRef:
    """The filing as the state records it."""
    if filing.source == ANNUAL.key and not filing.is_amendment:
        fiscal_year, period_end = asked_years.label(filing)
    else:
        fiscal_year, period_end = filing.fiscal_year or filing.filed.year, filing.period_end or filing.filed
    return FilingRef(
        target=target.id,
        filing=filing.pk,
        accession=filing.accession,
        form=filing.form,
        source=filing.source,
        title=filing.title,
        fiscal_quarter=filing.fiscal_quarter,
        filed=filing.filed,
        fiscal_year=fiscal_year,
        period_end=period_end,
        url=filing.url,
        filed_by=filing.filed_by,
        newer=newer,
    )
