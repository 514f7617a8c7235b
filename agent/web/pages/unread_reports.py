"""Shows companies whose reports are not loaded although a refused question needs them, and who may load them."""

from dataclasses import dataclass

from agent.models import Run
from agent.refusals.codes import Code
from agent.state import Answer, Block
from filings.models import Company, Filing


@dataclass(frozen=True, slots=True)
class UnreadReports:
    """A company whose reports were not loaded when the question was answered. read: whether they are now."""

    company: Company
    read: bool = False


def of_block(run: Run, answer: Answer, block: Block) -> list[UnreadReports]:
    """The companies, by name, whose reports a refused part lacks; none where loading them cannot help.

    A text question needs its filing's document; any question needs a covered company.
    """
    if block.refusal is None:
        return []
    target = next((one for one in answer.plan.targets if one.id == block.target), None)
    found: list[UnreadReports] = []
    if block.refusal.code is Code.COMPANY_NOT_COVERED:
        ciks = {company.cik for company in answer.plan.query.companies} if answer.plan.query else set()
        ciks |= {target.company.cik} if target else set()
        before = Company.objects.filter(cik__in=ciks)
        found = [UnreadReports(one, read=one.covered) for one in before if not one.covered or is_later(one, run)]
    elif target and target.topic and block.refusal.accessions:
        filings = Filing.objects.filter(accession__in=block.refusal.accessions, company__cik=target.company.cik)
        pending = Filing.DocumentStatus.PENDING
        waiting = {
            one.company: one.document_status != pending
            for one in filings.select_related("company")
            if one.document_status == pending or (one.chunks_stored and is_later(one.company, run))
        }
        found = [UnreadReports(company, read=read) for company, read in waiting.items()]
    known = [one for one in found if one.company.active and not one.company.foreign and not one.company.fictional]
    return sorted(known, key=lambda one: one.company.called)


def is_later(company: Company, run: Run) -> bool:
    """Whether a company was ingested after a question was asked."""
    return company.ingested is not None and company.ingested > run.created
