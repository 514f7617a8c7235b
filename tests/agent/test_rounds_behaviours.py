"""Whatever a model answers, in whichever program: what the reader gets, what is recorded, and what it costs."""

from decimal import Decimal

import pytest
from pytest_django import Settings

from agent.programs.failures import SENTENCES
from agent.state.modes import Mode
from tests.support.model_behaviours import ALL, says
from tests.support.model_runs import Made, run
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
PLAIN = "The passages shown were found without a language model."
REJECTED = f"Nothing the language model drafted could be verified. {PLAIN}"
SPEND_NOTHING = {"rate_limited", "unavailable"}

# What each failure is recorded as, and how often it is tried.
FAILURES = {
    "broken_json": ("unparsable", 2),
    "hostile_words": ("unparsable", 2),
    "empty_choice": ("unparsable", 2),
    "no_choice": ("unparsable", 2),
    "wrong_schema": ("unparsable", 2),
    "truncated": ("truncated", 1),
    "refusal": ("refused", 1),
    "rate_limited": ("rate_limited", 3),
    "server_error": ("unavailable", 3),
    "not_json": ("unavailable", 1),
    "hang": ("timeout", 2),
    "slow_body": ("timeout", 2),
}
# What is as good as the good reply.
GOOD = ("good", "json_in_prose", "usage_missing", "wrong_passage")
FALSE = ("wrong_quote", "other_text", "invented_number", "digits_in_words")
# One for each reason.
ELSEWHERE = ("broken_json", "truncated", "refusal", "rate_limited", "server_error", "hang")
# Of programs beside the draft two are tried at every change, and each where it is called, in tests of the programs.
FEW = [
    pytest.param(name, marks=[] if name in {"truncated", "server_error"} else [pytest.mark.soak]) for name in ELSEWHERE
]
LACKING = {
    "completeness": 50, "specificity": 50, "clarity": 50, "issues": [], "missing_info": ["Names of suppliers."],
    "is_sufficient": False,
}  # fmt: skip


@pytest.fixture
def model(scripted: LocalModel, settings: Settings) -> LocalModel:
    return scripted


def failing(program: str, name: str, model: LocalModel, settings: Settings) -> Made:
    """A run in which a program is answered so; those that take their time are not waited for long."""
    if name in {"hang", "slow_body"}:
        role = "DRAFT" if program in {"draft", "review_refusal"} else "PLAN"
        setattr(settings, f"{role}_MODEL_TIMEOUT", 0.3)
    model.always(ALL[name], program=program)
    return run(SUPPLY)


def of(made: Made, program: str) -> list[str]:
    return [outcome for name, outcome in made.outcomes if name == program]


def check_costs(made: Made) -> None:
    """Every request has its price, also one that failed after its tokens were read."""
    for call in made.session.calls:
        assert call.cost == Decimal(call.tokens_in + 4 * call.tokens_out) / 1_000_000
        assert bool(call.tokens_in) is (call.outcome not in SPEND_NOTHING)
    assert made.session.budget.spent.cost == sum(call.cost for call in made.session.calls)


# --- draft ---


