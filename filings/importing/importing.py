"""Imports one file as a document: read, embedded, stored in one short transaction, indexed.

Every step may be repeated: the key is the file's own hash, and what is stored already is compared before it is written,
so that a second run finishes a killed one and changes nothing.
"""

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from time import monotonic
from typing import cast

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from accounts.models import User
from filings.document.layout import UnreadableText
from filings.importing import original_files
from filings.importing.company_calendar import period_named
from filings.importing.document_fields import DocumentFields, ImportRefused, checked, checked_file, filled, missing
from filings.importing.held_documents import check_company, differing, held_document, merged
from filings.importing.read_file import ReadDocument, read_file
from filings.ingest.isolated_reading import ReadingEnded, within
from filings.ingest.store_printed import Printed, printed_in, store_printed, store_tables
from filings.ingest.store_text import embed_text, store_text
from filings.models import Company, Document, Filing
from filings.models.report import imported_accession
from filings.models.source_kinds import SourceKind
from filings.tables.column_periods import Subject
from filings.tables.printed_facts import PrintedStatements
from filings.text.embeddings import EmbeddingUnavailable

logger = logging.getLogger(__name__)

Beat = Callable[[], None]


def unheard() -> None:
    """A beat that nobody hears."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The document of a file. created: whether it was stored now. changed: names of fields that were changed.

    differs: names of fields that were given otherwise than the held document has them, and were not changed.
    """

    filing: Filing
    created: bool
    changed: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()


def import_document(
    content: bytes,
    filename: str,
    given: DocumentFields,
    *,
    added_by: User | None = None,
    update: bool = False,
    bundled: bool = False,
    beat: Beat = unheard,
) -> Imported:
    """Import a file. The same file again is the same document.

    given: what a person says of it; the rest is taken from the document. update: change a held document's fields to
    those given. bundled: whether the file is our own, which is read without a process of its own. beat: called often;
    what it raises ends the import, before anything is stored. Raises ImportRefused, which names the field.
    """
    name = checked_file(content, filename)
    checked(given)
    held = held_document(content)
    if held is not None:
        check_company(held, given.company)
        told = differing(held, given)
        whole = (
            held.reader == held.current_reader
            and held.chunks_stored > 0
            and original_files.read(original_files.sha256_of(content)) is not None
        )
        if whole and not (told and update):
            return Imported(held, created=False, differs=told)
        given = merged(held, given) if update else merged(held, DocumentFields())
    read = read_within(content, name, given.kind, beat, apart=not bundled)
    fields = filled(given, read.stated)
    known(fields)
    if not read.text.chunks:
        raise ImportRefused("file", "The file has no text that can be searched.")
    embed(read, beat)
    sections = [section for section, _ in read.text.sections]
    statements = bool(fields.kind and fields.kind.prints_statements)
    subject = subject_of(fields, read.stated.period_end)
    printed = printed_in(name, sections, subject, beat, apart=not bundled, statements=statements)
    filing, created = store(content, name, fields, read, printed, added_by)
    index(filing, beat)
    filing.refresh_from_db()
    return Imported(filing, created, changed=told if held is not None and update else ())


def recognised(content: bytes, filename: str, given: DocumentFields, beat: Beat = unheard) -> DocumentFields:
    """The fields given, and what the document says for the others; stores nothing. Raises ImportRefused."""
    name = checked_file(content, filename)
    said = read_within(content, name, given.kind, beat).stated
    found = filled(given, said)
    return found if found.title else replace(found, title=said.title)


def read_within(content: bytes, name: str, kind: SourceKind | None, beat: Beat, *, apart: bool = True) -> ReadDocument:
    """Read a file in a separate process, with limits of memory and time. Raises ImportRefused."""
    seconds, key = settings.INGEST_FILING_DEADLINE, kind.key if kind else ""
    try:
        if seconds and apart:
            return within(seconds, beat, read_file, content, name, key)
        return read_file(content, name, key, beat)
    except (UnreadableText, ReadingEnded) as error:
        raise ImportRefused("file", str(error)) from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        # Whatever an unforeseen file does to the code that reads it.
        logger.exception("A file of %d bytes could not be read", len(content))
        raise ImportRefused("file", "The file could not be read; the log says why.") from error


