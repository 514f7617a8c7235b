"""The figures of an answer, as programs get them: what is asserted, every cell, and what operations made of them."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.api.answers import answer
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def part(question: str) -> dict[str, Any]:
    """The only part of an answer, as JSON."""
    (found,) = answer(pipeline.answer(question, Deps.current()), uuid4()).model_dump(mode="json")["parts"]
    return found


def test_a_figure_among_its_years_is_the_only_one_asserted(sample: Sample) -> None:
    found = part("Apple R&D spend in fiscal 2024")
    (value,) = found["values"]
    assert (value["company"], value["cik"], value["concept"]) == ("Apple", sample["AAPL"].cik, "rnd")
    assert (value["shown"], value["exact"]) == ("$31,370 million", "31,370,000,000 US dollars")
    assert [row["fiscal_year"] for row in found["table"] if row["asked"]] == [2024]
    assert len(found["table"]) > 1
    assert (found["results"], found["mentions"]) == ([], [])


def test_a_computed_figure_tells_its_operands_and_is_in_full_only_where_it_is_a_number(sample: Sample) -> None:
    (value,) = part("Apple gross margin 2024")["values"]
    assert (value["shown"], value["exact"], value["fact"]) == ("46.2%", "46.2%", None)
    assert value["formula"] == "100 * (gross_profit / revenue)"
    operands = {one["name"]: one for one in value["operands"]}
    assert [(one["concept"], one["cik"], one["fiscal_year"]) for one in operands.values()] == [
        ("gross_profit", sample["AAPL"].cik, 2024),
        ("revenue", sample["AAPL"].cik, 2024),
    ]
    profit, revenue = (Decimal(operands[name]["fact"]["value"]) for name in ("gross_profit", "revenue"))
    assert abs(Decimal(value["value"]) - 100 * profit / revenue) < Decimal("1e-20")


def test_readings_of_a_year_and_of_a_definition_are_told_together(sample: Sample) -> None:
    values = part("Nike inventory turnover 2023")["values"]
    assert [value["reading"] for value in values] == [
        "average inventory, Fiscal 2023 (ended 31 May 2023)",
        "average inventory, The fiscal year that began in 2023",
        "year-end inventory, Fiscal 2023 (ended 31 May 2023)",
        "year-end inventory, The fiscal year that began in 2023",
    ]


def test_another_definition_is_a_mention(sample: Sample) -> None:
    found = part("Apple return on equity 2024")
    assert [value["reading"] for value in found["values"]] == ["average equity"]
    assert [value["reading"] for value in found["mentions"]] == ["year-end equity"]
    beside = [row["key"] for row in found["table"] if not row["asked"] and row["fiscal_year"] == 2024]
    # What it moved by stands in the table too, and is neither asserted nor mentioned.
    assert beside == ["roe:ending", "change of roe:average"]


def test_a_comparison_orders_companies(sample: Sample) -> None:
    found = part("compare revenue of Apple and Microsoft in fiscal 2024 in billions, by each company's fiscal year")
    (outcome,) = found["results"]
    assert outcome["text"] == (
        "Total revenue, fiscal 2024, highest first: 1. Apple $391.035 billion, 2. Microsoft $245.122 billion."
    )
    assert [(place["rank"], place["cik"], place["value"]) for place in outcome["order"]] == [
        (1, sample["AAPL"].cik, "391035000000"),
        (2, sample["MSFT"].cik, "245122000000"),
    ]
    assert (outcome["cik"], outcome["calendar"]) == (None, False)


def test_years_that_end_apart_are_compared_by_calendar(sample: Sample) -> None:
    found = part("compare revenue of Apple and Microsoft in fiscal 2024 in billions")
    (outcome,) = found["results"]
    assert outcome["text"] == (
        "Total revenue, calendar 2024, highest first: 1. Apple $391.035 billion, 2. Microsoft $281.724 billion."
    )
    assert (outcome["fiscal_years"], outcome["calendar"]) == ([2024], True)
    assert [one["fiscal_year"] for one in outcome["order"]] == [2024, 2025]


def test_growth_over_years_is_a_result_with_its_operands(sample: Sample) -> None:
    (outcome,) = part("Apple revenue CAGR 2020-2024")["results"]
    assert (outcome["operation"], outcome["fiscal_years"], outcome["unit"]) == ("cagr", [2020, 2024], "percent")
    assert outcome["text"].endswith(": 9.2%.")
    assert [one["fiscal_year"] for one in outcome["operands"]] == [2024, 2020]
    assert all(one["name"] in outcome["formula"] for one in outcome["operands"])


def test_a_bound_is_met_or_not(sample: Sample) -> None:
    (outcome,) = part("Was Apple revenue above 400 billion in fiscal 2024?")["results"]
    assert (outcome["operation"], outcome["holds"], outcome["value"]) == ("threshold", False, "391035000000")
    assert outcome["text"] == "Total revenue, Apple, fiscal 2024: $391.035 billion. Above $400 billion: no."


def test_a_cell_without_a_figure_tells_why(sample: Sample) -> None:
    found = part("Apple revenue 2014-2016")
    assert [value["fiscal_year"] for value in found["values"]] == [2015, 2016]
    gaps = {row["fiscal_year"]: row["gap"]["code"] for row in found["table"] if row["gap"]}
    assert gaps == {2014: "year_before_2015"}
