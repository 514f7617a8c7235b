"""A question asked on the page, whatever the model answers: what the page says, which rows are kept, what it costs."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import pytest
from celery import current_app
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from agent.models import Run
from agent.programs.failures import SENTENCES
from agent.state.modes import Mode
from tests.agent.pages.test_views_run import text
from tests.support.model_behaviours import ALL, good, says
from tests.support.model_replies import Asked, Behaviour
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
# A name that stands nowhere in the filing; a model that quotes what was found answers with what is near.
ZEPPELIN = "Does Northwind own a Zeppelin?"
PLAIN = "The passages shown were found without a language model."
UNVERIFIED = "Nothing the language model drafted could be verified."
# USD for a million tokens, in and out: of each role its own.
PRICES = {"PLAN": (Decimal("0.25"), Decimal(2)), "DRAFT": (Decimal(3), Decimal(15))}
DRAFTS = ("draft", "review_refusal")
BY_RULES = "read with scripted, no draft of a model"
# How long a step took, as the page says it.
TIME = re.compile(r"(?<= note )[\d.]+ m?s ")

# What of a false draft may be found nowhere.
FALSE = (
    "$123.4", "four hundred and twelve", "stopped selling", "double its business", "evil.example", "gnp.exe",
    "Ignore all previous", "SECRET OF THE SERVER",
)  # fmt: skip

READING = ("reasoning", "plan", "fetch", "locate", "iteration_start", "search")
CHECKED = ("cite_check", "agent_decision", "iteration_complete", "result")
# A last round without the model.
PLAINLY = ("iteration_followup", "iteration_complete", "iteration_start", "iteration_search", "fallback")
FOUND = ("cite_check", "iteration_complete", "result")


@dataclass(frozen=True)
class FallbackSearch:
    """What becomes of a question whose draft is answered so. note: why the answer is not the model's draft, if so."""

    requests: tuple[str, ...]
    events: tuple[str, ...]
    verified: str
    note: str = ""


def failed(reason: str, tries: int) -> FallbackSearch:
    return FallbackSearch(
        (reason,) * tries, (*READING, "fallback", *FOUND), "1 of 1 sentence quoted", SENTENCES[reason]
    )


def rejected(why: str) -> FallbackSearch:
    drafted = ("draft", "cite_check", "rejected", "agent_decision")
    # It is drafted again, with the reasons.
    again = ("iteration_followup", "iteration_complete", "iteration_start", "iteration_search")
    told = (*READING, *drafted, *again, *drafted, *PLAINLY, *FOUND)
    return FallbackSearch(
        ("ok", "ok"), told, f"0 of 5 claims verified against the filing. 5 dropped: {why}", UNVERIFIED
    )


AS_GOOD = FallbackSearch(("ok",), (*READING, "draft", *CHECKED), "5 of 5 sentences quoted")
# One for each way a draft can go; what else a model may answer is tried below the page.
TOLD = {
    "good": AS_GOOD,
    "digits_in_words": rejected("It contains a number in words that is not in any verified quotation or fact shown."),
    # Nothing of it is a claim that could be verified.
    "hostile_text": FallbackSearch(("ok",), (*READING, "fallback", *FOUND), "1 of 1 claim verified", UNVERIFIED),
    "broken_json": failed("unparsable", 2),
    "slow_body": failed("timeout", 2),
}
IN_VAIN = ("broken_json", "digits_in_words")
LACKING = {
    "completeness": 50, "specificity": 50, "clarity": 50, "issues": [], "missing_info": ["Names of suppliers."],
    "is_sufficient": False,
}  # fmt: skip


@pytest.fixture
def worker(settings: Settings) -> Iterator[None]:
    """Tasks are worked through by this process, as soon as what queues them is committed."""
    for role, (asked, told) in PRICES.items():
        setattr(settings, f"{role}_MODEL_PRICE_IN", float(asked))
        setattr(settings, f"{role}_MODEL_PRICE_OUT", float(told))
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


Ask = Callable[[str], tuple[Run, str]]


@pytest.fixture
def ask(as_charlie: Client, worker: None, django_capture_on_commit_callbacks: Callable[..., object]) -> Ask:
    """Asks on the page, as one of the staff, who see the cost; the run, and the words of its page."""

    def asked(question: str) -> tuple[Run, str]:
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
            response = as_charlie.post("/ask", {"question": question})
        run = Run.objects.get()
        assert response.url == run.get_absolute_url()  # type: ignore[attr-defined]
        return run, text(as_charlie.get(response.url))  # type: ignore[attr-defined]

    return asked


