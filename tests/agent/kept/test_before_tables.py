"""Answers stored before there were tables and queries: read as tables, shown, verified and gone on from."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from agent.certificates.verify import reverify
from agent.models import Run
from agent.runs import answer_json, lifecycle
from agent.runs.stored_answer import read
from agent.state import Answer, Cell
from agent.state.query import Concept
from agent.state.question_words import Role
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.history.compare_answers import compare
from filings.models import Fact, Filing, Section
from tests.agent.api.conftest import alices
from tests.support import answers
from tests.support.sample import Sample

__all__ = ["alices"]

pytestmark = pytest.mark.django_db

# As they were written by that release about the sample, but for most of the passages that were searched.
KEPT = Path(__file__).with_name("answers_before_tables.jsonl")
NAMES = [json.loads(line)["name"] for line in KEPT.read_text(encoding="utf-8").splitlines()]
FIGURES = ["restated", "derived", "readings", "two years", "beside", "parts", "both"]


def now_stored(one: Any) -> Any:
    """The same with the primary keys that facts, filings and sections have in this database."""
    if isinstance(one, list):
        return [now_stored(each) for each in one]
    if not isinstance(one, dict):
        return one
    found = {name: now_stored(value) for name, value in one.items()}
    if isinstance(one.get("fact"), int):
        same = {name: one[name] for name in ("taxonomy", "tag", "unit", "start", "end", "source", "raw")}
        found["fact"] = Fact.objects.get(filing__accession=one["accession"], dimensions="", **same).pk
    if isinstance(one.get("section"), int) and one["section"]:
        found["section"] = Section.objects.get(document__filing__accession=one["accession"], item=one["item"]).pk
    if isinstance(one.get("filing"), int):
        found["filing"] = Filing.objects.get(accession=one["accession"]).pk
    return found


@pytest.fixture
def kept(sample: Sample) -> Callable[[str], dict[str, Any]]:
    every = {line["name"]: line["answer"] for line in map(json.loads, KEPT.read_text(encoding="utf-8").splitlines())}
    return lambda name: now_stored(every[name])


@pytest.fixture
def former(kept: Callable[[str], dict[str, Any]]) -> Callable[[str], Answer]:
    """An answer of that release as it is read now."""

    def of(name: str) -> Answer:
        answer = read(kept(name))
        assert answer is not None
        return answer

    return of


def cells(answer: Answer) -> tuple[Cell, ...]:
    table = answer.blocks[0].table
    assert table is not None
    return table.cells


@pytest.mark.parametrize(
    ("name", "asserted"),
    [
        ("restated", [(0, "AMD", "total_assets", 2017, "3540000000", "")]),
        ("derived", [(0, "Amazon", "gross_profit", 2024, "311671000000", "")]),
        (
            "readings",
            [
                (0, "Apple", "shares_out", 2024, "15116786000", ""),
                (1, "Apple", "shares_out_cover", 2024, "15115823000", ""),
            ],
        ),
        (
            "two years",
            [
                (0, "NVIDIA", "revenue", 2024, "60922000000", "Fiscal 2024, as the company names its years"),
                (0, "NVIDIA", "revenue", 2025, "130497000000", "The fiscal year that began in 2024"),
            ],
        ),
        ("beside", [(0, "NVIDIA", "cash", 2024, "7280000000", "")]),
        ("parts", [(0, "Apple", "total_debt", 2024, "96662000000", "")]),
        ("both", [(0, "Northwind", "rnd", 2025, "20385000", "")]),
    ],
)
def test_figures_are_the_cells_of_a_table(
    former: Callable[[str], Answer], name: str, asserted: list[tuple[Any, ...]]
) -> None:
    answer = former(name)
    shown = [one for one in cells(answer) if one.asserted]
    assert [(one.row, one.company, one.measure, one.fiscal_year, str(one.value), one.period_reading) for one in shown] == asserted  # fmt: skip
    # In a definition nobody has chosen anything, and the label is not told twice.
    assert not any(one.reading for one in shown)


def test_a_formula_names_its_operands_with_their_facts(former: Callable[[str], Answer]) -> None:
    (cell,) = cells(former("derived"))
    assert (cell.fact, cell.formula) == (None, "revenue - cost_of_revenue")
    assert [(one.name, one.fiscal_year, one.fact.value) for one in cell.operands] == [
        ("revenue", 2024, 637959000000),
        ("cost_of_revenue", 2024, 326288000000),
    ]


def test_what_stood_beside_a_figure_stands_beside_it(former: Callable[[str], Answer]) -> None:
    (restated,) = cells(former("restated"))
    assert [(one.used, one.later.fact.value, one.later.fiscal_year) for one in restated.restated] == [
        (3540000000, 3552000000, 2018)
    ]
    cash, more = cells(former("beside"))
    assert (cash.alternative, more.alternative, more.value) == (False, True, 25984000000)
    assert [one.concept for one in cells(former("parts"))[0].breakdown] == ["ltd_current", "ltd_noncurrent"]
    assert restated.passed_checks
    assert all(check.name == "cite_check" for check in former("restated").blocks[0].checks)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("restated", "AMD, total assets, fiscal 2017, ended 2017-12-30: $3,540 million (3,540,000,000 US dollars)"),
        ("derived", "= revenue - cost_of_revenue\n"),
        ("readings", "Apple, common shares outstanding (10-K cover date), fiscal 2024, ended 2024-09-28: 15,115,823,000 shares"),
        ("two years", "NVIDIA, total revenue, the fiscal year that began in 2024, fiscal 2025, ended 2025-01-26: $130,497 million"),
        ("beside", "Beside it: NVIDIA, cash, cash equivalents and short-term investments, fiscal 2024"),
        ("beside", "$7.28 billion (7,280,000,000 US dollars)"),
        ("both", "[10K1] \u201cResearch and development expense increased by $1.0 million, or 5%."),
        ("text", "1 of 1 sentence quoted."),
        ("data", "auditor, fiscal 2025: Fjord & Larch LLP"),
        ("refused", "Not answered (not_meaningful). Gross profit is not a meaningful measure for JPMorgan Chase, a bank."),
        ("unplanned", "You can ask instead: Apple total revenue in fiscal 2025"),
        ("meta", "Hello. This is Diligence."),
    ],
)  # fmt: skip
def test_they_are_told_in_text_as_they_were(former: Callable[[str], Answer], name: str, said: str) -> None:
    assert said in answer_json.as_text(former(name))


def test_a_refusal_that_is_made_no_more_keeps_its_sentences(former: Callable[[str], Answer]) -> None:
    answer = former("ratio")
    (block,) = answer.blocks
    assert block.refusal is not None
    assert (answer.outcome, block.refusal.text) == (
        "refused",
        "\u201cgross margin\u201d is computed from several reported figures.",
    )
    assert block.alternatives


@pytest.mark.parametrize("name", FIGURES)
def test_their_figures_are_verified_again(former: Callable[[str], Answer], name: str) -> None:
    answer = former(name)
    assert [check.detail for check in reverify(answer) if not check.ok] == []
    shown = cells(answer)[-1]
    Fact.objects.filter(pk=shown.facts[-1].fact).update(value=Decimal(1))
    assert not all(check.ok for check in reverify(answer))


@pytest.mark.parametrize("name", ["text", "data"])
def test_their_sentences_and_data_are_verified_again(former: Callable[[str], Answer], name: str) -> None:
    answer = former(name)
    assert [check.ok for check in reverify(answer)] == [True]
    Section.objects.update(text="Nothing.")
    Filing.objects.update(cover={})
    assert [check.ok for check in reverify(answer)] == [False]


# Total debt has a second definition since.
@pytest.mark.parametrize("name", [name for name in FIGURES if name != "parts"])
def test_asked_again_the_figures_are_the_same(former: Callable[[str], Answer], name: str) -> None:
    before = former(name)
    comparison = compare(before, pipeline.answer(before.question, Deps.current()))
    # Which sentences answer is judged otherwise since.
    shown = [row.status for row in comparison.rows if row.kind in {"Figure", "Later value"}]
    assert shown
    assert set(shown) == {"same"}


# --- pages, programs, and what goes on from them ---


def stored(kept: Callable[[str], dict[str, Any]], name: str, user: User) -> Run:
    old = kept(name)
    answer = read(old)
    assert answer is not None
    run = answers.run_with(answer, user)
    Run.objects.filter(pk=run.pk).update(answer=old)
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("name", NAMES)
def test_their_pages_and_the_api_show_them(
    kept: Callable[[str], dict[str, Any]], as_alice: Client, alices: Client, alice: User, name: str
) -> None:
    run = stored(kept, name, alice)
    page = as_alice.get(run.get_absolute_url())
    assert page.status_code == 200
    assert "old format" not in page.content.decode()
    for figure in run.summary.split(" or ") if name in FIGURES else ():
        assert figure.split()[0] in page.content.decode()
    given = alices.get(f"/api/v1/runs/{run.pk}").json()
    assert given["unread"] == ""
    assert as_alice.get("/history").status_code == 200
    assert as_alice.post(f"/runs/{run.pk}/verify", headers={"HX-Request": "true"}).status_code == 200


@pytest.mark.parametrize(
    ("name", "company", "measures", "topics"),
    [
        ("derived", "Amazon", ["gross_profit"], 0),
        ("readings", "Apple", ["shares_out", "shares_out_cover"], 0),
        ("unplanned", "Apple", ["revenue"], 0),
        ("text", "Northwind", [], 1),
        ("both", "Northwind", ["rnd"], 1),
    ],
)
def test_a_question_goes_on_from_what_they_asked(
    kept: Callable[[str], dict[str, Any]], alice: User, name: str, company: str, measures: list[str], topics: int
) -> None:
    before = stored(kept, name, alice)
    run = answers.open_run(alice, continues=before)
    query = lifecycle.query_before(run, run.attempt)
    assert query is not None
    assert [one.called for one in query.companies] == [company]
    assert [row.measure for row in query.rows] == [Concept(key=key) for key in measures]
    assert len(query.topics) == topics
    assert {word.role for word in query.words} <= set(Role)


def test_what_is_taken_from_one_is_told(kept: Callable[[str], dict[str, Any]], alice: User) -> None:
    before = stored(kept, "derived", alice)
    run = answers.open_run(alice, continues=before, question="And in fiscal 2023?")
    lifecycle.answer(run.pk, run.attempt)
    run.refresh_from_db()
    assert (run.outcome, run.summary) == ("answered", "$270,046 million")
    assert {one["value"] for one in run.taken} == {"Amazon", "gross profit"}
