"""Segments, products and regions in a question: where they narrow a measure, and where a word is none of them."""

import pytest

from agent.query.explain import line
from agent.query.question import read
from agent.query.words.lexicon import Called
from agent.state.query import Breakdown, Concept, Member, Query
from tests.agent.query.held import REGISTRY, TODAY, WIDER

PRODUCTS, SEGMENTS = "ProductOrServiceAxis", "StatementBusinessSegmentsAxis"
PARTS = Called(
    parts=(
        ("Lanterns", (f"{PRODUCTS}=LanternsMember",)),
        ("Signal lamps", (f"{PRODUCTS}=SignalLampsMember",)),
        ("Oil sales", (f"{PRODUCTS}=OilSalesMember",)),
        ("Harbor ads", (f"{PRODUCTS}=HarborAdsMember",)),
        ("Total repair revenue", (f"{PRODUCTS}=RepairMember",)),
        ("Greater Harbor", (f"{SEGMENTS}=GreaterHarborMember",)),
        ("Apple Pay", (f"{PRODUCTS}=PayMember",)),
        ("Apple Financial", (f"{SEGMENTS}=FinancialMember",)),
        ("Other", (f"{PRODUCTS}=OtherMember",)),
        ("Advertising", (f"{PRODUCTS}=AdvertisingMember",)),
        ("Advertising boards", (f"{PRODUCTS}=BoardsMember",)),
        ("US", ("StatementGeographicalAxis=US",)),
        ("United States", ("StatementGeographicalAxis=US",)),
    )
)


def told(question: str, previous: Query | None = None) -> str:
    return line(*read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS, previous))


def query(question: str) -> Query:
    (found,) = read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert isinstance(found, Query)
    return found


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("Apple lanterns revenue 2023", "revenue of 'Lanterns'"),
        ("What was Apple's revenue from signal lamps in 2023?", "revenue of 'Signal lamps'"),
        ("Apple 2023 revenue Greater Harbor", "revenue of 'Greater Harbor'"),
        ("Apple lantrens revenue 2023", "revenue of 'Lanterns'"),
        ("Apple US revenue 2023", "revenue of 'US'"),
        ("Apple revenue in the United States 2023", "revenue of 'United States'"),
        ("Apple's Greater Harbor segment operating income 2023", "operating_income of 'Greater Harbor'"),
        ("Apple Pay revenue 2023", "revenue of 'Apple Pay'"),
        ("Apple lanterns and signal lamps revenue 2023", "revenue of 'Lanterns' + revenue of 'Signal lamps'"),
        (
            "Apple revenue of lanterns, signal lamps and Greater Harbor 2023",
            "revenue of 'Lanterns' + revenue of 'Signal lamps' + revenue of 'Greater Harbor'",
        ),
        ("Apple lanterns revenue and operating income 2023", "revenue of 'Lanterns' + operating_income of 'Lanterns'"),
        ("Apple lanterns revenue and total revenue 2023", "revenue of 'Lanterns' + revenue"),
        ("Apple lanterns revenue, operating income 2023", "revenue of 'Lanterns' + operating_income of 'Lanterns'"),
        (
            "Apple revenue and operating income of lanterns 2023",
            "revenue of 'Lanterns' + operating_income of 'Lanterns'",
        ),
        ("Apple revenue and lanterns operating income 2023", "revenue + operating_income of 'Lanterns'"),
        ("Apple lanterns revenue as a percentage of revenue 2023", "revenue of 'Lanterns' % of revenue"),
        ("Apple lanterns revenue / revenue 2023", "revenue of 'Lanterns' % of revenue"),
        ("Apple oil sales 2023", "revenue of 'Oil sales'"),
        ("Apple harbor ads, lanterns revenue 2023", "revenue of 'Harbor ads' + revenue of 'Lanterns'"),
        ("Apple repair revenue 2023", "revenue of 'Total repair revenue'"),
        ("Apple advertising revenue 2023", "revenue of 'Advertising'"),
        ("Apple revenue and advertising 2023", "revenue + advertising"),
        ("Apple advertising boards revenue 2023", "revenue of 'Advertising boards'"),
        (
            "Apple lanterns revenue 2023 vs advertising boards",
            "revenue of 'Lanterns' + revenue of 'Advertising boards'",
        ),
        ("Apple lanterns operating margin 2023", "operating_margin of 'Lanterns'"),
        ("Apple revenue growth in Greater Harbor 2023", "growth(revenue of 'Greater Harbor')"),
        ("Apple US revenue 2023 vs Greater Harbor", "revenue of 'US' + revenue of 'Greater Harbor'"),
        ("Lanterns vs signal lamps: Apple sales in 2023 of each", "revenue of 'Lanterns' + revenue of 'Signal lamps'"),
        ("Apple worldwide sales of lanterns 2023", "revenue of 'Lanterns'"),
        ("How much revenue did lanterns make for Apple in 2023", "revenue of 'Lanterns'"),
        ("Apple revenue that came from customers located in Greater Harbor 2023", "revenue of 'Greater Harbor'"),
        ("Apple revenue from advertising 2023", "revenue of 'Advertising'"),
        ("Apple's net sales to the United States 2023", "revenue of 'United States'"),
        ("Apple lanterns revenue to signal lamps 2023", "revenue of 'Lanterns' + revenue of 'Signal lamps'"),
    ],
)
def test_a_part_beside_a_measure_narrows_it(question: str, measures: str) -> None:
    assert told(question) == f"AAPL | 2023 | {measures}"


