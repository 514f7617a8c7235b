"""The bank of questions on quarterly reports, releases, proxies and 20-Fs: its rows' shape, and that its truths are found."""

import hashlib
import lzma
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from pydantic import ValidationError

from evals.sources.check import ABSENT, FORMS, Place, Question, plain, problems, questions, text_of

ROWS = questions()
PREFIXES = {"10-Q": "10q", "8-K": "8k", "DEF 14A": "def14a", "20-F": "20f"}
MARKUP = """<DOCUMENT><style>p { color: red }</style><ix:header>hidden 7</ix:header>
<p>Cats Ltd, <b>A</b>pril 30, 2024 and 2023</p><table><tr><td>Net sales</td><td>$ 1,250</td><td>(340)</td></tr></table>
<!-- a note --><p>Sales fell&#160;because the&nbsp;cats
were<span> asleep</span>.\u200b</p>"""
TEXT = "Cats Ltd, April 30, 2024 and 2023 Net sales $ 1,250 (340) Sales fell because the cats were asleep."
SAID = "Sales fell because the cats were asleep."


@pytest.fixture
def forms(tmp_path: Path) -> Path:
    """A mirror of one fictional report."""
    (tmp_path / "forms.csv").write_text(
        "accession,primary_doc,mirror_path\n1-24-1,cats.htm,cats.htm\n", encoding="utf-8"
    )
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror/cats.htm.xz").write_bytes(lzma.compress(MARKUP.encode()))
    return tmp_path


def figure(printed: str, value: str, **changed: object) -> dict[str, object]:
    start = TEXT.index(printed)
    told = {"accession": "1-24-1", "value": value, "unit": "USD", "scale": 6, "period_end": "2024-04-30"}
    return told | {"label": "Net sales", "start": start, "end": start + len(printed)} | changed


def evidence(said: str, digest_of: str) -> dict[str, object]:
    start = TEXT.index(said)
    digest = hashlib.sha256(digest_of.encode()).hexdigest()
    return {"accession": "1-24-1", "start": start, "end": start + len(said), "sha256": digest}


def asked(**truth: object) -> Question:
    row = {"id": "10q-001", "kind": "10-Q", "half": "tune", "ticker": "CATS", "company": "Cats", "question": "Sales?"}
    return Question.model_validate(
        row | {"accessions": ["1-24-1"], "documents": ["cats.htm"], "expect": "answer", "truth": truth}
    )


def test_ids_are_unique_and_begin_with_their_kind() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS)
    assert len({row.question for row in ROWS}) == len(ROWS)
    assert [row.id for row in ROWS if not re.fullmatch(rf"{PREFIXES[row.kind]}-\d{{3}}", row.id)] == []


def test_each_company_stands_in_one_half_and_the_halves_are_about_equal() -> None:
    halves = defaultdict(set)
    for row in ROWS:
        halves[row.company].add(row.half)
    assert {company for company, its in halves.items() if len(its) > 1 or not its <= {"tune", "check"}} == set()
    for kind in PREFIXES:
        counts = Counter(row.half for row in ROWS if row.kind == kind)
        assert min(counts["tune"], counts["check"]) >= 0.4 * counts.total(), kind


def test_no_document_is_asked_about_too_often() -> None:
    counts = Counter(
        (row.kind, document) for row in ROWS for document in zip(row.accessions, row.documents, strict=True)
    )
    assert {one: count for one, count in counts.items() if count > (8 if one[0] == "DEF 14A" else 6)} == {}


def test_one_question_in_twelve_or_more_must_be_refused() -> None:
    assert sum(row.expect == "refuse" for row in ROWS) * 12 >= len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_has_a_truth_of_one_form_in_its_own_documents(row: Question) -> None:
    truth = row.truth
    assert len(set(row.accessions)) == len(row.accessions) == len(row.documents)
    assert all(re.fullmatch(r"\d{10}-\d\d-\d{6}", accession) for accession in row.accessions)
    forms = [bool(truth.figures), bool(truth.evidences), bool(truth.reason and truth.absent)]
    assert forms == (
        [False, False, True] if row.expect == "refuse" else [truth.figures != [], truth.evidences != [], False]
    )
    assert row.expect in {"answer", "refuse"}
    assert sum(forms) == 1
    assert truth.need in {"any", "all"}
    places: list[Place] = [*truth.figures, *truth.evidences]
    for one in places:
        assert one.accession in row.accessions
        assert 0 <= one.start < one.end
    assert {one.accession for one in places} in (set(), set(row.accessions))
    assert all(re.fullmatch(r"[0-9a-f]{64}", one.sha256) for one in truth.evidences)
    assert max([len(one.label) for one in truth.figures], default=0) <= 40
    assert len(row.question) <= 200


def test_a_row_with_the_text_of_its_evidence_is_no_row() -> None:
    with pytest.raises(ValidationError, match="quote"):
        asked(evidences=[evidence(SAID, SAID) | {"quote": SAID}])


def test_the_truths_are_in_the_documents_and_no_question_quotes_them() -> None:
    if not FORMS.is_dir():
        pytest.skip(ABSENT)
    assert {row.id: told for row in ROWS if (told := list(problems(row)))} == {}
    for row in ROWS:
        text = " ".join(text_of(*one).lower() for one in zip(row.accessions, row.documents, strict=True))
        words = row.question.lower().split()
        assert [run for at in range(len(words) - 9) if (run := " ".join(words[at : at + 10])) in text] == [], row.id


def test_plain_text_joins_what_inline_tags_part_and_leaves_out_what_nobody_reads() -> None:
    assert plain(MARKUP) == TEXT
    assert plain("") == ""


@pytest.mark.parametrize(
    "truth",
    [
        {
            "figures": [
                figure("1,250", "1250000000"),
                figure("340", "-340000000", period_end="2023-04-30", undated=True),
            ]
        },
        {"evidences": [evidence(SAID, SAID)]},
        {"reason": "Dogs are not mentioned.", "absent": [r"\bdogs?\b"]},
    ],
)
def test_a_truth_that_is_in_its_document_is_found(forms: Path, truth: dict[str, object]) -> None:
    assert list(problems(asked(**truth), forms)) == []


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        ({"figures": [figure("1,250", "1251000000")]}, "not 1251000000"),
        ({"figures": [figure("1,250", "1250000", scale=6)]}, "not 1250000"),
        ({"figures": [figure("1,250", "-1250000000")]}, "sign"),
        ({"figures": [figure("340", "340000000")]}, "sign"),
        ({"figures": [figure("1,250", "1250000000", label="Net income")]}, "'Net income' does not stand near"),
        ({"figures": [figure("1,250", "1250000000", period_end="2024-05-31")]}, "2024-05-31 is not printed"),
        ({"figures": [figure("Net", "1250000000")]}, "no number stands"),
        ({"evidences": [evidence(SAID, SAID.replace("fell", "rose"))]}, "another text stands"),
        ({"reason": "Cats are not mentioned.", "absent": [r"\bCATS\b"]}, "has"),
    ],
)
def test_a_spoilt_truth_is_told(forms: Path, truth: dict[str, object], told: str) -> None:
    assert [problem for problem in problems(asked(**truth), forms) if told in problem] != []
