"""Which part of a question a drafted claim answers: one whose own searches found what it cites. How it is told of."""

import pytest

from agent.programs.draft import Source
from agent.prose.text.quotations import citing
from agent.runs import step_records
from agent.state import AgentState, Claim, Drafting, Passage, Plan, QuestionType, Retrieval, Target
from agent.steps.drafting import in_axis, in_part
from tests.support.prose_answers import ACCESSION, filing_ref, target

TARGETS = (target(1, "supply risks"), target(2, "tariffs on ceramics"))
SAID = "Tariffs on ceramics may rise."
AXES = ("by cost", "by size")


def passage(chunk: int = 7, *ranges: tuple[int, int], axes: tuple[str, ...] = ()) -> Passage:
    return Passage(
        chunk=chunk, filing=1, cik=1, accession=ACCESSION, section=3, sha256="", item="1A", kind="prose",
        ranges=ranges or ((0, 100),), text=SAID, axes=axes,
    )  # fmt: skip


def state(*found: tuple[int, Passage], targets: tuple[Target, ...] = TARGETS) -> AgentState:
    """A run whose searches have found these passages, each for a target."""
    return AgentState(
        question="What supply risks and tariffs are there?",
        plan=Plan(type=QuestionType.PROSE, targets=targets),
        filings=tuple(filing_ref(one.id) for one in targets),
        retrievals=tuple(Retrieval(target=number, passages=(one,)) for number, one in found),
    )


def parted(before: AgentState, claim: Claim, axes: tuple[str, ...] = ()) -> tuple[int, int]:
    made = in_part(claim, before.plan.targets if before.plan else (), before, axes)
    return made.target, made.query


def test_a_claim_goes_to_the_part_it_answers_where_that_has_found_its_passage_too() -> None:
    both = state((1, passage()), (2, passage()))
    assert parted(both, citing(passage(), 1, SAID, (0, 29))) == (2, 0)


@pytest.mark.parametrize(
    "theirs",
    [passage(8), passage(7, (0, 40)), passage(7, (20, 100))],
    ids=["another", "its beginning", "its end"],
)
def test_a_claim_stays_where_the_nearer_part_has_not_found_all_of_its_passage(theirs: Passage) -> None:
    found = state((1, passage()), (2, theirs))
    assert parted(found, citing(passage(), 1, SAID, (0, 29))) == (1, 0)


def test_a_claim_of_a_part_of_a_longer_passage_may_go_to_the_part_that_found_it() -> None:
    found = state((1, passage(7, (10, 60))), (2, passage(7, (0, 100))))
    assert parted(found, citing(passage(7, (10, 60)), 1, SAID, (10, 39))) == (2, 0)


def test_a_part_of_the_own_topic_needs_no_second_search() -> None:
    found = state((1, passage()), targets=(target(1, "supply risks", "tariffs on ceramics"),))
    assert parted(found, citing(passage(), 1, SAID, (0, 29))) == (1, 1)


def test_readings_stand_behind_the_parts_of_a_question_in_their_order() -> None:
    found = state((1, passage(axes=AXES)), (2, passage(axes=AXES)))
    claim = citing(passage(), 1, SAID, (0, 29)).model_copy(update={"axis": "by size"})
    assert parted(found, claim, AXES) == (1, 2)


def test_a_second_look_follows_the_reading_its_passage_was_found_for() -> None:
    sources = [
        Source(target=1, passage=passage(7), axes=("by cost",)),
        Source(target=1, passage=passage(8), axes=AXES),
    ]
    assert in_axis(citing(passage(8), 1, SAID, (0, 29)), sources[::-1]).axis == "by cost"
    assert in_axis(citing(passage(7), 1, SAID, (0, 29)), sources).axis == "by cost"
    only = [Source(target=1, passage=passage(7), axes=("by size",))]
    assert in_axis(citing(passage(7), 1, SAID, (0, 29)), only).axis == "by size"


def test_what_a_model_drafted_is_not_said_to_be_word_for_word() -> None:
    before = state((1, passage()))
    claims = [citing(passage(), 1, SAID, (0, 29))] * 2
    extracted = before.add(claims=claims, verified=claims[:1])
    assert step_records.said("cite_check", before, extracted).endswith(
        "1 of 2 sentences found word for word in the filing."
    )
    drafted = extracted.add(draftings=Drafting(made=2))
    assert step_records.said("cite_check", before, drafted) == ("1 of 2 drafted sentences say what the filing says.")
