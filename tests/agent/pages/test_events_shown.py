"""Every kind of event: made by a run, told on its page in the order in which it happened, replayed in admin."""

import json
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.programs import decompose, draft, evaluate, follow_up, understand
from agent.state.modes import Mode
from agent.web.pages.progress import EVENTS
from tests.support.computed_replies import computing, figure, judging_by
from tests.support.model_behaviours import good, other_text, says, server_error
from tests.support.model_replies import Behaviour, understood
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
POOR = {
    "completeness": 40, "specificity": 40, "clarity": 60, "issues": ["It says nothing of prices."],
    "missing_info": ["What was done about it."], "is_sufficient": False,
}  # fmt: skip
NOTHING = says({"claims": [], "not_found": []})
DIRECTED = says({"refusal_stands": True, "direction": "not a yes/no question", "claims": [], "caveats": []})

FIGURES = {
    "understand": says(
        understood(type="A+B", companies=["Northwind"], periods=["fiscal 2025"], topics=["supply risks"])
    ),
    "compute": computing(figure("{Capital expenditures} / {Total revenue}", "percent")),
    "judge_figures": judging_by("no", {"figure": "F1", "relation": "positive"}),
}

# What is told of each, where the model answers so. The name is the page's own.
KINDS: list[tuple[str, dict[str, Behaviour], str, str]] = [
    ("reasoning", {}, "In the model's words", r"The question asks what the filing says of this subject\."),
    ("plan", {}, "Plan", r"Read: “supply” topic, .*“Northwind” company, “fiscal 2025” period\. Mode: standard\."),
    ("search", {}, "Search", r"\d+ passages of Item 1A, .* Searching “.+”: \d+ passages of Item .*"),
    ("draft", {}, "Draft", r"5 claims drafted from \d+ passages\."),
    ("cite_check", {}, "Check citations", r"5 of 5 claims verified against the filing\."),
    ("cite_check", {"draft": other_text}, "Check citations", r"0 of 5 claims verified .* 5 dropped: It leaves out .*"),
    ("agent_decision", {}, "Judge", r"Score 0\.93; 0\.80 is enough\. It is good enough for its mode\."),
    (
        "agent_decision",
        {"evaluate": says(POOR)},
        "Judge",
        r"Score 0\.\d\d; 0\.80 is enough\. In the model's words: It says nothing of prices\. Another round follows\.",
    ),
    (
        "iteration_followup",
        {"evaluate": says(POOR)},
        "Next search",
        r"“Northwind further detail disclosed fiscal 2025”\.",
    ),
    (
        "iteration_followup",
        {"draft": other_text},
        "Next search",
        r"No new search: the draft is rewritten\.",
    ),
    ("judgement", FIGURES, "Judge the figures", r"Read as: no, for 1 reason that code confirmed\."),
    ("iteration_search", {"evaluate": says(POOR)}, "Search again", r"(?:New: \d+ passages? of .*|No new passage was .*)"),
    ("iteration_complete", {}, "Round complete", r"5 claims verified in this round\."),
    ("review", {"draft": NOTHING}, "Second look", r"The first draft found no answer, so passages that .*"),
    ("rejected", {"draft": NOTHING, "review_refusal": DIRECTED}, "Rejected", r"No sentence of Northwind.s .*"),
    ("fallback", {"draft": server_error}, "Without the model", r"The model's endpoint cannot be reached or returned an error\. .*"),
    (
        "result",
        {"evaluate": says(POOR)},
        "Summary",
        r"The answer rests on \d+ passages of 10-K text\. 2 rounds of drafting\. The answer shown scored 0\.\d\d out of 1\. "
        r"\d+\.\d s in all: reasoning \d+\.\d s, retrieval \d+\.\d s, generation \d+\.\d s, verification \d+\.\d s\.",
    ),
]  # fmt: skip


def asked(user: User, model: LocalModel, told: dict[str, Behaviour]) -> Run:
    """A run of a user's that a worker has answered."""
    for program, behaviour in told.items():
        model.always(behaviour, program=program)
    run = Run.objects.create(question=SUPPLY, user=user)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.status == Run.Status.DONE
    return run