@pytest.mark.parametrize("name", ELSEWHERE)
def test_where_no_draft_is_made_sentences_are_found_without_a_model(
    name: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    made = failing("draft", name, model, settings)
    reason, tries = FAILURES[name]
    assert made.answer.outcome == "answered"
    assert made.notes[-1] == f"{SENTENCES[reason]} {PLAIN}"
    assert {claim.verdict for block in made.answer.blocks for claim in block.claims} == {"verbatim"}
    assert made.outcomes == [("understand", "ok"), ("decompose", "ok"), *[("draft", reason)] * tries]
    check_costs(made)


@pytest.mark.parametrize("name", GOOD)
def test_what_is_said_well_in_another_manner_is_a_draft(
    name: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    made = failing("draft", name, model, settings)
    assert len(made.shown) > 2
    assert made.notes == []
    assert not made.state.dropped
    assert made.outcomes == [(one, "ok") for one in ("understand", "decompose", "draft", "evaluate")]
    assert [call.estimated for call in made.session.calls] == [False, False, name == "usage_missing", False]
    check_costs(made)


def test_a_true_quote_under_a_wrong_passage_is_cited_where_it_stands(
    sample: Sample, model: LocalModel, settings: Settings
) -> None:
    good = run(SUPPLY)
    made = failing("draft", "wrong_passage", model, settings)
    assert made.shown == good.shown
    claims = [claim for block in made.answer.blocks for claim in block.claims]
    assert "corrected" in {claim.verdict for claim in claims}
    cited = [(claim.section, claim.start, claim.end) for claim in claims]
    assert cited == [(one.section, one.start, one.end) for block in good.answer.blocks for one in block.claims]


@pytest.mark.parametrize("name", FALSE)
def test_of_a_draft_that_cannot_be_verified_nothing_ships(
    name: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    made = failing("draft", name, model, settings)
    assert len(made.state.dropped) == sum(one.made for one in made.state.draftings) > 0
    assert made.notes[-1] == REJECTED
    assert made.state.evaluations == ()
    shown = " ".join(made.shown)
    for words in ("$123.4", "four hundred and twelve", "stopped selling", "double its business"):
        assert words not in shown
    check_costs(made)


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first draft has room for a part of the passages."""
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))


def test_of_a_hostile_draft_nothing_ships(sample: Sample, model: LocalModel, settings: Settings) -> None:
    made = failing("draft", "hostile_text", model, settings)
    assert made.notes[-1] == REJECTED
    assert made.shown
    assert "alert(" not in f"{made.answer}"


# --- review_refusal ---


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("name", FEW)
def test_a_second_look_that_fails_leaves_the_refusal(
    name: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    model.always(says({"claims": [], "not_found": []}), program="draft")
    made = failing("review_refusal", name, model, settings)
    reason, tries = FAILURES[name]
    assert of(made, "review_refusal") == [reason] * tries
    assert made.answer.refusal_code == "not_found_in_filing"
    assert (made.why, made.session.degraded) == ("model", True)
    check_costs(made)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("name", [*FALSE, "hostile_text"])
def test_what_a_second_look_invents_is_verified_like_any_draft(
    name: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    model.always(says({"claims": [], "not_found": []}), program="draft")
    made = failing("review_refusal", name, model, settings)
    assert "$123.4" not in " ".join(made.shown)
    assert {claim.verdict for claim in made.state.verified} <= {"verbatim"}


# --- understand, decompose ---


@pytest.mark.parametrize("program", ["understand", "decompose"])
@pytest.mark.parametrize("name", FEW)
def test_a_question_is_answered_without_help_to_read_it(
    name: str, program: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    made = failing(program, name, model, settings)
    reason, tries = FAILURES[name]
    assert of(made, program) == [reason] * tries
    assert of(made, "draft") == ["ok"]
    assert made.shown
    (note,) = made.notes
    assert note.endswith(SENTENCES[reason])
    assert note.startswith("The question was read without" if program == "understand" else "Only the question")
    check_costs(made)


def test_a_refusal_says_why_no_model_has_helped_to_read(sample: Sample, model: LocalModel, settings: Settings) -> None:
    model.always(ALL["refusal"], program="understand")
    made = run("How does Northwind's view of cybersecurity risks differ from Larkfield's in fiscal 2025?")
    (refusal,) = made.state.refusals
    assert ("Language model", f"The question was read without a language model. {SENTENCES['refused']}") in (
        refusal.looked_for
    )


# --- evaluate, follow_up ---


@pytest.mark.parametrize("name", FEW)
def test_a_draft_that_cannot_be_judged_ships_as_it_is_verified(
    name: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    made = failing("evaluate", name, model, settings)
    reason, tries = FAILURES[name]
    assert of(made, "evaluate") == [reason] * tries
    assert (made.why, made.state.evaluations, made.state.decisions[0].score) == ("no_evaluation", (), None)
    assert made.shown
    assert of(made, "follow_up") == []
    check_costs(made)


@pytest.mark.parametrize("name", FEW)
def test_without_follow_ups_the_first_draft_ships(
    name: str, sample: Sample, model: LocalModel, settings: Settings
) -> None:
    model.always(says(LACKING), program="evaluate")
    made = failing("follow_up", name, model, settings)
    reason, tries = FAILURES[name]
    assert of(made, "follow_up") == [reason] * tries
    assert (made.why, len(made.state.draftings)) == ("model", 1)
    assert made.shown
    check_costs(made)


# --- an endpoint that is gone ---


def test_where_every_request_fails_the_answer_is_that_without_a_model(sample: Sample, model: LocalModel) -> None:
    model.always(ALL["server_error"])
    made = run(SUPPLY)
    assert made.answer.outcome == "answered"
    read, _, drafted = made.notes
    assert read == f"The question was read without a language model. {SENTENCES['unavailable']}"
    assert drafted == f"{SENTENCES['breaker']} {PLAIN}"
    assert made.session.budget.spent.cost == 0