@pytest.mark.parametrize(
    "question",
    [
        "Tell us Apple lamp revenue 2023",
        "Apple revenue 2023 for those who buy lanterns and ask us",
        "Apple lanterns tax revenue growth of wicks 2023",
        "Apple revenue other than lanterns 2023",
        "Apple revenue in Greater Harbor and operating income 2023",
        "Apple revenue from lanterns and net income 2023",
        "What was Apple's revenue in Greater Harbor and what was its net income in 2023?",
        "Apple lanterns operating income divided by revenue 2023",
        "Apple lanterns revenue divided by total assets 2023",
        "Apple operating income divided by lanterns revenue 2023",
        "Apple lanterns revenue in the United States 2023",
        "Apple US lanterns revenue 2023",
        "Apple other revenue 2023",
        "Apple revenue and lanterns 2023",
        "Lanterns and revenue of Apple 2023",
        "Apple revenue vs lanterns 2023",
        "Apple lanterns revenue 2022 vs signal lamps 2023",
        "Apple 2022 lanterns revenue and 2023 signal lamps revenue",
        "How many lanterns did Apple sell in 2023",
        "Apple revenue not from lanterns 2023",
        "Apple revenue net of lanterns 2023",
        "How much did Apple spend on lanterns in 2023",
    ],
)
def test_what_is_beside_no_measure_or_taken_out_is_never_read_as_one(question: str) -> None:
    assert " of '" not in told(question)
    assert not any(
        isinstance(one, Query) and one.rows for one in read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    )


@pytest.mark.parametrize(
    "question",
    ["What revenue did Apple Financial have in 2023?", "How much revenue did Apple make in Apple Financial in 2023?"],
)
def test_a_word_that_says_nothing_elsewhere_is_not_passed_over_in_a_name(question: str) -> None:
    assert not told(question).endswith("| revenue")


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("How much did Apple make from advertising in 2023?", "revenue of 'Advertising'"),
        ("What did Apple sell in lanterns in 2023", "revenue of 'Lanterns'"),
        ("How much did Apple sell in the United States in 2023", "revenue of 'United States'"),
        ("signal lamps - how much did Apple earn with them in 2023", "revenue of 'Signal lamps'"),
        ("How much did Greater Harbor lose for Apple in 2023", "operating_income of 'Greater Harbor'"),
    ],
)
def test_a_verb_of_revenue_or_loss_is_asked_of_a_part(question: str, measures: str) -> None:
    assert told(question) == f"AAPL | 2023 | {measures}"


@pytest.mark.parametrize(
    "question", ["How much did lanterns make for Apple in 2023", "How much did Apple earn in Greater Harbor in 2023"]
)
def test_what_a_part_itself_makes_and_a_segment_earns_could_be_either(question: str) -> None:
    assert told(question).startswith("ambiguous_concept")


@pytest.mark.parametrize(
    "question",
    [
        "Lanterns share of Apple sales 2023",
        "Apple lanterns revenue 2023, share of total",
        "What share of Apple's revenue came from lanterns in 2023?",
        "Apple lanterns revenue as % of total 2023",
        "How much of Apple's revenue was from lanterns in 2023",
    ],
)
def test_a_share_of_the_whole_is_of_the_same_measure(question: str) -> None:
    assert told(question) == "AAPL | 2023 | revenue of 'Lanterns' % of revenue"


def test_a_share_of_parts_put_together_is_one() -> None:
    assert told("Lanterns plus signal lamps share of Apple revenue 2023") == (
        "AAPL | 2023 | (revenue of 'Lanterns' + revenue of 'Signal lamps') % of revenue"
    )


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Apple advertising as % of revenue 2023", "ambiguous_concept"),
        ("Apple advertising 2023", "ambiguous_concept"),
        ("Apple advertising average quarterly revenue 2023", "ambiguous_concept"),
        ("What % of Apple revenue did not come from lanterns in 2023", "not_understood"),
        ("Apple lanterns share of revenue growth 2023", "not_understood"),
    ],
)
def test_a_share_that_could_be_another_is_refused(question: str, code: str) -> None:
    assert told(question).startswith(code)


