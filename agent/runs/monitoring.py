"""Monitoring of a run: log lines that name it, a trace span, and counters."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.timezone import now

from agent.models import Run
from diligence import counters, logs, tracing

if TYPE_CHECKING:
    from agent.programs.calls import Call

logger = logging.getLogger(__name__)


@contextmanager
def watched(pk: UUID, attempt: int) -> Iterator[None]:
    """Trace one attempt at a run; its counters are added at the end."""
    row = Run.objects.filter(pk=pk).values_list("user", "visitor", "question", "composed", "created").first()
    if row is None:  # deleted since it was claimed
        yield
        return
    user, visitor, question, composed, created = row
    account = logs.account(user, visitor)
    if attempt == 1:
        counters.observe("run_wait_seconds", (now() - created).total_seconds())
    told = {"diligence.run.id": str(pk), "diligence.run.attempt": attempt, "user.id": account}
    with (
        logs.bound(question, composed, run=str(pk), account=account),
        tracing.span("run", {**told, **tracing.content({"input.value": question})}),
    ):
        try:
            yield
        finally:
            counters.flush()


def node(name: str, ms: float) -> None:
    """Count a node that has ended."""
    counters.observe("node_seconds", ms / 1000, node=name)


def calls(made: "Iterable[Call]") -> None:
    """Count requests to models."""
    for call in made:
        counters.count("model_requests", role=call.role, outcome=call.outcome)
        counters.count("model_tokens", call.tokens_in, role=call.role, direction="in")
        counters.count("model_tokens", call.tokens_out, role=call.role, direction="out")
        counters.count("model_cost_usd", float(call.cost), role=call.role)


def given_up(many: int) -> None:
    """Count runs that are not tried again."""
    if many:
        counters.count("runs", many, outcome=str(Run.Outcome.ERROR), refusal_code="")
        counters.flush()


def closed(fields: dict[str, Any]) -> None:
    """Count a run that has ended, with these columns."""
    outcome, code = str(fields["outcome"]), fields.get("refusal_code", "")
    counters.count("runs", outcome=outcome, refusal_code=code)
    if (ms := fields.get("ms")) is not None:
        counters.observe("run_seconds", ms / 1000, outcome=outcome)
    tracing.describe({"diligence.outcome": outcome, "diligence.refusal_code": code})
    logger.info("Ended: %s%s", outcome, f" ({code})" if code else "")
