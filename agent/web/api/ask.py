"""Asking a question: the same form, quotas and run as on the page."""

from typing import Literal
from uuid import UUID

from django.http import HttpResponse
from django.middleware.csrf import get_token
from ninja import HeaderEx, P, Router
from pydantic import BaseModel, ConfigDict, Field

from accounts.identity import Identity, ensure_identity
from accounts.request_types import Request
from agent.models import Run as Stored
from agent.runs import create_run
from agent.web import waiting
from agent.web.api import limits
from agent.web.api.idempotency import of_somebody, once
from agent.web.api.openapi import errors
from agent.web.api.problems import Invalid, form_errors
from agent.web.api.runs import Run, found, opened
from agent.web.pages.forms import AskForm

router = Router(tags=["Questions"])


class Question(BaseModel):
    """What to ask."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(description="In English, about one filing or several.")
    continues: UUID | None = Field(
        default=None,
        description="Your earlier run that this question follows up on. What the question leaves out is taken from that run, and the answer says so.",
    )
    mode: Literal["", "direct", "standard", "detailed"] = Field(
        default="",
        description="The mode: direct, standard or detailed; empty for automatic. It has no effect without a language model.",
    )


KEY = (
    "Up to 200 characters of your own, new for each question. A question sent again with the same key is not asked twice. "
    "It needs a token or the cookies of an earlier reply to identify you."
)


@router.post("/ask", operation_id="ask", response={200: Run, 202: Run, **errors(400, 413, 415, 422, 429)})
def ask(
    request: Request, asked: Question, idempotency_key: HeaderEx[str, P(alias="Idempotency-Key", description=KEY)] = ""
) -> HttpResponse:
    """Ask a question.

    Waits up to five seconds for the answer: 200 with the run. Else 202: its address is in `Location`, to be got after
    `Retry-After` seconds. `Prefer: wait=2` waits shorter, `Prefer: respond-async` not at all. A refusal is an answer:
    200 with `refused: true` and its reason in `refusal`.

    Without a token, a browser session or its cookies decide whose run it is: keep the cookies to read it again, and send
    the cookie csrftoken as X-CSRFToken with the next question.
    """
    checked = checked_question(asked.question, asked.mode)
    if asked.continues is not None:
        checked["continues"] = str(asked.continues)
    if idempotency_key:
        # The run behind a key is returned even when the run it continued is deleted.
        of_somebody(request.identity)
    elif asked.continues is not None:
        continued(request.identity, asked.continues)
    identity = ensure_identity(request)
    run = started(identity, checked, idempotency_key)
    if identity.user is None:
        get_token(request)  # sets the cookie
    waiting.waited(run.pk, waiting.seconds_wanted(request))
    return limits.with_limits(answered(identity, run.pk), identity)


def answered(identity: Identity, pk: UUID) -> HttpResponse:
    """The run: 200 when it is closed, 202 with its address while it is open."""
    shown = found(identity, pk)
    if shown.finished is None:
        return opened(shown, status=202)
    return HttpResponse(shown.model_dump_json(), content_type="application/json; charset=utf-8")


def started(identity: Identity, asked: dict[str, str], key: str = "") -> Stored:
    """The new run of a question, or the one that its idempotency key stands for. Raises LimitReached, Problem."""

    def start() -> Stored:
        before = continued(identity, UUID(asked["continues"])) if "continues" in asked else None
        return create_run.start(identity, asked["question"], asked["mode"], continues=before)

    return once(identity, key, asked, start)[0] if key else start()


def continued(identity: Identity, pk: UUID) -> Stored:
    """The asker's run that a question follows up on. Raises Invalid."""
    found = Stored.objects.to_continue(identity).filter(pk=pk).only("pk").first()
    if found is None:
        raise Invalid({"continues": ["You have no answered run with this identifier."]})
    return found


def checked_question(question: str, mode: str = "") -> dict[str, str]:
    """The cleaned question and its mode, by the page's form. Raises TooLong and Invalid."""
    form = AskForm({"question": question, "mode": mode})
    if form.is_valid():
        return {"question": form.cleaned_data["question"], "mode": form.cleaned_data.get("mode", "")}
    form.raise_too_long()
    raise Invalid(form_errors(form))
