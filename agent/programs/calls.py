"""Runs programs on models, the only place that does: timeout, retries, budget, breaker, and a record of every call."""

import logging
import math
import time
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import dspy
from django.conf import settings
from dspy import lm15
from dspy.utils.exceptions import AdapterParseError, LMError, LMUnexpectedError
from tenacity import RetryCallState, Retrying, retry_if_exception, wait_exponential_jitter

from agent.programs import breaker, call_tracing, reading_cache
from agent.programs.adapter import StrictJSON
from agent.programs.budget import Budget, Usage
from agent.programs.endpoint import Exchange
from agent.programs.failures import ModelFailed, Reason, refused, unread
from agent.programs.models import Model, Models, Role, language_model
from agent.programs.program import Program

__all__ = ["Call", "ModelFailed", "Reason", "Session", "ask", "begin"]

logger = logging.getLogger(__name__)
# dspy logs each truncated reply; the record here has it already.
logging.getLogger("dspy").setLevel(logging.ERROR)

# Requests for one decision, the first included, by reason: which failures a retry may help, and how often.
TRIES = {"rate_limited": 3, "unavailable": 3, "timeout": 2, "unparsable": 2}
MOST_TRIES = max(TRIES.values())
# Longer waits that a server asks for are not waited out: a person is waiting too.
LONGEST_WAIT = 20.0
FIRST_WAIT = 0.5
backoff = wait_exponential_jitter(multiplier=FIRST_WAIT, max=LONGEST_WAIT / 2, jitter=FIRST_WAIT)
# Seconds that a run may need after its last call, for example to search and answer without a model, and the largest
# share of its time reserved for them.
RESERVE, MOST_RESERVED = 5.0, 0.25
# With less time left than this, no request is made.
LEAST_SECONDS = 0.05
# In English, with today's tokenizers.
CHARACTERS_A_TOKEN = 4
ADAPTER = StrictJSON()


def instructions(signature: type[dspy.Signature]) -> str:
    """Everything a program's model is told before its inputs, which users must never see repeated."""
    return ADAPTER.format_system_message(signature)


@dataclass(frozen=True)
class Call:
    """One request to a model: `outcome` is "ok" or a reason. USD, milliseconds.

    sent: whether it was made, rather than stopped by breaker, budget or deadline.
    """

    program: str
    version: str
    model: str
    role: Role
    tokens_in: int
    tokens_out: int
    estimated: bool
    cost: Decimal
    ms: int
    outcome: str
    sent: bool = True


@dataclass
class Session:
    """A run's models, budget, and calls. Shared by the run's threads."""

    models: Models
    budget: Budget
    calls: list[Call] = field(default_factory=list)
    # Whether anything was done without a planned model, index or embedding: such an answer is not cached.
    degraded: bool = False
    # Seconds for the run in any mode, from its beginning.
    most: float = math.inf
    # Tokens in any mode: reserved from the asker's quota. None for no limit.
    quota: int | None = None

    def allow(self, mode: str) -> None:
        """Give the run the budget that the settings allow for a mode."""
        self.budget.limit(**limits(mode, self.most, self.quota))


def begin(models: Models, mode: str, seconds: float = math.inf, quota: int | None = None) -> Session:
    """A run's session, with the budget of its mode. `seconds`, `quota`: upper limits, if lower."""
    return Session(models, Budget(**limits(mode, seconds, quota)), most=seconds, quota=quota)


def limits(mode: str, seconds: float, quota: int | None = None) -> dict[str, Any]:
    """The budget that the settings allow for a mode, within so many seconds and tokens."""
    tokens = settings.MODEL_RUN_TOKENS[mode]
    return {
        "tokens": tokens if quota is None else min(tokens, quota),
        "cost": settings.MODEL_RUN_COST[mode],
        "seconds": of_models(min(seconds, settings.MODEL_RUN_DEADLINE[mode])),
    }


def of_models(seconds: float) -> float:
    """The part of a run's time for its models: the rest is reserved to finish before the deadline."""
    return seconds - min(RESERVE, MOST_RESERVED * seconds)


def ask(session: Session, program: Program, *, max_tokens: int | None = None, **inputs: Any) -> dspy.Prediction:
    """Run a program on the model of its role, with retries where they may help.

    `max_tokens` limits the reply further than the model's own limit. Raises ModelFailed.
    """
    failures: list[ModelFailed] = []

    def again(error: BaseException) -> bool:
        if not isinstance(error, ModelFailed) or not error.retryable:
            return False
        failures.append(error)
        return sum(one.reason == error.reason for one in failures) < TRIES[error.reason]

    def wait(state: RetryCallState) -> float:
        if failures[-1].reason == "unparsable":
            return 0.0
        asked = failures[-1].wait
        return backoff(state) if asked is None else asked

    def stop(state: RetryCallState) -> bool:
        # Also before a pause that is too long, or that the run has no time for.
        pause = state.upcoming_sleep
        return state.attempt_number >= MOST_TRIES or pause > LONGEST_WAIT or pause >= session.budget.left().seconds

    retrying = Retrying(
        retry=retry_if_exception(again),
        wait=wait,
        stop=stop,
        sleep=time.sleep,
        reraise=True,
    )
    model = session.models.of(program.role)
    most = min(model.max_tokens, max_tokens or model.max_tokens)
    if not program.remembered:
        return retrying(once, session, program, program.version, model, most, inputs)
    told = reading_cache.key(program, model, inputs)
    found = reading_cache.reply(told)
    if found is None:
        found = retrying(once, session, program, program.version, model, most, inputs)
        reading_cache.keep(told, found)
    return found