def subject_of(fields: DocumentFields, stated_end: date | None) -> Subject:
    """What a document reports on: its period from the company's calendar, else as it states it."""
    _, kind, _ = known(fields)
    end = period_end(fields) or (stated_end if kind.span != "day" else None)
    return Subject(end, fields.fiscal_year, fields.fiscal_quarter, kind.span == "year")


def embed(read: ReadDocument, beat: Beat) -> None:
    """Compute the vectors of the passages. Without an embedding model they wait for one."""
    until = monotonic() + settings.INGEST_FILING_DEADLINE if settings.INGEST_FILING_DEADLINE else math.inf
    try:
        embed_text(read.text, lambda done, total: beat(), until)
    except EmbeddingUnavailable as error:
        logger.warning("The passages of an imported document wait for their vectors: %s", error)


def store(
    content: bytes,
    name: str,
    fields: DocumentFields,
    read: ReadDocument,
    printed: Printed,
    added_by: User | None,
) -> tuple[Filing, bool]:
    """Store the original and the rows; returns the document and whether it is new. Raises ImportRefused."""
    company, kind, day = known(fields)
    accession = imported_accession(content)
    # Before the row that names it. Without one, the same file again finds it.
    sha256 = original_files.write(content)
    try:
        with transaction.atomic():
            filing = Filing.objects.select_for_update().filter(accession=accession).first()
            created = filing is None
            if filing is None:
                filing = Filing(accession=accession, company=company, added_by=added_by, filed=day)
            check_company(filing, company)
            before = labels(filing)
            describe(filing, fields)
            filing.document_status, filing.reader = Filing.DocumentStatus.HELD, filing.current_reader
            filing.held_since = filing.held_since or now()
            if labels(filing) != before:
                # Passages are indexed with these.
                filing.indexed = ""
            filing.save()
            document, _ = Document.objects.update_or_create(
                filing=filing,
                sequence=1,
                defaults={"type": kind.key, "filename": name, "size": len(content), "sha256": sha256},
            )
            store_text(filing, read.text, {section.filename[:200]: document for section, _ in read.text.sections})
            store_tables(filing, printed.tables, whole=printed.whole)
            store_printed(filing, printed.statements or PrintedStatements())
            filing.save()
            Company.objects.count_figures(company.pk)
    except IntegrityError:
        # Another worker stored the same file between the look and the insert.
        held = held_document(content)
        if held is None:
            raise
        check_company(held, company)
        return held, False
    return filing, created


def known(fields: DocumentFields) -> tuple[Company, SourceKind, date]:
    """Company, kind and day of fields that lack nothing. Raises ImportRefused."""
    if refusal := missing(fields):
        raise refusal
    return cast("Company", fields.company), cast("SourceKind", fields.kind), cast("date", fields.day)


def labels(filing: Filing) -> tuple[str, int | None, int | None]:
    """What the passages of a document are indexed with."""
    return filing.source, filing.fiscal_year, filing.fiscal_quarter


def describe(filing: Filing, fields: DocumentFields) -> None:
    """Set a document's fields, with the last day of its period from the company's own calendar."""
    _, kind, day = known(fields)
    filing.source, filing.filed = kind.key, day
    filing.title, filing.address = fields.title, fields.address
    filing.fiscal_year, filing.fiscal_quarter = fields.fiscal_year, fields.fiscal_quarter
    filing.period_end = period_end(fields)


def period_end(fields: DocumentFields) -> date | None:
    """The last day of a document's period, from the company's own calendar; None where it does not know it."""
    company, kind, _ = known(fields)
    if not fields.fiscal_year or (kind.span == "day" and not fields.fiscal_quarter):
        return None
    return period_named(company, fields.fiscal_year, fields.fiscal_quarter).end


def index(filing: Filing, beat: Beat) -> None:
    """Add a document to the search index. On failure the sweep tries again."""
    from filings.search.index import IndexMismatch, SearchUnavailable
    from filings.search.indexing import index_filing

    try:
        index_filing(filing.pk, lambda done: beat())
    except (SearchUnavailable, IndexMismatch) as error:
        logger.warning("%s waits for the search index: %s", filing, error)