@pytest.mark.parametrize(
    "question",
    [
        "Apple lanterns plus signal lamps revenue 2023",
        "Apple lanterns and signal lamps combined revenue 2023",
        "Apple total of lanterns and signal lamps revenue 2023",
    ],
)
def test_parts_put_together_are_one_sum(question: str) -> None:
    assert told(question) == "AAPL | 2023 | (revenue of 'Lanterns' + revenue of 'Signal lamps')"


@pytest.mark.parametrize(
    ("question", "axis", "of", "extreme"),
    [
        ("Apple largest segment 2023", "segment", "revenue", "highest"),
        ("What is Apple's biggest product line by revenue 2023", "product", "revenue", "highest"),
        ("Apple smallest region 2023", "region", "revenue", "lowest"),
        ("Which Apple segment had the highest operating income in 2023", "segment", "operating_income", "highest"),
        ("Apple largest segment by operating income 2023", "segment", "operating_income", "highest"),
    ],
)
def test_the_largest_of_a_kind_is_asked_alone(question: str, axis: str, of: str, extreme: str) -> None:
    (found,) = read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert isinstance(found, Query)
    assert [row.measure for row in found.rows] == [
        Breakdown.model_validate({"of": Concept(key=of), "axis": axis, "extreme": extreme})
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Apple largest segment operating income 2023",
        "most profitable segment of Apple 2023",
        "fastest growing segment of Apple 2023",
        "Apple largest segment excluding Greater Harbor 2023",
        "Apple second largest segment 2023",
        "Apple largest customer 2023",
        "Apple largest segment revenue by region 2023",
    ],
)
def test_what_else_is_said_of_the_largest_is_refused(question: str) -> None:
    assert told(question).startswith("dimensional_only")


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("Apple revenue by segment 2023", "revenue by segment"),
        ("Break down Apple's 2023 revenue by geography", "revenue by region"),
        ("Apple operating income by division 2023", "operating_income by segment"),
        ("Apple net sales by product line 2023", "revenue by product"),
        ("Apple net sales per operating segment 2023", "revenue by segment"),
        ("Apple net sales country by country 2023", "revenue by region"),
        ("Apple gross margin by segment 2023", "gross_margin by segment"),
        ("Apple segment operating margin 2023", "operating_margin by segment"),
        ("Apple segment revenue 2023", "revenue by segment"),
        ("Apple revenue growth by segment 2023", "growth(revenue) by segment"),
        ("Apple segment revenue 2023 yoy", "growth(revenue) by segment"),
    ],
)
def test_a_measure_is_divided_into_all_parts_of_a_kind(question: str, measures: str) -> None:
    assert told(question) == f"AAPL | 2023 | {measures}"


@pytest.mark.parametrize(
    "question",
    [
        "Apple largest segment by operating margin 2023",
        "Apple segment revenue by region 2023",
        "Apple lanterns revenue by region 2023",
        "Apple revenue by segment and by region 2023",
        "Apple average revenue by segment 2020 to 2023",
    ],
)
def test_what_is_computed_or_divided_already_is_not_divided(question: str) -> None:
    assert told(question).startswith("dimensional_only")


def after(before: str, question: str) -> str:
    """A question that goes on from another."""
    (previous,) = read(before, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert isinstance(previous, Query)
    return line(*read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS, previous))


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("And in 2022?", "AAPL | 2022 | revenue of 'Lanterns'"),
        ("And operating income?", "AAPL | 2023 | operating_income of 'Lanterns'"),
        ("And total operating income?", "AAPL | 2023 | operating_income"),
        ("And Apple's operating income?", "AAPL | 2023 | operating_income"),
        ("And its growth?", "AAPL | 2023 | revenue of 'Lanterns' + growth(revenue of 'Lanterns')"),
    ],
)
def test_what_goes_on_from_a_part_is_of_it(question: str, measures: str) -> None:
    assert after("Apple lanterns revenue 2023", question) == measures


@pytest.mark.parametrize(
    ("question", "measures"),
    [
        ("Apple profit by segment 2023", "operating_income by segment"),
        ("Apple segment profit 2023", "operating_income by segment"),
        ("Apple Greater Harbor profit 2023", "operating_income of 'Greater Harbor'"),
    ],
)
def test_the_profit_of_a_segment_is_its_operating_income(question: str, measures: str) -> None:
    assert told(question) == f"AAPL | 2023 | {measures}"


