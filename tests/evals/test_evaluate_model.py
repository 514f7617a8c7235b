"""manage.py evaluate --model: goldens with the configured models beside the same without."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from evals import golden, model_report, prose_golden, runner
from evals.model_report import REPORT
from evals.runner import Chosen
from tests.support.model_behaviours import invented_number, server_error
from tests.support.model_server import LocalModel, named_in
from tests.support.sample import Sample


@pytest.fixture
def model(settings: Settings, sample: Sample, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalModel]:
    monkeypatch.setenv("GOLDENS", "bundled")
    with named_in(settings) as server:
        yield server


def evaluated(report: Path | None = None, **options: object) -> str:
    out = StringIO()
    call_command("evaluate", model=True, half="tune", limit=2, report=report, stdout=out, **options)
    return out.getvalue()


def cells(text: str, heading: str) -> dict[str, list[str]]:
    """The rows of one table: goal, without a model, with one."""
    table = text.split(f"## {heading}", 1)[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    return {row[0]: row[1:] for row in rows[1:]}


@pytest.mark.django_db
def test_it_tells_what_a_model_changes_and_uses(model: LocalModel, tmp_path: Path) -> None:
    path = tmp_path / "model.md"
    evaluated(path)
    text = path.read_text(encoding="utf-8")
    assert "Models: scripted plans and judges, scripted drafts." in text
    prose = cells(text, "Prose, sample, tune half")
    assert prose["evidence quoted or in a passage shown"][1].startswith("2 of 2")
    assert prose["a claim that the filing does not say"][1:] == ["0", "0"]
    used = cells(text, "What the model did")
    drafts = len({asked.inputs["question"] for asked in model.of("draft")})
    assert int(used["with a draft"][2]) == drafts == 2
    assert used["rounds, standard"][2] == "1.00 in 2 runs"
    assert float(used["cost, all, USD"][2]) > 0
    assert used["tokens in, a question"][2].startswith("p50 ")
    # Their figures need no model, and are as without one.
    numbers = cells(text, "Numbers, tune half")
    assert all(before == after for _, before, after in list(numbers.values())[:-1])


@pytest.mark.django_db
def test_the_report_has_all_that_a_model_is_judged_by(model: LocalModel, tmp_path: Path) -> None:
    model.behave(invented_number, program="draft")
    text = evaluated(part="prose")
    assert "right without a model, kept" in cells(text, "Prose, sample, tune half")
    used = {name: found for name, (_, _, found) in cells(text, "What the model did").items()}
    for name in ("answered", "refused", "claims dropped", "why rounds ended", "requests that gave nothing"):
        assert used[name]
    assert sum(int(used[name]) for name in ("answered", "passages", "refused")) == int(used["questions"])
    assert any(name.startswith("rounds, ") for name in used)
    assert float(used["cost, a question, USD"]) > 0
    for name in ("tokens in, a question", "tokens out, a question", "time, a question, ms"):
        assert re.fullmatch(r"p50 \d+, p95 \d+", used[name])


@pytest.mark.django_db
def test_an_evaluated_answer_says_how_it_was_made(model: LocalModel) -> None:
    (question,) = [
        row.question for row in prose_golden.read(prose_golden.SAMPLE, "tune") if row.outcome == "answered"
    ][:1]
    made = runner.ask(question, models=True)
    assert made.answer.mode == "standard, drafted by scripted, checked by code"
    assert made.answer.judged is not None
    assert runner.ask(question).answer.mode == "no language model"


@pytest.mark.django_db
def test_a_model_that_fails_keeps_what_is_right_without_it(model: LocalModel) -> None:
    model.always(server_error)
    told = evaluated(part="prose")
    assert cells(told, "Prose, sample, tune half")["right without a model, kept"][2].startswith("2 of 2")
    assert "unavailable" in cells(told, "What the model did")["requests that gave nothing"][2]


@pytest.mark.django_db
def test_dropped_claims_are_counted(model: LocalModel) -> None:
    model.always(invented_number, program="draft")
    share = cells(evaluated(part="prose"), "What the model did")["claims dropped"][2]
    assert not share.startswith("0 of")


@pytest.mark.django_db
def test_a_scripted_server_writes_no_report_of_its_own(
    model: LocalModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = REPORT.read_bytes() if REPORT.is_file() else None
    told = evaluated()
    assert "Not written" in told
    assert (REPORT.read_bytes() if REPORT.is_file() else None) == before


@pytest.mark.django_db
def test_only_a_run_of_all_goldens_is_the_report(
    model: LocalModel, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.PLAN_MODEL = settings.DRAFT_MODEL = "named"
    monkeypatch.setattr(model_report, "REPORT", tmp_path / "model.md")
    assert "Not written" in evaluated()
    rows = golden.read("tune")[:1], prose_golden.read(prose_golden.SAMPLE, "tune")[:1]
    monkeypatch.setattr(golden, "read", lambda half=None: rows[0])
    monkeypatch.setattr(prose_golden, "read", lambda path, half=None: rows[1])
    call_command("evaluate", model=True, stdout=StringIO())
    assert "Models: named plans and judges" in (tmp_path / "model.md").read_text()


@pytest.mark.django_db
def test_without_a_model_it_says_what_to_set() -> None:
    with pytest.raises(CommandError, match="No model is configured"):
        evaluated()


@pytest.mark.django_db
def test_a_half_set_model_is_told(settings: Settings) -> None:
    settings.PLAN_MODEL, settings.PLAN_MODEL_BASE_URL = "one", "http://127.0.0.1:9/v1"
    with pytest.raises(CommandError, match="PLAN_MODEL is set without DRAFT_MODEL"):
        evaluated()


def test_a_limit_is_of_each_half() -> None:
    rows = golden.read()
    found = Chosen(("check", "tune"), 2).of(rows)
    assert [row.half for row in found] == ["check", "check", "tune", "tune"]
    assert len(Chosen(("tune",)).of(rows)) == len(golden.read("tune"))
