"""The scripted model reads what programs ask, answers as the protocol wants, and keeps to its script."""

import json
import urllib.request
from typing import Any

import pytest

from agent.programs import program_inputs
from agent.programs.calls import ModelFailed, ask
from agent.programs.program import Program
from tests.agent.programs.asked import WeighProgram
from tests.support import model_behaviours as replies
from tests.support.model_behaviours import ALL, says
from tests.support.model_replies import Asked, Reply, read
from tests.support.model_server import LocalModel, seeded

TEXTS = [
    "We depend on a small number of suppliers for critical components. We spent $5 million in 2024 on them.",
    "Revenue was $12 million in 2024 and $11 million in 2023. Competition in our markets is intense and global.",
    "No sentence here",
]
PASSAGES = program_inputs.fenced([("Item 1A", "12", text) for text in TEXTS])


def post(url: str, **body: Any) -> dict[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request) as response:  # noqa: S310
        found: dict[str, Any] = json.loads(response.read())
        return found


def drafted(model: LocalModel) -> list[dict[str, str]]:
    """Claims of a draft, as a program gets them; no program's own checks."""
    from agent.programs.draft import program

    found = ask(model.session(), program(), question="What is said?", passages=PASSAGES, facts=[], feedback=[])
    return [claim.model_dump() for claim in found.drafted.claims]


def programs() -> list[type[Program]]:
    from agent.programs import decompose, draft, evaluate, follow_up, rerank, review_refusal, understand

    modules = (decompose, draft, evaluate, follow_up, rerank, review_refusal, understand)
    return [
        found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, Program) and found is not Program
    ]


def inputs_of(program: Program) -> dict[str, Any]:
    """A value for each input field."""
    given: dict[str, Any] = {"passages": PASSAGES}
    return {
        name: given.get(name, "What does it say of suppliers?" if field.annotation is str else [])
        for name, field in program.signature.input_fields.items()
    }


@pytest.mark.parametrize("kind", programs(), ids=lambda kind: kind.name)
def test_every_program_is_known_and_gets_a_good_reply(model: LocalModel, kind: type[Program]) -> None:
    program = kind()
    found = ask(model.session(), program, **inputs_of(program))
    assert all(getattr(found, name) is not None for name in program.signature.output_fields)
    assert len(model.asked) == 1
    assert program.name.startswith(model.asked[0].program)
    assert model.asked[0].inputs["question"] == "What does it say of suppliers?"


def test_a_good_draft_quotes_the_passages_of_the_request(model: LocalModel) -> None:
    assert drafted(model) == [
        {"text": quote, "quote": quote, "passage": place}
        for quote, place in [
            ("We depend on a small number of suppliers for critical components.", "P1"),
            ("Competition in our markets is intense and global.", "P2"),
        ]
    ]


def test_drafts_go_wrong_each_in_its_own_way(model: LocalModel) -> None:
    good = drafted(model)
    model.behave(
        replies.wrong_quote,
        replies.wrong_passage,
        replies.other_text,
        replies.invented_number,
        replies.digits_in_words,
    )
    quote, passage, text, number, words = (drafted(model) for _ in range(5))
    for changed, parts in ((quote, {"quote"}), (passage, {"passage"}), (text, {"text"}), (number, {"text"})):
        for was, now in zip(good, changed, strict=True):
            assert {name for name in was if was[name] != now[name]} == parts
    assert not [claim for claim in quote if any(claim["quote"] in text for text in TEXTS)]
    assert [claim["passage"] for claim in passage] == ["P2", "P3"]
    assert all("$123.4 million" in claim["text"] for claim in number)
    assert not [claim for claim in words if any(one.isdigit() for one in claim["text"])]


def test_a_script_is_kept_program_by_program_and_then_it_is_good(model: LocalModel) -> None:
    model.behave(says("for drafts"), program="draft")
    model.behave(says({"side": "no", "echo": "first"}))
    weigh = WeighProgram()
    assert ask(model.session(), weigh, question="?").verdict.echo == "first"
    assert ask(model.session(), weigh, question="?").verdict.side == "yes"
    assert len(drafted(model)) == 2
    # The scripted reply was tried first, and could not be read.
    assert [asked.program for asked in model.asked] == ["", "", "draft", "draft"]


def test_what_always_holds_comes_after_the_script(model: LocalModel) -> None:
    model.always(replies.refusal)
    model.behave(replies.good)
    assert ask(model.session(), WeighProgram(), question="?").verdict.side == "yes"
    with pytest.raises(ModelFailed):
        ask(model.session(), WeighProgram(), question="?")


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_behaviour_answers_any_program(model: LocalModel, name: str) -> None:
    asked = read(
        {"model": "m", "messages": [{"role": "system", "content": "x"}, {"role": "user", "content": "Hello?"}]}
    )
    assert isinstance(ALL[name](asked), Reply)


def test_chance_is_the_same_for_the_same_seed() -> None:
    asked = Asked({"model": "m"}, "", {}, {})
    one, other = (
        [behaviour(asked) for behaviour in (choose(asked) for _ in range(50))] for choose in (seeded(7), seeded(7))
    )
    assert one == other
    assert len({str(reply) for reply in one}) > 5


def test_it_gives_vectors_and_ranks(model: LocalModel) -> None:
    vectors = post(f"{model.url}/embeddings", model="m", input=["a", "b"])["data"]
    assert [len(one["embedding"]) for one in vectors] == [64, 64]
    assert vectors[0]["embedding"] != vectors[1]["embedding"]
    ranked = post(f"{model.url}/rerank", query="export controls", documents=["x", "Export controls apply"], top_n=1)
    assert ranked["results"] == [{"index": 1, "relevance_score": 1.0}]
    assert [body.get("input") or body["query"] for _, body in model.requests] == [["a", "b"], "export controls"]
