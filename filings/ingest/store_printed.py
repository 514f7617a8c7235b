"""The statements that a document without XBRL prints: read in the process that reads documents, and stored as its facts."""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.conf import settings

from filings.ingest.reading import ReadingEnded, within
from filings.ingest.store_filing import store_facts, store_statements
from filings.ingest.store_text import FilingText
from filings.models import Fact, Filing, Statement
from filings.tables.column_periods import YEAR, Subject
from filings.tables.printed_facts import PrintedStatements, months_of, printed_statements
from filings.tables.read_again import subject_of
from filings.xbrl.faces import Face

if TYPE_CHECKING:
    from filings.sections import ParsedSection

logger = logging.getLogger(__name__)


def printed_in(
    sections: "Sequence[ParsedSection]", subject: Subject, beat: Callable[[], None], *, apart: bool
) -> PrintedStatements:
    """The statements that a document prints, read in a process of its own where `apart`.

    Failures are logged and give none: neither the text nor other figures depend on them.
    """
    seconds = settings.INGEST_FILING_DEADLINE
    try:
        if seconds and apart:
            return within(seconds, beat, read_statements, sections, subject)
        return read_statements(sections, subject)
    except (ReadingEnded, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # Whatever an unforeseen table does to the code that reads it.
        logger.exception("The statements of a document could not be read")
        return PrintedStatements()


def printed_by(filing: Filing, text: FilingText, beat: Callable[[], None], *, apart: bool) -> PrintedStatements | None:
    """The statements that the text of a filing without XBRL prints; None of a kind that prints none, and of an 8-K without
    results.
    """
    if not filing.kind.prints_statements or (filing.kind.span == "day" and not filing.fiscal_quarter):
        return None
    return printed_in([section for section, _ in text.sections], subject_of(filing), beat, apart=apart)


def keep_printed(filing: Filing, read: PrintedStatements | None, *, tagged: bool) -> None:
    """Store what a filing prints, where it was read now; drop it where the filing has XBRL now."""
    if tagged:
        filing.facts.filter(source=Fact.Source.PRINTED).delete()
        filing.statements.filter(basis=Statement.Basis.PRINTED).delete()
    elif read is not None:
        store_printed(filing, read)


def read_statements(sections: "Sequence[ParsedSection]", subject: Subject) -> PrintedStatements:
    """The primary statements of a document's sections; none of an annual document that prints no figures of a year."""
    read = printed_statements(sections, subject)
    return read if not subject.annual or YEAR in months_of(read.facts) else PrintedStatements()


def store_printed(filing: Filing, read: PrintedStatements) -> None:
    """Make a filing's statements and facts equal to those that it prints. Sets `facts_stored` and, where it is not known,
    `period_end`, without saving the filing. Must run inside a transaction, behind its text.
    """
    documents = {
        one.number: one.document for one in filing.sections.select_related("document").defer("text", "blocks")
    }
    filing.period_end = filing.period_end or read.end
    store_statements(filing, [Face(one, Statement.Basis.PRINTED) for one in read.statements])
    placed = ((fact, documents.get(fact.place[0]) if fact.place else None) for fact in read.facts)
    store_facts(filing, Fact.Source.PRINTED, placed)
    filing.facts_stored = filing.facts.count()
