"""A run with a scripted model, end to end over the fictional sample: how many rounds it makes, and which of them ships."""

import pytest
from pytest_django import Settings

from agent.state.modes import Mode
from tests.agent.scripted_rounds import (
    COMPARED,
    PHRASES,
    SUPPLY,
    drafting,
    judged,
    judging,
    programs,
    rounds,
    searching,
)
from tests.agent.test_rounds_budget import budgeted, just_enough
from tests.support.model_behaviours import good, says, wrong_quote
from tests.support.model_replies import Asked, Behaviour, Reply, claims, understood
from tests.support.model_runs import run
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]


def test_a_good_draft_ships_with_every_claim_verified(sample: Sample, scripted: LocalModel) -> None:
    made = run(SUPPLY)
    assert made.state.verified
    assert len(made.state.verified) == len(made.state.claims)
    assert (made.why, programs(made)) == ("threshold", ["draft", "evaluate"])


def test_below_the_threshold_it_searches_and_drafts_again_from_what_it_quoted_and_has_not_read(
    sample: Sample, scripted: LocalModel
) -> None:
    judging(scripted, 60, 95)
    made = run(SUPPLY)
    assert programs(made) == ["draft", "evaluate", "follow_up", "draft", "evaluate"]
    assert (made.why, rounds(made)) == ("threshold", [1])
    first, second = scripted.of("draft")
    given = [{one["text"] for one in asked.passages} for asked in (first, second)]
    quoted = {claim.chunk for claim in made.state.claims if not claim.iteration}
    read, again = made.state.draftings
    assert {*again.read} & {*read.read} == quoted
    assert given[1] - given[0]
    assert second.inputs["feedback"] == ["Names of suppliers."]
    found = [one for one in made.state.retrievals if one.iteration == 1]
    assert {passage.chunk for one in found for passage in one.passages}.isdisjoint(
        passage.chunk for one in made.state.retrievals if not one.iteration for passage in one.passages
    )


