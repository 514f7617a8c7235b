"""Shows the companies whose reports an answer lacks, who may load them, and how far that is."""

from collections.abc import Iterable
from dataclasses import dataclass

from agent.models import Run
from agent.refusals.codes import Code
from agent.state import Answer, Block, Table
from filings.models import Company, Filing


@dataclass(frozen=True, slots=True)
class UnreadReports:
    """A company whose reports were not loaded when the question was answered. read: whether they are now."""

    company: Company
    read: bool = False


def of_block(run: Run, answer: Answer, block: Block) -> list[UnreadReports]:
    """The companies, by name, whose reports a part lacks; none where loading them cannot help.

    A text question needs its filing's document; any question needs a covered company.
    """
    if block.refusal is None:
        return of_table(block.table) if block.table else []
    target = next((one for one in answer.plan.targets if one.id == block.target), None)
    found: list[UnreadReports] = []
    if block.refusal.code is Code.COMPANY_NOT_COVERED:
        ciks = {company.cik for company in answer.plan.query.companies} if answer.plan.query else set()
        ciks |= {target.company.cik} if target else set()
        before = Company.objects.filter(cik__in=ciks)
        found = [UnreadReports(one, read=one.covered) for one in before if not one.covered or is_later(one, run)]
    elif target and target.topic and block.refusal.accessions:
        filings = Filing.objects.filter(accession__in=block.refusal.accessions).of_companies([target.company.cik])
        pending = Filing.DocumentStatus.PENDING
        waiting = {
            one.company: one.document_status != pending
            for one in filings.select_related("company")
            if one.document_status == pending or (one.chunks_stored and is_later(one.company, run))
        }
        found = [UnreadReports(company, read=read) for company, read in waiting.items()]
    return loadable(found)


def of_table(table: Table) -> list[UnreadReports]:
    """The companies, by name, that have no figure in a table because none of their reports was loaded."""
    ciks = {cell.cik for cell in table.cells if cell.gap and cell.gap.code is Code.COMPANY_NOT_COVERED}
    without = Company.objects.filter(cik__in=ciks) if ciks else ()
    return loadable(UnreadReports(one, read=one.covered) for one in without)


def loadable(found: Iterable[UnreadReports]) -> list[UnreadReports]:
    """Those that the SEC has reports of, by name."""
    known = [one for one in found if one.company.active and not one.company.foreign and not one.company.fictional]
    return sorted(known, key=lambda one: one.company.called)


def is_later(company: Company, run: Run) -> bool:
    """Whether a company was ingested after a question was asked."""
    return company.ingested is not None and company.ingested > run.created
