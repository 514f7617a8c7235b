"""Parses EDGAR's files into our own types: ticker list, submissions, containers. Defines EDGAR's errors."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from filings.models.source_kinds import FOREIGN, SourceKind, kind_of_form

# Document types without text of the filing: pictures, archives, and the SEC viewer's renderings.
RENDERED = {"GRAPHIC", "ZIP", "EXCEL", "XML", "JSON", "COVER"}


class EdgarError(Exception):
    """A failure of EDGAR. The message is a sentence for people; `retryable` says whether a later try can help."""

    retryable = False

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NotFound(EdgarError):
    """EDGAR has nothing under this path."""


class NotIdentified(EdgarError):
    """No identity is set, or EDGAR rejects it."""


class Unavailable(EdgarError):
    """EDGAR is busy, unreachable, or sent a truncated file."""

    retryable = True


class Invalid(EdgarError):
    """EDGAR sent something that cannot be read."""


@dataclass(frozen=True, slots=True)
class ListedTicker:
    """One line of SEC's ticker list."""

    cik: int
    symbol: str
    name: str


@dataclass(frozen=True, slots=True)
class ListedFiling:
    """One filing of a submissions record. `items`: of an 8-K, the numbers of its Items, such as "2.02"."""

    accession: str
    form: str
    filed: date
    report_date: date | None
    primary_document: str
    items: tuple[str, ...] = ()

    @property
    def kind(self) -> SourceKind | None:
        return kind_of_form(self.form)


@dataclass(frozen=True, slots=True)
class Submissions:
    """A registrant by its submissions. `filings` has those of kinds that can be held, newest first."""

    cik: int
    name: str
    former_names: tuple[str, ...]
    tickers: tuple[tuple[str, str], ...]  # (symbol, exchange)
    sic: str
    sic_description: str
    state: str
    fiscal_year_end: str
    filings: tuple[ListedFiling, ...]
    missing_pages: tuple[str, ...] = ()

    def of_kind(self, *kinds: SourceKind) -> list[ListedFiling]:
        """Its filings of these kinds, newest first."""
        return [filing for filing in self.filings if filing.kind in kinds]

    @property
    def foreign_form(self) -> str:
        """The form of its newest 20-F or 40-F; empty where there is none."""
        return next((filing.form for filing in self.of_kind(FOREIGN)), "")


@dataclass(frozen=True)
class ContainerDocument:
    """One document of a container."""

    sequence: int
    type: str
    filename: str
    sgml: Any = field(repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Pickled without content, of which only size and digest are needed elsewhere."""
        named = {name: getattr(self, name) for name in ("sequence", "type", "filename", "size", "sha256")}
        return named | {"sgml": None}

    @cached_property
    def content(self) -> bytes:
        """Its bytes, without the container's markup."""
        content = self.sgml.content or ""
        return content if isinstance(content, bytes) else content.encode()

    @cached_property
    def size(self) -> int:
        return len(self.content)

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True)
class Container:
    """The documents of one filing, in sequence."""

    accession: str
    form: str
    documents: tuple[ContainerDocument, ...]

    def of_type(self, *types: str) -> list[ContainerDocument]:
        """Documents whose type begins with one of `types`."""
        return [document for document in self.documents if document.type.startswith(types)]


def read_tickers(raw: bytes) -> list[ListedTicker]:
    """company_tickers.json: {"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}, ...}."""
    try:
        return [
            ListedTicker(int(row["cik_str"]), str(row["ticker"]).upper(), str(row["title"]).strip())
            for row in json.loads(raw).values()
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Invalid(f"SEC's ticker list has an unknown shape: {error!r}.") from error


def read_submissions(
    cik: int, record: dict[str, Any], pages: list[dict[str, Any]], missing: tuple[str, ...]
) -> Submissions:
    """A submissions record with its older pages, read by edgartools."""
    from edgar.entity.data import extract_company_filings_table, parse_entity_submissions

    try:
        entity = parse_entity_submissions(record)
        rows = entity.filings.data.to_pylist()
        for page in pages:
            rows += extract_company_filings_table(page).to_pylist()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Invalid(f"The submissions of CIK {cik} have an unknown shape: {error!r}.") from error
    if entity.cik != cik:
        raise Invalid(f"The submissions of CIK {cik} are of CIK {entity.cik}.")
    listed = {row["accession_number"]: row for row in rows}.values()
    found = [
        ListedFiling(
            row["accession_number"],
            row["form"],
            row["filing_date"],
            iso_date(row["reportDate"]),
            row["primaryDocument"] or "",
            tuple(item.strip() for item in (row["items"] or "").split(",") if item.strip()),
        )
        for row in listed
        if kind_of_form(row["form"])
    ]
    exchanges = list(entity.exchanges or []) + [""] * len(entity.tickers or [])
    return Submissions(
        cik=cik,
        name=" ".join((entity.name or "").split()),
        former_names=tuple(
            dict.fromkeys(" ".join(former["name"].split()) for former in record.get("formerNames") or [])
        ),
        tickers=tuple(
            (symbol.upper(), exchange or "") for symbol, exchange in zip(entity.tickers or [], exchanges, strict=False)
        ),
        sic=entity.sic or "",
        sic_description=entity.sic_description or "",
        state=entity.state_of_incorporation or "",
        fiscal_year_end=entity.fiscal_year_end or "",
        filings=tuple(sorted(found, key=lambda filing: (filing.filed, filing.accession), reverse=True)),
        missing_pages=missing,
    )


def load_reader() -> None:
    """Import the container reader in advance, which takes seconds."""
    import edgar  # noqa: F401


def read_container(accession: str, raw: bytes) -> Container:
    """A full submission text, split by edgartools."""
    from edgar import Filing

    try:
        text = raw.decode()
    except UnicodeDecodeError:
        # The SEC declares ASCII; filers' Windows characters are the exceptions.
        text = raw.decode("cp1252", "replace")
    try:
        filing = Filing.from_sgml_text(text)
        documents = [
            ContainerDocument(
                number(attachment.sequence_number),
                attachment.sgml_document.type,
                attachment.document,
                attachment.sgml_document,
            )
            for attachment in filing.attachments
        ]
    except Exception as error:
        # edgartools raises many types for a malformed container; all mean the same here.
        raise Invalid(f"The container of {accession} cannot be read: {error!r}.") from error
    if filing.accession_no != accession:
        raise Invalid(f"The container of {accession} is of {filing.accession_no}.")
    return Container(accession, filing.form, tuple(sorted(documents, key=lambda document: document.sequence)))


def number(sequence: str) -> int:
    """A sequence number; 0 where the container leaves it empty."""
    return int(sequence) if str(sequence).isdigit() else 0


def iso_date(text: str | None) -> date | None:
    """A date written as 2024-09-28; None where empty or not a date."""
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None
