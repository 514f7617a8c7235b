"""Approved golden candidates as lines that the goldens read."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from agent.models import GoldenCandidate, Run
from agent.state import Block, QuestionType
from agent.web.admin.golden_pointers import promote
from evals.golden import Golden
from evals.prose_golden import ProseGolden
from evals.truths.prose_truth import locate
from filings.models import Section
from tests.agent.workbench.test_golden_candidates import CLAIM
from tests.support import answers
from tests.support.sample import Sample


def exported(*options: str) -> tuple[list[dict[str, object]], str]:
    out, err = StringIO(), StringIO()
    call_command("golden_candidates", *options, stdout=out, stderr=err)
    return [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def approved(run: Run) -> GoldenCandidate:
    candidate, _ = promote(run, None)
    candidate.status = GoldenCandidate.Status.APPROVED
    candidate.save()
    return candidate


def prose_run(section: Section, start: int, end: int, sha256: str = "") -> Run:
    quote = section.text[start:end]
    claim = CLAIM.model_copy(
        update={"section": section.pk, "sha256": sha256 or section.sha256, "start": start, "end": end, "quote": quote}
    )
    block = Block(target=1, type=QuestionType.PROSE, outcome="answered", claims=(claim,))
    return answers.run_with(answers.number_answer().model_copy(update={"blocks": (block,)}))


@pytest.fixture
def section(sample: Sample) -> Section:
    found = Section.objects.filter(item="1A").exclude(text="").first()
    if found is None:
        pytest.skip("The sample has no text here.")
    return found


def test_a_figure_becomes_a_numeric_golden(db: None) -> None:
    approved(answers.run_with(answers.number_answer()))
    ((row,), problems) = exported()
    golden = Golden.model_validate(row)
    (value,) = golden.values
    assert (golden.half, golden.outcome, golden.question) == ("tune", "answered", answers.QUESTION)
    assert (value.value, value.literal.figure, value.literal.scale) == (9_412_000, "9,412", 3)
    assert value.literal.size == value.value
    assert value.pointer.accession == answers.ACCESSION
    assert problems == ""


def test_a_figure_that_is_not_printed_so_is_as_companyfacts_write_it(db: None) -> None:
    candidate = approved(answers.run_with(answers.number_answer()))
    candidate.facts[0]["printed"] = "nine million"
    candidate.save()
    ((row,), _) = exported()
    literal = Golden.model_validate(row).values[0].literal
    assert (literal.figure, literal.scale, literal.source) == ("9412000", 0, "companyfacts")


def test_a_refusal_becomes_a_golden_of_its_code(db: None) -> None:
    approved(answers.run_with(answers.refusal_answer()))
    ((row,), _) = exported()
    golden = Golden.model_validate(row)
    assert (golden.outcome, golden.code) == ("refused", "concept_not_reported")


def test_a_passage_becomes_the_hash_of_its_words_and_is_found_again(section: Section) -> None:
    start, end = 0, min(60, len(section.text))
    approved(prose_run(section, start, end))
    ((row,), _) = exported()
    golden = ProseGolden.model_validate(row)
    (truth,) = golden.truths
    assert locate(section.text, truth.words, truth.sha256) is not None
    assert section.text[:30] not in json.dumps(row)


def test_what_cannot_be_exported_is_said_and_does_not_stop_the_others(section: Section) -> None:
    approved(prose_run(section, 0, 40, sha256="00" * 32))
    approved(answers.run_with(answers.derived_answer()))
    approved(answers.run_with(answers.number_answer()))
    rows, problems = exported()
    assert len(rows) == 1
    assert "has been ingested again" in problems
    assert "gross_profit is computed" in problems


def test_only_what_is_approved_is_exported_unless_asked(db: None) -> None:
    promote(answers.run_with(answers.number_answer()), None)
    declined, _ = promote(answers.run_with(answers.number_answer()), None)
    GoldenCandidate.objects.filter(pk=declined.pk).update(status="declined")
    assert exported() == ([], "")
    assert len(exported("--proposed")[0]) == 1
