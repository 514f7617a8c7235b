"""How the prose goldens are judged, over made-up answers about a fictional filing."""

from collections.abc import Iterable
from typing import Any

import pytest

from agent.refusals.codes import Code
from agent.state import AgentState, Answer, Claim, FilingDatum, FilingRef, NearPassage, Refusal
from diligence.statistics import Share
from evals.gates import Gate, failures, report
from evals.prose_golden import AskedPart, ProseGolden, Truth
from evals.prose_harness import ProseResult, ProseTally, judge, texts
from evals.runner import Run
from evals.truths.prose_truth import fingerprint
from evals.truths.witness import Witness
from tests.support import answers, prose_answers
from tests.support.quotable import CIK, Quotable, company, quotable

pytestmark = pytest.mark.django_db

SINGLE = "We buy the ceramic stage from a single supplier in Lindau."
STOCK = "Our stock of stages lasts eleven weeks."
WEATHER = "Our picnic was held in June, in spite of the rain."
LINES = ["# One supplier", SINGLE + " " + STOCK, "# Weather", WEATHER]


class Believing(Witness):
    """A witness that has every sentence in its documents but those it is told of."""

    def __init__(self, *denied: str) -> None:
        super().__init__()
        self.denied = denied

    def doubt(self, claim: Claim, cik: int) -> str:
        return "the filing does not say it" if claim.quote in self.denied or claim.cik != cik else ""


@pytest.fixture
def filing(db: None) -> Iterable[Quotable]:
    texts.cache_clear()
    yield quotable(company(), 2025, LINES)
    texts.cache_clear()


def truth(filing: Quotable, words: str) -> Truth:
    count, sha256 = fingerprint(words)
    return Truth(accession=filing.filing.accession, item="1A", words=count, sha256=sha256, text=words)


def golden(*parts: AskedPart, outcome: str = "answered", **fields: Any) -> ProseGolden:
    return ProseGolden.model_validate(
        {
            "id": "x001",
            "half": "check",
            "question": "Who supplies the stage?",
            "kind": ["risks"],
            "outcome": outcome,
            "cik": CIK,
            "accession": "",
            "parts": [part.model_dump() for part in parts],
            "codes": ["not_found_in_filing"] if outcome == "refused" else [],
            **fields,
        }
    )


def supply(filing: Quotable) -> ProseGolden:
    return golden(AskedPart(truths=(truth(filing, SINGLE),)))


def shown(*claims: Claim, queries: int = 1, **fields: Any) -> Answer:
    labels = [f"half {place}" for place in range(queries)]
    target = prose_answers.target(0, *labels)
    return prose_answers.answer(prose_answers.block(*claims, number=0, **fields), targets=(target,))


def refusal(stage: str, code: Code = Code.NOT_FOUND_IN_FILING) -> Refusal:
    return Refusal(target=0, code=code, stage=stage, text="No.")


def refused(stage: str, code: Code = Code.NOT_FOUND_IN_FILING) -> Answer:
    block = prose_answers.refused(code, stage, number=0)
    return prose_answers.answer(block, targets=(prose_answers.target(0),))


def judged(
    row: ProseGolden,
    answer: Answer,
    filing: Quotable,
    *,
    found: bool = True,
    drafted: Iterable[Claim] = (),
    witness: Witness | None = None,
) -> ProseResult:
    """What is made of an answer whose search found the whole filing, or nothing."""
    stage = next((block.refusal.stage for block in answer.blocks if block.refusal), "")
    state = AgentState(
        question=row.question,
        retrievals=(filing.retrieval if found else filing.found(()),),
        claims=tuple(drafted),
        refusals=(refusal(stage),) if stage else (),
    )
    return judge(row, Run(state, answer, 1.0), witness or Believing())


# --- one answer ---


def test_a_claim_on_the_evidence_is_right(filing: Quotable) -> None:
    result = judged(supply(filing), shown(filing.claim(SINGLE)), filing)
    assert (result.right, result.whole, result.lost_by) == (True, True, "")
    assert (result.overlapping, result.unsupported, result.parts[0].rank) == (1, (), 1)


def test_a_claim_beside_the_evidence_is_lost_by_selection(filing: Quotable) -> None:
    claim = filing.claim(WEATHER)
    result = judged(supply(filing), shown(claim), filing, drafted=[claim])
    assert (result.right, result.lost_by, result.overlapping) == (False, "selection", 0)


