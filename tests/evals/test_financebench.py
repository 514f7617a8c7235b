"""manage.py financebench: questions in the form of the public file, asked of the bundled sample."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoDbBlocker, Settings

from evals.financebench import financebench
from evals.financebench.financebench import Bench
from evals.financebench.financebench_documents import Documents
from evals.financebench.financebench_rows import Asked, Failure, FinanceBenchQuestion
from evals.programs.judge_answer import judged
from evals.truths.evidence_pages import page_of, rank_of
from filings.edgar.client import Edgar
from filings.models import Filing
from tests.support.brought import QUARTERLY
from tests.support.model_behaviours import says, server_error
from tests.support.model_server import LocalModel, named_in
from tests.support.sample import Sample

FILE = Path(__file__).with_name("financebench_form.jsonl")
NORTHWIND = "9999999901-26-000012"


@pytest.fixture(scope="module")
def results(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, Asked]:
    with django_db_blocker.unblock():
        found = Bench("company", answering=False, judging=False).run(financebench.read(FILE), Documents())
        return {one.row.financebench_id: one for one in found}


@pytest.mark.parametrize(
    ("question", "score", "how", "failure"),
    [
        ("own_01", 1, "to the digit", None),
        ("own_02", 1, "within 2 %", None),
        ("own_03", 0, "to the digit", Failure.FORMULA),
        ("own_04", 0, "to the digit", Failure.TABLE),
        ("own_05", None, "not judged", None),
        ("own_06", 0, "nothing asserted", Failure.READING),
        ("own_07", 0, "nothing asserted", Failure.DOCUMENT),
        ("own_08", 0, "nothing asserted", Failure.DOCUMENT),
    ],
)
def test_without_a_model_bare_numbers_alone_are_judged(
    results: dict[str, Asked], question: str, score: int | None, how: str, failure: Failure | None
) -> None:
    found = results[question]
    assert (found.grade.score, found.grade.how, found.failure) == (score, how, failure)


def test_what_is_not_asked_has_no_outcome(results: dict[str, Asked]) -> None:
    assert [name for name, one in results.items() if not one.outcome] == ["own_07", "own_08"]


def test_the_page_of_evidence_is_found_by_its_words(results: dict[str, Asked]) -> None:
    assert results["own_05"].pages == {6}  # the file says another, as a PDF may
    assert results["own_05"].rank in range(1, 6)
    assert results["own_04"].pages == frozenset()


def test_evidence_in_other_words_is_on_the_page_of_its_number_where_that_is_one(sample: Sample) -> None:
    filing = Filing.objects.get(accession=NORTHWIND)
    assert page_of(filing, "words that no page of this report says", 7) == 8
    assert page_of(filing, "words that no page of this report says", 500) is None
    assert page_of(filing, "", None) is None


def test_a_page_counts_at_the_first_passage_that_stands_on_it() -> None:
    assert rank_of({4, 9}, [{1}, {2, 4}, {9}]) == 2
    assert rank_of({3}, [{1}]) is None


@pytest.mark.django_db
def test_a_report_has_figures_and_ids_and_no_words_of_questions(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / "financebench.md"
    call_command("financebench", questions=FILE, scope="company", report=path, stdout=StringIO())
    text = path.read_text(encoding="utf-8")
    assert "Questions: 8; asked: 6, of each nothing but its words names the document." in text
    assert "| all | 8 | 5 | 2 | 0 | 2 | 1 | 1 of 4 |" in text
    assert "| lost by: formula | 1 |" in text
    assert "| own_08 | BRACKWATER_2019_10K | 0 | document |  |" in text
    assert not any(row.question in text for row in financebench.read(FILE))


@pytest.fixture
def model(settings: Settings, sample: Sample) -> Iterator[LocalModel]:
    with named_in(settings) as server:
        yield server


@pytest.mark.django_db
def test_with_a_model_text_is_judged_by_it(model: LocalModel, tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8").splitlines()[4]
    one = tmp_path / "one.jsonl"
    one.write_text(text, encoding="utf-8")
    model.always(says({"score": "0.5", "reason": "Half of it."}), program="")
    out = StringIO()
    call_command("financebench", questions=one, scope="company", stdout=out)
    (asked,) = [body for _, body in model.requests if "Grade an answer" in body["messages"][0]["content"]]
    assert json.loads(text)["answer"] in asked["messages"][-1]["content"]
    assert "own_05 0.5 model" in out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("behaviour", [server_error, says({"score": "0.7", "reason": "Nearly."}), says("fine")])
def test_a_judge_that_does_not_reply_in_form_judges_nothing(
    model: LocalModel, behaviour: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agent.programs import calls
    from agent.programs.models import configured

    monkeypatch.setattr(calls.time, "sleep", lambda seconds: None)
    model.always(behaviour)  # type: ignore[arg-type]
    models = configured()
    assert models is not None
    assert judged(models, "What?", "This.", "", "That.") is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "said"),
    [("", "has no questions"), ('{"company": "3M"}\n', "broken.jsonl, line 1"), ("[", "broken.jsonl, line 1")],
)
def test_a_file_of_another_form_is_told_with_its_line(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CommandError, match=said):
        call_command("financebench", questions=path, stdout=StringIO())


@pytest.mark.django_db
def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("financebench", questions=tmp_path / "none.jsonl", stdout=StringIO())


@pytest.mark.django_db
def test_a_year_that_edgar_does_not_give_is_told_by_its_document(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Edgar, "first_wait", 0.01)
    row = financebench.read(FILE)[0].model_copy(update={"doc_name": "NORTHWIND_2016_10K"})
    documents = Documents()
    assert documents.filing(row) is None
    assert documents.missing["NORTHWIND_2016_10K"]


@pytest.fixture
def halden_row() -> FinanceBenchQuestion:
    return FinanceBenchQuestion(
        financebench_id="own_09",
        company="Halden Optics",
        doc_name="HALDEN_2024Q3_10Q",
        question="How many furnaces do the lens blanks come from?",
        answer="Two furnaces in Tromsdal.",
        evidence=({"evidence_text": "Lens blanks come from two furnaces in Tromsdal", "evidence_page_num": 0},),
    )


@pytest.mark.django_db
def test_documents_are_imported_from_a_folder_and_chosen(
    sample: Sample, tmp_path: Path, halden_row: FinanceBenchQuestion
) -> None:
    (tmp_path / "HALDEN_2024Q3_10Q.html").write_bytes(QUARTERLY)
    documents = Documents(tmp_path)
    filing = documents.filing(halden_row)
    assert filing is not None
    assert (filing.kind.key, filing.fiscal_year, filing.fiscal_quarter) == ("10-Q", 2024, 3)
    assert filing.company.name == "Halden Optics"
    (asked,) = Bench(answering=False, judging=False).run([halden_row], documents)
    assert asked.outcome in ("answered", "passages")
    assert asked.shown
    # Again, nothing is imported twice, and the company is the same.
    assert Documents(tmp_path).filing(halden_row) == filing


@pytest.mark.django_db
def test_a_document_that_is_not_in_the_folder_is_told(tmp_path: Path, halden_row: FinanceBenchQuestion) -> None:
    documents = Documents(tmp_path)
    assert documents.filing(halden_row) is None
    assert "HALDEN_2024Q3_10Q" in documents.missing["HALDEN_2024Q3_10Q"]


@pytest.mark.parametrize(
    ("name", "kind", "year", "quarter", "day"),
    [
        ("HALDEN_2024_10K", "10-K", 2024, None, "2024-12-31"),
        ("HALDEN_2024Q2_10Q", "10-Q", 2024, 2, "2024-12-31"),
        ("HALDEN_2024Q1_EARNINGS", "8-K", 2024, None, "2024-12-31"),
        ("HALDEN_2023_8K_dated-2023-05-05", "8-K", 2023, None, "2023-05-05"),
    ],
)
def test_the_name_of_a_document_says_its_kind_and_period(
    halden_row: FinanceBenchQuestion, name: str, kind: str, year: int, quarter: int | None, day: str
) -> None:
    row = halden_row.model_copy(update={"doc_name": name})
    assert (row.kind.key, row.year, row.quarter, str(row.day)) == (kind, year, quarter, day)
