"""What a model reads in a question, and what the run makes of it: companies, years, readings, sources, and what is said."""

from typing import Any

import pytest
from pytest_django import Settings

from agent.refusals.codes import Code
from agent.state.modes import Mode
from agent.web.tables.table_card import TableCard
from filings.models import Section
from tests.support.model_behaviours import Behaviour, good, says
from tests.support.model_replies import Asked, Reply, candidate, claims, understood
from tests.support.model_runs import Made, run, untrue
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

NORTHWIND, LARKFIELD = 9_999_999_901, 9_999_999_902
SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"
COMPARED = "How do Northwind and Larkfield describe cybersecurity risks in fiscal 2025?"
YEARS = "What does Northwind say about its suppliers in fiscal 2024 and fiscal 2025?"
LARGEST = "Who are the largest customers of Northwind in fiscal 2025?"
BOTH = "What was Northwind's gross profit in fiscal 2025 and why did service revenue fall?"
AXES = ("by revenue", "by orders received")
LACKING = {
    "completeness": 50, "specificity": 50, "clarity": 50, "issues": [], "missing_info": ["Names."],
    "is_sufficient": False,
}  # fmt: skip


def reading(model: LocalModel, question: str, **read: Any) -> Made:
    model.always(says(understood(**read)), program="understand")
    return run(question)


def figures(company: str, period: str, rows: dict[str, str], **read: Any) -> Behaviour:
    """What reads a question for figures. rows: words of the question with the labels of what they mean."""

    def behaviour(asked: Asked) -> Reply:
        told = [{"span": span, "form": "value", "ids": [candidate(asked, label)]} for span, label in rows.items()]
        return says(understood(type="A", companies=[company], periods=[period], rows=told, **read))(asked)

    return behaviour


def test_a_figure_that_code_does_not_understand_is_read_by_a_model_and_asserted(
    sample: Sample, scripted: LocalModel
) -> None:
    question = "So what moolah did Northwind splash on its boffins in fiscal 2025, roughly?"
    out = [{"span": "So", "why": "courtesy"}, {"span": "roughly", "why": "form of the answer"}]
    words = {"moolah did Northwind splash on its boffins": "Research and development expense"}
    scripted.always(figures("Northwind", "fiscal 2025", words, left_out=out), program="understand")
    made = run(question)
    (block,) = made.answer.blocks
    assert block.outcome == "answered"
    assert block.table
    assert any("Read by a language model as: Research and development expense" in one for one in block.table.notes)
    assert [one.slot for one in made.answer.plan.chips] == ["company", "measure", "period"]
    assert untrue(made) == []


def test_words_that_no_slot_holds_leave_the_nearest_question(sample: Sample, scripted: LocalModel) -> None:
    question = "What moolah did Northwind splash on its boffins in fiscal 2025, excluding gizmos?"
    words = {"moolah did Northwind splash on its boffins": "Research and development expense"}
    out = [{"span": "excluding gizmos", "why": "background"}]
    scripted.always(figures("Northwind", "fiscal 2025", words, left_out=out), program="understand")
    (block,) = run(question).answer.blocks
    assert block.outcome == "nearest"


def test_a_model_is_asked_about_a_figure_that_is_only_near(sample: Sample, scripted: LocalModel) -> None:
    question = "How much cash is Northwind hoarding in fiscal 2025?"
    assert run(question).answer.blocks[0].outcome == "nearest"
    words = {"cash is Northwind hoarding": "Cash and cash equivalents"}
    scripted.always(figures("Northwind", "fiscal 2025", words), program="understand")
    (block,) = run(question).answer.blocks
    assert block.outcome == "answered"
    scripted.always(says(understood(type="B", companies=["Northwind"])), program="understand")
    assert run(question).answer.blocks[0].outcome == "nearest"


def ambiguous(model: LocalModel) -> Made:
    axes = [{"label": axis} for axis in AXES]
    return reading(model, LARGEST, ambiguities=[{"kind": "qualifier", "span": "largest", "axes": axes}])


def test_a_comparison_has_one_part_a_company_each_from_its_own_filing(sample: Sample, scripted: LocalModel) -> None:
    made = reading(
        scripted, COMPARED, companies=["Northwind", "Larkfield"], periods=["fiscal 2025"],
        topics=["cybersecurity risks"],
    )  # fmt: skip
    assert [target.company.short for target in made.answer.plan.targets] == ["Northwind", "Larkfield"]
    for block, cik in zip(made.answer.blocks, (NORTHWIND, LARKFIELD), strict=True):
        assert block.claims
        assert {claim.cik for claim in block.claims} == {cik}
    assert {claim["company"] for claim in scripted.of("evaluate")[0].inputs["claims"]} == {"Northwind", "Larkfield"}
    assert untrue(made) == []