def once(
    session: Session, program: Program, version: str, model: Model, most: int, inputs: dict[str, Any]
) -> dspy.Prediction:
    """One request, recorded. Raises ModelFailed."""
    tokens = expected(program, inputs)
    started = time.monotonic()
    seconds = min(model.seconds(most), session.budget.left().seconds)
    exchange = Exchange(model, seconds, most)
    prediction, failed = None, None
    with session.budget.held(tokens + most, model.cost(tokens, most)) as fits:
        if seconds < LEAST_SECONDS:
            failed = ModelFailed("deadline")
        elif not fits:
            failed = ModelFailed("budget")
        else:
            with call_tracing.request(program.name, exchange) as request:
                prediction, failed = guarded(program, exchange, inputs)
                request.ended(used(model, exchange, tokens), failed)
        usage = used(model, exchange, tokens)
        session.budget.spend(usage)
    session.calls.append(
        Call(
            program=program.name,
            version=version,
            model=model.name,
            role=model.role,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            estimated=usage.estimated,
            cost=usage.cost,
            ms=round(1000 * (time.monotonic() - started)),
            outcome=failed.reason if failed else "ok",
            sent=bool(exchange.requests),
        )
    )
    if failed:
        logger.warning("%s: the %s model at %s failed: %s", program.name, model.role, model.host, failed.reason)
        raise failed
    return prediction


def guarded(
    program: Program, exchange: Exchange, inputs: dict[str, Any]
) -> tuple[dspy.Prediction | None, ModelFailed | None]:
    """A prediction or a failure; asks and informs the endpoint's breaker."""
    model = exchange.model
    guard = breaker.of(model.base_url, model.name)
    if not guard.allows():
        return None, ModelFailed("breaker")
    verdict = guard.undecided
    try:
        prediction, failed, blame = answered(program, exchange, inputs)
        verdict = {True: guard.failure, False: guard.succeeded, None: guard.undecided}[blame]
    finally:
        verdict()
    return prediction, failed


def answered(
    program: Program, exchange: Exchange, inputs: dict[str, Any]
) -> tuple[dspy.Prediction | None, ModelFailed | None, bool | None]:
    """A prediction or a failure, and whether the endpoint is to blame; None where that is unknown."""
    # Without trace and history, which would keep prompts for the life of the process.
    context = dspy.context(
        lm=language_model(exchange.model, exchange),
        adapter=ADAPTER,
        trace=None,
        disable_history=True,
        callbacks=[],
        track_usage=False,
        # It would log field values.
        warn_on_type_mismatch=False,
    )
    try:
        with context:
            prediction = program(**inputs)
    except AdapterParseError:
        return None, unread(exchange), False
    except LMError as error:
        cause = error.__cause__
        if isinstance(error, LMUnexpectedError) and cause is not None and not isinstance(cause, lm15.LM15Error):
            # An interruption from outside, such as a worker's time limit, is no failure of the model.
            raise cause from None
        return None, *refused(error, exchange)
    cut = unread(exchange)
    return (None, cut, False) if cut.reason != "unparsable" else (prediction, None, False)


def expected(program: Program, inputs: dict[str, Any]) -> int:
    """Tokens of a program's prompt, estimated by characters."""
    prompt = ADAPTER.format(program.predict.signature, program.predict.demos, inputs)
    return sum(len(message["content"]) for message in prompt) // CHARACTERS_A_TOKEN + 1


def used(model: Model, exchange: Exchange, prompt: int) -> Usage:
    """The usage of an exchange's requests: as reported, else by characters. A request that timed out counts as read.

    prompt: tokens counted for a request whose endpoint reports none.
    """
    tokens_in = tokens_out = 0
    estimated = False
    for reply in exchange.responses:
        usage = reply.usage if reply is not None else None
        if usage is not None and usage.input_tokens is not None and usage.output_tokens is not None:
            tokens_in += usage.input_tokens
            tokens_out += usage.output_tokens
        elif reply is not None or exchange.timed_out:
            estimated = True
            tokens_in += prompt
            tokens_out += len(text_of(reply)) // CHARACTERS_A_TOKEN if reply is not None else 0
    return Usage(tokens_in, tokens_out, model.cost(tokens_in, tokens_out), estimated)


def text_of(reply: lm15.Response) -> str:
    return "".join(getattr(part, "text", "") or "" for part in reply.message.parts)