# --- what it must have cost, by what was asked and answered ---


@dataclass(frozen=True)
class Spent:
    """One request as it is to be recorded."""

    program: str
    tokens_in: int
    tokens_out: int
    estimated: bool

    @property
    def cost(self) -> Decimal:
        asked, told = PRICES["DRAFT" if self.program in DRAFTS else "PLAN"]
        return (asked * self.tokens_in + told * self.tokens_out) / 1_000_000


def spent(asked: Asked, behaviour: Behaviour) -> Spent:
    """What the endpoint counts for a request; where it does not say, a token for each four characters."""
    reply = behaviour(asked)
    sent = sum(len(message["content"]) for message in asked.body["messages"]) // 4
    back = len(reply.content or "") // 4
    if reply.wait or reply.trickle:
        return Spent(asked.program, sent + 1, 0, True)  # read, and not answered in time
    if reply.status != 200 or reply.body is not None:
        return Spent(asked.program, 0, 0, False)
    return Spent(asked.program, sent + (not reply.usage), back, not reply.usage)


def check_costs(run: Run, page: str, model: LocalModel, said: dict[str, Behaviour], admin: Client) -> Decimal:
    """Each request on one row with its tokens and its price; their sums on the page; all of them in admin.

    said: how programs were answered, where not well. The cost of the run, in USD.
    """
    due = [spent(asked, said.get(asked.program, good)) for asked in model.asked]
    steps = list(run.steps.all())
    made = [call for step in steps for call in step.calls]
    told = [Spent(call["program"], call["tokens_in"], call["tokens_out"], call["estimated"]) for call in made]
    assert told == due
    assert [Decimal(call["cost"]) for call in made] == [one.cost for one in due]
    for step in steps:
        assert step.cost == sum((Decimal(call["cost"]) for call in step.calls), Decimal(0))
    total = sum((step.cost for step in steps), Decimal(0))
    assert total == sum((one.cost for one in due), Decimal(0))
    tokens = f"{sum(one.tokens_in for one in due)} tokens in, {sum(one.tokens_out for one in due)} out"
    guessed = ", partly estimated" if any(one.estimated for one in due) else ""
    cost = total.quantize(Decimal("0.000001"), ROUND_HALF_UP)
    assert f"{len(due)} requests, {tokens}{guessed}, {cost} US dollars." in page
    replay = admin.get(reverse("admin:agent_run_change", args=[run.pk])).content.decode()
    for call, one in zip(made, due, strict=True):
        marked = " (estimated)" if one.estimated else ""
        assert (
            f"{one.program} {call['version']}, scripted: {one.tokens_in} in, {one.tokens_out} out{marked}, "
            f"${call['cost']}, {call['ms']} ms, {call['outcome']}"
        ) in replay
    return total


def check_page(run: Run, page: str, name: str) -> None:
    """What is true of every page, whatever the model has said."""
    told = TOLD[name]
    assert f"standard, {'drafted by scripted, checked by code' if not told.note else BY_RULES}" in page
    for words in FALSE:
        assert words not in page
        assert words not in str(run.answer)


def requests(run: Run, *programs: str) -> list[tuple[str, str]]:
    """(program, outcome) of the requests of these programs, in order."""
    made = [call for step in run.steps.all() for call in step.calls]
    return [(call["program"], call["outcome"]) for call in made if call["program"] in programs]


def events(run: Run) -> tuple[str, ...]:
    return tuple(run.steps.values_list("event", flat=True))


def patience(name: str, settings: Settings) -> None:
    """Those that take their time are not waited for long."""
    if name in {"hang", "slow_body"}:
        settings.DRAFT_MODEL_TIMEOUT = 0.2


# --- the draft ---


@pytest.mark.parametrize("name", sorted(TOLD))
def test_a_question_that_can_be_answered_is_whatever_is_drafted(
    name: str, sample: Sample, scripted: LocalModel, settings: Settings, ask: Ask, as_charlie: Client
) -> None:
    told = TOLD[name]
    patience(name, settings)
    scripted.always(ALL[name], program="draft")
    run, page = ask(SUPPLY)
    assert (run.status, run.outcome, run.refusal_code) == ("done", "answered", "")
    assert requests(run, *DRAFTS) == [("draft", outcome) for outcome in told.requests]
    assert events(run) == told.events
    card, _, trail = page.partition("How this was answered")
    assert f"Answered: {run.summary}. {SUPPLY}" in card
    assert "In the filing's own words" in card
    assert told.verified in (trail if told.note == UNVERIFIED else card)
    assert (f"{told.note} {PLAIN}" in card) is bool(told.note)
    assert (f"Without the model , note {told.note} {PLAIN}" in TIME.sub("", trail)) is bool(told.note)
    check_page(run, page, name)
    check_costs(run, page, scripted, {"draft": ALL[name]}, as_charlie)