def test_what_is_judged_sufficient_ends_a_run_below_its_threshold(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(judged(60, sufficient=True), program="evaluate")
    made = run(SUPPLY)
    assert (made.why, programs(made)) == ("sufficient", ["draft", "evaluate"])


@pytest.mark.parametrize(("mode", "most"), [(Mode.DIRECT, 2), (Mode.STANDARD, 3), (Mode.DETAILED, 4)])
def test_a_mode_has_so_many_rounds(mode: Mode, most: int, sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 10, 20, 30, 40)
    made = run(SUPPLY, mode)
    assert (made.why, programs(made).count("draft")) == ("iterations", most)
    # The last one is judged best.
    assert rounds(made) == [most - 1]


def test_without_a_new_phrase_it_ends(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(judged(60), program="evaluate")
    scripted.always(searching("sole source castings"), program="follow_up")
    made = run(SUPPLY)
    assert (made.why, programs(made).count("draft"), programs(made).count("follow_up")) == ("no_phrases", 2, 2)


def test_without_a_new_passage_nothing_is_drafted_again(
    sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging(scripted, 60, 60)
    # Whatever is searched further, it is known.
    monkeypatch.setattr("agent.prose.search.passages.MOST_FURTHER", 0)
    made = run(SUPPLY)
    assert (made.why, programs(made).count("draft")) == ("no_passages", 1)
    assert made.state.decisions[-1].threshold == 0.8
    assert made.shown


def test_where_nothing_stands_nothing_is_judged_and_the_next_draft_is_told_why(
    sample: Sample, scripted: LocalModel
) -> None:
    scripted.always(wrong_quote, program="draft")
    made = run(SUPPLY)
    assert programs(made) == ["draft", "draft"]
    assert made.why == "unverified"
    told = scripted.of("draft")[1].inputs["feedback"]
    assert told
    assert all(one.startswith("Not verified, \u201c") for one in told)
    assert all(one.endswith("Its quotation is in none of the passages found.") for one in told)


def test_a_draft_whose_claims_failed_may_be_mended(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(wrong_quote, good, program="draft")
    made = run(SUPPLY)
    assert programs(made) == ["draft", "draft", "evaluate"]
    assert (made.why, rounds(made)) == ("threshold", [1])


# --- what no passage answers ---

STANDS = {"refusal_stands": True, "direction": "not a yes/no question", "claims": [], "caveats": []}


@pytest.fixture
def silent(scripted: LocalModel, monkeypatch: pytest.MonkeyPatch) -> LocalModel:
    """A model whose draft finds nothing, in a part of the passages."""
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))
    scripted.always(says({"claims": [], "not_found": ["supply risks"]}), program="draft")
    return scripted


def test_a_refusal_is_looked_at_once_with_what_the_draft_had_not_read(sample: Sample, silent: LocalModel) -> None:
    silent.always(says(STANDS), program="review_refusal")
    made = run(SUPPLY, Mode.DETAILED)
    assert programs(made) == ["draft", "follow_up", "review_refusal"]
    assert made.why == "refused"
    assert made.answer.refusal_code == "not_found_in_filing"
    first, second = made.state.draftings
    assert {*first.read}.isdisjoint(second.read)
    assert silent.of("follow_up")[0].inputs["missing"] == ["supply risks"]


def test_a_second_look_may_answer(sample: Sample, silent: LocalModel) -> None:
    made = run(SUPPLY)
    assert programs(made) == ["draft", "follow_up", "review_refusal", "evaluate"]
    assert (made.why, rounds(made)) == ("threshold", [1])


def test_where_all_was_read_and_nothing_new_is_found_a_refusal_ends(
    sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 400_000))
    monkeypatch.setattr("agent.prose.search.passages.MOST_FURTHER", 0)
    scripted.always(says({"claims": [], "not_found": []}), program="draft")
    made = run(SUPPLY)
    assert programs(made) == ["draft", "follow_up"]
    assert made.answer.refusal_code == "not_found_in_filing"


def test_a_later_round_that_is_worse_changes_nothing(sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 70, 20, 10)
    made = run(SUPPLY)
    assert (made.why, rounds(made)) == ("iterations", [0])
    alone = [claim for claim in made.state.verified if not claim.iteration]
    assert [claim for block in made.answer.blocks for claim in block.claims] == alone


def test_a_later_round_of_which_nothing_stands_changes_nothing(sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 60, 99, 99)
    scripted.behave(good, program="draft")
    scripted.always(wrong_quote, program="draft")
    made = run(SUPPLY)
    assert rounds(made) == [0]
    assert made.answer.outcome == "answered"


def test_a_later_draft_that_fails_changes_nothing(sample: Sample, scripted: LocalModel) -> None:
    judging(scripted, 60)
    scripted.behave(good, says("No."), says("No."), program="draft")
    made = run(SUPPLY)
    assert (made.why, rounds(made)) == ("model", [0])
    assert not any("without a language model" in note for note in made.notes)


def test_what_a_second_company_has_lost_in_a_later_round_is_kept(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(comparing(), program="understand")
    judging(scripted, 60, 90)
    scripted.behave(good, only_of("Northwind"), program="draft")
    made = run(COMPARED)
    first, second = made.answer.blocks
    assert {claim.iteration for claim in first.claims} == {1}
    assert {claim.iteration for claim in second.claims} == {0}


def comparing() -> Behaviour:
    companies, periods = ["Northwind", "Larkfield"], ["fiscal 2025"]
    return says(understood(companies=companies, periods=periods, topics=["cybersecurity risks"]))


def only_of(company: str) -> Behaviour:
    """A draft from one company's passages alone."""

    def behaviour(asked: Asked) -> Reply:
        theirs = {one["id"] for one in asked.passages if company in one["item"]}
        told = [one for one in claims(asked, most=40) if one["passage"] in theirs]
        return says({"claims": told, "not_found": []})(asked)

    return behaviour


def test_a_round_that_could_not_be_judged_loses_to_one_that_was(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(judged(30), says("No."), says("No."), program="evaluate")
    scripted.behave(searching(PHRASES[0]), program="follow_up")
    scripted.behave(drafting(2), drafting(6), program="draft")
    made = run(SUPPLY)
    assert (made.why, rounds(made), len(made.shown)) == ("no_evaluation", [0], 2)


def test_a_second_look_that_the_budget_is_too_small_for_is_taken_in_a_cheaper_mode(
    sample: Sample, scripted: LocalModel, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))
    budgeted(settings, just_enough() + 50)
    scripted.asked.clear()
    scripted.behave(says({"claims": [], "not_found": []}), program="draft")
    made = run(SUPPLY, Mode.DETAILED)
    assert scripted.of("draft")[0].body["max_tokens"] == 16_000
    assert [one.body["max_tokens"] for one in scripted.of("review_refusal")] == [6_000]
    assert made.answer.mode.startswith("standard, drafted by ")
    assert made.shown
