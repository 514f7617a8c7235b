"""The last node, for sentences: what stands is shown, and a block of which too little stands refuses."""

from typing import Any

import pytest

from agent.numbers.facts.render import inline
from agent.numbers.registry import registry as registry_file
from agent.refusals.codes import Code
from agent.state import AgentState, Claim, Plan, QuestionType, TargetTable
from agent.steps.cite_check import cite_check
from agent.steps.deps import Deps
from tests.support import answers
from tests.support.quotable import Quotable, company, quotable

pytestmark = pytest.mark.django_db


@pytest.fixture
def deps() -> Any:
    """Nothing of it is read for sentences."""
    return Deps.__new__(Deps)


def state(asked: Quotable, claims: list[Claim]) -> AgentState:
    """The state before the last node."""
    return AgentState(
        question="What supply risks did Halvorsen disclose in fiscal 2023?",
        plan=Plan(type=QuestionType.PROSE, targets=(asked.target,)),
        filings=(asked.filing,),
        retrievals=(asked.retrieval,),
        claims=tuple(claims),
    )


def false(claim: Claim) -> Claim:
    return claim.model_copy(update={"quote": f"{claim.quote} At any time.", "text": "Something false."})


def test_claims_that_stand_are_verified(asked: Quotable, deps: Deps) -> None:
    claims = list(asked.sentences())[:6]
    after = cite_check(state(asked, claims), deps)
    assert [claim.verdict for claim in after.verified] == ["verbatim"] * 6
    assert [claim.quote for claim in after.verified] == [claim.quote for claim in claims]
    assert [(check.name, check.ok) for check in after.checks] == [("cite_check", True)] * 6
    assert after.refusals == after.dropped == ()


def test_what_fails_is_dropped_and_counted_beside_what_stands(asked: Quotable, deps: Deps) -> None:
    good, bad = list(asked.sentences())[:2], list(asked.sentences())[2:6]
    after = cite_check(state(asked, [*good, *map(false, bad)]), deps)
    assert len(after.verified) == 2
    assert len(after.dropped) == 4
    assert after.refusals == ()
    assert "Something false" not in after.model_dump_json(include={"dropped", "checks", "verified"})


def test_where_nothing_stands_it_refuses(asked: Quotable, deps: Deps) -> None:
    claims = list(asked.sentences())[:4]
    after = cite_check(state(asked, [*map(false, claims)]), deps)
    (refusal,) = after.refusals
    assert (refusal.code, refusal.stage) == (Code.UNVERIFIED, "cite_check")
    assert refusal.text.startswith("4 of 4 sentences could not be verified")
    assert after.verified == ()
    assert after.open_targets() == ()


def test_a_target_without_claims_is_left_alone(asked: Quotable, deps: Deps) -> None:
    before = state(asked, [])
    assert cite_check(before, deps) == before


def test_a_claim_of_another_target_counts_for_that_target(asked: Quotable, deps: Deps) -> None:
    before = state(asked, list(asked.sentences())[:2])
    assert before.plan is not None
    second = asked.target.model_copy(update={"id": 1})
    plan = before.plan.model_copy(update={"targets": (asked.target, second)})
    stray = list(asked.sentences())[2].model_copy(update={"target": 1})
    after = cite_check(before.model_copy(update={"plan": plan, "claims": (*before.claims, stray)}), deps)
    # No filing was resolved for the second target, so whatever it cites is another's.
    assert [(refusal.target, refusal.code) for refusal in after.refusals] == [(1, Code.UNVERIFIED)]
    assert {claim.target for claim in after.verified} == {0}


REPORT = [
    "# Operating Expenses",
    "Research and development expense increased, reflecting wages of engineers.",
    "# Optics",
    "Research and development expense rose, reflecting rents of laboratories.",
]


def test_a_figure_of_the_whole_company_stands_under_no_heading_of_a_part(
    deps: Deps, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.steps.cite_check.cosine", lambda text, quote: 1.0)
    object.__setattr__(deps, "registry", registry_file.load())
    asked = quotable(company(), 2023, REPORT)
    spent = answers.cell(accession=asked.filing.accession, fiscal_year=2023)
    figure = inline(spent, None)
    placed = ((len("Research and development expense"), figure),)
    claims = [
        asked.claim(quote, f"{quote.partition(',')[0]}.").model_copy(update={"figures": placed})
        for quote in REPORT[1::2]
    ]
    before = state(asked, claims)
    assert [claim.figures for claim in cite_check(before, deps).verified] == [(), ()]
    told = TargetTable(target=9, table=answers.table(spent))
    after = cite_check(before.model_copy(update={"tables": (told,)}), deps)
    assert [claim.shown for claim in after.verified] == [
        f"Research and development expense{figure} increased.",
        "Research and development expense rose.",
    ]
