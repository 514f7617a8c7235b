"""Questions for a figure that no measure holds: looked for in the text, and refused as the figure where it is not there."""

import pytest
from agent.language.misread import Misread

from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import Plan, QuestionType


def planned(found: Plan | Misread) -> tuple[str, str, str]:
    """(symbol, code of the refusal otherwise, kind of number) of the one target for text."""
    assert isinstance(found, Plan), found
    (target,) = found.targets
    assert found.type is QuestionType.PROSE
    assert target.topic is not None
    assert target.otherwise is not None
    return target.company.symbol, target.otherwise.code.value, target.topic.amount


@pytest.mark.parametrize(
    ("question", "code", "amount"),
    [
        ("How many employees did Apple have in 2023?", "concept_unknown", "count"),
        ("how many folks quit starbucks in fiscal 2024", "concept_unknown", "count"),
        ("Apple headcount 2023", "concept_unknown", "count"),
        ("How many stores does Starbucks operate?", "concept_unknown", "count"),
        ("How much did Apple spend on lobbying in 2023?", "concept_unknown", "money"),
        ("What was Apple's churn rate?", "concept_unknown", "count"),
        ("Starbucks FY2024 - its biggest factory, where?", "concept_unknown", ""),
        ("JPMorgan assets under management 2023", "concept_unknown", ""),
        ("Amazon - busiest quarter", "interim_period", ""),
        ("Apple's commercial growth", "year_over_year", ""),
    ],
)
def test_what_no_measure_holds_is_looked_for_in_the_text(ask, question, code, amount):
    assert planned(ask(question))[1:] == (code, amount)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Did Apple pay dividends in 2023?", "not_understood"),
        ("Did Apple's revenue fall in 2023?", "year_over_year"),
        ("Did Starbucks buy back shares in Q4 of fiscal 2024?", "interim_period"),
        ("How did Apple's revenue change in 2023?", "year_over_year"),
        ("FedEx dividend outlook", "prediction"),
        ("How much capex is Apple planning next?", "not_understood"),
    ],
)
def test_whether_and_how_a_measure_moved_and_what_is_planned_is_told_in_words(ask, question, code):
    assert planned(ask(question))[1] == code


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("How did Apple's revenue change from 2020 to 2023?", "year_over_year"),
        ("Apple revenue outlook", "prediction"),
        ("How many employees will Apple have next year?", "prediction"),
        ("Apple share 2023", "concept_unknown"),
        ("How many employees did Boeing have in 2023?", "concept_unknown"),
        ("Apple profit 2023", "ambiguous_concept"),
    ],
)
def test_what_text_cannot_say_either_stays_refused(ask, question, code):
    found = ask(question)
    assert isinstance(found, Misread), found
    assert found.code.value == code


def test_a_refusal_of_the_text_is_that_of_the_figure(ask):
    target = ask("Apple comparable sales 2023").targets[0]
    refused = refuse(target, Code.NOT_FOUND_IN_FILING, "validate", text="No sentence was found.")
    assert (refused.code, refused.concepts[0]) == (Code.CONCEPT_UNKNOWN, "revenue")
    assert "comparable sales" in refused.text
    assert refused.detail.startswith("No sentence was found.")
    assert refuse(target, Code.YEAR_NOT_INGESTED, "fetch", year="2023", years="2024").code is Code.YEAR_NOT_INGESTED
