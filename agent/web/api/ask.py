"""`POST /ask`: asks a question, with the same checks, quotas and runs as on the page."""

import hashlib
import json
from collections.abc import Callable
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.middleware.csrf import get_token
from ninja import HeaderEx, P, Router
from pydantic import BaseModel, ConfigDict, Field

from accounts.identity import Identity
from accounts.identity_middleware import ensure_identity
from accounts.request_types import Request
from agent.models import IdempotencyKey
from agent.models import Run as Stored
from agent.models.run import LONGEST_KEY
from agent.runs import create_run
from agent.runs.scope_checks import FIELDS
from agent.state.scope import Scope
from agent.web import waiting
from agent.web.api import limits
from agent.web.api.openapi import errors
from agent.web.api.problems import Invalid, Problem, form_errors
from agent.web.api.runs import Run, found, opened
from agent.web.forms import AskForm

router = Router(tags=["Questions"], by_alias=True)


class ScopeWanted(BaseModel):
    """What the question is limited to: one document; or a company, a kind of documents and a period that the question
    leaves out.
    """

    model_config = ConfigDict(extra="forbid")

    document: str = Field(
        default="",
        max_length=20,
        description="Accession number of a filing, or key of an imported document: its text alone is searched. Figures without a period are those of its period, from the facts.",
    )
    cik: int | None = Field(
        default=None,
        description="CIK of the company that is asked about; beside a document, which of several companies that filed it together.",
    )
    kind: str = Field(
        default="",
        max_length=10,
        description="Kind of documents: 10-K, 10-Q, 8-K, DEF 14A, 20-F, call, report or news.",
    )
    fiscal_year: int | None = Field(default=None, description="Fiscal year, where the question names no period.")
    fiscal_quarter: int | None = Field(default=None, description="Quarter of that fiscal year, 1 to 4.")


class Question(BaseModel):
    """The question to ask."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(description="The question, in English, about one or several companies' reports.")
    continues: UUID | None = Field(
        default=None,
        description="Identifier of your earlier run that this question follows up on. What the question leaves out is taken from that run, and the answer says so.",
    )
    mode: Literal["", "direct", "standard", "detailed"] = Field(
        default="",
        description="How much work a language model may do: direct, standard or detailed; empty: chosen automatically. No effect without a language model.",
    )
    scope: ScopeWanted | None = Field(default=None, description="What the question is limited to; null: nothing.")


KEY = (
    "Any text of up to 200 characters that you choose, a new one for each question. If you send the question again with "
    "the same key, you get the same run. Needs a token or the cookies of an earlier reply to identify you."
)


@router.post("/ask", operation_id="ask", response={200: Run, 202: Run, **errors(400, 413, 415, 422, 429)})
def ask(
    request: Request, asked: Question, idempotency_key: HeaderEx[str, P(alias="Idempotency-Key", description=KEY)] = ""
) -> HttpResponse:
    """Ask a question.

    The reply comes within five seconds: 200 with the finished run, or 202 while it is not finished. Then get the address
    in `Location` after `Retry-After` seconds. `Prefer: wait=2` waits two seconds, `Prefer: respond-async` does not wait.
    A refusal is a normal result: 200 with `refused: true` and the reason in `refusal`.

    Without a token, cookies identify you: keep the cookies of the reply to read the run again, and send the cookie
    csrftoken as X-CSRFToken with your next question.
    """
    checked = checked_question(asked.question, asked.mode, asked.scope)
    if asked.continues is not None:
        checked["continues"] = str(asked.continues)
    if idempotency_key:
        # With a known key the run is returned even if the run that it follows up on was deleted.
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
    """The reply with a run: 200 when it is finished, 202 with its address while it is not."""
    shown = found(identity, pk)
    if shown.finished is None:
        return opened(shown, status=202)
    return HttpResponse(shown.model_dump_json(), content_type="application/json; charset=utf-8")


def started(
    identity: Identity, asked: dict[str, str], key: str = "", origin: Stored.Origin = Stored.Origin.API
) -> Stored:
    """Starts a run for a question, or finds the one already started with its key. Raises LimitReached, Problem."""

    def start() -> Stored:
        before = continued(identity, UUID(asked["continues"])) if "continues" in asked else None
        scope = Scope.model_validate_json(asked["scope"]) if "scope" in asked else None
        return create_run.start(
            identity, asked["question"], asked["mode"], continues=before, scope=scope, origin=origin
        )

    return once(identity, key, asked, start)[0] if key else start()


def continued(identity: Identity, pk: UUID) -> Stored:
    """The asker's run that a question follows up on. Raises Invalid."""
    found = Stored.objects.to_continue(identity).filter(pk=pk).only("pk").first()
    if found is None:
        raise Invalid({"continues": ["You have no answered run with this identifier."]})
    return found


def checked_question(question: str, mode: str = "", scope: ScopeWanted | None = None) -> dict[str, str]:
    """The question, mode and scope, checked by the same form as on the page. Raises TooLong and Invalid."""
    form = AskForm({"question": question, "mode": mode, **(scope.model_dump() if scope else {})})
    if form.is_valid():
        limited = {"scope": form.scope.model_dump_json()} if form.scope else {}
        return {"question": form.cleaned_data["question"], "mode": form.cleaned_data.get("mode", ""), **limited}
    form.raise_too_long()
    raise Invalid({f"scope.{name}" if name in FIELDS else name: said for name, said in form_errors(form).items()})


def once(identity: Identity, key: str, asked: dict[str, str], start: Callable[[], Stored]) -> tuple[Stored, bool]:
    """Returns the run of an idempotency key, and whether this call created it.

    One transaction writes the key and the run, so a killed process leaves both or neither. A second request with the
    same key waits for the first, then finds its run. Raises Problem (422) if the key was used for another question.
    """
    check_key(key)
    body = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    with transaction.atomic():
        row, new = IdempotencyKey.objects.get_or_create(owner=key_owner(identity), key=key, defaults={"body": body})
        if new:
            row.run = start()
            row.save(update_fields=["run"])
            return row.run, True
    if row.body != body or row.run is None:
        detail = "This Idempotency-Key was sent with another question. Send a new key with each new question."
        raise Problem(422, "idempotency_key_reused", detail)
    return row.run, False


def of_somebody(identity: Identity) -> None:
    """Raises Problem (422) if the request has no user and no visitor, so that its key could not be recognized again."""
    if identity.user is None and identity.visitor is None:
        detail = (
            "An Idempotency-Key needs a token or the cookies of an earlier reply to identify you. "
            "Send a token, or ask without a key first and keep the cookies."
        )
        raise Problem(422, "idempotency_needs_identity", detail)


def check_key(key: str) -> None:
    """Raises Problem (422) for a key that is too long or not printable."""
    if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        detail = f"An Idempotency-Key has 1 to {LONGEST_KEY} printable ASCII characters."
        raise Problem(422, "invalid", detail, errors=[{"field": "Idempotency-Key", "message": detail}])


def key_owner(identity: Identity) -> str:
    """Who owns a key: an account or one visitor, never an IP address, which several people may share.

    A token that can read only its own questions has its own keys.
    """
    if identity.token is not None and not identity.may("read"):
        return f"token:{identity.token.pk}"
    return f"user:{identity.user.pk}" if identity.user is not None else f"visitor:{identity.visitor}"