def test_evidence_that_was_chosen_and_not_shown_is_lost_by_the_guard(filing: Quotable) -> None:
    result = judged(supply(filing), refused("cite_check"), filing, drafted=[filing.claim(SINGLE)])
    assert result.lost_by == "guard"


def test_evidence_that_search_did_not_find_is_lost_by_retrieval(filing: Quotable) -> None:
    result = judged(supply(filing), refused("validate"), filing, found=False)
    assert (result.lost_by, result.parts[0].rank) == ("retrieval", None)


@pytest.mark.parametrize("stage", ["plan", "fetch", "locate"])
def test_a_question_that_never_came_to_a_search_is_lost_by_its_node(filing: Quotable, stage: str) -> None:
    assert judged(supply(filing), refused(stage), filing, found=False).lost_by == stage


def test_evidence_that_no_section_holds_is_lost_by_the_sections(filing: Quotable) -> None:
    row = golden(AskedPart(truths=(truth(filing, "The words of a page that was never read."),)))
    assert judged(row, refused("validate"), filing).lost_by == "section"


def test_an_answer_where_a_refusal_is_due_is_undue(filing: Quotable) -> None:
    row = golden(outcome="refused")
    result = judged(row, shown(filing.claim(SINGLE)), filing)
    assert (result.right, result.lost_by) == (False, "answered undue")
    result = judged(row, refused("validate"), filing)
    assert (result.right, result.code_right) == (True, True)
    assert not judged(row, refused("locate", Code.SECTION_NOT_AVAILABLE), filing).code_right


def test_of_a_false_premise_a_correction_and_a_refusal_are_right(filing: Quotable) -> None:
    row = golden(AskedPart(outcome="corrected", truths=(truth(filing, STOCK),)), outcome="corrected")
    assert judged(row, shown(filing.claim(STOCK)), filing).right
    assert judged(row, refused("validate"), filing).right
    assert not judged(row, shown(filing.claim(WEATHER)), filing).right


def test_data_of_the_filing_is_right_when_any_of_it_is_shown(filing: Quotable) -> None:
    row = golden(data=("2026-02-20", "20 February 2026"))
    of = FilingRef.model_validate({**filing.filing.model_dump(), "target": 0})

    def told(value: str) -> Answer:
        one = FilingDatum(
            target=0, key="filed", label="Filed", value=value, source="", accession=of.accession, fiscal_year=2025
        )
        return shown(particulars=(one,))

    assert judged(row, told("20 February 2026"), filing).right
    assert not judged(row, told("21 February 2026"), filing).right


# --- passages to be read ---


def read(filing: Quotable, shows: str, marks: str) -> Answer:
    """An answer that asserts nothing and shows a passage."""
    start, end = filing.claim(shows).start, filing.claim(shows).end
    first = filing.claim(marks).start
    near = NearPassage(
        target=0,
        cik=filing.target.company.cik,
        accession=filing.filing.accession,
        section=filing.section.pk,
        sha256=filing.section.sha256,
        item="1A",
        start=start,
        end=end,
        ranges=((start, end),),
        text=filing.text[start:end],
        marked=((first, first + len(marks)),),
    )
    return shown(passages=(near,), outcome="passages")


def test_evidence_in_a_passage_is_shown_and_asserts_nothing(filing: Quotable) -> None:
    result = judged(supply(filing), read(filing, SINGLE, SINGLE), filing)
    assert (result.asserts, result.right, result.evidence, result.pointed_at) == (False, True, True, True)
    unmarked = judged(supply(filing), read(filing, SINGLE, SINGLE[:5]), filing)
    assert unmarked.pointed_at
    beside = judged(supply(filing), read(filing, WEATHER, WEATHER), filing)
    assert (beside.right, beside.evidence, beside.lost_by) == (False, False, "selection")
    assert judged(golden(outcome="refused"), read(filing, WEATHER, WEATHER), filing).right
    assert ProseTally("check", (result, beside)).on_point == Share(0, 0)


# --- what may not be shown ---


def test_a_sentence_that_the_filing_does_not_say_is_unsupported(filing: Quotable) -> None:
    result = judged(supply(filing), shown(filing.claim(SINGLE)), filing, witness=Believing(SINGLE))
    assert len(result.unsupported) == 1


