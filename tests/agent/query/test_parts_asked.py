"""What parts of companies are asked of: figures beside text about one, all of a kind, and one of each of two companies."""

import pytest

from agent.query.question import read
from agent.query.words.lexicon import Called
from agent.state.query import Breakdown, Concept, Member, Printed, Query, Threshold, Years
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.agent.query.test_members import PARTS, PRODUCTS, SEGMENTS, query, told


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("How did Apple's lanterns do in 2023? Revenue and operating income", "of 'Lanterns'"),
        ("Tell me about Apple's signal lamps. What was its revenue in 2023?", "of 'Signal lamps'"),
        ("How is the signal lamps business at Apple doing? Revenue 2023", "of 'Signal lamps'"),
        ("How did Apple do in lanterns in 2023? What was revenue?", "of 'Lanterns'"),
        ("How did Apple do in lanterns in 2023? What was Apple's revenue?", "revenue"),
        ("What risks does Apple face in the US, and revenue 2023?", "revenue"),
    ],
)
def test_a_figure_beside_text_about_a_part_is_of_that_part(question: str, measures: str) -> None:
    halves = read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    rows = [row.measure for half in halves if isinstance(half, Query) for row in half.rows]
    assert rows
    assert all(isinstance(one, Member) and f"of {one.label!r}" == measures for one in rows) or (
        measures == "revenue" and rows == [Concept(key="revenue")]
    )


def test_a_figure_beside_text_about_a_part_that_nobody_knows_is_refused() -> None:
    halves = read("How did Apple's car trade do in 2023? Revenue", WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert not any(isinstance(half, Query) and half.rows for half in halves)


@pytest.mark.parametrize(
    "question",
    [
        "Breakdown of Apple's 2023 revenue by segment",
        "Apple 2023 revenue breakdown by segment",
        "Segment breakdown of Apple's revenue 2023",
        "Apple revenue for each segment 2023",
        "Apple revenue split by segment 2023",
    ],
)
def test_a_noun_of_dividing_says_no_more_than_the_kind_of_parts(question: str) -> None:
    assert " | revenue by segment" in told(question)


def test_parts_may_be_asked_with_their_shares() -> None:
    (row,) = query("Apple 2023 revenue by segment with shares").rows
    assert row.measure == Breakdown(of=Concept(key="revenue"), axis="segment", shares=True)


def test_what_is_to_be_broken_down_is_not_answered_as_a_whole() -> None:
    assert query("Break down Apple's 2023 revenue by product").rows[0].measure.kind == "breakdown"
    halves = read("Break down Apple's 2023 revenue", WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert not any(isinstance(half, Query) and half.rows for half in halves)


def test_a_noun_of_dividing_without_a_kind_of_parts_is_not_passed_over() -> None:
    assert "by segment" not in told("Apple revenue breakdown 2023")
    assert "by segment" not in told("Apple intersegment revenue by segment 2023")
    # Which of two divisions is meant, with eliminations or without, is not read yet.
    assert "by segment" not in told("Apple revenue by segment 2023, and the intersegment eliminations")
    assert "by segment" not in told("Apple lanterns breakdown by segment revenue 2023")


@pytest.mark.parametrize(
    "question",
    [
        "Apple 2023 revenue by segment in percent",
        "Apple 2023 revenue by segment as % of total",
        "Apple 2023 revenue by segment as a percentage of total revenue",
        "What share of Apple's 2023 revenue is each segment?",
    ],
)
def test_all_parts_in_percent_are_shares_of_their_total(question: str) -> None:
    (query,) = read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert isinstance(query, Query)
    assert [row.measure for row in query.rows] == [Breakdown(of=Concept(key="revenue"), axis="segment", shares=True)]


@pytest.mark.parametrize(
    ("question", "comparison", "bound", "shares"),
    [
        ("Which segments make up over 10% of Apple's revenue in 2023?", ">", 10, True),
        ("Are there segments that represent more than 20 % of Apple's revenue for FY2023?", ">", 20, True),
        ("Which segments account for at least 30 percent of Apple's 2023 revenue?", ">=", 30, True),
        ("Which segments contributed less than 10% of Apple's revenue in 2023?", "<", 10, True),
        ("Which Apple segments had revenue above $5 billion in 2023?", ">", 5_000_000_000, False),
    ],
)
def test_parts_above_a_bound_are_all_parts_compared_with_it(
    question: str, comparison: str, bound: int, shares: bool
) -> None:
    found = query(question)
    (row,) = found.rows
    assert row.measure == Breakdown(of=Concept(key="revenue"), axis="segment", shares=shares)
    (operation,) = found.operations
    assert operation == Threshold.model_validate({"comparison": comparison, "bound": bound})


@pytest.mark.parametrize(
    "question",
    [
        "Which segments make up over 10% of Apple's Tide revenue in 2023?",
        "Which segments not counting Europe make up over 10% of Apple's revenue in 2023?",
        "Which segments and products make up over 10% of Apple's revenue in 2023?",
        "Which segments have operating income of more than 10% of Apple's revenue in 2023?",
    ],
)
def test_what_narrows_the_parts_compared_is_not_passed_over(question: str) -> None:
    halves = read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert not any(isinstance(half, Query) and half.rows for half in halves)


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("Apple debt maturities 2023", "Maturities of debt"),
        ("Apple future lease payments by year 2023", "Lease payments"),
        ("Apple operating lease payments by year", "Operating lease payments"),
        ("Apple future minimum operating lease payments 2023", "Operating lease payments"),
        ("What are Apple's purchase obligations by year in fiscal 2023?", "Purchase obligations"),
        ("Apple estimated future amortization expense 2023", "Future amortization of intangible assets"),
    ],
)
def test_what_is_due_in_years_to_come_is_asked_year_by_year(question: str, measure: str) -> None:
    found = query(question)
    (row,) = found.rows
    assert row.measure == Breakdown(of=Printed(words=measure), axis="year")
    assert isinstance(found.periods, Years)  # of one report


