"""The only place that runs a program on a model: timeout, retries, budget, breaker, and a record of every call."""

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
# It says of each reply that was cut off that it was, beside what is recorded here.
logging.getLogger("dspy").setLevel(logging.ERROR)

# Requests for one decision, the first included: what may help when it is asked again, and how often.
TRIES = {"rate_limited": 3, "unavailable": 3, "timeout": 2, "unparsable": 2}
MOST_TRIES = max(TRIES.values())
# A longer wait that a server asks for is not waited out: a person is waiting too.
LONGEST_WAIT = 20.0
FIRST_WAIT = 0.5
backoff = wait_exponential_jitter(multiplier=FIRST_WAIT, max=LONGEST_WAIT / 2, jitter=FIRST_WAIT)
# Seconds that a run may need behind its last call, as to search and answer without the model; and the most of its time
# that is kept for them.
RESERVE, MOST_RESERVED = 5.0, 0.25
# Below this a request is not worth making.
LEAST_SECONDS = 0.05
# Of English in the tokenizers of today.
CHARACTERS_A_TOKEN = 4
ADAPTER = StrictJSON()


def instructions(signature: type[dspy.Signature]) -> str:
    """All that a program's model is told before its inputs: what no word that people see may repeat."""
    return ADAPTER.format_system_message(signature)


@dataclass(frozen=True)
class Call:
    """One request to a model, whatever came of it: `outcome` is "ok" or a reason. USD, milliseconds.

    sent: whether it was made, and not held back by the breaker, the budget or the deadline.
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
    """A run's models, what they may spend, and every call that was made. Shared by the run's threads."""

    models: Models
    budget: Budget
    calls: list[Call] = field(default_factory=list)
    # Whether anything was done without a model, an index or an embedding, or with less of it, than was planned: such an
    # answer is not kept.
    degraded: bool = False
    # Seconds that the run has in any mode, from its beginning.
    most: float = math.inf
    # Tokens that it has in any mode: what is reserved of its asker's quota. None for no limit.
    quota: int | None = None

    def allow(self, mode: str) -> None:
        """Let the run spend in all what the settings let one of this mode spend."""
        self.budget.limit(**limits(mode, self.most, self.quota))


def begin(models: Models, mode: str, seconds: float = math.inf, quota: int | None = None) -> Session:
    """A run's session: what the settings let a run of this mode spend. `seconds`, `quota`: what it has, if less."""
    return Session(models, Budget(**limits(mode, seconds, quota)), most=seconds, quota=quota)


def limits(mode: str, seconds: float, quota: int | None = None) -> dict[str, Any]:
    """What the settings let a run of a mode spend, in no more than so many seconds and tokens."""
    tokens = settings.MODEL_RUN_TOKENS[mode]
    return {
        "tokens": tokens if quota is None else min(tokens, quota),
        "cost": settings.MODEL_RUN_COST[mode],
        "seconds": of_models(min(seconds, settings.MODEL_RUN_DEADLINE[mode])),
    }


def of_models(seconds: float) -> float:
    """What of a run's time its models may take: the rest is kept for its end, that it comes before the deadline."""
    return seconds - min(RESERVE, MOST_RESERVED * seconds)


def ask(session: Session, program: Program, *, max_tokens: int | None = None, **inputs: Any) -> dspy.Prediction:
    """Run a program on the model of its role, and again where that may help.

    `max_tokens` bounds the reply further than the model's own limit. Raises ModelFailed.
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
        # Also before a pause that is not worth waiting out, or that the run has no time for.
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
    """A prediction or a failure, with the endpoint's breaker asked before and told after."""
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
    """A prediction or a failure, and whether the endpoint is to blame; None where that is not known."""
    # Nothing of the context is a trace or a history: both would keep prompts for the life of the process.
    context = dspy.context(
        lm=language_model(exchange.model, exchange),
        adapter=ADAPTER,
        trace=None,
        disable_history=True,
        callbacks=[],
        track_usage=False,
        # It would log the value of a field.
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
            # What interrupts us while we wait, as a worker's time limit, is no failure of the model.
            raise cause from None
        return None, *refused(error, exchange)
    cut = unread(exchange)
    return (None, cut, False) if cut.reason != "unparsable" else (prediction, None, False)


def expected(program: Program, inputs: dict[str, Any]) -> int:
    """Tokens of a program's prompt, by its characters."""
    prompt = ADAPTER.format(program.predict.signature, program.predict.demos, inputs)
    return sum(len(message["content"]) for message in prompt) // CHARACTERS_A_TOKEN + 1


def used(model: Model, exchange: Exchange, prompt: int) -> Usage:
    """What the requests of an exchange used: as reported, else by the characters. One that timed out was read.

    prompt: tokens that are counted for a request of which the endpoint does not say.
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
