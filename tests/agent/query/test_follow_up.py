"""A question after another takes from it what it leaves out; it is then read as if all had been asked at once."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.query.reading.follow_up import taken
from agent.state.query import Query
from agent.state.references import Scale
from tests.agent.query.conftest import asks_figures, before, line_of, query_of
from tests.agent.query.test_properties import slots

REVENUE = "Apple revenue 2023"
PAIR = "Apple vs Microsoft revenue 2023"
SUPPLY = "What supply risks did Apple disclose in its fiscal 2024 10-K?"


@pytest.mark.parametrize(
    ("first", "said", "read"),
    [
        # another year
        (REVENUE, "and in 2022?", "AAPL | 2022 | revenue"),
        (REVENUE, "FY22", "AAPL | FY2022 | revenue"),
        (REVENUE, "how much was it in fiscal 2022?", "AAPL | FY2022 | revenue"),
        (REVENUE, "same for 2019", "AAPL | 2019 | revenue"),
        (REVENUE, "the last 5 years", "AAPL | last 5 | revenue"),
        (REVENUE, "last year?", "AAPL | previous | revenue"),
        # another company
        (REVENUE, "what about Microsoft?", "MSFT | 2023 | revenue"),
        (REVENUE, "and McDonald's?", "MCD | 2023 | revenue"),
        (REVENUE, "What about Target?", "TGT | 2023 | revenue"),
        (REVENUE, "Microsoft and Amazon?", "MSFT, AMZN | 2023 | revenue"),
        (REVENUE, "compare with Microsoft", "AAPL, MSFT | 2023 | revenue > highest first"),
        (PAIR, "what about Amazon?", "AMZN | 2023 | revenue"),
        # both, and neither
        (REVENUE, "and Microsoft's in 2020", "MSFT | 2020 | revenue"),
        ("Apple revenue", "total assets", "AAPL | latest | total_assets"),
        # another measure
        (REVENUE, "and gross margin?", "AAPL | 2023 | gross_margin"),
        (REVENUE, "and 21?", "AAPL | 2021 | revenue"),
        (REVENUE, "how about R&D in FY2022", "AAPL | FY2022 | rnd"),
        (PAIR, "and gross margin?", "AAPL, MSFT | 2023 | gross_margin"),
        (REVENUE, "show me the balance sheet", "AAPL | 2023 | statement balance"),
        # what is made of it
        (REVENUE, "and the growth?", "AAPL | 2023 | revenue + growth(revenue)"),
        (REVENUE, "what was its growth?", "AAPL | 2023 | growth(revenue)"),
        (REVENUE, "per share?", "AAPL | 2023 | revenue_per_share"),
        (REVENUE, "how did it change?", "AAPL | 2023 | change(revenue)"),
        (REVENUE, "was it more than 300 billion?", "AAPL | 2023 | revenue > > 300000000000"),
        ("Apple revenue 2019-2023", "average?", "AAPL | 2019..2023 | revenue > average"),
        (PAIR, "the difference?", "AAPL, MSFT | 2023 | revenue > difference"),
        # what was made of it stays, where it can
        ("Apple revenue growth 2023", "and in 2022?", "AAPL | 2022 | growth(revenue)"),
        ("Apple revenue CAGR 2019-2023", "what about Microsoft?", "MSFT | 2019..2023 | revenue > cagr"),
        ("Apple revenue CAGR 2019-2023", "and in 2022?", "AAPL | 2022 | revenue"),
        ("Did Apple's revenue exceed $300 billion in 2021?", "and in 2022?", "AAPL | 2022 | revenue > > 300000000000"),
        (PAIR, "and in 2022?", "AAPL, MSFT | 2022 | revenue > highest first"),
        ("AMD FY2024 vs NVDA FY2025 revenue", "and gross margin?", "AMD, NVDA | FY2024 (2488: FY2024) (1045810: FY2025) | gross_margin"),
        # a refused question leaves what was understood of it
        ("What was the revenue in FY2024?", "for Apple", "AAPL | FY2024 | revenue"),
        ("What was Apple's frobnication in FY2024?", "and revenue?", "AAPL | FY2024 | revenue"),
    ],
)  # fmt: skip
def test_it_fills_what_is_left_out(first: str, said: str, read: str):
    assert line_of(said, before(first)).split(" + ~")[0] == read


@pytest.mark.parametrize(
    ("first", "said", "periods"),
    [
        (REVENUE, "and the year before?", "2022"),
        (REVENUE, "what about the prior year", "2022"),
        (REVENUE, "and the following year?", "2024"),
        ("Apple revenue FY2023", "and the year before that?", "FY2022"),
        ("Apple revenue in calendar 2023", "and the year before?", "CY2022"),
        ("Apple revenue for the year ended September 28, 2024", "and the following year?", "2025-09-28"),
        ("Apple revenue for the year ended February 29, 2024", "and the year before?", "2023-02-28"),
        ("Apple revenue 2020-2023", "and the year before?", "2019"),
        ("Apple revenue 2020-2023", "and the following year?", "2024"),
        ("Apple revenue last 3 years to 2022", "and the year before?", "2019"),
        ("Apple revenue", "and the year before?", "last 2"),
    ],
)
def test_the_year_beside_is_counted_from_that_of_the_question_before(first: str, said: str, periods: str):
    assert line_of(said, before(first)) == f"AAPL | {periods} | revenue"


@pytest.mark.parametrize("first", ["Apple revenue", "Apple revenue since 2020"])
def test_a_year_that_no_report_can_be_of_is_not_guessed(first: str):
    assert line_of("and the following year?", before(first)).startswith("not_understood")


def test_a_comparison_with_the_year_before_asks_for_no_other_year():
    assert line_of("compared with the year before?", before(REVENUE)) == "AAPL | 2023 | growth(revenue)"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("in June 2022?", "interim_period"),
        ("monthly?", "interim_period"),
        ("and adjusted?", "non_gaap"),
        ("gross?", "not_understood"),
        ("diluted?", "not_understood"),
        ("in euros?", "not_understood"),
        ("without that?", "not_understood"),
        ("only half of it", "not_understood"),
        ("on the balance sheet?", ""),
        ("and 3?", "not_understood"),
        ("and the margin?", "ambiguous_concept"),
        ("should I buy it?", "advice"),
        ("?", "empty"),
    ],
)
def test_a_word_that_makes_it_another_figure_is_not_passed_over(said: str, code: str):
    found = line_of(said, before(REVENUE))
    assert found.startswith(code)
    assert not found.endswith(" | revenue")


@pytest.mark.parametrize(
    ("first", "said", "read"),
    [
        (SUPPLY, "and in FY2023?", "AAPL | FY2023"),
        (SUPPLY, "the year before?", "AAPL | FY2023"),
        (SUPPLY, "what about NVIDIA?", "NVDA | FY2024"),
        (SUPPLY, "And Amazon's?", "AMZN | FY2024"),
        (SUPPLY, "compare with Microsoft", "AAPL, MSFT | FY2024"),
    ],
)
def test_a_topic_goes_on_to_another_company_and_year(first: str, said: str, read: str):
    previous = before(first)
    found = query_of(said, previous)
    assert isinstance(found, Query)
    assert found.topics == previous.topics
    assert line_of(said, previous).startswith(f"{read} |  text:")


def test_data_of_the_filing_goes_on_too():
    assert line_of("and NVIDIA?", before("Who audits Apple?")) == "NVDA | latest |  data: auditor"


@pytest.mark.parametrize(
    ("first", "said", "words"),
    [
        (REVENUE, "and competition?", ("competition",)),
        (REVENUE, "What about supply chain risks?", ("supply", "chain", "risks")),
        (REVENUE, "does it mention tariffs?", ("tariffs",)),
        (SUPPLY, "What does it say about Intel?", ("Intel",)),
        (SUPPLY, "and its strategy?", ("strategy",)),
        # "it" is the figure
        (REVENUE, "why did it increase?", ("revenue", "increase")),
        (REVENUE, "what drove it?", ("drove", "revenue")),
        (REVENUE, "why?", ("revenue", "change")),
        # a part of it that no measure holds
        (REVENUE, "and in China?", ("China", "revenue")),
    ],
)
def test_a_new_topic_takes_company_and_year(first: str, said: str, words: tuple[str, ...]):
    found = query_of(said, before(first))
    assert isinstance(found, Query)
    assert (found.companies, found.periods) == (before(first).companies, before(first).periods)
    assert set(words) >= set(found.topics[0].queries[0].words) >= set(words) - {"drove"}
    assert not found.rows


@pytest.mark.parametrize("first", ["Apple iPhone revenue 2023", "Apple adjusted operating income 2023"])
def test_a_measure_that_was_refused_is_not_taken(first: str):
    assert line_of("and in 2022?", before(first)) == "not_understood"


def test_a_figure_and_its_reason_both_go_on():
    first, reason = (query_of(one) for one in (REVENUE, "Why did Apple's revenue fall in 2023?"))
    assert isinstance(first, Query)
    assert isinstance(reason, Query)
    found = query_of("what about Microsoft?", first.model_copy(update={"topics": reason.topics}))
    assert isinstance(found, Query)
    assert (found.rows, found.topics) == (first.rows, reason.topics)


@pytest.mark.parametrize(
    ("first", "said", "parts"),
    [
        (REVENUE, "and in 2022?", {"Company": "Apple", "Measure": "revenue"}),
        (REVENUE, "what about Microsoft?", {"Measure": "revenue", "Period": "2023"}),
        (REVENUE, "and gross margin?", {"Company": "Apple", "Period": "2023"}),
        (PAIR, "and gross margin?", {"Company": "Apple, Microsoft", "Period": "2023"}),
        (SUPPLY, "and in FY2023?", {"Company": "Apple", "Topic": "supply risks"}),
        ("Who audits Apple?", "and NVIDIA?", {"Data of the filing": "auditor"}),
        (REVENUE, "What was Microsoft's net income in FY2022?", {}),
        ("Apple revenue", "What was Microsoft's net income?", {}),  # no year was named, so none is taken
    ],
)
def test_what_was_taken_is_told(first: str, said: str, parts: dict[str, str]):
    found = query_of(said, before(first))
    assert isinstance(found, Query)
    assert {one.part: one.value for one in taken(before(first), found)} == parts


def test_the_size_that_was_asked_stays():
    found = query_of("and in 2022?", before("Apple revenue 2023 in billions"))
    assert isinstance(found, Query)
    assert found.scale is Scale.BILLIONS


@pytest.mark.parametrize("said", ["thanks", "What was Microsoft's net income in FY2022?", "Why is the sky blue?"])
def test_a_question_that_stands_for_itself_takes_no_measure(said: str):
    found = query_of(said, before(REVENUE))
    assert not isinstance(found, Query) or found.rows != before(REVENUE).rows


# --- as if all had been asked at once ---

ONE, OTHER = st.sampled_from(["Apple", "Amazon"]), st.sampled_from(["Microsoft", "Nvidia"])
MEASURE = st.sampled_from(["revenue", "net income", "gross margin", "free cash flow", "total assets"])
YEAR = st.sampled_from(["2021", "FY2022", "2019-2022", "last 3 years"])


@settings(deadline=None, max_examples=60)
@given(c=ONE, m=MEASURE, p=YEAR, other=OTHER)
def test_another_company_is_asked_as_the_first_one_was(c: str, m: str, p: str, other: str):
    assert slots(f"what about {other}?", before(f"{c} {m} {p}")) == slots(f"{other} {m} {p}")


@settings(deadline=None, max_examples=60)
@given(c=ONE, m=MEASURE, p=YEAR, other=YEAR)
def test_another_year_is_asked_as_the_first_one_was(c: str, m: str, p: str, other: str):
    assert slots(f"and {other}?", before(f"{c} {m} {p}")) == slots(f"{c} {m} {other}")


@settings(deadline=None, max_examples=60)
@given(c=ONE, m=MEASURE, p=YEAR, other=MEASURE)
def test_another_measure_is_asked_as_the_first_one_was(c: str, m: str, p: str, other: str):
    assert slots(f"and {other}?", before(f"{c} {m} {p}")) == slots(f"{c} {other} {p}")


@settings(deadline=None, max_examples=60)
@given(c=ONE, p=YEAR, made=st.sampled_from(["growth", "change", "average", "highest", "CAGR", "sum"]))
def test_what_is_made_of_a_measure_is_asked_as_of_a_named_one(c: str, p: str, made: str):
    assert slots(f"the {made}?", before(f"{c} revenue {p}")) == slots(f"{c} {made} of revenue {p}")


@settings(deadline=None, max_examples=100)
@given(
    word=st.from_regex(r"zq[a-z]{4,7}", fullmatch=True),
    frame=st.sampled_from(["and {}?", "{} in 2022", "what about {}?"]),
)
def test_a_word_nobody_knows_takes_no_figure_from_before(word: str, frame: str):
    assert not asks_figures(frame.format(word), before(REVENUE))
