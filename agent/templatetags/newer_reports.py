"""Template tags about reports that are newer than an answer, or that are not loaded."""

from collections.abc import Sequence

from django import template

from accounts.identity import Identity
from agent.models import Run
from agent.runs import newer_filings
from agent.state import Answer, FactRef
from agent.web.cards.answer_card import AnswerPart
from agent.web.pages.unread_reports import UnreadReports, of_block, of_table
from agent.web.tables import verified_tables
from agent.web.tables.table_card import TableCard
from filings.models import Filing

# The history's company filter shows the others.
MOST = 5

register = template.Library()


@register.simple_tag
def newer_of_run(run: Run) -> list[Filing]:
    """The latest 10-K of each company in the question, if it was filed after the answer."""
    return newer_filings.of_run(run)


@register.simple_tag
def unread_of_run(run: Run) -> list[Filing]:
    """Newer 10-Ks of the companies in the question that the SEC lists but that are not loaded."""
    return newer_filings.unread_of_run(run)


@register.simple_tag
def unread_reports(run: Run, answer: Answer, part: AnswerPart) -> list[UnreadReports]:
    """The companies whose reports a part of an answer lacks."""
    return of_block(run, answer, part.block)


@register.simple_tag
def unread_of_table(card: TableCard) -> list[UnreadReports]:
    """The companies without a figure in a table because their reports are not loaded."""
    return of_table(card.table)


@register.simple_tag
def newer_of_history(identity: Identity) -> tuple[list[newer_filings.Newer], int]:
    """The latest 10-Ks filed after the user's own answers (at most five), and how many more there are."""
    found = newer_filings.of_history(identity)
    return found[:MOST], len(found[MOST:])


@register.filter
def printed_in_documents(facts: Sequence[FactRef]) -> bool:
    """Whether facts are printed in stored documents, and not only in the SEC's companyfacts."""
    return verified_tables.printed_in_documents(facts)