def test_forbidden_words_are_unsupported_though_the_filing_says_them(filing: Quotable) -> None:
    row = supply(filing).model_copy(update={"forbidden": ("LINDAU",)})
    answer = shown(filing.claim(SINGLE), filing.claim(STOCK))
    result = judged(row, answer, filing)
    assert len(result.unsupported) == 1
    assert "LINDAU" in result.unsupported[0]
    assert ProseTally("check", (result,)).claims == Share(1, 2)


# --- halves of a question ---


def test_every_half_with_evidence_must_show_some(filing: Quotable) -> None:
    row = golden(
        AskedPart(asks="who", truths=(truth(filing, SINGLE),)),
        AskedPart(asks="how long", truths=(truth(filing, STOCK),)),
    )
    assert judged(row, shown(filing.claim(SINGLE), filing.claim(STOCK)), filing).whole
    half = judged(row, shown(filing.claim(SINGLE)), filing)
    assert (half.right, half.whole) == (True, False)


def test_a_half_without_evidence_must_be_said_to_have_none(filing: Quotable) -> None:
    row = golden(AskedPart(asks="who", truths=(truth(filing, SINGLE),)), AskedPart(asks="Mars", outcome="missing"))
    on, off = filing.claim(SINGLE), filing.claim(WEATHER).model_copy(update={"query": 1})
    assert judged(row, shown(on, queries=2), filing).whole, "the second half has no claim"
    assert judged(row, shown(on), filing).whole, "no claim stands off the evidence"
    assert not judged(row, shown(on, off, queries=2), filing).whole, "both halves have a claim"


def test_a_figure_that_is_due_comes_by_the_path_of_the_numbers(filing: Quotable) -> None:
    row = golden(AskedPart(asks="why", truths=(truth(filing, SINGLE),)), AskedPart(asks="how much", outcome="number"))
    prose = shown(filing.claim(SINGLE))
    assert judged(row, prose, filing).whole is False
    both = prose.model_copy(update={"blocks": (*answers.number_answer().blocks, *prose.blocks)})
    assert judged(row, both, filing).whole
    # A figure alone is no evidence.
    assert not judged(row, answers.number_answer(), filing).right


# --- shares and gates ---


def test_the_shares_count_what_is_due(filing: Quotable) -> None:
    right = judged(supply(filing), shown(filing.claim(SINGLE), filing.claim(WEATHER)), filing)
    lost = judged(supply(filing), refused("validate"), filing, found=False)
    undue = judged(golden(outcome="refused"), shown(filing.claim(SINGLE)), filing)
    tally = ProseTally("check", (right, lost, undue))
    assert (tally.evidence, tally.pointed_at, tally.unasserted) == (Share(1, 2), Share(1, 2), Share(0, 1))
    assert (tally.said_answered, tally.on_point) == (Share(1, 2), Share(1, 1))
    assert (tally.recall(1), tally.recall(8)) == (Share(1, 2), Share(1, 2))
    assert {name: len(found) for name, found in tally.named.items() if found} == {
        "lost: answered undue": 1,
        "lost: retrieval": 1,
    }


def test_a_gate_short_of_its_goal_fails_below_the_value_it_is_held_at(filing: Quotable) -> None:
    right = judged(supply(filing), shown(filing.claim(SINGLE)), filing)
    lost = judged(supply(filing), refused("validate"), filing, found=False)
    tally = ProseTally("check", (right, lost))

    def said(gate: Gate) -> tuple[bool, bool, bool]:
        text = report("Made up", tally, [gate])
        return bool(failures("Made up", tally, [gate])), "FAILS" in text, "short of its goal" in text

    def answered(one: ProseTally) -> Share:
        return one.evidence

    assert said(Gate("answered", answered, 0.8)) == (True, True, False)
    assert said(Gate("answered", answered, 0.8, held=0.5)) == (False, False, True)
    assert said(Gate("answered", answered, 0.5)) == (False, False, False)
    tuned = ProseTally("tune", (right, lost))
    assert "FAILS" not in report("Made up", tuned, [Gate("answered", answered, 0.8)])


def test_a_gate_about_nothing_that_was_asked_does_not_fail() -> None:
    assert failures("Made up", ProseTally("check", ()), [Gate("answered", lambda one: one.evidence, 0.8)]) == []
