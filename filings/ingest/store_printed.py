"""What a document prints: its tables, the figures of its sentences, and of one without XBRL the statements, which are stored
as its facts. All are read in the process that reads documents.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from filings.ingest.reading import ReadingEnded, within
from filings.ingest.store_filing import store_facts, store_statements
from filings.ingest.store_text import FilingText
from filings.models import Fact, Filing, PrintedTable, Statement
from filings.models.report import FIGURES_READER
from filings.tables.column_periods import YEAR, Subject
from filings.tables.every_table import ReadTable, every_table
from filings.tables.printed_facts import PrintedStatements, months_of, printed_statements
from filings.tables.read_again import subject_of
from filings.tables.sentence_figures import every_sentence
from filings.tables.stored_tables import stored
from filings.xbrl.faces import Face

if TYPE_CHECKING:
    from filings.sections import ParsedSection

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Printed:
    """What a document prints. statements: None where its facts are not to be these."""

    tables: tuple[ReadTable, ...] = ()
    statements: PrintedStatements | None = None


def printed_in(
    sections: "Sequence[ParsedSection]",
    subject: Subject,
    beat: Callable[[], None],
    *,
    apart: bool,
    statements: bool = True,
) -> Printed:
    """What a document prints, read in a process of its own where `apart`. statements: whether to read these too.

    Failures are logged and give none: neither the text nor other figures depend on them.
    """
    seconds = settings.INGEST_FILING_DEADLINE
    try:
        if seconds and apart:
            return within(seconds, beat, read_printed, sections, subject, statements)
        return read_printed(sections, subject, statements)
    except (ReadingEnded, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # Whatever an unforeseen table does to the code that reads it.
        logger.exception("The tables of a document could not be read")
        return Printed()


def read_printed(sections: "Sequence[ParsedSection]", subject: Subject, statements: bool) -> Printed:
    """The tables of a document's sections, the figures of their sentences and, where asked, its statements."""
    tables = (*every_table(sections, subject), *every_sentence(sections, subject))
    return Printed(tables, read_statements(sections, subject) if statements else None)


def printed_by(filing: Filing, text: FilingText, beat: Callable[[], None], *, apart: bool, tagged: bool) -> Printed:
    """What the text of a filing prints; the statements of one without XBRL, but not of a kind that prints none, nor of an
    8-K without results.
    """
    without = not filing.kind.prints_statements or (filing.kind.span == "day" and not filing.fiscal_quarter)
    sections = [section for section, _ in text.sections]
    return printed_in(sections, subject_of(filing), beat, apart=apart, statements=not (tagged or without))


def keep_printed(filing: Filing, read: Printed | None, *, tagged: bool) -> None:
    """Store what a filing prints, where it was read now; drop the facts among it where the filing has XBRL now."""
    if tagged:
        filing.facts.filter(source=Fact.Source.PRINTED).delete()
        filing.statements.filter(basis=Statement.Basis.PRINTED).delete()
    if read is None:
        return
    store_tables(filing, read.tables)
    if read.statements is not None and not tagged:
        store_printed(filing, read.statements)


def store_tables(filing: Filing, tables: Iterable[ReadTable]) -> None:
    """Make a filing's tables equal to those that were read. Sets `figures_reader` without saving the filing. Must run inside
    a transaction, behind its text.
    """
    filing.printed_tables.all().delete()
    filing.figures_reader = FIGURES_READER
    PrintedTable.objects.bulk_create(
        PrintedTable(
            filing=filing, section=one.section, kind=one.kind, start=one.start, end=one.end, page=one.page,
            title=one.title, content=stored(one),
        )
        for one in tables
    )  # fmt: skip


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
