"""Texts without their figures: what is left decides whether a sentence merely rolled forward."""

import pytest

from filings.redline.compared_units import compared, without_figures


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Revenue was $391.0 billion in fiscal 2024.", "Revenue was $95 million in fiscal 2025."),
        ("On September 28, 2024 we had three plants.", "On May 2, 2026 we had 14 plants."),
        ("Cash fell by 12% to $(1,204).", "Cash fell by 9% to $88."),
        ("Our 12-month plan", "Our 18-month plan"),
        ("The Company\u2019s 2023 \u2013 2024 plan", "The Company's 2024 - 2025 plan"),
        ("Taxes\t—\t12", "Taxes\t31\t(4)"),
    ],
)
def test_figures_dates_and_years_roll_forward(old: str, new: str) -> None:
    assert without_figures(compared(old)) == without_figures(compared(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Revenue increased by 4%.", "Revenue decreased by 4%."),
        ("We filed Form 10-K.", "We filed Form 10-Q."),
        ("We may hire.", "We will hire."),
        ("We lost two customers.", "We lost no customers."),
        ("Sales of 12 cars", "Sales of 12 vans"),
    ],
)
def test_a_word_does_not_roll_forward(old: str, new: str) -> None:
    assert without_figures(compared(old)) != without_figures(compared(new))
