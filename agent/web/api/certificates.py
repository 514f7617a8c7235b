"""`GET /runs/{id}/certificate` and `POST /verify`: certificates of answers, and their verification."""

import json
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from ninja import P, PathEx, Router
from pydantic import BaseModel, ConfigDict, Field

from accounts.request_types import Request
from agent.certificates.report import Report
from agent.certificates.verify import NotACertificate, verify, verify_run
from agent.models import Run
from agent.web.api.openapi import errors
from agent.web.api.problems import Invalid, NotFound
from agent.web.cards.certificate_file import download

router = Router(tags=["Questions"], by_alias=True)


class ToVerify(BaseModel):
    """A certificate; or `run` alone, for the answer of one of your own runs."""

    model_config = ConfigDict(extra="allow")

    run: UUID = Field(description="Identifier of the run. The other members are those of the certificate.")


@router.get(
    "/runs/{uuid:run_id}/certificate",
    operation_id="get_certificate",
    response={200: dict[str, Any], **errors(404)},
)
def certificate(request: Request, run_id: PathEx[UUID, P(description="Identifier of the run.")]) -> HttpResponse:
    """Get the certificate of an answer: every claim with its source, in the form of `/schemas/certificate-1.json`."""
    run = visible(request, run_id)
    if run is None or not run.answer:
        raise NotFound("answer")
    return download(run)


@router.post("/verify", operation_id="verify", response={200: Report, **errors(400, 404, 413, 415, 422)})
def verified(request: Request, sent: ToVerify) -> Report:
    """Verify a certificate, or the answer of a run, against the stored filings.

    Each claim holds, differs, or is not checkable. A certificate of one of your own runs is also compared with its answer.
    """
    run = visible(request, sent.run)
    if not sent.model_extra:
        report = verify_run(run) if run else None
        if report is None:
            raise NotFound("answer")
        return report
    try:
        return verify(json.loads(request.body), run)
    except NotACertificate as error:
        raise Invalid({"certificate": [str(error)]}) from error


def visible(request: Request, run_id: UUID) -> Run | None:
    """The caller's run; None where it does not exist."""
    return Run.objects.visible_to(request.identity).filter(pk=run_id).first()
