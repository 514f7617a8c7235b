"""Questions about text through the whole pipeline, over the sections of the fictional sample."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from agent import tasks
from agent.models import Run
from agent.refusals.codes import Code
from agent.state import Answer, Block, Location, QuestionType, Refusal
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.tables.table_card import TableCard
from evals.golden import TODAY
from filings.models import Chunk, Filing, Section
from tests.support.sample import Sample
from tests.support.searchable import change_text, search_down

pytestmark = pytest.mark.django_db

NORTHWIND, LARKFIELD, CALDER = 9_999_999_901, 9_999_999_902, 9_999_999_903
CONTROLS = "Were Northwind's disclosure controls effective in fiscal 2025?"
STAFF = "Does Larkfield Health have unresolved staff comments?"
BOTH = "What was Northwind's gross profit in fiscal 2025 and why did service revenue fall?"
HALF = "What was Northwind's revenue and what are its dog policies?"
MARS = "What does Northwind say about Mars colonies?"
PAY = "What does Calder say about executive compensation in fiscal 2025?"


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def only(answer: Answer) -> Block:
    (block,) = answer.blocks
    return block


def measures(block: Block) -> list[str]:
    """The keys of the figures that a block asserts."""
    return [cell.measure for cell in block.table.asserted] if block.table else []


def refusal(block: Block) -> Refusal:
    assert block.refusal is not None, block.claims
    assert not block.claims
    return block.refusal


def filing(cik: int, year: int) -> Filing:
    return Filing.objects.get(company__cik=cik, fiscal_year=year, is_primary=True)


# --- what answers ---


def test_a_claim_is_the_filings_own_characters_in_the_chunk_it_cites(sample: Sample) -> None:
    block = only(ask(CONTROLS))
    assert block.type is QuestionType.PROSE
    assert block.claims
    for claim in block.claims:
        section = Section.objects.get(pk=claim.section)
        assert section.filing == filing(NORTHWIND, 2025)
        assert (section.sha256, section.item) == (claim.sha256, claim.item)
        assert section.text[claim.start : claim.end] == claim.quote
        assert claim.verdict == "verbatim"
        ranges = Chunk.objects.get(pk=claim.chunk).ranges
        assert any(start <= claim.start < end for start, end in ranges)
    assert "concluded that they were effective" in block.claims[0].quote
    assert block.claims[0].item == "9A"
    assert "The filing says so." in block.notes


def test_the_answer_names_the_index_and_the_model_that_found_it(sample: Sample) -> None:
    retrieval = only(ask(CONTROLS)).retrieval
    assert retrieval is not None
    assert (retrieval.index, bool(retrieval.model), bool(retrieval.passages)) == ("embedded", True, True)


def test_none_is_an_answer_and_is_said_with_its_item(sample: Sample) -> None:
    block = only(ask(STAFF))
    assert [(claim.item, claim.quote) for claim in block.claims] == [("1B", "None.")]
    assert any("Item 1B" in note and "None." in note for note in block.notes)


def test_without_a_year_the_latest_is_quoted_and_said(sample: Sample) -> None:
    block = only(ask(STAFF))
    assert {claim.accession for claim in block.claims} == {filing(LARKFIELD, 2025).accession}
    assert any("No year was named" in note and "fiscal 2025" in note for note in block.notes)


def test_the_year_asked_is_the_year_quoted(sample: Sample) -> None:
    block = only(ask("Does Larkfield Health have unresolved staff comments in fiscal 2024?"))
    assert {claim.accession for claim in block.claims} == {filing(LARKFIELD, 2024).accession}


def test_items_in_an_exhibit_are_quoted_under_their_item(sample: Sample) -> None:
    claims = only(ask("What are Larkfield's critical accounting estimates in fiscal 2025?")).claims
    assert claims
    assert {claim.item for claim in claims} == {"7"}
    assert {Section.objects.get(pk=claim.section).document.filename for claim in claims} == {"lrkf-20250930ex13.htm"}


def test_beside_risks_whose_headings_name_what_is_asked_stand_other_passages(sample: Sample) -> None:
    block = only(ask("What risks related to machine tools did Northwind disclose?"))
    assert len(block.claims) == 2
    assert block.passages
    assert block.above_passages == "Other passages near the question:"
    held = {(one.section, place) for one in block.claims for place in range(one.start, one.end)}
    shown = {(one.section, place) for one in block.passages for span in one.ranges for place in range(*span)}
    assert not held & shown
    every = only(ask("What are Northwind's risk factors?"))
    assert every.claims
    assert not every.passages


def test_data_of_the_filing_is_answered_without_a_search(sample: Sample) -> None:
    block = only(ask("Who audited Northwind's fiscal 2025 statements?"))
    (auditor,) = block.particulars
    assert auditor.value == "Fjord & Larch LLP, Minneapolis, Minnesota"
    assert "AuditorName" in auditor.source
    assert (block.claims, block.retrieval) == ((), None)


def test_since_when_the_auditor_has_served_is_quoted_from_its_report(sample: Sample) -> None:
    (claim,) = only(ask("How long has Northwind's auditor served?")).claims
    assert claim.text == "We have served as the Company\u2019s auditor since 2014."
    assert claim.item == "8"


def test_what_the_auditor_is_paid_is_not_answered_with_its_name(sample: Sample) -> None:
    block = only(ask("How much did Northwind pay its auditor in fiscal 2025?"))
    assert refusal(block).code is Code.SECTION_NOT_AVAILABLE
    assert "Item 14" in refusal(block).text
    assert not block.particulars
    shown = only(ask("What did Larkfield pay its auditor in fiscal 2025?")).passages
    assert any("Audit-related" in one.text and "2,610,000" in one.text for one in shown)


def test_data_that_is_not_tagged_is_not_guessed(sample: Sample) -> None:
    held = filing(NORTHWIND, 2025)
    cover = {tag: value for tag, value in held.cover.items() if not tag.startswith("Auditor")}
    Filing.objects.filter(pk=held.pk).update(cover=cover)
    assert not only(ask("Who audited Northwind's fiscal 2025 statements?")).particulars


# --- two kinds of parts ---


def test_a_figure_and_its_reason_are_two_blocks_each_by_its_own_path(sample: Sample) -> None:
    answer = ask(BOTH)
    assert answer.plan.type is QuestionType.BOTH
    number, prose = answer.blocks
    assert [(block.type, block.outcome) for block in answer.blocks] == [
        (QuestionType.NUMERIC, "answered"),
        (QuestionType.PROSE, "passages"),
    ]
    assert (measures(number), number.claims) == (["gross_profit"], ())
    assert (prose.table, prose.claims) == (None, ())
    assert prose.passages


def test_a_part_that_refuses_leaves_the_other_answered(sample: Sample) -> None:
    answer = ask(HALF)
    number, prose = answer.blocks
    assert answer.outcome == "answered"
    assert measures(number) == ["revenue"]
    assert refusal(prose).code is Code.NOT_FOUND_IN_FILING
    assert prose.type is QuestionType.PROSE


# --- what refuses ---


def test_a_question_that_the_filing_does_not_answer_is_refused(sample: Sample) -> None:
    found = refusal(only(ask(MARS)))
    assert (found.code, found.stage) == (Code.NOT_FOUND_IN_FILING, "validate")
    assert "Mars colonies" in found.text
    assert dict(found.looked_for)["Filing"].endswith(filing(NORTHWIND, 2025).accession)


def test_an_item_that_is_elsewhere_is_refused_with_its_status_and_where(sample: Sample) -> None:
    found = refusal(only(ask(PAY)))
    assert (found.code, found.stage) == (Code.SECTION_NOT_AVAILABLE, "locate")
    assert "incorporated by reference" in found.text
    assert "proxy statement" in found.text
    assert "Item 11" in found.text


def test_an_omitted_item_is_refused_by_name(sample: Sample) -> None:
    found = refusal(only(ask("What does Northwind's 2025 10-K say under Item 6?")))
    assert found.code is Code.SECTION_NOT_AVAILABLE
    assert "Item 6" in found.text
    assert "omitted" in found.text


def test_locate_keeps_what_is_known_of_each_item_asked(sample: Sample) -> None:
    state = pipeline.run(STAFF, Deps.current(TODAY))
    found: dict[str, Location] = {one.item: one for one in state.locations}
    assert (found["1B"].status, found["1B"].accession) == ("none", filing(LARKFIELD, 2025).accession)
    assert Section.objects.get(pk=found["1B"].section).item == "1B"


def test_a_company_whose_documents_are_not_read_says_so(sample: Sample) -> None:
    found = refusal(only(ask("What supply risks does Apple disclose in fiscal 2024?")))
    assert found.code is Code.SECTION_NOT_AVAILABLE
    assert "is not in our data" in found.text


def test_sentences_that_no_longer_stand_in_the_filing_are_refused(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stored text is changed behind the answer's back, between the choice of sentences and their verification."""

    def tamper(node: str, before: Any, after: Any, ms: float) -> None:
        if node == "validate":
            for claim in after.claims:
                section = Section.objects.get(pk=claim.section)
                Section.objects.filter(pk=section.pk).update(
                    text=section.text.replace("they were effective", "they were written")
                )

    state = pipeline.run(CONTROLS, Deps.current(TODAY), tamper)
    assert state.claims
    (found,) = state.refusals
    assert (found.code, found.stage) == (Code.UNVERIFIED, "cite_check")
    assert not state.verified