def test_the_profit_of_a_product_could_be_several() -> None:
    assert told("Apple lanterns profit 2023").startswith("ambiguous_concept")


def test_growth_asked_behind_all_parts_is_of_each() -> None:
    both = "AAPL | 2023 | revenue by segment + growth(revenue) by segment"
    assert after("Apple revenue by segment 2023", "And the growth?") == both
    assert after("Apple revenue by segment 2023", "And in 2022?") == "AAPL | 2022 | revenue by segment"


def test_two_measures_are_divided_alike() -> None:
    assert told("Apple revenue by segment and operating income by segment 2023") == (
        "AAPL | 2023 | revenue by segment + operating_income by segment"
    )


def test_another_measure_of_the_same_words_is_itself() -> None:
    assert told("Apple total revenue 2023") == "AAPL | 2023 | revenue"
    assert told("Apple other income 2023").endswith("other_income_net") or " of '" not in told(
        "Apple other income 2023"
    )


def test_the_part_keeps_its_members() -> None:
    (found,) = read("Apple lanterns revenue 2023", WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    assert isinstance(found, Query)
    assert found.rows[0].measure == Member(
        of=Concept(key="revenue"), label="Lanterns", members=(f"{PRODUCTS}=LanternsMember",)
    )


@pytest.mark.parametrize(
    ("before", "question", "measures"),
    [
        ("Apple revenue 2023", "what about lanterns?", "revenue of 'Lanterns'"),
        ("Apple revenue 2023", "add Greater Harbor and lanterns", "revenue + revenue of 'Greater Harbor' + revenue of 'Lanterns'"),
        ("Apple lanterns revenue 2023", "and signal lamps", "revenue of 'Lanterns' + revenue of 'Signal lamps'"),
        ("Apple lanterns and signal lamps revenue 2023", "without lanterns", "revenue of 'Signal lamps'"),
        ("Apple lanterns and signal lamps revenue 2023", "only lanterns", "revenue of 'Lanterns'"),
        ("Apple lanterns revenue 2023", "as a percentage of revenue", "revenue of 'Lanterns' % of revenue"),
        ("Apple lanterns revenue 2023", "year over year", "growth(revenue of 'Lanterns')"),
    ],
)  # fmt: skip
def test_a_follow_up_changes_a_table_by_a_part_of_the_company(before: str, question: str, measures: str) -> None:
    assert after(before, question) == f"AAPL | 2023 | {measures}"


@pytest.mark.parametrize(
    ("before", "question", "measures"),
    [
        (
            "Apple lanterns and signal lamps revenue 2023",
            "both added together",
            "(revenue of 'Lanterns' + revenue of 'Signal lamps')",
        ),
        ("Apple lanterns revenue 2023", "added together since 2021", "revenue of 'Lanterns' > sum"),
    ],
)
def test_the_parts_of_the_question_before_are_put_together(before: str, question: str, measures: str) -> None:
    assert after(before, question).endswith(measures)


def test_parts_put_together_over_years_are_one_sum_a_year() -> None:
    assert told("Apple lanterns and signal lamps revenue 2021-2023 combined").endswith(
        "(revenue of 'Lanterns' + revenue of 'Signal lamps')"
    )


def test_a_part_that_is_called_as_a_measure_is_not_added_silently() -> None:
    assert after("Apple revenue 2023", "add advertising").startswith("ambiguous_concept")


def test_the_reason_behind_a_part_is_asked_of_it() -> None:
    found = after("Apple lanterns revenue 2023", "why did it fall?")
    assert found == "AAPL | 2023 |  text: 'why did total revenue of Lanterns fall?'"


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Apple lamps revenue 2023", "AAPL | 2023 | revenue of 'Signal lamps' by a name near 'lamps'"),
        ("Apple signal revenue from 2021 to 2023", "AAPL | 2021..2023 | revenue of 'Signal lamps' by a name near 'signal'"),
        ("Apple lamps revenue growth 2023", "AAPL | 2023 | growth(revenue of 'Signal lamps') by a name near 'lamps'"),
    ],
)  # fmt: skip
def test_the_part_whose_name_has_a_word_is_the_nearest_one(question: str, line: str) -> None:
    assert told(question) == line
    assert query(question).is_nearest


@pytest.mark.parametrize("question", ["Apple tide revenue 2023", "Apple lamps revenue 2023 excluding signal towers"])
def test_no_part_is_near_a_word_that_no_name_has(question: str) -> None:
    assert told(question).startswith("not_understood")