HARBOR = Called(
    parts=(
        ("Harbor lights", (f"{PRODUCTS}=HarborLightsMember",)),
        ("Lanterns", (f"{PRODUCTS}=OldLanternsMember",)),
        ("Buoys", (f"{PRODUCTS}=BuoysMember",)),
    )
)
OF_TWO = {320193: PARTS, 789019: HARBOR}


def of_two(question: str) -> Query | None:
    (found,) = read(question, WIDER, REGISTRY, TODAY, lambda ciks: OF_TWO.get(ciks[0], Called()))
    return found if isinstance(found, Query) else None


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("Apple signal lamps vs Microsoft buoys revenue 2023", {320193: "Signal lamps", 789019: "Buoys"}),
        ("Microsoft buoys revenue vs Apple signal lamps revenue 2023", {789019: "Buoys", 320193: "Signal lamps"}),
        ("Apple and Microsoft lanterns revenue 2023", {320193: "Lanterns", 789019: "Lanterns"}),
    ],
)
def test_parts_of_two_companies_are_one_row(question: str, own: dict[int, str]) -> None:
    query = of_two(question)
    assert query
    assert [one.cik for one in query.companies] == list(own)
    (row,) = query.rows
    assert isinstance(row.measure, Member)
    assert {one.cik: one.label for one in row.measure.own} == own


@pytest.mark.parametrize(
    "question",
    [
        "Apple signal lamps revenue and Microsoft revenue 2023",
        "Apple signal lamps and lanterns vs Microsoft buoys revenue 2023",
        "Apple and Microsoft buoys revenue 2023",
    ],
)
def test_a_part_of_one_company_beside_anything_else_of_another_is_refused(question: str) -> None:
    assert of_two(question) is None


def test_the_share_of_a_part_is_of_its_measure() -> None:
    assert told("Apple lanterns revenue share 2023") == "AAPL | 2023 | revenue of 'Lanterns' % of revenue"
    assert told("Apple revenue share 2023").startswith("not_understood")


def test_growth_of_all_parts_over_years_is_that_of_each_year() -> None:
    assert told("Apple revenue growth by segment 2021 to 2023") == "AAPL | 2021..2023 | growth(revenue) by segment"


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("Apple's top 3 products by revenue 2023", "highest 3 product by revenue"),
        ("Apple's top three products 2023", "highest 3 product by revenue"),
        ("Apple's two smallest segments by operating income 2023", "not_understood"),
        ("Apple's smallest 2 segments by operating income 2023", "lowest 2 segment by operating_income"),
        (
            "Which Apple segment had the highest sales in 2023 and what percent of the company is it?",
            "highest segment by revenue",
        ),
    ],
)
def test_so_many_of_the_largest_parts_are_asked_alone(question: str, measures: str) -> None:
    assert measures in told(question)


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("Apple revenue by product 2023 - which is biggest?", "highest product by revenue"),
        (
            "Apple operating income by segment 2023, which is the smallest segment",
            "lowest segment by operating_income",
        ),
        ("Apple revenue by product 2023, which are the top 2?", "highest 2 product by revenue"),
        ("Apple revenue by product 2023: do they add up to the total?", "revenue by product"),
        ("Apple revenue by product 2023, how much altogether?", "revenue by product"),
        (
            "Apple lanterns and oil sales revenue 2023, which is bigger?",
            "revenue of 'Lanterns' + revenue of 'Oil sales' > highest 1",
        ),
        (
            "rank Apple lanterns, oil sales revenue 2023",
            "revenue of 'Lanterns' + revenue of 'Oil sales' > highest first",
        ),
    ],
)
def test_what_is_asked_of_all_parts_behind_them_is_read(question: str, measures: str) -> None:
    assert told(question) == f"AAPL | 2023 | {measures}"


