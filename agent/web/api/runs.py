"""`GET /runs`: your questions and their results. A run is one question and its result."""

from datetime import date, datetime
from typing import Literal
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from ninja import P, PathEx, Query, Router
from pydantic import BaseModel, Field

from accounts.identity import Identity
from accounts.request_types import Request
from agent.models import Run as Stored
from agent.runs.standing_text import shown_changes
from agent.runs.stored_answer import UNREAD, read
from agent.state import QuestionType, Scope
from agent.state.conversion import Model, converted
from agent.state.standing import Change
from agent.web.api.answers import Answer, Refusal, answer
from agent.web.api.etags import tagged
from agent.web.api.openapi import errors
from agent.web.api.paging import Page, Paged, Rows
from agent.web.api.problems import Invalid, NotFound, form_errors
from agent.web.cards.answer_card import read_as
from agent.web.forms import HistoryForm

router = Router(tags=["Questions"], by_alias=True)

# Seconds after which a client should ask again for an unfinished run.
POLL_AFTER = 1


class RunLine(BaseModel):
    """A run in a list, without its answer."""

    id: UUID = Field(description="Identifier of the run.")
    url: str = Field(description="Address of the run in this API.")
    page: str = Field(description="Address of the answer's page on this site.")
    question: str = Field(description="The question as it was asked.")
    mode: str = Field(description="Mode asked for; empty: chosen automatically.")
    status: str = Field(description="queued or running (not finished), done, or failed.")
    type: str = Field(description="Kind of answer: numeric, prose, both, meta or refuse; empty until it is finished.")
    outcome: str = Field(
        description="answered, nearest (the nearest question is answered, and not asserted), passages, refused, meta or error; empty until it is finished."
    )
    refused: bool = Field(description="Whether the question was refused; related passages may be given all the same.")
    refusal_code: str = Field(
        description="Code of the first refusal's reason, such as concept_not_reported; empty if there is none."
    )
    company: str = Field(description="Name of the company asked about; empty if none is known.")
    summary: str = Field(description="The result in one line.")
    starred: bool = Field(description="Whether you have marked it with a star.")
    standing: Literal["", "valid", "superseded", "broken"] = Field(
        description="Whether the answer still stands: valid; superseded, where later filings restate a figure or overtake it; broken, where the stored filing no longer gives what it says. Empty where there is no answer."
    )
    created: datetime = Field(description="When it was asked.")
    finished: datetime | None = Field(description="When it was finished; null until then.")
    ms: int | None = Field(description="Time that the answer took, in milliseconds.")


class TakenPart(BaseModel):
    """Something that a follow-up question took from the question before."""

    part: str = Field(description="Kind of thing taken: Company, Period, Measure or Topic.")
    value: str = Field(description="What was taken, in words.")


class ChangeSince(Change):
    """One thing that an answer says and that the filings stored now say otherwise."""

    text: str = Field(description="The change in one sentence.")


class Run(RunLine):
    """One question and its result."""

    continues: UUID | None = Field(
        description="Identifier of the run that this question follows up on; null if there is none."
    )
    scope: Scope | None = Field(
        description="What the question is limited to: a document, or a kind and a period; null if it is not limited."
    )
    taken: list[TakenPart] = Field(description="What this question took from that run.")
    read_as: str = Field(
        description="Of a follow-up: what it was read as, in one line, such as Revenue of Apple and Lowe's from 2020 to 2024."
    )
    refusal: Refusal | None = Field(description="Why the question is not answered; null if it is.")
    answer: Answer | None = Field(
        description="The answer; null until the run is finished, if it failed, or if `unread` says why."
    )
    checked: datetime | None = Field(
        description="When the answer was last compared with the filings; null where there is no answer."
    )
    changed: datetime | None = Field(
        description="When it was found to be superseded or broken; null for one that stands."
    )
    changes: list[ChangeSince] = Field(description="What has changed since the answer was given.")
    certificate: str = Field(
        description="Address of the answer's certificate in this API: every claim with its source; empty without an answer."
    )
    unread: str = Field(
        description="A note that the answer is stored in an old format that can no longer be read; otherwise empty."
    )


class Runs(Page[RunLine]):
    """A page of your own runs, the newest first."""


