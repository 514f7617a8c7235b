"""The figures of saved answers that later filings restate, or that a newer report overtakes; many answers in few queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.db.models import QuerySet

from agent.models import CitedFact, Run, Standing
from agent.numbers.basis.moved_figures import kind_of, repeats
from agent.standings.printed_since import PrintedSince
from agent.state import Answer
from agent.state.standing import Change, Reason
from filings.models import Company, Fact, Filing
from filings.models.report import READ
from filings.xbrl.later_filings import Later, later

# Periods of one kind differ by a week, where fiscal years have 52 or 53.
ALIKE_DAYS = 12


@dataclass(frozen=True, slots=True)
class Known:
    """What the stored filings say of the facts of some answers.

    later: by primary key of the cited fact. newest: the latest reports by company, for each `Standing.Latest`.
    figures: of those reports, by filing and what identifies a fact. printed: the figures that documents print.
    """

    later: Mapping[int, Sequence[Later]]
    filings: Mapping[int, Filing]
    newest: Mapping[str, Mapping[int, Filing]]
    figures: Mapping[tuple[object, ...], Sequence[Fact]]
    printed: PrintedSince


def known(cited: Collection[CitedFact], ciks: Collection[int]) -> Known:
    """What is stored of these facts and companies, read in a handful of queries."""
    printed = PrintedSince(cited)
    after = {**later(stand_ins(cited)), **printed.later()}
    filings = Filing.objects.select_related("company").in_bulk(
        {one.filing for found in after.values() for one in found}
    )
    newest = {
        str(Standing.Latest.YEAR): last_of(Filing.objects.annual(), ciks),
        str(Standing.Latest.PART): last_of(Filing.objects.reports(), ciks),
    }
    last = {one.pk: one for found in newest.values() for one in found.values()}
    figures: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    wanted = Fact.objects.filter(
        filing__in=last, end__in={one.period_end for one in last.values()}, tag__in={one.tag for one in cited}
    )
    for fact in wanted.order_by("source", "pk"):
        figures[fact.filing_id, fact.taxonomy, fact.tag, fact.unit, fact.dimensions].append(fact)
    return Known(after, filings, newest, figures, printed)


def stand_ins(cited: Collection[CitedFact]) -> list[Fact]:
    """Facts as they are compared with later filings, under the keys of the cited ones."""
    companies = dict(Company.objects.filter(cik__in={one.cik for one in cited}).values_list("cik", "pk"))
    same = ("pk", "form", "filed", "taxonomy", "tag", "unit", "start", "end", "dimensions")
    return [
        Fact(company_id=companies[one.cik], **{name: getattr(one, name) for name in same})
        for one in cited
        if one.cik in companies
    ]


def last_of(filings: QuerySet[Filing], ciks: Collection[int]) -> dict[int, Filing]:
    """By CIK, the report of the newest period that is held, of the SEC or brought."""
    held = filings.filter(READ, company__cik__in=ciks, held_since__isnull=False, withdrawn=None)
    found = held.filter(is_transition=False, period_end__isnull=False)
    return {one.company.cik: one for one in found.select_related("company").order_by("period_end", "-filed", "-pk")}


def since(filing: Filing, asked: datetime) -> bool:
    """Whether a filing came after an answer was asked for."""
    return filing.held_since is not None and filing.held_since > asked


def restated(run: Run, cited: Iterable[CitedFact], by: Known) -> Iterator[Change]:
    """The used figures that the last filing since gives with another value, beyond rounding; told of the first filing
    that gave that one.
    """
    for one in cited:
        after = [found for found in by.later.get(one.pk, ()) if since(by.filings[found.filing], run.created)]
        if not after or repeats(one, after[-1]):
            continue
        first = next(found for found in after if repeats(found, after[-1]))
        yield change(one, first.value, by.filings[first.filing], first.fact or None, kind_of(one, first.value))


def change(cited: CitedFact, value: Decimal | None, filing: Filing, fact: int | None, reason: Reason) -> Change:
    """A used figure with the value of a later filing; both have the sign that the answer shows."""
    sign = -1 if cited.negated else 1
    return Change(
        reason=reason,
        said=cited.said,
        cik=cited.cik,
        unit=cited.unit,
        used=cited.value * sign,
        now=None if value is None else value * sign,
        used_accession=cited.accession,
        accession=filing.accession,
        form=filing.form or filing.kind.called,
        fiscal_year=filing.fiscal_year,
        fact=fact,
    )


def overtaken(run: Run, latest: str, answer: Answer, cited: Sequence[CitedFact], by: Known) -> Iterator[Change]:
    """What was the latest when it was asked for, and has a newer report since; of figures with their new values."""
    newest = by.newest.get(latest, {})
    for company in answer.plan.companies:
        filing = newest.get(company.cik)
        if filing is None or filing.period_end is None or not since(filing, run.created):
            continue
        used = [one for one in cited if one.cik == company.cik]
        last = max((one.end for one in used), default=date.min)
        if last >= filing.period_end:
            continue
        for one in (one for one in used if one.end == last):
            fact = figure_of(one, filing, by)
            yield change(one, fact.value if fact else None, filing, fact.pk if fact else None, "overtaken")
        documents = [
            one for block in answer.blocks for one in block.filings if block.target in of_company(answer, company.cik)
        ]
        if not used and documents:
            quoted = max(documents, key=lambda one: (one.period_end, one.filed))
            if quoted.period_end < filing.period_end:
                yield Change(
                    reason="overtaken",
                    said=f"Quoted from the {quoted.form or quoted.kind.label} for fiscal {quoted.fiscal_year}",
                    cik=company.cik,
                    used_accession=quoted.accession,
                    accession=filing.accession,
                    form=filing.form,
                    fiscal_year=filing.fiscal_year,
                )


def of_company(answer: Answer, cik: int) -> set[int]:
    """The targets of an answer that are about a company."""
    return {target.id for target in answer.plan.targets if target.company.cik == cik}


def figure_of(cited: CitedFact, filing: Filing, by: Known) -> Fact | None:
    """The same figure of a newer report's own period; None where it has none of that length."""
    days = (cited.end - cited.start).days
    same = by.figures.get((filing.pk, cited.taxonomy, cited.tag, cited.unit, cited.dimensions), ())
    same = same or list(by.printed.of(cited, filing))
    of_period = [one for one in same if one.end == filing.period_end]
    return next((one for one in of_period if abs((one.end - one.start).days - days) <= ALIKE_DAYS), None)