def test_every_year_of_a_question_is_searched(sample: Sample, scripted: LocalModel) -> None:
    made = reading(
        scripted, YEARS, companies=["Northwind"], periods=["fiscal 2024", "fiscal 2025"],
        topics=["suppliers"],
    )  # fmt: skip
    assert [block.filings[0].fiscal_year for block in made.answer.blocks] == [2024, 2025]
    for block in made.answer.blocks:
        assert {claim.accession for claim in block.claims} == {block.filings[0].accession}


def test_each_reading_of_an_ambiguous_question_cites_its_own_passages(sample: Sample, scripted: LocalModel) -> None:
    made = ambiguous(scripted)
    assert made.answer.plan.axes == AXES
    given = scripted.of("draft")[0].inputs["axes"]
    assert all(axis["passages"] for axis in given)
    (block,) = made.answer.blocks
    assert block.claims
    found = {passage.chunk: passage.axes for one in made.state.retrievals for passage in one.passages if passage.axes}
    own: dict[int, set[str]] = {}
    for one in made.state.retrievals:
        for passage in one.passages:
            own.setdefault(passage.chunk, set()).update(passage.axes)
    assert found
    for claim in block.claims:
        # Its part is behind the one sub-query of the question itself.
        assert AXES[claim.query - 1] in own[claim.chunk]


def test_a_passage_that_the_question_found_itself_can_follow_a_reading(sample: Sample, scripted: LocalModel) -> None:
    made = ambiguous(scripted)
    plain = {passage.chunk for one in made.state.retrievals for passage in one.passages if not passage.axes}
    followed = {passage.chunk for one in made.state.retrievals for passage in one.passages if passage.axes}
    assert plain & followed


def test_further_searches_of_a_reading_bring_passages_of_that_reading(sample: Sample, scripted: LocalModel) -> None:
    scripted.behave(says(LACKING), program="evaluate")
    scripted.behave(says({"phrases": [{"target": "T2", "words": "order backlog"}]}), program="follow_up")
    made = ambiguous(scripted)
    assert [one["reading"] for one in scripted.of("follow_up")[0].inputs["targets"]] == list(AXES)
    again = [one for one in made.state.retrievals if one.iteration == 1]
    assert {passage.axes for one in again for passage in one.passages} == {(AXES[1],)}


def test_without_searches_for_its_readings_a_question_is_answered_as_a_whole(
    sample: Sample, scripted: LocalModel
) -> None:
    one = {"phrase": "customers by revenue", "kind": "TEXT", "variants": [], "axis": "A1"}
    scripted.always(says({"searches": [one]}), program="decompose")
    made = ambiguous(scripted)
    assert made.answer.plan.axes == ()
    assert "axes" not in scripted.of("draft")[0].inputs
    assert made.shown


def test_another_source_is_refused_by_its_name(sample: Sample, scripted: LocalModel) -> None:
    made = reading(
        scripted, "What does Northwind's proxy statement say about suppliers?", source="proxy statement",
        source_span="proxy statement",
    )  # fmt: skip
    (block,) = made.answer.blocks
    assert block.refusal
    assert block.refusal.code in {Code.EXTERNAL_DATA, Code.TRANSCRIPT}
    assert "proxy statement" in block.refusal.text
    assert not scripted.of("draft")


@pytest.mark.parametrize(
    ("question", "source", "code"),
    [
        ("What does Northwind's latest 10-Q say about suppliers?", "10-Q", Code.EXTERNAL_DATA),
        ("What did Northwind's earnings call say about suppliers?", "earnings call", Code.TRANSCRIPT),
    ],
)
def test_each_other_source_has_its_own_refusal(
    question: str, source: str, code: Code, sample: Sample, scripted: LocalModel
) -> None:
    (block,) = reading(scripted, question, source=source, source_span=source).answer.blocks
    assert block.refusal
    assert block.refusal.code is code


def test_a_figure_that_is_no_candidate_is_drafted_from_the_document_that_tells_it(
    sample: Sample, scripted: LocalModel
) -> None:
    question = "By how much did Larkfield's dealers raise inventories in the first quarter of fiscal 2026?"
    row = {"span": "dealers raise inventories", "form": "change", "ids": []}
    scripted.always(good, program="draft")
    made = reading(
        scripted, question, type="A", companies=["Larkfield"], periods=["first quarter of fiscal 2026"], rows=[row], source="8-K",
        source_span="",
    )  # fmt: skip
    (block,) = made.answer.blocks
    assert {one.kind.key for one in block.filings} == {"8-K"}
    assert scripted.of("draft")
    assert untrue(made) == []


@pytest.mark.parametrize(
    ("question", "source", "span"),
    [
        ("What was Northwind's revenue in fiscal 2025 and what does its 10-Q say about suppliers?", "10-Q", "10-Q"),
        ("What was Northwind's revenue in fiscal 2025 and what does it say of its website?", "other", "website"),
        ("What does Northwind say about suppliers and its website?", "other", "website"),
        ("What does Northwind say about suppliers?", "earnings call", "suppliers"),
    ],
    ids=["a document beside a figure", "a website beside a figure", "a website", "words that name none"],
)
def test_what_code_has_read_is_not_refused_for_a_word(
    question: str, source: str, span: str, sample: Sample, scripted: LocalModel
) -> None:
    made = reading(scripted, question, source=source, source_span=span)
    first = made.answer.blocks[0]
    assert first.outcome == "answered"
    assert bool(first.table) is question.startswith("What was")