def trail(client: Client, run: Run) -> list[tuple[str, str]]:
    """(name, words) of each line of the trail on a run's page; a round's beginning is its title alone."""
    page = client.get(run.get_absolute_url()).content.decode()
    page = page[page.index('<div class="rounds">') :]
    lines = re.findall(
        r'<h3 class="round__title">(?P<title>[^<]*)<|step__name">(?P<name>[^<]*)<.*?step__what">(?P<said>.*?)</p>',
        page,
        re.DOTALL,
    )
    return [("Round", unescape(title)) if title else (unescape(name), unescape(said)) for title, name, said in lines]


def test_every_kind_of_event_is_looked_at() -> None:
    elsewhere = {"fetch", "locate", "iteration_start", "validate", "recalled"}
    assert {event for event, *_ in KINDS} == set(EVENTS) - elsewhere


@pytest.mark.parametrize(("event", "told", "name", "said"), KINDS, ids=[f"{row[0]}-{len(row[1])}" for row in KINDS])
def test_it_is_a_row_and_a_line_of_the_page(
    event: str, told: dict[str, Behaviour], name: str, said: str,
    sample: Sample, scripted: LocalModel, alice: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if told.get("draft") is NOTHING:
        # The first draft has room for a part of the passages.
        monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))
    run = asked(alice, scripted, told)
    rows = [step.said for step in run.steps.filter(event=event)]
    assert re.fullmatch(said, rows[0])
    shown = [words for title, words in trail(as_alice, run) if title == name]
    assert shown == rows


def test_the_page_tells_every_row_in_its_order(
    sample: Sample, scripted: LocalModel, alice: User, as_alice: Client
) -> None:
    run = asked(alice, scripted, {"evaluate": says(POOR)})
    told = [
        ("Round", step.said) if step.event == "iteration_start" else (EVENTS[step.event], step.said)
        for step in run.steps.all()
    ]
    shown = [
        line for line in trail(as_alice, run) if line not in {("Round", "Reading the question"), ("Round", "Result")}
    ]
    assert shown == told
    assert ("Round", "Round 2 of at most 3") in shown


def test_a_run_is_replayed_from_its_rows(
    sample: Sample, scripted: LocalModel, charlie: User, as_charlie: Client
) -> None:
    """What each node read and wrote, and each request with its program's version, tokens and milliseconds."""
    run = asked(charlie, scripted, {"evaluate": says(POOR)})
    page = unescape(as_charlie.get(reverse("admin:agent_run_change", args=[run.pk])).content.decode())
    place = 0
    for step in run.steps.all():
        place = page.index(f"Attempt 1, step {step.sequence}", place)
        for value in (step.inputs, step.outputs):
            assert json.dumps(value, indent=2, ensure_ascii=False) in page[place:]
    programs = (understand, decompose, draft, evaluate, follow_up)
    versions = {module.program().name: module.program().version for module in programs}
    made = [call for step in run.steps.all() for call in step.calls]
    assert {call["program"]: call["version"] for call in made} == versions
    for call in made:
        tokens = f"{call['tokens_in']} in, {call['tokens_out']} out"
        assert (
            f"{call['program']} {versions[call['program']]}, scripted: {tokens}, ${call['cost']}, {call['ms']} ms"
            in page
        )
    # Of every record of the state the row that added it, and of every node how long it took.
    outputs = {name for step in run.steps.all() for name in step.outputs}
    assert outputs >= {"plan", "filings", "locations", "retrievals", "claims", "verified", "evaluations", "decisions"}
    nodes = ("plan", "fetch", "locate", "retrieve", "validate", "cite_check", "reflect")
    assert all(run.steps.filter(node=node, ms__gt=0).exists() for node in nodes)


def test_what_a_round_has_verified_can_be_read_in_the_replay(
    sample: Sample, scripted: LocalModel, charlie: User, as_charlie: Client
) -> None:
    scripted.always(good)
    run = asked(charlie, scripted, {})
    page = unescape(as_charlie.get(reverse("admin:agent_run_change", args=[run.pk])).content.decode())
    for block in run.answer["blocks"]:
        for claim in block["claims"]:
            assert json.dumps(claim["quote"], ensure_ascii=False) in page
