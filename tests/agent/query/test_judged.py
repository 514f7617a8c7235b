"""Whether a figure is healthy, stable or higher than another: the figures are asked, and what code can say of them is said."""

import pytest

from tests.agent.query.conftest import Line, asserts_figures, query_of


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Is Apple's current ratio healthy?", "AAPL | latest | current_ratio"),
        ("Does Apple have a strong gross margin in 2024?", "AAPL | 2024 | gross_margin"),
        ("Was Apple able to improve its gross margin in 2024?", "AAPL | 2024 | change(gross_margin)"),
        ("Does Apple have an improving gross margin profile as of FY2024?", "AAPL | FY2024 | change(gross_margin)"),
        (
            "Is Apple a capital-intensive business based on FY2024 data?",
            "AAPL | FY2024 | capex_to_revenue + ppe_to_assets + capital_intensity",
        ),
        ("Is Apple's gross margin stable?", "AAPL | last 5 | gross_margin"),
        ("Are Apple's gross margins consistent over FY2022-FY2024?", "AAPL | FY2022..FY2024 | gross_margin"),
        # In brackets stands how far it may move to be called so.
        (
            "Are Apple's gross margins consistent (not fluctuating more than roughly 2% each year) over FY2022-FY2024?",
            "AAPL | FY2022..FY2024 | gross_margin",
        ),
        # What the figure is to tell of names no other figure.
        (
            "Does Apple have a healthy liquidity profile based on its current ratio in FY2024?",
            "AAPL | FY2024 | current_ratio",
        ),
        # Whether it paid is told by what it paid.
        ("Did Apple pay dividends in FY2024?", "AAPL | FY2024 | dividends_paid"),
    ],
)
def test_what_is_to_be_judged_is_asked_as_a_figure(question: str, read: str, told: Line) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Did Apple's revenue grow in FY2024?", "AAPL | FY2024 | growth(revenue) > > 0"),
        ("Did Apple's revenue fall in FY2024?", "AAPL | FY2024 | change(revenue) > < 0"),
        # Whether what may be negative rose or fell is no question of its sign; nor is a steady course one of its ends.
        ("Did Apple's net loss decrease in FY2024?", "AAPL | FY2024 | change(net_income)"),
        ("Has Apple's net cash used in financing activities fallen in FY2024?", "AAPL | FY2024 | change(cff)"),
        ("Has Apple's revenue grown every year from FY2020 to FY2024?", "AAPL | FY2020..FY2024 | growth(revenue)"),
        ("Did Apple's revenue grow from FY2020 to FY2024?", "AAPL | FY2020..FY2024 | revenue > growth > > 0"),
        # By how much, is a number alone; of a movement without a direction nothing is so or not.
        ("By how much did Apple's revenue grow in FY2024?", "AAPL | FY2024 | growth(revenue)"),
        ("Did Apple's revenue change in FY2024?", "AAPL | FY2024 | change(revenue)"),
        ("Can you give me Apple's revenue growth in FY2024?", "AAPL | FY2024 | growth(revenue)"),
    ],
)
def test_whether_a_figure_moved_so_is_answered_beside_it(question: str, read: str, told: Line) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (
            "Which was higher for Apple in FY2024, operating cash flow or investing cash flow?",
            "AAPL | FY2024 | cfo + cfi > highest 1",
        ),
        (
            "Among operating, investing and financing cash flow, which was lowest for Apple in FY2024?",
            "AAPL | FY2024 | cfo + cfi + cff > lowest 1",
        ),
        (
            "Among operations, investing, and financing activities, which brought in the most (or lost the least) cash"
            " flow for Apple in FY2024?",
            "AAPL | FY2024 | cfo + cfi + cff > highest 1",
        ),
        ("Apple gross, operating and net margin 2024", "AAPL | 2024 | gross_margin + operating_margin + net_margin"),
    ],
)
def test_measures_are_put_in_order(question: str, read: str, told: Line) -> None:
    assert told(question) == read


@pytest.mark.parametrize(
    "question", ["Which is higher for Apple in 2024, revenue or gross margin?", "Apple highest quick ratio 2024"]
)
def test_nothing_is_put_in_order_of_unlike_units_or_of_one_measure(question: str) -> None:
    assert not asserts_figures(question)


def test_the_words_of_a_judgement_are_kept_for_the_reader() -> None:
    found = query_of("Is Apple's current ratio healthy?")
    assert (getattr(found, "judged", None), getattr(found, "left_out", None)) == ("healthy", ())
    assert getattr(query_of("What is Apple's current ratio?"), "judged", None) == ""
    assert getattr(query_of("Did Apple's net margin improve or decline in FY2024?"), "judged", None) == ""


@pytest.mark.parametrize("aside", ["If it is negative, say so.", "If unavailable, state that."])
def test_what_to_say_in_a_case_asks_nothing(aside: str, told: Line) -> None:
    assert told(f"What is Apple's revenue in 2024? {aside}") == "AAPL | 2024 | revenue"


def test_a_case_that_a_figure_is_asked_in_is_no_aside(told: Line) -> None:
    assert "|" not in told("If Apple's revenue is negative, what is its gross margin?")


def test_how_far_a_figure_may_move_is_said_beside_what_is_to_be_judged() -> None:
    asked = query_of("Are Apple's gross margins stable (not varying by more than 2 points a year) over FY2022-FY2024?")
    assert asked.judged == "stable (not varying by more than 2 points a year)"


def test_a_bound_outside_of_brackets_is_what_is_asked() -> None:
    assert not asserts_figures("Are Apple's gross margins not fluctuating more than 2% each year?")


def test_a_quality_that_no_figure_is_to_tell_of_is_asked_too(told: Line) -> None:
    read = told("Is Apple's liquidity healthy and its gross margin stable in FY2024?")
    assert read == 'AAPL | FY2024 |  text: "Is the company\'s liquidity healthy" // AAPL | FY2024 | gross_margin'
