"""The report of the goldens: each index has its column, and a run leaves the other one alone."""

from pathlib import Path

from pytest_django import Settings

from evals import columns
from evals.harness import GATES, NumberTally
from evals.prose_golden import ProseGolden
from evals.prose_harness import SAMPLE_GATES, ProseResult, ProseTally
from evals.truths.witness import SecFile
from tests.support.answers import number_answer

SECRET = "Which widgets did the filer burn?"


def measured(found: str, heading: str = "Prose, check half: 3 questions") -> columns.Measured:
    return {heading: {"claims on point": ("60%", found), "lost: guard": ("", "1: p001")}}


def cells(path: Path, measure: str = "claims on point") -> list[list[str]]:
    return [rows[measure] for rows in columns.read(path.read_text()).values()]


def test_two_runs_stand_beside_each_other(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    columns.write(measured("1 of 2"), columns.EMBEDDED, path)
    assert cells(path) == [["60%", "1 of 2", ""]]
    columns.write(measured("2 of 2"), columns.ELASTICSEARCH, path)
    assert cells(path) == [["60%", "1 of 2", "2 of 2"]]
    columns.write(measured("0 of 2"), columns.EMBEDDED, path)
    assert cells(path) == [["60%", "0 of 2", "2 of 2"]]


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    columns.write(measured("1 of 2"), columns.EMBEDDED, path)
    first = path.read_bytes()
    columns.write(measured("1 of 2"), columns.EMBEDDED, path)
    assert path.read_bytes() == first


def test_other_questions_begin_a_table_anew(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    columns.write(measured("1 of 2"), columns.EMBEDDED, path)
    columns.write(measured("2 of 3", "Prose, check half: 4 questions"), columns.ELASTICSEARCH, path)
    assert cells(path) == [["60%", "", "2 of 3"]]


def test_halves_and_corpora_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    columns.write(measured("1 of 2"), columns.EMBEDDED, path)
    columns.write(measured("2 of 2", "Prose, tune half: 3 questions"), columns.EMBEDDED, path)
    assert cells(path) == [["60%", "1 of 2", ""], ["60%", "2 of 2", ""]]


def test_the_column_is_that_of_the_index_asked(settings: Settings) -> None:
    settings.ELASTICSEARCH_URL = ""
    assert columns.column() == "embedded"
    settings.ELASTICSEARCH_URL = "http://127.0.0.1:9200"
    assert columns.column() == "Elasticsearch"


def test_a_question_is_named_by_its_id_and_never_by_its_words(tmp_path: Path) -> None:
    golden = ProseGolden(
        id="px77", half="check", question=SECRET, kind=("risks",), outcome="refused", cik=1, accession="", codes=("x",)
    )
    lost = ProseResult(golden, number_answer(), (), 0, (), (), False, "", 1.0)
    path = tmp_path / "report.md"
    columns.write(columns.measured("Prose", ProseTally("check", (lost,)), SAMPLE_GATES), columns.EMBEDDED, path)
    text = path.read_text()
    assert "px77" in text
    assert SECRET not in text
    assert all(gate.name in text for gate in SAMPLE_GATES)


def test_numbers_have_a_table_too(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    columns.write(columns.measured("Numbers", NumberTally("check", (), SecFile()), GATES), columns.EMBEDDED, path)
    assert cells(path, "wrong numbers") == [["none", "0 of 0 0.0% [0.0%, 100.0%]", ""]]
