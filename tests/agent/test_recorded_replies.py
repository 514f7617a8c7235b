"""What a strong model once replied is read, verified and shown as it was then (evals/recorded.py)."""

import json
import re
from collections import Counter, defaultdict
from typing import Any

import pytest

from agent.certificates.verify import reverify
from agent.prose.text.folding import places
from evals import recorded
from tests.support.model_replies import Asked, Behaviour, Reply
from tests.support.model_server import LocalModel

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sample")]

RECORDED = recorded.read()


class Replayed:
    """Gives each program the replies recorded for a question, in turn; the last one again where it asks more often."""

    def __init__(self, row: recorded.Recorded) -> None:
        self.left = defaultdict(list)
        for one in row.replies:
            self.left[one.program.removesuffix("_by_axis")].append(one)

    def __call__(self, asked: Asked) -> Behaviour:
        waiting = self.left[asked.program]
        assert waiting, f"Nothing is recorded for {asked.program}."
        given = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return lambda asked: Reply(told(given, asked))


def told(given: recorded.Given, asked: Asked) -> str:
    """A recorded reply with the ids that this request has: of passages by what is quoted of them, of measures by label."""
    ids = {label: name for name, label in recorded.labels(str(asked.inputs.get("candidates", ""))).items()}
    text = given.reply
    if given.labels:
        text = re.sub(
            rf'"({"|".join(map(re.escape, given.labels))})"',
            lambda found: json.dumps(ids.get(given.labels[found[1]], found[1])),
            text,
        )
    reply = json.loads(text)
    for claim in claims(reply):
        holding = [one["id"] for one in asked.passages if places(claim["quote"], one["text"])]
        claim["passage"] = holding[0] if holding and claim["passage"] not in holding else claim["passage"]
    return json.dumps(reply)


def claims(value: Any) -> list[dict[str, Any]]:
    """Everything in a reply that quotes a passage."""
    if isinstance(value, dict):
        own = [value] if {"quote", "passage"} <= value.keys() else []
        return own + [one for inner in value.values() for one in claims(inner)]
    return [one for inner in value for one in claims(inner)] if isinstance(value, list) else []


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: row.golden)
def test_what_a_model_once_replied_is_shown_as_then(row: recorded.Recorded, scripted: LocalModel) -> None:
    scripted.choose = Replayed(row)
    answer = recorded.asked(row.question)
    assert answer.outcome == row.outcome
    assert Counter(recorded.shown(answer)) == Counter(row.shown)
    assert all(check.ok for check in reverify(answer))
