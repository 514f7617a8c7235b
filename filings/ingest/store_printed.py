"""The statements that a document without XBRL prints: read in the process that reads documents, and stored as its facts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from filings.ingest.store_filing import store_facts, store_statements
from filings.models import Fact, Filing, Statement
from filings.tables.column_periods import YEAR, Subject
from filings.tables.printed_facts import PrintedStatements, months_of, printed_statements
from filings.xbrl.faces import Face

if TYPE_CHECKING:
    from filings.sections import ParsedSection


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
