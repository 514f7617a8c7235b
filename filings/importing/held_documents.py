"""What is held of a file that is brought once more."""

from filings.importing.document_fields import DocumentFields, ImportRefused
from filings.models import Company, Filing
from filings.models.report import imported_accession


def held_document(content: bytes) -> Filing | None:
    """The document that is held of the same bytes."""
    return Filing.objects.select_related("company").filter(accession=imported_accession(content)).first()


def check_company(held: Filing, company: Company | None) -> None:
    """Raises ImportRefused where a held file is said to be another company's."""
    if company is not None and company.pk != held.company_id:
        raise ImportRefused("company", f"The same file is held as a document of {held.company.called}.")


def differing(held: Filing, given: DocumentFields) -> tuple[str, ...]:
    """The names of the fields that are given and that a held document has otherwise."""
    pairs = (
        ("kind", given.kind and given.kind.key, held.source),
        ("period", given.fiscal_year and (given.fiscal_year, given.fiscal_quarter), _period(held)),
        ("date", given.day, held.filed),
        ("title", given.title, held.title),
        ("address", given.address, held.address),
    )
    return tuple(name for name, wanted, has in pairs if wanted and wanted != has)


def _period(held: Filing) -> tuple[int | None, int | None]:
    return held.fiscal_year, held.fiscal_quarter


def merged(held: Filing, given: DocumentFields) -> DocumentFields:
    """The fields given, the others as a held document has them."""
    year, quarter = (given.fiscal_year, given.fiscal_quarter) if given.fiscal_year else _period(held)
    return DocumentFields(
        company=held.company,
        kind=given.kind or held.kind,
        fiscal_year=year,
        fiscal_quarter=quarter,
        day=given.day or held.filed,
        title=given.title or held.title,
        address=given.address or held.address,
    )