class RunsWanted(Paged):
    """Filters of the list of runs."""

    q: str = Field(
        default="", max_length=200, description="Words to look for in the question, answer, company or your note."
    )
    outcome: Literal["", "answered", "nearest", "passages", "refused", "meta", "error"] = Field(
        default="", description="Only runs with this outcome; empty: all."
    )
    company: str = Field(default="", max_length=200, description="Only runs about the company with this name.")
    starred: bool = Field(default=False, description="Only runs that you have marked with a star.")
    origin: Literal["", "page", "api", "mcp"] = Field(
        default="", description="Only runs asked on a page of this site, by this API, or by MCP; empty: all."
    )
    changed: bool = Field(
        default=False,
        description="Only runs whose answer has been superseded, or no longer verifies, since it was given.",
    )
    since: date | None = Field(default=None, description="Only runs asked on this day (UTC) or later: YYYY-MM-DD.")
    until: date | None = Field(
        default=None, description="Only runs asked on this day (UTC) or earlier, not before `since`: YYYY-MM-DD."
    )


@router.get("/runs/{uuid:run_id}", operation_id="get_run", response={200: Run, 304: None, **errors(404)})
def run(request: Request, run_id: PathEx[UUID, P(description="Identifier of the run.")]) -> HttpResponse:
    """Get one of your own runs. A token with only the scope `ask` gets only runs that it asked.

    If the run is not finished, ask again after `Retry-After` seconds. A finished run has an `ETag`; only its standing and when it was compared change.
    """
    shown = found(request.identity, run_id)
    if shown.finished is None:
        return opened(shown)
    return tagged(request, shown)


def opened(shown: Run, status: int = 200) -> HttpResponse:
    """The reply with an unfinished run, and when to ask again."""
    response = HttpResponse(shown.model_dump_json(), content_type="application/json; charset=utf-8", status=status)
    response["Retry-After"] = str(POLL_AFTER)
    if status == 202:
        response["Location"] = shown.url
    return response


@router.get("/runs", operation_id="list_runs", response={200: Runs, **errors(422)})
def runs(request: Request, wanted: Query[RunsWanted]) -> Runs:
    """List or search your own runs, the newest first."""
    form = HistoryForm(wanted.model_dump(exclude={"page", "size"}))
    if not form.is_valid():
        raise Invalid(form_errors(form))
    mine = form.matching(Stored.objects.visible_to(request.identity))
    rows = Rows(mine.select_related("standing").defer("answer"), wanted)
    return Runs(items=[line(RunLine, one) for one in rows.rows], **rows.fields(request))


def found(identity: Identity, run_id: UUID) -> Run:
    """The caller's run. Raises NotFound."""
    stored = Stored.objects.visible_to(identity).select_related("standing").filter(pk=run_id).first()
    if stored is None:
        raise NotFound("run")
    return shown(stored)


def shown(stored: Stored) -> Run:
    """Converts a stored run with its answer for the API."""
    kept = read(stored.answer)
    said = answer(kept, stored.pk) if kept else None
    refusals = [part.refusal for part in said.parts if part.refusal] if said else []
    refusal = refusals[0] if refusals and stored.refusal_code else None
    taken = [TakenPart(**one) for one in stored.taken or ()]
    standing = getattr(stored, "standing", None)
    unread = UNREAD if stored.answer and not kept else ""
    return line(
        Run,
        stored,
        continues=stored.continues_id,
        scope=stored.scoped,
        taken=taken,
        read_as=read_as(kept) if kept and (stored.continues_id or stored.before) else "",
        refusal=refusal,
        answer=said,
        checked=standing.checked if standing else None,
        changed=standing.since if standing else None,
        changes=[ChangeSince(text=one.sentence, **one.change.model_dump()) for one in shown_changes(standing)]
        if standing
        else [],
        certificate=reverse("api:certificate", args=[stored.pk]) if kept else "",
        unread=unread,
    )


def line(model: type[Model], stored: Stored, **given: object) -> Model:
    """Converts a stored run, without its answer, for the API. given: the fields that it has not."""
    return converted(
        model,
        stored,
        id=stored.pk,
        url=reverse("api:run", args=[stored.pk]),
        page=stored.get_absolute_url(),
        type=QuestionType(stored.type).name.lower() if stored.type else "",
        refused=bool(stored.refusal_code),
        standing=stored.standing.state if hasattr(stored, "standing") else "",
        **given,
    )
