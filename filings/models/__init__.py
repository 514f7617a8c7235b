"""What the SEC holds, as stored here: companies, filings, documents, statements, facts."""

from filings.models.company import STALE_AFTER, Anomaly, Company, CompanyQuerySet, ForeignRegistrant, Origin, Ticker
from filings.models.fact import ExactDecimalField, Fact, shortest
from filings.models.report import READER, Document, Filing, FilingQuerySet, SourceKind, Statement, StatementKind
from filings.models.store import Corpus, RawFile

__all__ = [
    "READER",
    "STALE_AFTER",
    "Anomaly",
    "Company",
    "CompanyQuerySet",
    "Corpus",
    "Document",
    "ExactDecimalField",
    "Fact",
    "Filing",
    "FilingQuerySet",
    "ForeignRegistrant",
    "Origin",
    "RawFile",
    "SourceKind",
    "Statement",
    "StatementKind",
    "Ticker",
    "shortest",
]
