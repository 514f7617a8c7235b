"""Tables of filings: companies, filings, documents, statements, facts."""

from filings.models.company import (
    STALE_AFTER,
    Anomaly,
    Company,
    CompanyQuerySet,
    ForeignRegistrant,
    Origin,
    Priority,
    Succession,
    Ticker,
    by_name,
)
from filings.models.element import Element, Measured
from filings.models.fact import ExactDecimalField, Fact, Member, shortest
from filings.models.importing import Import, ImportQuerySet
from filings.models.printed_table import PrintedTable
from filings.models.report import (
    FIRST_YEAR,
    READER,
    Document,
    Filing,
    FilingQuerySet,
    ImportedDocument,
    Statement,
    StatementKind,
)
from filings.models.searching import SearchRequest, SearchRequestQuerySet, Synonym
from filings.models.section import CHUNKS_A_FILING, Chunk, ChunkKind, Section, SectionStatus
from filings.models.source_kinds import KINDS, SourceKind
from filings.models.store import Corpus, Health, RawFile, Tally

__all__ = [
    "CHUNKS_A_FILING",
    "FIRST_YEAR",
    "KINDS",
    "READER",
    "STALE_AFTER",
    "Anomaly",
    "Chunk",
    "ChunkKind",
    "Company",
    "CompanyQuerySet",
    "Corpus",
    "Document",
    "Element",
    "ExactDecimalField",
    "Fact",
    "Filing",
    "FilingQuerySet",
    "ForeignRegistrant",
    "Health",
    "Import",
    "ImportQuerySet",
    "ImportedDocument",
    "Measured",
    "Member",
    "Origin",
    "PrintedTable",
    "Priority",
    "RawFile",
    "SearchRequest",
    "SearchRequestQuerySet",
    "Section",
    "SectionStatus",
    "SourceKind",
    "Statement",
    "StatementKind",
    "Succession",
    "Synonym",
    "Tally",
    "Ticker",
    "by_name",
    "shortest",
]
