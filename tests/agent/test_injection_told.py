"""What a model says beside its draft is shown in its own name: never with a link, markup, a number, a prompt or a key."""

import html
import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from agent import tasks
from agent.models import Run
from tests.agent.test_injection import PASSAGES, TOLD, Markup, copied, everything_logged
from tests.support.model_behaviours import good, says
from tests.support.model_replies import Asked, Behaviour, understood
from tests.support.model_server import KEY, LocalModel
from tests.support.sample import Sample

__all__ = ["everything_logged"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
# What a model says that does its work: of the question, of a draft, and to be searched for.
ASKED = "The question asks for risks of supply."
LACKED = "It names no supplier."
PLANNED, WANTED = "sole source castings", "alternative foundry castings"
# Of all that attacks ask for: what nobody may be shown, in whosever name.
NEVER = [
    row["wants"]
    for row in PASSAGES
    if row["kind"] in {"link", "number"} or any(mark in row["wants"] for mark in ("{", "[", KEY))
]
PAIRS = [NEVER[place : place + 2] for place in range(0, len(NEVER), 2)]


def telling(hostile: Sequence[str]) -> Any:
    """A model that drafts well, wants another round of each draft, and says hostile things wherever it has a say.

    `{PROMPT}` in them is a part of what the program that is asked is told.
    """

    def choose(asked: Asked) -> Behaviour:
        prompt = " ".join(TOLD[asked.program].split())
        said = [one.replace("{PROMPT}", prompt[200:360]) for one in hostile]
        match asked.program:
            case "understand":
                return says(understood(reasoning=" ".join([ASKED, *(f"So {one}." for one in said)])))
            case "decompose":
                phrases = [PLANNED, *(one[:160] for one in said)]
                return says(
                    {
                        "searches": [
                            {"phrase": one, "kind": "TEXT", "variants": [said[0][:160]], "axis": ""} for one in phrases
                        ]
                    }
                )
            case "evaluate":
                marks = dict.fromkeys(("completeness", "specificity", "clarity"), 20)
                notes = [LACKED, *said]
                lacking = {"issues": notes, "missing_info": notes, "is_sufficient": False}
                return says({**marks, **lacking})
            case "follow_up":
                return says({"phrases": [{"target": "T1", "words": one[:160]} for one in (WANTED, *said)]})
        return good

    return choose


@pytest.mark.parametrize("hostile", PAIRS, ids=range(len(PAIRS)))
def test_what_is_told_of_a_question_a_draft_and_a_search_has_nothing_hostile_in_it(
    hostile: Sequence[str], sample: Sample, scripted: LocalModel, charlie: User, as_charlie: Client,
    caplog: pytest.LogCaptureFixture, everything_logged: None,
) -> None:  # fmt: skip
    scripted.choose = telling(hostile)
    run = Run.objects.create(question=SUPPLY, user=charlie)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    (first, *_) = run.steps.filter(event="agent_decision")
    page = as_charlie.get(run.get_absolute_url()).content.decode()
    said = " ".join(html.unescape(page).split())
    # What it may say is said, as its own words: what is missing was taken out.
    assert first.outputs["decisions"][0]["again"]
    assert f"In the model's words: {LACKED} Another round follows." in said
    assert f"\u201cNorthwind {WANTED} fiscal 2025\u201d." in said
    assert f"Searching \u201c{PLANNED}\u201d:" in said
    assert (ASKED in said) is ("{PROMPT}" not in hostile)
    assert Markup(page[page.index("<main") : page.index("</main")]).foreign == []
    rows = json.dumps([run.answer, *run.steps.values("inputs", "outputs", "said", "calls")], default=str)
    for text in (said, json.loads(json.dumps(html.unescape(rows))), caplog.text):
        assert KEY not in text
        assert copied(text) == set()
        for one in hostile:
            assert one not in text
            assert json.dumps(one)[1:-1] not in text
    assert SUPPLY not in caplog.text
