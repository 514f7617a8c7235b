"""`python -m evals.recorded`: records what a strong model replies on questions about the fictional sample.

The replies are kept in evals/recorded_replies.jsonl, a line for each question: what the model replied to each program in
turn, and what was shown. Tests give these replies again (tests/agent/test_recorded_replies.py): what a model said once is
read, verified and shown as it was, without a model. Recorded anew for a release, or when a program asks for another form of
reply: the configured models are asked, on a database with the sample.
"""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.programs import calls
from agent.state import Answer
from agent.state.modes import Mode
from agent.steps import pipeline
from agent.steps.blocks import conclude
from agent.steps.deps import Deps, begun
from evals import prose_golden
from evals.golden import TODAY

AT_ONCE = 4
FILE = Path(__file__).with_name("recorded_replies.jsonl")
# Goldens of the sample, of every kind: answered, unanswerable, with a false premise, on another year.
GOLDENS = (
    "sc001", "sc004", "sc007", "sc012", "sc017", "sc019", "sc025", "sc029", "sc033", "sc036", "sc044", "sc048", "sc060",
    "sc066", "sc087", "st001", "st012", "st013", "st016", "st019", "st036", "st044", "st050", "st062", "st065",
)  # fmt: skip


@dataclass(frozen=True)
class Given:
    """The reply of a model to one request of a program. labels: of the measures, lines and parts that it names by id."""

    program: str
    reply: str
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recorded:
    """A question, the replies of a model in turn, and what came of them: the outcome, and each claim as it was shown."""

    golden: str
    question: str
    outcome: str
    shown: tuple[str, ...]
    replies: tuple[Given, ...]


def read() -> list[Recorded]:
    """What is recorded."""
    rows: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return [
        Recorded(**{**row, "shown": tuple(row["shown"]), "replies": tuple(Given(**one) for one in row["replies"])})
        for row in rows
    ]


def asked(question: str) -> Answer:
    """The answer of the configured models, one round of drafting at first, as by default."""
    session = begun(Mode.STANDARD)
    if session is None:
        sys.exit("No model is configured: see docs/settings.md.")
    deps = replace(Deps.current(TODAY), session=session, selections={})
    return conclude(pipeline.run(question, deps), deps, lambda near: False)


def shown(answer: Answer) -> tuple[str, ...]:
    """Each claim as it is shown."""
    return tuple(claim.shown for block in answer.blocks for claim in block.claims)


def labels(candidates: str) -> dict[str, str]:
    """What a model may name, by its id, from the lines of a request."""
    lines = (line.partition(" ") for line in candidates.splitlines())
    return {name: label for name, _, label in lines if label}


@contextmanager
def listening() -> Iterator[list[Given]]:
    """The replies that models give meanwhile, in turn."""
    replies: list[Given] = []
    answered = calls.answered

    def kept(program: Any, exchange: Any, inputs: Mapping[str, Any]) -> Any:
        outcome = answered(program, exchange, dict(inputs))
        if exchange.responses and (reply := exchange.responses[-1]) is not None:
            said = calls.text_of(reply)
            known = labels(str(inputs.get("candidates", "")))
            named = {one: known[one] for one in re.findall(r"\w+", said) if one in known}
            replies.append(Given(program.name, said, named))
        return outcome

    with mock.patch.object(calls, "answered", kept):
        yield replies


def record(golden: prose_golden.ProseGolden) -> Recorded:
    """What the configured models reply on a golden, and what is shown."""
    with listening() as replies:
        answer = asked(golden.question)
    return Recorded(golden.id, golden.question, answer.outcome, shown(answer), tuple(replies))


def main() -> None:
    goldens = {one.id: one for one in prose_golden.read(prose_golden.SAMPLE)}
    with ProcessPoolExecutor(AT_ONCE) as processes:
        rows = list(processes.map(record, [goldens[name] for name in GOLDENS]))
    FILE.write_text("".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
