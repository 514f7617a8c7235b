"""Which figures merely roll forward from one report to the next."""

import pytest

from filings.redline.compared_units import compared
from filings.redline.rolling import is_rolled


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Revenue was $391.0 billion in fiscal 2024.", "Revenue was $416 billion in fiscal 2025."),
        ("Costs rose to $1.3 billion.", "Costs rose to $980 million."),
        ("On September 28, 2024 we had three plants.", "On September 7, 2025 we had 4 plants."),
        ("We were founded in 1984 and have 12 plants.", "We were founded in 1984 and have 14 plants."),
        ("A loss of $(31)", "A loss of $(45)"),
        ("Our 3.2.1 program", "Our 3.2.4 program"),
    ],
)
def test_a_figure_near_the_one_before_rolls_forward(old: str, new: str) -> None:
    assert is_rolled(compared(old), compared(new), years=1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A charge of $40 million", "A charge of $254 million"),
        ("A charge of $401 million", "A charge of $1.3 billion"),
        ("A margin of 4%", "A margin of (4)%"),
        ("Cash of $12", "Cash of 12%"),
        ("The 2020 Credit Agreement", "The 2023 Credit Agreement"),
        ("No more than 0%", "No more than 10%"),
        ("See Notes 1, 6 and 8.", "See Notes 1 and 6."),
        ("two plants", "nine plants"),
    ],
)
def test_a_leap_another_unit_sign_year_or_number_of_figures_is_a_change(old: str, new: str) -> None:
    assert not is_rolled(compared(old), compared(new), years=1)


@pytest.mark.parametrize(
    ("new", "rolled"), [("Other 1 110 90 22%", True), ("Other 1 450 90 400%", False), ("Other 1 (110) 90 -", False)]
)
def test_of_a_row_the_first_figure_that_differs_decides(new: str, rolled: bool) -> None:
    assert is_rolled(compared("Other 1 90 85 6%"), compared(new), years=1, row=True) is rolled


def test_a_year_moves_by_the_years_between_the_reports() -> None:
    old, new = compared("Our plan of 2022"), compared("Our plan of 2025")
    assert is_rolled(old, new, years=3)
    assert not is_rolled(old, new, years=1)
