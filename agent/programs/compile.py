"""Compiles programs: finds demonstrations and instructions that improve them on examples.

LabeledFewShot asks no model. The others ask the configured ones: the program runs on the model of its role, and the
drafting model proposes instructions. Replies are read as strictly as in a run.
"""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, get_args

import dspy
from dspy import lm15
from dspy.teleprompt import GEPA, BootstrapFewShot, LabeledFewShot, MIPROv2
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from agent.programs.calls import ADAPTER, CHARACTERS_A_TOKEN
from agent.programs.endpoint import Exchange
from agent.programs.metrics import Judge, Judged
from agent.programs.models import Model, Models, language_model
from agent.programs.program import Program

Optimizer = Literal["LabeledFewShot", "BootstrapFewShot", "MIPROv2", "GEPA"]
Shorten = Callable[[dspy.Example], dspy.Example]
OPTIMIZERS: tuple[Optimizer, ...] = get_args(Optimizer)
# A demonstration costs its tokens in every call.
MOST_DEMOS = 4
# Replies with this score may become demonstrations.
GOOD = 0.8
# Servers that reply by a script: their measurements are no scores.
SCRIPTED = "scripted"
# Requests for one reply, where the endpoint fails.
TRIES = 3


class NotCompiled(RuntimeError):
    """A program cannot be compiled; the message says what is missing."""


@dataclass
class Asking:
    """A dspy engine for the many requests of a compilation. Counts usage."""

    model: Model
    requests: int = 0
    cost: Decimal = field(default_factory=Decimal)

    def complete(self, request: lm15.Request) -> lm15.Response:
        """Ask, with retries where the endpoint fails. Raises errors of `dspy.lm15`."""
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
    def of(cls, program: Program, models: Models) -> "Endpoints":
        return cls(Asking(models.of(program.role)), Asking(models.draft))

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
    """A program on a set of examples: the mean score, and forbidden behavior found."""

    score: float
    tripwires: tuple[str, ...]


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
) -> Program:
    """The program with what the optimizer found. Raises NotCompiled.

    program: as written in code. training: examples; complete ones may become demonstrations unchanged. shorten: what a
    demonstration keeps of an example. effort: how many replies GEPA and MIPROv2 may judge; by default by the sizes of
    the sets.
    """
    examples = [example.with_inputs(*program.signature.input_fields) for example in training]
    whole = [one for one in examples if set(program.signature.output_fields) <= set(one.keys())]
    labelled = LabeledFewShot(k=MOST_DEMOS).compile(program, trainset=whole, sample=False)
    if optimizer == "LabeledFewShot":
        if not whole:
            raise NotCompiled(f"No example of {program.name} in the training set has its outputs.")
        return trimmed(labelled, shorten)
    if endpoints is None:
        raise NotCompiled(f"{optimizer} asks a model, and none is configured. LabeledFewShot needs none.")
    if not examples or not development:
        raise NotCompiled(f"{optimizer} needs examples in both sets of {program.name}.")
    labelled._compiled = True
    valid = [example.with_inputs(*program.signature.input_fields) for example in development]
    with endpoints.asked():
        match optimizer:
            case "BootstrapFewShot":
                found = bootstrap(judge).compile(program, teacher=labelled, trainset=examples)
            case "MIPROv2":
                found = mipro(judge, endpoints, effort).compile(
                    program, teacher=labelled, trainset=examples, valset=valid, **trials(effort, len(valid))
                )
            case "GEPA":
                found = gepa(judge, endpoints, effort).compile(program, trainset=examples, valset=valid)
    return trimmed(found, shorten)


def bootstrap(judge: Judge) -> BootstrapFewShot:
    return BootstrapFewShot(
        metric=lambda example, found, trace=None: judge(example, found).score >= GOOD,
        max_bootstrapped_demos=MOST_DEMOS,
        max_labeled_demos=0,
    )


def mipro(judge: Judge, endpoints: Endpoints, effort: int | None) -> MIPROv2:
    """Raises NotCompiled where the package that searches is not installed."""
    if importlib.util.find_spec("optuna") is None:
        raise NotCompiled("MIPROv2 needs the package optuna, which is not installed: pip install optuna.")
    return MIPROv2(
        metric=lambda example, found, trace=None: judge(example, found).score,
        prompt_model=endpoints.lm,
        auto=None if effort else "light",
        num_candidates=3 if effort else None,
        max_bootstrapped_demos=MOST_DEMOS,
        max_labeled_demos=0,
        num_threads=1,
    )


def trials(effort: int | None, size: int) -> dict[str, Any]:
    return {"num_trials": max(1, effort // size), "minibatch": False} if effort else {}


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


def trimmed(program: Program, shorten: Shorten) -> Program:
    """A program whose demonstrations have only the fields of its signature."""
    demos = [dict(shorten(demo).items()) for demo in program.predict.demos]
    program.predict.demos = [
        dspy.Example(**{name: demo[name] for name in program.signature.fields if name in demo}) for demo in demos
    ]
    return program


def measured(program: Program, examples: Sequence[dspy.Example], judge: Judge, endpoints: Endpoints) -> Measured:
    """Run a program on examples. A failed reply scores 0."""
    scores, tripwires = [], []
    with endpoints.asked():
        for example in examples:
            judged = judged_reply(program, example, judge)
            scores.append(judged.score)
            if judged.tripwire:
                tripwires.append(judged.tripwire)
    return Measured(sum(scores) / len(scores) if scores else 0.0, tuple(tripwires))


def judged_reply(program: Program, example: dspy.Example, judge: Judge) -> Judged:
    inputs = {name: example[name] for name in program.signature.input_fields}
    try:
        found = program(**inputs)
    except dspy.utils.exceptions.AdapterParseError:
        return Judged(0.0, "The reply does not have the form that was asked for.")
    except dspy.utils.exceptions.LMError as error:
        raise NotCompiled(f"The {program.role} model cannot be asked: {type(error).__name__}.") from None
    return judge(example, found)