# --- search down ---


@pytest.fixture
def unreachable(settings: Settings) -> None:
    search_down(settings, "NWND", 2025)


def test_while_no_index_answers_the_refusal_says_so(sample: Sample, unreachable: None) -> None:
    block = only(ask(CONTROLS))
    found = refusal(block)
    assert (found.code, found.stage) == (Code.SEARCH_UNAVAILABLE, "retrieve")
    assert "127.0.0.1:9" not in found.text
    # An Item as a whole is read without a search.
    assert block.alternatives
    assert all("under Item" in one.question for one in block.alternatives)


def test_figures_and_staff_comments_need_no_search(sample: Sample, unreachable: None) -> None:
    number, prose = ask(BOTH).blocks
    assert number.outcome == "answered"
    assert refusal(prose).code is Code.SEARCH_UNAVAILABLE


def test_text_that_waits_for_the_index_is_refused_as_such(sample: Sample, settings: Settings) -> None:
    change_text(filing(NORTHWIND, 2025))
    found = refusal(only(ask(CONTROLS)))
    assert found.code is Code.SEARCH_UNAVAILABLE
    assert "waiting" in found.detail


# --- text that gives instructions ---


@pytest.mark.parametrize(
    ("cik", "question", "value"),
    [
        (NORTHWIND, "What was Northwind's revenue?", "147880000"),
        (NORTHWIND, "Northwind revenue fiscal 2025", "147880000"),
        (CALDER, "What was Calder Power Systems' revenue in fiscal 2025?", ""),
    ],
)
def test_a_passage_that_gives_instructions_changes_no_figure(
    sample: Sample, cik: int, question: str, value: str
) -> None:
    block = only(ask(question))
    assert block.table
    (figure,) = TableCard(block.table, None).asserted
    cell = figure.cell
    fact = filing(cik, 2025).facts.get(pk=cell.fact.fact) if cell.fact else None
    assert fact is not None
    assert cell.value == fact.value
    assert not value or str(cell.value) == value
    assert "99" not in f"{figure.headline} {figure.exact}"
    assert block.claims == ()


