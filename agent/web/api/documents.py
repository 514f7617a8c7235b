"""`POST /documents`: imports a file as a document of a company, as staff do on the page."""

from typing import cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import File, Form, P, PathEx, Router, UploadedFile
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.state.conversion import converted
from agent.web import waiting
from agent.web.api.openapi import Token, errors
from agent.web.api.parameters import Text
from agent.web.api.problems import NotFound, Problem
from agent.web.api.runs import POLL_AFTER
from filings.importing import import_queue
from filings.importing.document_fields import DocumentFields, ImportRefused, checked_file, fields_of
from filings.importing.held_documents import check_company, differing, held_document
from filings.models import Filing, Import
from filings.web.import_views import may_import


class OfStaff(Token):
    """A token or session of staff who may import."""

    def __call__(self, request: HttpRequest) -> bool:
        if not may_import(cast("Request", request)):
            raise Problem(403, "staff_only", "Only staff who may import can send documents.")
        return True


router = Router(tags=["Companies and filings"], auth=OfStaff())


class DocumentSent(BaseModel):
    """What is said of the file. What is left empty is taken from the document, or refused where it does not say it."""

    company: Text = Field(default="", description="Ticker, CIK or exact name of the company.")
    kind: Text = Field(default="", description="Kind of document: call, report, news, 10-Q, ...")
    period: Text = Field(default="", description="Fiscal quarter or year, such as 2024Q3 or 2024.")
    date: Text = Field(default="", description="Day of publication or of the call, such as 2024-08-01.")
    title: Text = Field(default="", description="Title by which answers name the document, at most 300 characters.")
    address: Text = Field(default="", description="Address (https://...) from which the file came.")


class ImportedFile(BaseModel):
    """A file and the document that it is, once it has been read."""

    id: UUID | None = Field(description="Identifier of the import; null where the same file was held already.")
    url: str = Field(description="Address of the import in this API; empty where the same file was held already.")
    filename: str = Field(description="Name of the file.")
    status: str = Field(
        description="queued or reading (not finished), asked (staff must confirm it), done, or failed."
    )
    problem: str = Field(description="Why it was not imported, in a sentence; otherwise empty.")
    accession: str = Field(
        description="Key of the document, such as doc-0123456789abcdef; empty until it is imported."
    )
    document: str = Field(description="Address of the document in this API; empty until it is imported.")
    differs: list[str] = Field(
        description="Fields that were sent otherwise than the held document has them; they were not changed."
    )


@router.post(
    "/documents",
    operation_id="import_document",
    response={200: ImportedFile, 201: ImportedFile, 202: ImportedFile, **errors(400, 413, 415, 422)},
)
def import_document(request: Request, file: File[UploadedFile], sent: Form[DocumentSent]) -> HttpResponse:
    """Import a file as a document of a company. For staff. Sent as multipart/form-data.

    The reply comes within five seconds: 201 with the document's address in `Location`; 200 where the same file was held
    already; or 202 while it is being read. Then get the address in `Location` after `Retry-After` seconds. 400 names the
    field that is wrong or that the document does not say.
    """
    try:
        given = fields_of(sent.model_dump())
        content, name = file.read(), file.name or ""
        checked_file(content, name)
        held = held_document(content)
        if held is not None and held.chunks_stored:
            check_company(held, given.company)
            return answered(of_held(held, name, given), 200)
        row = import_queue.start(content, name, given, request.identity.user, confirmed=True)
    except ImportRefused as refused:
        raise refusal(refused.field, refused.why) from refused
    waiting.waited(row.pk, waiting.seconds_wanted(request), is_open=is_open)
    row = Import.objects.select_related("filing").get(pk=row.pk)
    if row.status == Import.Status.FAILED:
        raise refusal(row.field or "file", row.problem)
    if row.is_open:
        response = answered(of_row(row), 202)
        response["Location"], response["Retry-After"] = address_of(row), str(POLL_AFTER)
        return response
    return answered(of_row(row), 200 if row.held_before else 201)


@router.get("/documents/{uuid:import_id}", operation_id="get_import", response={200: ImportedFile, **errors(404)})
def get_import(request: Request, import_id: PathEx[UUID, P(description="Identifier of the import.")]) -> HttpResponse:
    """Get what became of a file. For staff."""
    row = Import.objects.select_related("filing").filter(pk=import_id).first()
    if row is None:
        raise NotFound("import")
    response = answered(of_row(row), 200)
    if row.is_open:
        response["Retry-After"] = str(POLL_AFTER)
    return response


def refusal(field: str, why: str) -> Problem:
    """400: the file cannot be imported; names the field."""
    return Problem(400, "not_imported", why, errors=[{"field": field, "message": why}])


def is_open(pk: UUID) -> bool:
    return Import.objects.filter(pk=pk, status__in=[Import.Status.QUEUED, Import.Status.READING]).exists()


def answered(shown: ImportedFile, status: int) -> HttpResponse:
    response = HttpResponse(shown.model_dump_json(), content_type="application/json; charset=utf-8", status=status)
    if shown.document and status in {200, 201}:
        response["Location"] = shown.document
    return response


def of_row(row: Import) -> ImportedFile:
    return converted(
        ImportedFile,
        row,
        id=row.pk,
        url=address_of(row),
        accession=row.filing.accession if row.filing else "",
        document=document_of(row.filing) if row.filing else "",
        differs=[],
    )


def of_held(held: Filing, filename: str, given: DocumentFields) -> ImportedFile:
    return ImportedFile(
        id=None,
        url="",
        filename=filename,
        status=Import.Status.DONE,
        problem="",
        accession=held.accession,
        document=document_of(held),
        differs=list(differing(held, given)),
    )


def address_of(row: Import) -> str:
    return reverse("api:get_import", args=[row.pk])


def document_of(filing: Filing) -> str:
    return reverse("api:filing", args=[filing.accession])
