"""Runs: one question and its result, and the list of your own."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from ninja import P, PathEx, Query, Router
from pydantic import BaseModel, Field

from accounts.identity import Identity
from accounts.request_types import Request
from agent.models import Run as Stored
from agent.runs.stored_answer import UNREAD, read
from agent.state import QuestionType
from agent.web.api.answers import Answer, Refusal, answer
from agent.web.api.etags import tagged
from agent.web.api.openapi import errors
from agent.web.api.paging import Page, Paged, Rows
from agent.web.api.problems import Invalid, NotFound, form_errors
from agent.web.pages.forms import HistoryForm

router = Router(tags=["Questions"])

# Seconds after which an open run is worth another look.
POLL_AFTER = 1


class RunLine(BaseModel):
    """A run as a list has it, without its answer."""

    id: UUID = Field(description="Of the run.")
    url: str = Field(description="Of the run in this API.")
    page: str = Field(description="The answer's page.")
    question: str = Field(description="As it was asked.")
    mode: str = Field(description="As asked for; empty: automatic.")
    status: str = Field(description="queued, running, done or failed; the first two are open.")
    type: str = Field(description="numeric, prose, both, meta or refuse; empty while open.")
    outcome: str = Field(description="answered, passages, refused, meta or error; empty while open.")
    refused: bool = Field(description="Whether it is refused; passages to be read may stand beside the reason.")
    refusal_code: str = Field(
        description="Reason of the first refusal, such as concept_not_reported; empty if there is none."
    )
    company: str = Field(description="Name of the company asked about; empty while none is known.")
    summary: str = Field(description="The result in one line.")
    starred: bool = Field(description="Whether you gave it a star.")
    created: datetime = Field(description="When it was asked.")
    finished: datetime | None = Field(description="When it was closed; null while open.")
    ms: int | None = Field(description="Milliseconds that the answer took.")


class TakenPart(BaseModel):
    """A part taken over from the question that this one follows up on."""

    part: str = Field(description="Company, Period, Measure or Topic.")
    value: str = Field(description="What was taken.")


class Run(RunLine):
    """One question and its result."""

    continues: UUID | None = Field(description="The run that the question follows up on.")
    taken: list[TakenPart] = Field(description="What was taken from that run.")
    refusal: Refusal | None = Field(description="Where nothing is answered: why not, of its first part with a reason.")
    answer: Answer | None = Field(description="Null while open, where the run failed, and where `unread` says why.")
    unread: str = Field(
        description="A note that the answer is stored in an old format that can no longer be read; otherwise empty."
    )


class Runs(Page[RunLine]):
    """One's own runs, newest first."""


class RunsWanted(Paged):
    """The runs that are wanted."""

    q: str = Field(
        default="", max_length=200, description="Words of the question, the answer, the company or the note."
    )
    outcome: Literal["", "answered", "passages", "refused", "meta", "error"] = Field(
        default="", description="Only such."
    )
    company: str = Field(default="", max_length=200, description="Only runs about the company with this name.")
    starred: bool = Field(default=False, description="Only those with a star.")


@router.get("/runs/{uuid:run_id}", operation_id="get_run", response={200: Run, 304: None, **errors(404)})
def run(request: Request, run_id: PathEx[UUID, P(description="Of the run.")]) -> HttpResponse:
    """One run of your own; with a token that may only ask, one that was asked with it.

    While it is open, ask again after `Retry-After` seconds; then it has an `ETag` and stays.
    """
    shown = found(request.identity, run_id)
    if shown.finished is None:
        return opened(shown)
    return tagged(request, shown)


def opened(shown: Run, status: int = 200) -> HttpResponse:
    """A run without an answer yet, and when to ask again."""
    response = HttpResponse(shown.model_dump_json(), content_type="application/json; charset=utf-8", status=status)
    response["Retry-After"] = str(POLL_AFTER)
    if status == 202:
        response["Location"] = shown.url
    return response


@router.get("/runs", operation_id="list_runs", response={200: Runs, **errors(422)})
def runs(request: Request, wanted: Query[RunsWanted]) -> Runs:
    """Your own runs, newest first, searched and paged."""
    form = HistoryForm(wanted.model_dump(include={"q", "outcome", "company", "starred"}))
    if not form.is_valid():
        raise Invalid(form_errors(form))
    mine = form.matching(Stored.objects.visible_to(request.identity))
    rows = Rows(mine.defer("answer"), wanted)
    return Runs(items=[RunLine(**columns(one)) for one in rows.rows], **rows.fields(request))


def found(identity: Identity, run_id: UUID) -> Run:
    """The caller's run. Raises NotFound."""
    stored = Stored.objects.visible_to(identity).filter(pk=run_id).first()
    if stored is None:
        raise NotFound("run")
    return shown(stored)


def shown(stored: Stored) -> Run:
    """A run with its answer."""
    kept = read(stored.answer)
    said = answer(kept, stored.pk) if kept else None
    refusals = [part.refusal for part in said.parts if part.refusal] if said else []
    refusal = refusals[0] if refusals and stored.refusal_code else None
    taken = [TakenPart(part=one["part"], value=one["value"]) for one in stored.taken or ()]
    unread = UNREAD if stored.answer and not kept else ""
    return Run(
        **columns(stored), continues=stored.continues_id, taken=taken, refusal=refusal, answer=said, unread=unread
    )


def columns(stored: Stored) -> dict[str, Any]:
    """The fields of a RunLine."""
    return {
        "id": stored.pk,
        "url": reverse("api:run", args=[stored.pk]),
        "page": stored.get_absolute_url(),
        "question": stored.question,
        "mode": stored.mode,
        "status": stored.status,
        "type": QuestionType(stored.type).name.lower() if stored.type else "",
        "outcome": stored.outcome,
        "refused": bool(stored.refusal_code),
        "refusal_code": stored.refusal_code,
        "company": stored.company,
        "summary": stored.summary,
        "starred": stored.starred,
        "created": stored.created,
        "finished": stored.finished,
        "ms": stored.ms,
    }