@pytest.mark.parametrize("name", IN_VAIN)
def test_a_question_that_cannot_be_answered_is_refused_and_says_why_no_model_has_helped(
    name: str, sample: Sample, scripted: LocalModel, settings: Settings, ask: Ask, as_charlie: Client
) -> None:
    told = TOLD[name]
    patience(name, settings)
    scripted.always(ALL[name], program="draft")
    run, page = ask(ZEPPELIN)
    assert (run.status, run.outcome, run.refusal_code) == ("done", "refused", "not_found_in_filing")
    assert requests(run, *DRAFTS) == [("draft", outcome) for outcome in told.requests]
    # Nothing was found, so nothing is checked.
    due = list(told.events)
    due[-3:-2] = ["rejected"]
    assert events(run) == tuple(due)
    card, _, trail = page.partition("How this was answered")
    assert f"Not answered; the reason is shown. {ZEPPELIN}" in card
    assert f"Language model {told.note} Reason" in card
    assert PLAIN not in page
    assert f"Without the model , note {told.note} The passages were read without" in TIME.sub("", trail)
    assert "quoted exactly" not in page
    check_page(run, page, name)
    check_costs(run, page, scripted, {"draft": ALL[name]}, as_charlie)


# --- the other programs, and all of them ---


@pytest.mark.parametrize(
    ("program", "name", "outcomes", "told"),
    [
        ("understand", "server_error", ["unavailable"] * 3, "The question was read without a language model."),
        ("decompose", "hang", ["timeout"] * 2, "Only the question\u2019s own words were searched for."),
        (
            "evaluate",
            "broken_json",
            ["unparsable"] * 2,
            "It could not be judged, so the verified claims are kept as they are.",
        ),
        ("follow_up", "rate_limited", ["rate_limited"] * 3, "The model did not answer."),
    ],
)
def test_what_fails_beside_the_draft_is_said_and_the_draft_stands(
    program: str, name: str, outcomes: list[str], told: str,
    sample: Sample, scripted: LocalModel, settings: Settings, ask: Ask, as_charlie: Client,
) -> None:  # fmt: skip
    settings.PLAN_MODEL_TIMEOUT = 0.2
    said = {program: ALL[name]}
    if program == "follow_up":
        said["evaluate"] = says(LACKING)
    for asked, behaviour in said.items():
        scripted.always(behaviour, program=asked)
    run, page = ask(SUPPLY)
    assert (run.status, run.outcome) == ("done", "answered")
    assert requests(run, program) == [(program, outcome) for outcome in outcomes]
    card, _, trail = page.partition("How this was answered")
    assert re.search(r"(\d) of \1 sentences quoted", card)
    if program in {"understand", "decompose"}:
        assert f"{told} {SENTENCES[outcomes[0]]}" in card
        assert f"Without the model , note {told}" in trail
    else:
        assert told in trail
    assert ("Search deeper" in page) is (program == "follow_up")
    check_costs(run, page, scripted, said, as_charlie)


def test_a_second_look_that_fails_leaves_the_refusal(
    sample: Sample, scripted: LocalModel, ask: Ask, as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))
    said = {"draft": says({"claims": [], "not_found": []}), "review_refusal": ALL["truncated"]}
    for program, behaviour in said.items():
        scripted.always(behaviour, program=program)
    run, page = ask(SUPPLY)
    assert requests(run, *DRAFTS) == [("draft", "ok"), ("review_refusal", "truncated")]
    assert run.refusal_code == "not_found_in_filing"
    assert "The model did not answer." in page
    check_costs(run, page, scripted, said, as_charlie)


def test_of_an_endpoint_that_is_gone_the_page_says_so_and_nothing_is_paid(
    sample: Sample, scripted: LocalModel, ask: Ask, as_charlie: Client
) -> None:
    scripted.always(ALL["server_error"])
    run, page = ask(SUPPLY)
    assert (run.status, run.outcome) == ("done", "answered")
    card, _, trail = page.partition("How this was answered")
    assert f"The question was read without a language model. {SENTENCES['unavailable']}" in card
    assert f"{SENTENCES['breaker']} {PLAIN}" in card
    assert "no language model" in trail
    assert sum((step.cost for step in run.steps.all()), Decimal(0)) == 0
    assert "0 tokens in, 0 out, 0.000000 US dollars." in page
