"""The documents that questions in FinanceBench's form name: held already, imported from a folder, or ingested from EDGAR."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command

from agent.registrants.company_lists import NotListedError, companies_listed
from agent.registrants.registrant_index import Companies
from evals.financebench.financebench_rows import FinanceBenchQuestion
from filings.edgar.registrant_names import CURATED_NAMES, name_words
from filings.importing.document_fields import DocumentFields, ImportRefused
from filings.importing.importing import import_document
from filings.models import Company, Filing
from filings.models.source_kinds import ANNUAL

# Companies that no list here names get keys behind all of the SEC's own.
FIRST_OWN_CIK = 9_100_000_000


@dataclass
class Documents:
    """The filings of a file's questions, each had once, and why one is not. folder: of files called as doc_name."""

    folder: Path | None = None
    filings: dict[str, Filing | None] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def filing(self, row: FinanceBenchQuestion) -> Filing | None:
        """The document of a question; None, with the reason in `missing`, where it cannot be had."""
        if row.doc_name not in self.filings:
            try:
                self.filings[row.doc_name] = self._had(row)
            except (NotListedError, CommandError, ImportRefused) as problem:
                self.filings[row.doc_name] = None
                self.missing[row.doc_name] = str(problem).strip().splitlines()[-1]
        return self.filings[row.doc_name]

    def _had(self, row: FinanceBenchQuestion) -> Filing:
        file = file_of(self.folder, row.doc_name) if self.folder else None
        if file:
            return imported(file, row)
        if row.kind is not ANNUAL or row.year is None:
            raise CommandError(f"No file called {row.doc_name} is in the folder of documents.")
        return ingested(row)


def file_of(folder: Path, name: str) -> Path | None:
    """The file of a document in a folder, whatever its type."""
    return next((path for path in sorted(folder.iterdir()) if path.stem == name and path.is_file()), None)


def imported(file: Path, row: FinanceBenchQuestion) -> Filing:
    """A document imported as a person would: what it says of its period and day counts, and else what the row says.

    Raises ImportRefused.
    """
    company = company_of(row.company)
    content, given = file.read_bytes(), DocumentFields(company, row.kind)
    told = {"period": {"fiscal_year": row.year, "fiscal_quarter": row.quarter}, "date": {"day": row.day}}
    for _ in range(len(told) + 1):
        try:
            filing = import_document(content, file.name, given).filing
            Companies.forget()
            return filing
        except ImportRefused as refused:
            if (more := told.pop(refused.field, None)) is None:
                raise
            given = replace(given, **more)  # type: ignore[arg-type]
    raise CommandError(f"{file.name} cannot be imported.")


def company_of(name: str) -> Company:
    """The company of a name: the one that is listed, or one of that name alone, which no list here has."""
    try:
        listed: Sequence[int] = [one.cik for one in companies_listed(Companies.current(), name)]
    except NotListedError:
        listed = []
    if len(listed) == 1 and (held := Company.objects.filter(cik=listed[0]).first()):
        return held
    if same := Company.objects.filter(name__iexact=name).first():
        return same
    called = (cik for cik, names in CURATED_NAMES.items() if name_words(name) in map(name_words, names))
    if known := next(called, None):
        return Company.objects.get_or_create(cik=known, defaults={"name": name, "active": True})[0]
    last = Company.objects.filter(cik__gte=FIRST_OWN_CIK).order_by("-cik").values_list("cik", flat=True).first()
    return Company.objects.create(cik=(last or FIRST_OWN_CIK) + 1, name=name, active=True)


def ingested(row: FinanceBenchQuestion) -> Filing:
    """An annual report, by the normal ingestion. Raises NotListedError or CommandError."""
    named = companies_listed(Companies.current(), row.company)
    if len(named) != 1:
        raise NotListedError(f"“{row.company}” is not one company.")
    held = Filing.objects.askable(named[0].cik, text=True).filter(fiscal_year=row.year, chunks_stored__gt=0)
    if not held.exists():
        call_command("ingest", str(named[0].cik), years=str(row.year), stdout=StringIO())
        Companies.forget()
    if filing := held.first():
        return filing
    raise CommandError(f"No text of a 10-K of {named[0].name} for fiscal {row.year} could be had.")
