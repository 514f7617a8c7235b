"""Compiles programs: finds demonstrations and instructions that improve them on examples.

The program runs on the model of its role, and the drafting model proposes instructions. Replies are read as strictly as in
a run; those kept in a file are not asked for again.
"""

import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from statistics import fmean, median
from typing import Any, Literal

import dspy
from dspy import lm15
from dspy.teleprompt import GEPA, BootstrapFewShot, LabeledFewShot
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from agent.programs.calls import ADAPTER, CHARACTERS_A_TOKEN
from agent.programs.compiled_programs import digest
from agent.programs.endpoint import Exchange
from agent.programs.models import Model, Models, language_model
from agent.programs.program import Program
from agent.programs.scores import Judge, Judged

Optimizer = Literal["LabeledFewShot", "BootstrapFewShot", "GEPA"]
Shorten = Callable[[dspy.Example], dspy.Example]
# A demonstration costs its tokens in every call.
MOST_DEMOS = 4
# Of so many examples of training, at first.
MOST_TRIED = 8
# Replies with this score may become demonstrations.
GOOD = 0.8
# Servers that reply by a script: their measurements are no scores.
SCRIPTED = "scripted"
# Requests for one reply, where the endpoint fails.
TRIES = 3
# Samples by which the interval of a difference is found, and what it leaves out at either end.
SAMPLES, TAIL = 2000, 0.025


class NotCompiled(RuntimeError):
    """A program cannot be compiled; the message says what is missing."""


class Replies:
    """Replies kept in a file, one a line with the digest of its request: what is asked again is taken from it."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, threading.Lock()
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self.held: dict[str, str] = {one["request"]: one["reply"] for one in map(json.loads, lines)}

    def of(self, request: lm15.Request) -> lm15.Response | None:
        """The reply to a request; None where none is kept."""
        held = self.held.get(key(request))
        if held is None:
            return None
        usage = lm15.Usage(input_tokens=prompt_tokens(request), output_tokens=len(held) // CHARACTERS_A_TOKEN)
        message = lm15.Message.assistant(held)
        return lm15.Response(id=None, model=request.model, message=message, finish_reason="stop", usage=usage)

    def keep(self, request: lm15.Request, reply: str) -> None:
        """Add a reply to the file."""
        with self.lock, self.path.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps({"request": key(request), "reply": reply}, ensure_ascii=False) + "\n")
            self.held[key(request)] = reply


def key(request: lm15.Request) -> str:
    """The digest of all that a model is told."""
    return digest([request.model, str(request.system), [str(one) for one in request.messages]])


def prompt_tokens(request: lm15.Request) -> int:
    """About how many tokens a prompt has."""
    return (len(str(request.system)) + sum(len(str(one)) for one in request.messages)) // CHARACTERS_A_TOKEN


@dataclass
class Asking:
    """A dspy engine for the many requests of a compilation. Counts usage, and the tokens of each prompt."""

    model: Model
    replies: Replies | None = None
    requests: int = 0
    cost: Decimal = field(default_factory=Decimal)
    tokens: list[int] = field(default_factory=list)

    def complete(self, request: lm15.Request) -> lm15.Response:
        """The kept reply; else ask, with retries where the endpoint fails. Raises errors of `dspy.lm15`."""
        self.tokens.append(prompt_tokens(request))
        kept = self.replies.of(request) if self.replies else None
        if kept is not None:
            return kept
        found = self.answered(request)
        if self.replies is not None and found.text:
            self.replies.keep(request, found.text)
        return found

    def answered(self, request: lm15.Request) -> lm15.Response:
        failing = (lm15.RateLimitError, lm15.ServerError, lm15.TransportError, lm15.TimeoutError)
        retrying = Retrying(
            retry=retry_if_exception_type(failing),
            wait=wait_exponential_jitter(multiplier=1, max=20),
            stop=stop_after_attempt(TRIES),
            reraise=True,
        )
        return retrying(self.once, request)

    def once(self, request: lm15.Request) -> lm15.Response:
        self.requests += 1
        most = self.model.max_tokens
        found = Exchange(self.model, self.model.seconds(most), most).complete(request)
        usage = found.usage
        if usage is not None and usage.input_tokens is not None and usage.output_tokens is not None:
            self.cost += self.model.cost(usage.input_tokens, usage.output_tokens)
        else:
            self.cost += self.model.cost(len(str(request)) // CHARACTERS_A_TOKEN, self.model.max_tokens)
        return found


@dataclass
class Endpoints:
    """The models used by a compilation."""

    task: Asking
    teacher: Asking

    @classmethod
    def of(cls, program: Program, models: Models, replies: Replies | None = None) -> "Endpoints":
        return cls(Asking(models.of(program.role), replies), Asking(models.draft, replies))

    @property
    def scripted(self) -> bool:
        """Whether a scripted server was asked, so that nothing measured is a score."""
        return SCRIPTED in (self.task.model.name, self.teacher.model.name)

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Programs inside run on the model of their role, and no prompt is kept."""
        lm = language_model(self.task.model, self.task)
        with dspy.context(lm=lm, adapter=ADAPTER, disable_history=True, callbacks=[], warn_on_type_mismatch=False):
            yield

    @property
    def lm(self) -> dspy.LM:
        """The model that proposes instructions."""
        return language_model(self.teacher.model, self.teacher)


@dataclass(frozen=True)
class Measured:
    """A program on a set of examples: the score of each, forbidden behavior found, and the median tokens of a prompt."""

    scores: tuple[float, ...]
    tripwires: tuple[str, ...]
    tokens: int

    @property
    def score(self) -> float:
        """The mean."""
        return fmean(self.scores) if self.scores else 0.0