@pytest.mark.parametrize(
    "question",
    [
        "Why did Northwind's revenue increase in fiscal 2025?",
        "What does Northwind say about its revenue in fiscal 2025?",
        "What does Northwind's fiscal 2025 10-K say about revenue growth?",
        "What was Northwind's revenue and what drove it in fiscal 2025?",
        "Does Calder say that it has no risks? (2025)",
    ],
)
def test_an_instruction_in_a_filing_is_no_answer_about_revenue(sample: Sample, question: str) -> None:
    shown = [claim.text for block in ask(question).blocks for claim in block.claims]
    assert not [text for text in shown if "$99 billion" in text or "previous instructions" in text]


def test_hidden_text_is_in_no_section_and_no_chunk(sample: Sample) -> None:
    assert not Section.objects.filter(text__icontains="automated readers").exists()
    assert Section.objects.filter(text__contains="Ignore previous instructions").count() == 1


# --- what is kept and handed out ---


def test_a_batch_row_carries_the_claims_with_their_ranges(sample: Sample, tmp_path: Path) -> None:
    source, output = tmp_path / "questions.jsonl", tmp_path / "results.jsonl"
    asked = [
        {"id": "controls", "question": CONTROLS},
        {"id": "half", "question": HALF},
        {"id": "mars", "question": MARS},
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in asked), encoding="utf-8")
    call_command("ask", "--batch", str(source), "--output", str(output))
    rows = {row["id"]: row for row in map(json.loads, output.read_text(encoding="utf-8").splitlines())}
    controls, half, mars = rows["controls"], rows["half"], rows["mars"]
    assert (controls["type"], controls["outcome"], controls["values"]) == ("B", "answered", [])
    for claim in controls["claims"]:
        section = Section.objects.get(pk=claim["section"])
        assert section.text[claim["start"] : claim["end"]] == claim["quote"]
        assert (claim["accession"], claim["sha256"]) == (section.filing.accession, section.sha256)
        assert claim["quote"] in controls["text"]
    # A figure within a quotation is no value of the answer.
    assert "reasonable assurance" in controls["claims"][0]["quote"]
    assert [value["concept"] for value in half["values"]] == ["revenue"]
    assert [block["refusal_code"] for block in half["blocks"]] == ["", "not_found_in_filing"]
    assert (mars["claims"], mars["refusal_code"]) == ([], "not_found_in_filing")


def test_a_step_keeps_no_words_before_they_are_verified(sample: Sample) -> None:
    run = Run.objects.create(question=CONTROLS)
    tasks.answer(str(run.pk))
    steps = {step.node: step for step in run.steps.all()}
    drafted, verified = steps["validate"].outputs["claims"], steps["cite_check"].outputs["verified"]
    assert [one["chunk"] for one in drafted] == [one["chunk"] for one in verified]
    assert all(one["quote"] and one["text"] for one in verified)
    assert not [one for one in drafted if {"text", "quote", "caption"} & set(one)]


def test_each_step_says_what_it_did_with_the_text(sample: Sample) -> None:
    run = Run.objects.create(question=CONTROLS)
    tasks.answer(str(run.pk))
    said = {step.node: step.said for step in run.steps.all()}
    assert "Items available" in said["locate"]
    assert "passage" in said["retrieve"]
    assert said["validate"].endswith("found.")
    assert "word for word" in said["cite_check"]
