"""Questions that name several companies, and letters that only look like one."""

import pytest
from agent.language.misread import Misread
from agent.language.parts import read_parts

from agent.state import Plan
from tests.agent.language.conftest import TODAY
from tests.agent.language.held import WIDER


def read(question, registry):
    return read_parts(question, WIDER, registry, TODAY)[0]


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("amazon's relationship with rivian", "AMZN"),
        ("Berkshire's Apple stake", "BRK-B"),
        ("What share of P&G's sales go to Apple?", "PG"),
        ("P&G sales to Amazon", "PG"),
        ("Amazon share of Nike's sales", "NKE"),
        ("Apple Google search revenue agreement", "AAPL"),
        ("Google's payments to Apple", "GOOGL"),
        ("Apple's payments from Google", "AAPL"),
        ("Do Apple's privacy changes hurt Meta?", "META"),
        ("Does Amazon's own delivery network threaten FedEx?", "FDX"),
        ("AMD and TSM supply agreement", "AMD"),
        ("Does Meta rely on Apple and Google's mobile operating systems?", "META"),
        ("What does Apple's 10-K say of Google's search?", "AAPL"),
    ],
)
def test_what_companies_have_to_do_with_each_other_is_in_the_filing_of_one(registry, question, symbol):
    plan = read(question, registry)
    assert isinstance(plan, Plan), plan
    assert [target.company.symbol for target in plan.targets] == [symbol]
    assert not plan.targets[0].readings


@pytest.mark.parametrize(
    "question",
    [
        "Apple and Boeing revenue 2023",
        "Apple Microsoft revenue 2023",
        "Apple vs Microsoft risks",
        "Compare Apple's and Microsoft's risks",
        "Apple and Microsoft risks",
        "Apple, Microsoft and Google AI strategy",
        "Difference between Nvidia and AMD strategy",
        "Which has more cash, Apple or Microsoft?",
        "Is Apple's agreement with Google better than Microsoft's?",
        "Boeing revenue from GE 2023",
    ],
)
def test_companies_that_are_compared_or_listed_stay_refused(registry, question):
    found = read(question, registry)
    assert isinstance(found, Misread), found
    assert found.code.value == "cross_company"


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("what is AIP at Palantir", "PLTR"),
        ("Palantir AIP", "PLTR"),
        ("EU rules on AT&T", "T"),
        ("target DEI policies", "TGT"),
        ("What does Target earn from its credit card deal with TD?", "TGT"),
        ("GE debt tender", "GE"),
        ("how is GE exposed to BA production cuts", "GE"),
        ("Target data breach risk", "TGT"),
        ("target shrink 2023", "TGT"),
        ("how does p&g protect its patents", "PG"),
        ("Why did WBA cut its dividend?", ""),
        ("wba opioid accrual", ""),
    ],
)
def test_a_held_company_is_meant_by_its_letters_and_by_its_everyday_word(registry, question, symbol):
    plan = read(question, registry)
    assert isinstance(plan, Plan), plan
    assert [target.company.symbol for target in plan.targets] == [symbol]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Palantir vs AIP revenue", "cross_company"),
        ("target price of Tesla stock", "advice"),
        ("how does ge light a room", None),
        ("Apple AIP revenue 2023", "not_understood"),
    ],
)
def test_letters_and_words_are_no_company_where_they_mean_another_thing(registry, question, code):
    found = read(question, registry)
    assert isinstance(found, Misread), found
    assert code is None or found.code.value == code
