"""`manage.py ask` for people who script."""

import json
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings

from agent.models import Run
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

FIGURE = "What was Apple's R&D spend in FY2024?"
KEYS = {
    "id", "outcome", "type", "mode", "plan", "blocks", "values", "table", "claims", "passages", "data", "refusal_code", "judgement", "left_out", "reading", "text", "ms",
}  # fmt: skip
# Of a cell, in the order that they are written in.
CELL = [
    "company", "cik", "fiscal_year", "fiscal_period", "column", "period_end", "measure", "part", "role", "value", "unit", "asked", "guided_as_of", "formula",
    "facts",
    "restated_in", "first_reported", "basis_break", "gap"
]  # fmt: skip


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


def test_it_warns_of_nothing_that_an_operator_sets_and_stops_at_a_wrong_setting(
    sample: Sample, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    settings.EDGAR_IDENTITY = ""
    call_command("ask", FIGURE, skip_checks=False)
    assert capsys.readouterr().err == ""
    settings.EDGAR_IDENTITY = "nobody"
    with pytest.raises(SystemCheckError, match="EDGAR_IDENTITY"):
        call_command("ask", FIGURE, skip_checks=False)


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
            "company": "Apple",
            "fiscal_year": 2024,
            "fiscal_period": "FY",
            "tag": "us-gaap:ResearchAndDevelopmentExpense",
            "accession": "0000320193-24-000123",
            "period_end": "2024-09-28",
            "label": "Research and development expense",
        }
    ]


def answered(question: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    call_command("ask", question, "--json")
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert data["outcome"] == "answered"
    return data


def test_its_table_has_the_years_around_and_its_values_are_what_is_asserted(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    data = answered(FIGURE, capsys)
    table = data["table"]
    assert [list(row) for row in table] == [CELL] * len(table)
    figures = [row for row in table if row["measure"] == "Research and development expense"]
    assert [row["fiscal_year"] for row in figures] == list(range(2016, 2026))
    assert {row["measure"] for row in table} == {figures[0]["measure"], "Growth of research and development expense"}
    (asked,) = [row for row in table if row["asked"]]
    assert [asked["value"]] == [one["value"] for one in data["values"]]
    assert asked["fiscal_year"] == 2024
    (fact,) = asked["facts"]
    assert (fact["tag"], fact["value"], fact["accession"]) == (
        "us-gaap:ResearchAndDevelopmentExpense",
        "31370000000",
        "0000320193-24-000123",
    )


def test_a_formula_stands_in_its_table_with_every_fact_and_a_year_without_a_figure_as_a_gap(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    data = answered("Apple gross margin in fiscal 2014 and fiscal 2024", capsys)
    gap, margin = [row for row in data["table"] if row["asked"]]
    assert (gap["value"], gap["facts"], gap["gap"]["code"]) == (None, [], "year_before_2015")
    assert gap["gap"]["text"].startswith("Our data begins with fiscal 2015")
    assert (margin["unit"], margin["gap"], len(margin["facts"])) == ("percent", None, 2)
    (value,) = data["values"]
    assert (value["value"], value["formula"]) == (margin["value"], margin["formula"])
    parts = {one["concept"]: int(one["value"]) for one in value["operands"]}
    assert sorted(parts.values()) == sorted(int(one["value"]) for one in margin["facts"])
    # Of the figure and of what it is made of every digit.
    with localcontext(prec=60):
        exact = Decimal(100 * parts["gross_profit"]) / parts["revenue"]
    assert value["value"].startswith(str(exact)[:50])


def test_a_result_is_a_value_with_the_figures_it_is_made_of(
    sample: Sample, capsys: pytest.CaptureFixture[str]
) -> None:
    data = answered("Apple average revenue from fiscal 2022 to fiscal 2024", capsys)
    *figures, average = data["values"]
    assert [row["value"] for row in data["table"] if row["asked"]] == [one["value"] for one in figures]
    assert (average["operation"], average["fiscal_years"]) == ("average", [2022, 2023, 2024])
    assert {one["value"] for one in average["operands"]} == {one["value"] for one in figures}


def test_a_refusal_is_a_result_not_a_failure(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", "Apple revenue in March 2024")
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
    assert [(row["values"], row["table"]) for row in found.values() if row["outcome"] != "answered"] == [([], [])] * 4


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
