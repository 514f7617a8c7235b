"""`manage.py ask` for people who script."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agent.models import Run
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

FIGURE = "What was Apple's R&D spend in FY2024?"
KEYS = {"id", "outcome", "type", "mode", "plan", "blocks", "values", "claims", "data", "refusal_code", "text", "ms"}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def batch(tmp_path: Path, *questions: tuple[str, str], output: str = "results.jsonl") -> Path:
    source = tmp_path / "questions.jsonl"
    lines = [json.dumps({"id": identifier, "question": question}) + "\n" for identifier, question in questions]
    source.write_text("".join(lines), encoding="utf-8")
    call_command("ask", "--batch", str(source), "--output", str(tmp_path / output))
    return tmp_path / output


def test_it_prints_the_figure_with_its_source(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", FIGURE)
    said = capsys.readouterr().out
    assert "$31,370 million" in said
    assert "us-gaap:ResearchAndDevelopmentExpense 31370000000 USD" in said
    assert "0000320193-24-000123" in said


def test_it_prints_json(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", FIGURE, "--json")
    data = json.loads(capsys.readouterr().out)
    assert set(data) == KEYS
    assert (data["outcome"], data["type"], data["refusal_code"]) == ("answered", "A", "")
    assert data["values"] == [
        {
            "value": "31370000000",
            "unit": "USD",
            "concept": "rnd",
            "tag": "us-gaap:ResearchAndDevelopmentExpense",
            "accession": "0000320193-24-000123",
            "period_end": "2024-09-28",
            "label": "Research and development expense",
        }
    ]


def test_a_refusal_is_a_result_not_a_failure(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", "Apple revenue in Q3 2024")
    assert "Not answered (interim_period)" in capsys.readouterr().out


def test_an_empty_question_is_an_error(sample: Sample) -> None:
    with pytest.raises(CommandError, match="empty"):
        call_command("ask", "  ")


def test_a_batch_gives_a_row_a_question(sample: Sample, tmp_path: Path) -> None:
    output = batch(
        tmp_path, ("a", FIGURE), ("b", "JPMorgan gross profit 2023"), ("c", "hello"), ("d", ""), ("e", "x" * 8001)
    )
    found = {row["id"]: row for row in rows(output)}
    assert [(row["outcome"], row["refusal_code"]) for row in found.values()] == [
        ("answered", ""),
        ("refused", "not_meaningful"),
        ("meta", ""),
        ("error", "empty"),
        ("error", "too_long"),
    ]
    assert all(set(row) == KEYS for row in found.values())
    assert found["b"]["blocks"] == [{"type": "A", "outcome": "refused", "refusal_code": "not_meaningful"}]
    assert found["b"]["values"] == []


def test_both_readings_are_values_and_nothing_else_is(sample: Sample, tmp_path: Path) -> None:
    output = batch(tmp_path, ("a", "Apple shares outstanding, fiscal 2024"))
    assert [value["value"] for value in rows(output)[0]["values"]] == ["15116786000", "15115823000"]


def test_a_batch_goes_on_where_it_was_cut_off(sample: Sample, tmp_path: Path) -> None:
    output = tmp_path / "results.jsonl"
    output.write_text('{"id": "a", "kept": true}\n{"id": "b", "outc', encoding="utf-8")
    batch(tmp_path, ("a", FIGURE), ("b", FIGURE))
    found = rows(output)
    assert found[0] == {"id": "a", "kept": True}
    assert [row["id"] for row in found] == ["a", "b"]


def test_a_row_without_a_question_is_named_by_its_line(sample: Sample, tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    source.write_text('{"id": 1, "question": "hello"}\n{"id": 2}\n', encoding="utf-8")
    with pytest.raises(CommandError, match="line 2"):
        call_command("ask", "--batch", str(source), "--output", str(tmp_path / "out.jsonl"))


def test_runs_are_kept_only_when_asked_for(sample: Sample) -> None:
    call_command("ask", FIGURE)
    assert not Run.objects.exists()
    call_command("ask", FIGURE, "--save")
    assert Run.objects.get().summary == "$31,370 million"


# --- with models ---

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"


def test_it_asks_the_models_that_runs_ask(
    sample: Sample, scripted: LocalModel, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("ask", SUPPLY, "--json")
    assert json.loads(capsys.readouterr().out)["mode"] == "standard, drafted by scripted, checked by code"
    assert scripted.of("draft")


@pytest.mark.parametrize("save", [[], ["--save"]])
def test_how_hard_they_try_can_be_chosen(
    save: list[str], sample: Sample, scripted: LocalModel, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("ask", SUPPLY, "--json", "--mode", "direct", *save)
    assert json.loads(capsys.readouterr().out)["mode"] == "direct, drafted by scripted, checked by code"
    assert [one.body["max_tokens"] for one in scripted.of("draft")] == [2_000]


def test_without_models_it_says_so(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", SUPPLY, "--json")
    assert json.loads(capsys.readouterr().out)["mode"] == "no language model"
