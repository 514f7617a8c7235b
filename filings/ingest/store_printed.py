"""What a document prints: its tables, the figures of its sentences, and of one without XBRL the statements, which are stored
as its facts. All are read in the process that reads documents.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.conf import settings

from filings.ingest.isolated_reading import Reading, ReadingEnded, within
from filings.ingest.store_filing import store_facts, store_statements
from filings.models import Fact, Filing, PrintedTable, Statement
from filings.models.report import FIGURES_READER
from filings.tables.balances import balances_of
from filings.tables.column_periods import YEAR, Subject
from filings.tables.every_table import ReadTable, every_table
from filings.tables.failures import UNFORESEEN, Failure, Failures
from filings.tables.printed_facts import PrintedStatements, Text, months_of, printed_statements
from filings.tables.read_again import subject_of
from filings.tables.sentence_figures import every_sentence
from filings.tables.stored_tables import stored
from filings.xbrl.faces import Face

logger = logging.getLogger(__name__)


class Part(StrEnum):
    """What is read of what a document prints."""

    TABLES = "tables"
    SENTENCES = "sentences"
    STATEMENTS = "statements"


FIGURES = (Part.TABLES, Part.SENTENCES)


@dataclass(frozen=True, slots=True)
class Printed:
    """What a document prints. statements: None where its facts are not to be these.

    whole: whether all tables and sentences could be read.
    """

    tables: tuple[ReadTable, ...] = ()
    statements: PrintedStatements | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class ReadParts:
    """What was read of some parts, and what could not be."""

    tables: tuple[ReadTable, ...] = ()
    statements: PrintedStatements | None = None
    failures: tuple[Failure, ...] = ()


def printed_in(
    document: str,
    sections: Sequence[Text],
    subject: Subject,
    beat: Callable[[], None],
    *,
    apart: bool,
    statements: bool = True,
) -> Printed:
    """What a document prints, read in a process of its own where `apart`. document: its name in the log. statements:
    whether to read these too.

    What fails is logged with its place and left out: neither the text nor other figures depend on it.
    """
    parts = (*FIGURES, Part.STATEMENTS) if statements else FIGURES
    try:
        read = [_parts_in(sections, subject, beat, parts, apart=apart)]
    except (ReadingEnded, *UNFORESEEN):
        # One of them ended the process that read them all.
        read = [_alone(sections, subject, beat, part, apart=apart) for part in parts]
    failures = [one for part in read for one in part.failures]
    for one in failures:
        logger.error("%s: %s could not be read\n%s", document, one.place, one.reason)
    return Printed(
        tuple(table for part in read for table in part.tables),
        next((part.statements for part in read if part.statements is not None), None),
        all(one.place.startswith(Part.STATEMENTS) for one in failures),
    )


def _parts_in(
    sections: Sequence[Text],
    subject: Subject,
    beat: Callable[[], None],
    parts: Sequence[Part],
    *,
    apart: bool,
) -> ReadParts:
    seconds = settings.INGEST_FILING_DEADLINE
    if seconds and apart:
        return within(seconds, beat, read_parts, sections, subject, parts)
    return read_parts(sections, subject, parts)


def _alone(
    sections: Sequence[Text], subject: Subject, beat: Callable[[], None], part: Part, *, apart: bool
) -> ReadParts:
    """One part, in a reading of its own; where that ends too, nothing."""
    failures = Failures()
    try:
        with failures.at(part):
            return _parts_in(sections, subject, beat, [part], apart=apart)
    except ReadingEnded as error:
        return ReadParts(failures=(Failure(part, str(error)),))
    return ReadParts(failures=tuple(failures.found))


def read_parts(sections: Sequence[Text], subject: Subject, parts: Sequence[Part]) -> ReadParts:
    """The tables of a document's sections, the figures of their sentences, and its statements: what is asked of these."""
    failures, tables, statements = Failures(), list[ReadTable](), None
    for part, every in ((Part.TABLES, every_table), (Part.SENTENCES, every_sentence)):
        if part in parts:
            with failures.at(part):
                for one in every(sections, subject, failures):
                    tables.append(one)
    if Part.STATEMENTS in parts:
        with failures.at(Part.STATEMENTS):
            statements = read_statements(sections, subject)
    return ReadParts(tuple(tables), statements, tuple(failures.found))


def printed_by(filing: Filing, found: Reading, beat: Callable[[], None], *, apart: bool, tagged: bool) -> Printed:
    """What the text of a filing prints; the statements of one without XBRL, but not of a kind that prints none, nor of an
    8-K without results. found: what was read of it before.
    """
    without = not filing.kind.prints_statements or (filing.kind.span == "day" and not filing.fiscal_quarter)
    sections = [section for section, _ in found.text.sections]
    wanted = not (tagged or without)
    # As they are stored: the first of each identity.
    kept = {fact.identity: fact for fact, _ in reversed(found.filing.facts)}
    subject = replace(subject_of(filing), balances=balances_of(kept.values()))
    return printed_in(str(filing), sections, subject, beat, apart=apart, statements=wanted)


def keep_printed(filing: Filing, read: Printed | None, *, tagged: bool) -> None:
    """Store what a filing prints, where it was read now; drop the facts among it where the filing has XBRL now."""
    if tagged:
        filing.facts.filter(source=Fact.Source.PRINTED).delete()
        filing.statements.filter(basis=Statement.Basis.PRINTED).delete()
    if read is None:
        return
    store_tables(filing, read.tables, whole=read.whole)
    if read.statements is not None and not tagged:
        store_printed(filing, read.statements)


def store_tables(filing: Filing, tables: Iterable[ReadTable], *, whole: bool = True) -> None:
    """Make a filing's tables equal to those that were read. whole: whether all were; else they are to be read again.

    Sets `figures_reader` without saving the filing. Must run inside a transaction, behind its text.
    """
    filing.printed_tables.all().delete()
    filing.figures_reader = FIGURES_READER if whole else None
    PrintedTable.objects.bulk_create(
        PrintedTable(
            filing=filing, section=one.section, kind=one.kind, start=one.start, end=one.end, page=one.page,
            title=one.title, content=stored(one),
        )
        for one in tables
    )  # fmt: skip


def read_statements(sections: Sequence[Text], subject: Subject) -> PrintedStatements:
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
