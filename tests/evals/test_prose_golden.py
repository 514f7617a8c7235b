"""The prose goldens as they are stored."""

from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from evals.prose_golden import EDGAR, SAMPLE, ProseGolden, Truth, read
from evals.truths.prose_truth import fingerprint

ROWS = read(EDGAR)
PROSE = [row for row in ROWS if row.outcome == "answered" and row.truths]
REFUSED = {
    "id": "x1",
    "half": "tune",
    "question": "q",
    "kind": ["near_miss"],
    "outcome": "refused",
    "cik": 1,
    "accession": "",
    "codes": ["not_found_in_filing"],
}
TRUTH = {"accession": "a", "item": "1A", "words": 3, "sha256": "0" * 64}


def test_there_are_enough_real_questions_of_every_sort() -> None:
    assert len(PROSE) >= 150
    assert sum(row.outcome == "refused" for row in ROWS) >= 60
    assert sum("false_premise" in row.kind for row in ROWS) >= 30
    assert sum("no_shared_word" in row.kind for row in PROSE) * 3 >= len(PROSE)
    assert len({row.accession for row in ROWS}) <= 30


def test_no_company_stands_in_both_halves() -> None:
    halves = {half: {row.cik for row in read(EDGAR, half)} for half in ("tune", "check")}
    assert halves["tune"]
    assert not halves["tune"] & halves["check"]


def test_every_id_and_question_is_there_once() -> None:
    assert max(Counter(row.id for row in ROWS).values()) == 1
    assert max(Counter(row.question.lower() for row in ROWS).values()) == 1


def test_no_words_of_a_real_filing_are_kept() -> None:
    assert not any(truth.text for row in ROWS for truth in row.truths)


def test_every_truth_belongs_to_the_filing_asked_about() -> None:
    assert {truth.accession == row.accession for row in ROWS for truth in row.truths} == {True}


def test_a_refusal_has_no_truths() -> None:
    with pytest.raises(ValidationError, match="no truths"):
        ProseGolden.model_validate({**REFUSED, "parts": [{"truths": [TRUTH]}]})


def test_a_refusal_has_a_code() -> None:
    with pytest.raises(ValidationError, match="codes"):
        ProseGolden.model_validate({**REFUSED, "codes": []})


def test_an_answer_needs_what_supports_it() -> None:
    with pytest.raises(ValidationError, match="supports"):
        ProseGolden.model_validate({**REFUSED, "outcome": "answered"})


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "prose.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"prose\.jsonl, line 1"):
        read(path)


SAMPLE_ROWS = read(SAMPLE)


def test_there_are_enough_questions_on_the_sample() -> None:
    assert len(SAMPLE_ROWS) >= 80
    assert {row.outcome for row in SAMPLE_ROWS} == {"answered", "refused", "corrected"}
    assert any(row.forbidden for row in SAMPLE_ROWS)


def test_no_issuer_of_the_sample_stands_in_both_halves() -> None:
    halves = {half: {row.cik for row in read(SAMPLE, half)} for half in ("tune", "check")}
    assert halves["tune"]
    assert not halves["tune"] & halves["check"]


@pytest.mark.parametrize(
    "truth", sorted({truth for row in SAMPLE_ROWS for truth in row.truths}, key=str), ids=lambda one: one.sha256[:8]
)
def test_a_truth_of_the_sample_has_the_words_of_its_sentence(truth: Truth) -> None:
    assert fingerprint(truth.text) == (truth.words, truth.sha256)