@pytest.mark.parametrize(
    "question",
    [
        "Apple revenue by product 2023, which is the most profitable?",
        "Apple revenue by product 2023, which has the biggest growth?",
        "Apple revenue by product 2023, which is biggest excluding lanterns?",
        "Apple revenue by product 2023, which region is biggest?",
        "Apple revenue by product 2021-2023, how much altogether?",
        "Apple lanterns revenue and oil sales operating income 2023, which is bigger?",
    ],
)
def test_what_makes_another_order_of_the_parts_is_refused(question: str) -> None:
    assert "|" not in told(question)


@pytest.mark.parametrize(
    ("first", "said", "measures"),
    [
        ("Apple revenue by product 2023", "which is biggest?", "highest product by revenue"),
        ("Apple operating income by segment 2023", "and the smallest segment?", "lowest segment by operating_income"),
        ("Apple revenue by product 2023", "top 2", "highest 2 product by revenue"),
        (
            "Apple lanterns and oil sales revenue 2023",
            "which is smallest?",
            "revenue of 'Lanterns' + revenue of 'Oil sales' > lowest 1",
        ),
        ("Apple revenue by product 2023", "do they add up to the total?", "revenue by product"),
        (
            "Apple lanterns and oil sales revenue 2023",
            "how much altogether?",
            "(revenue of 'Lanterns' + revenue of 'Oil sales')",
        ),
    ],
)
def test_what_is_asked_of_the_table_before_is_read(first: str, said: str, measures: str) -> None:
    assert told(said, query(first)) == f"AAPL | 2023 | {measures}"


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("Apple revenue split into lanterns and oil sales 2023", "revenue of 'Lanterns' + revenue of 'Oil sales'"),
        ("Apple revenue lanterns/oil sales 2023", "revenue of 'Lanterns' + revenue of 'Oil sales'"),
        ("Apple revenue split US / international 2023", "revenue by region"),
        ("Apple revenue domestic vs international 2023", "revenue by region"),
        ("How much revenue came from lanterns at Apple in 2023?", "revenue of 'Lanterns'"),
    ],
)
def test_a_measure_is_divided_into_what_is_named(question: str, measures: str) -> None:
    assert told(question) == f"AAPL | 2023 | {measures}"


@pytest.mark.parametrize(
    "question",
    [
        "Apple revenue split into lanterns and Greater Harbor 2023",  # a product and a segment
        "Apple revenue split lanterns 2023",
        "Apple revenue split into lanterns and licences 2023",
        "Apple revenue international 2023",
        "How much revenue came from licences at Apple in 2023?",
    ],
)
def test_what_divides_no_measure_is_not_passed_over(question: str) -> None:
    halves = read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert not any(isinstance(half, Query) and half.rows for half in halves)


@pytest.mark.parametrize(
    ("said", "measures"),
    [
        ("split it US / international", "revenue by region"),
        ("split into lanterns and oil sales", "revenue of 'Lanterns' + revenue of 'Oil sales'"),
    ],
)
def test_a_table_is_split_into_what_is_named(said: str, measures: str) -> None:
    assert told(said, query("Apple revenue 2023")) == f"AAPL | 2023 | {measures}"


def test_what_a_company_that_is_chosen_calls_a_part_is_no_other_company() -> None:
    graham = Called(parts=(("Graham", (f"{SEGMENTS}=GrahamMember",)),))
    before = query("Apple revenue 2023")
    (found,) = read("Graham revenue 2022", WIDER, REGISTRY, TODAY, lambda ciks: graham, before)
    assert isinstance(found, Query)
    assert [one.cik for one in found.companies] == [320193]
    assert [getattr(row.measure, "label", "") for row in found.rows] == ["Graham"]
    (other,) = read("Graham revenue 2022", WIDER, REGISTRY, TODAY, lambda ciks: PARTS, before)
    assert [getattr(row.measure, "kind", "") for row in getattr(other, "rows", ())] != ["member"]