def test_what_a_measure_may_be_that_code_does_not_know_is_offered_where_no_text_tells_it(
    sample: Sample, scripted: LocalModel
) -> None:
    question = "How many gizmos did Northwind ship during fiscal 2025?"
    scripted.always(says({"claims": [], "not_found": []}), program="draft")
    scripted.always(
        says({"refusal_stands": True, "direction": "not a yes/no question", "claims": [], "caveats": []}),
        program="review_refusal",
    )
    scripted.always(figures("Northwind", "fiscal 2025", {"gizmos": "Total revenue"}), program="understand")
    made = run(question)
    (block,) = made.answer.blocks
    assert block.refusal
    assert block.refusal.code is Code.CONCEPT_UNKNOWN
    assert [one.question for one in block.refusal.proposals] == ["Northwind total revenue in fiscal 2025"]


def test_figures_and_words_of_one_question_stand_side_by_side(sample: Sample, scripted: LocalModel) -> None:
    quoted: list[str] = []

    def drafting(asked: Asked) -> Reply:
        placed = asked.inputs["facts"][0]["placeholder"]
        quoted.append(placed)
        return good(asked)

    scripted.always(drafting, program="draft")
    made = run(BOTH)
    number, words = made.answer.blocks
    assert number.table
    assert words.claims
    assert quoted == ["{{fact:1}}"]
    # The value is told to no model.
    told = "".join(message["content"] for one in scripted.of("draft") for message in one.body["messages"])
    (figure,) = TableCard(number.table, None).asserted
    assert figure.headline.lstrip("$") not in told
    assert figure.exact.split()[0] not in told


def test_a_question_that_names_an_item_is_searched_there_alone(sample: Sample, scripted: LocalModel) -> None:
    made = run("What does Item 1A of Northwind's fiscal 2025 10-K say about tariffs?")
    assert len(made.state.retrievals) > 1
    assert {passage.item for one in made.state.retrievals for passage in one.passages} == {"1A"}


def test_what_no_passage_answers_is_said_beside_what_is_found(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(
        lambda asked: says({"claims": claims(asked), "not_found": ["fiscal 2025", "moon dust"]})(asked),
        program="draft",
    )
    made = run(SUPPLY)
    assert made.notes == ["No passage was found that answers “fiscal 2025”."]


@pytest.mark.parametrize(("direction", "note"), [("yes", True), ("no", False), ("not a yes/no question", False)])
def test_a_direction_is_shown_beside_its_verified_evidence_alone(
    direction: str, note: bool, sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that the second look has something worth reading that the first had no room for.
    monkeypatch.setattr("agent.steps.drafting.READ", dict.fromkeys(Mode, 4_000))
    scripted.always(says({"claims": [], "not_found": []}), program="draft")

    def reviewing(asked: Asked) -> Reply:
        evidence = [one for one in claims(asked, most=40) if not {"no", "not", "never"} & {*one["quote"].split()}]
        return says({"refusal_stands": False, "direction": direction, "claims": evidence[:3], "caveats": []})(asked)

    scripted.always(reviewing, program="review_refusal")
    made = run("Does Northwind depend on a single supplier?")
    assert made.shown
    assert ("Read as yes, based on the first sentence." in made.notes) is note


def test_passages_are_ordered_by_a_model_only_where_that_is_wanted(
    sample: Sample, scripted: LocalModel, settings: Settings
) -> None:
    run(SUPPLY)
    assert not scripted.of("rerank")
    first = [one["text"] for one in scripted.of("draft")[-1].passages]
    settings.MODEL_RERANK = True
    scripted.always(says({"order": ["P3"]}), program="rerank")
    run(SUPPLY)
    again = [one["text"] for one in scripted.of("draft")[-1].passages]
    assert again == [first[2], *first[:2], *first[3:]]
    scripted.always(says("No."), program="rerank")
    assert run(SUPPLY).shown
    assert [one["text"] for one in scripted.of("draft")[-1].passages] == first


def test_without_a_model_nothing_of_its_searches_is_read(sample: Sample, scripted: LocalModel) -> None:
    """What is found without a model is what it was before there was one."""
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals.golden import TODAY

    scripted.always(says("No."), program="draft")
    made = run(SUPPLY)
    alone = pipeline.run(SUPPLY, Deps.current(TODAY))
    assert [(one.section, one.start, one.end) for one in made.state.verified] == [
        (one.section, one.start, one.end) for one in alone.verified
    ]
    assert len(made.state.retrievals) > len(alone.retrievals)
    assert Section.objects.filter(pk=alone.verified[0].section).exists()
