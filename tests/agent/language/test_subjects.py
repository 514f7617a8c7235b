"""Words of measures that are what a question is about, and figures that stay figures."""

import pytest
from agent.language.misread import Misread
from agent.language.parts import read_parts

from agent.state import Plan
from tests.agent.language.conftest import TODAY
from tests.agent.language.held import WIDER


def read(question, registry):
    return read_parts(question, WIDER, registry, TODAY)[0]


@pytest.mark.parametrize(
    ("question", "code", "amount"),
    [
        ("Nike inventories obsolescence policy", "not_understood", ""),
        ("Apple goodwill risk", "not_understood", ""),
        ("AMD R&D strategy", "not_understood", ""),
        ("Apple deferred revenue composition", "not_understood", ""),
        ("Alphabet's Wiz acquisition details", "not_understood", ""),
        ("Gillette impairment at P&G", "not_understood", ""),
        ("Meta capex AI servers", "not_understood", ""),
        ("AMD goodwill and Xilinx", "not_understood", ""),
        ("Who holds Visa's class B-2 shares?", "dimensional_only", ""),
        ("Apple inventory rise explained", "year_over_year", ""),
        ("What is Apple's deferred revenue made of?", "not_understood", ""),
        ("starbucks lease accounting", "ambiguous_concept", ""),
        ("What were Apple's severance costs for?", "ambiguous_concept", ""),
        ("how much did the recall cost Apple", "ambiguous_concept", "money"),
        ("How many countries is Starbucks in?", "dimensional_only", "count"),
        ("How many factories supply Nike with apparel?", "dimensional_only", "count"),
        ("How many data centers does Google run?", "dimensional_only", "count"),
        ("Does one customer account for more than 10% of Nvidia's sales?", "ratio", ""),
        ("What percentage of NVIDIA's workforce is in R&D?", "ratio", ""),
        ("How much of Lowe's sales come from Pro customers?", "not_understood", "money"),
        ("Procter & Gamble argentina restructuring", "dimensional_only", ""),
    ],
)
def test_what_is_told_of_a_measure_is_looked_for_and_else_refused_as_its_figure(registry, question, code, amount):
    plan = read(question, registry)
    assert isinstance(plan, Plan), plan
    (target,) = plan.targets
    assert not target.readings
    assert (target.otherwise.code.value, target.topic.amount) == (code, amount)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Apple maintenance capex", "not_understood"),
        ("Tesla leasing revenue", "not_understood"),
        ("Apple warranty revenue 2023", "not_understood"),
        ("Apple risk revenue 2023", "not_understood"),
        ("Apple inventory finished goods 2024", "not_understood"),
        ("Apple taxable income 2023", "not_understood"),
        ("What was Tesla's Shanghai revenue in 2023?", "not_understood"),
        ("Amazon capex excluding leases 2022", "not_understood"),
        ("Apple revenue wholesale", "dimensional_only"),
        ("What was Apple's revenue in China in 2023?", "dimensional_only"),
        ("What percentage of Apple's revenue comes from China?", "ratio"),
        ("What percentage of Apple's revenue is R&D?", "ratio"),
        ("How many iPhones did Apple sell in 2024?", "dimensional_only"),
        ("How much did Apple make in 2023?", "ambiguous_concept"),
        ("Apple costs 2023", "ambiguous_concept"),
        ("Apple profits from retail 2023", "not_understood"),
        ("Amazon capex growth 2022", "year_over_year"),
        ("Apple gross margin 2023", "ratio"),
    ],
)
def test_a_figure_of_a_part_or_of_several_stays_refused(registry, question, code):
    found = read(question, registry)
    assert isinstance(found, Misread), found
    assert found.code.value == code


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("Apple restructuring 2023", "restructuring"),
        ("Microsoft acquisitions 2023", "acquisitions"),
        ("Apple capex 2023", "capex"),
    ],
)
def test_a_figure_stays_a_figure(registry, question, key):
    assert [one.concept for one in read(question, registry).targets[0].readings] == [key]


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("Apple headcount 2023", "count"),
        ("Apple churn rate", "count"),
        ("Wells Fargo headcount reductions efficiency", ""),
        ("AT&T pension discount rate assumption", ""),
        ("Palantir remaining contract value", ""),
    ],
)
def test_a_count_is_asked_by_a_word_of_counting_behind_all_others(registry, question, amount):
    assert read(question, registry).targets[0].topic.amount == amount


def test_a_measure_beside_a_subject_of_its_own_stays_a_figure(registry):
    plan = read("Apple net income 2024 and main risks", registry)
    assert [bool(target.readings) for target in plan.targets] == [True, False]


# --- prices, and what is planned ---


@pytest.mark.parametrize(
    "question",
    [
        "coffee prices starbucks",
        "price of coffee starbucks",
        "Starbucks price cuts",
        "P&G raw material prices",
        "starbucks stock split",
        "did apple split its stock in 2020",
        "Does Alphabet have dual class stock?",
        "When will Starbucks open its new roastery?",
        "What products will Tesla launch?",
    ],
)
def test_prices_of_things_and_what_is_planned_are_text(registry, question):
    plan = read(question, registry)
    assert isinstance(plan, Plan), plan
    assert plan.targets[0].topic is not None


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Apple price 2023", "price"),
        ("Apple stock", "price"),
        ("Is Apple stock cheap?", "price"),
        ("Nvidia fair price", "price"),
        ("Apple price drop", "price"),
        ("Nvidia share price after split", "price"),
        ("When will Apple stock hit 300?", "price"),
        ("When will Nvidia be worth 10 trillion?", "prediction"),
        ("When will Apple's revenue exceed 500 billion?", "prediction"),
        ("What will Apple's revenue be in 2030?", "prediction"),
        ("What will happen to Nvidia?", "prediction"),
        ("Will Tesla go bankrupt?", "prediction"),
        ("How many employees will Tesla hire?", "prediction"),
    ],
)
def test_prices_of_shares_and_predictions_stay_refused(registry, question, code):
    found = read(question, registry)
    assert isinstance(found, Misread), found
    assert found.code.value == code


@pytest.mark.parametrize(
    ("question", "refused"),
    [
        ("How much did Visa pay for its World Cup deals?", False),
        ("What is the story with restaurants at McDonald's?", False),
        ("Write a poem about Nvidia", True),
        ("best restaurant in Paris", True),
    ],
)
def test_a_word_of_another_topic_is_one_of_the_company_that_is_named(registry, question, refused):
    assert isinstance(read(question, registry), Misread) is refused