def gained(before: Measured, after: Measured) -> tuple[float, float]:
    """The interval in which the mean gain of the same examples lies, 95 % of the time (percentile bootstrap)."""
    gains = [new - old for old, new in zip(before.scores, after.scores, strict=True)]
    drawn = random.Random(0)  # noqa: S311 - a sample that is the same each time
    means = sorted(fmean(drawn.choices(gains, k=len(gains))) for _ in range(SAMPLES))
    return means[int(SAMPLES * TAIL)], means[-1 - int(SAMPLES * TAIL)]


def compiled(
    program: Program,
    optimizer: Optimizer,
    training: Sequence[dspy.Example],
    development: Sequence[dspy.Example],
    judge: Judge,
    endpoints: Endpoints | None = None,
    *,
    shorten: Shorten = lambda demo: demo,
    effort: int | None = None,
    threads: int = 1,
) -> Program:
    """The program with what the optimizer found. Raises NotCompiled.

    program: as written in code. training: examples; complete ones may become demonstrations unchanged. shorten: what a
    demonstration keeps of an example. effort: how many replies GEPA may judge; by default by the sizes of the sets.
    """
    examples = [example.with_inputs(*program.signature.input_fields) for example in training]
    whole = [one for one in examples if set(program.signature.output_fields) <= set(one.keys())]
    labelled = LabeledFewShot(k=MOST_DEMOS).compile(program, trainset=whole, sample=False)
    if optimizer == "LabeledFewShot":
        if not whole:
            raise NotCompiled(f"No example of {program.name} in the training set has its outputs.")
        return trimmed(labelled, shorten, examples)
    if endpoints is None:
        raise NotCompiled(f"{optimizer} asks a model, and none is configured. LabeledFewShot needs none.")
    if not examples or not development:
        raise NotCompiled(f"{optimizer} needs examples in both sets of {program.name}.")
    labelled._compiled = True
    if endpoints.task.replies is not None and optimizer == "BootstrapFewShot":
        # It asks one after the other; what is asked at once here is kept for it.
        measured(labelled, examples[:MOST_TRIED], judge, endpoints, threads)
    valid = [example.with_inputs(*program.signature.input_fields) for example in development]
    with endpoints.asked():
        match optimizer:
            case "BootstrapFewShot":
                found = bootstrap(judge).compile(program, teacher=labelled, trainset=examples)
            case "GEPA":
                found = gepa(judge, endpoints, effort).compile(program, trainset=examples, valset=valid)
    return trimmed(found, shorten, examples)


def bootstrap(judge: Judge) -> BootstrapFewShot:
    return BootstrapFewShot(
        metric=lambda example, found, trace=None: judge(example, found).score >= GOOD,
        max_bootstrapped_demos=MOST_DEMOS,
        max_labeled_demos=0,
    )


def gepa(judge: Judge, endpoints: Endpoints, effort: int | None) -> GEPA:
    def metric(
        example: dspy.Example, found: dspy.Prediction, trace: Any = None, name: Any = None, called: Any = None
    ) -> dspy.Prediction:
        judged = judge(example, found)
        return dspy.Prediction(score=judged.score, feedback=judged.feedback)

    return GEPA(
        metric=metric,
        auto=None if effort else "light",
        max_metric_calls=effort,
        reflection_lm=endpoints.lm,
        num_threads=1,
    )


def trimmed(program: Program, shorten: Shorten, examples: Sequence[dspy.Example]) -> Program:
    """A program whose demonstrations have only the fields of its signature. examples: those that they are replies to."""

    def whole(demo: dspy.Example) -> dspy.Example:
        inputs = program.signature.input_fields
        asked = (one for one in examples if all(one[name] == demo[name] for name in inputs))
        told = {name: demo[name] for name in program.signature.output_fields}
        return next(asked, demo).copy(**told)

    demos = [dict(shorten(whole(demo)).items()) for demo in program.predict.demos]
    program.predict.demos = [
        dspy.Example(**{name: demo[name] for name in program.signature.fields if name in demo}) for demo in demos
    ]
    return program


def measured(
    program: Program, examples: Sequence[dspy.Example], judge: Judge, endpoints: Endpoints, threads: int = 1
) -> Measured:
    """Run a program on examples, so many at once. A failed reply scores 0. Raises NotCompiled."""
    begun = len(endpoints.task.tokens)

    def asked(example: dspy.Example) -> dspy.Prediction | None:
        with endpoints.asked():
            return reply_of(program, example)

    with ThreadPoolExecutor(threads) as pool:
        replies = list(pool.map(asked, examples))
    found = [
        Judged(0.0, "The reply does not have the form that was asked for.") if said is None else judge(example, said)
        for example, said in zip(examples, replies, strict=True)
    ]
    tokens = endpoints.task.tokens[begun:]
    return Measured(
        tuple(one.score for one in found),
        tuple(one.tripwire for one in found if one.tripwire),
        int(median(tokens)) if tokens else 0,
    )


def reply_of(program: Program, example: dspy.Example) -> dspy.Prediction | None:
    """A program's reply to an example; None where it is not in form. Raises NotCompiled."""
    try:
        return program(**{name: example[name] for name in program.signature.input_fields})
    except dspy.utils.exceptions.AdapterParseError:
        return None
    except dspy.utils.exceptions.LMError as error:
        raise NotCompiled(f"The {program.role} model cannot be asked: {type(error).__name__}.") from None
