"""The day of a document is what its opening says: a release's dateline before any other day that it names."""

from datetime import date

import pytest

from filings.document.layout import Layout
from filings.importing.stated import stated


def day_of(text: str) -> date | None:
    return stated(Layout(text, (), (), {}, ())).day


@pytest.mark.parametrize(
    "opening",
    [
        "Halden Optics Reports Results\n\nTROMSDAL, Norway - April 25, 2023 - Halden said that its dividend of April 3, 2023 ...",
        "TROMSDAL--(Wire)--April 25, 2023--Halden Optics today. It will speak on May 2, 2023.",
    ],
)
def test_a_release_is_of_the_day_in_its_dateline(opening: str) -> None:
    assert day_of(opening) == date(2023, 4, 25)


def test_of_two_days_elsewhere_none_is_taken() -> None:
    assert day_of("Halden Optics speaks on May 2, 2023 about its dividend of April 3, 2023.") is None


@pytest.mark.parametrize(
    ("headline", "of"),
    [
        ("Halden Optics reports fiscal 2023 results and provides outlook for fiscal 2024", (2023, 4)),
        ("Halden Optics announces full-year 2024 financial results", (2024, 4)),
        ("Halden Optics reports second half and fiscal 2023 results", (None, None)),
        ("Halden Optics reports first quarter results and confirms fiscal 2023 outlook", (None, None)),
        ("Halden Optics reports third quarter fiscal 2023 results", (2023, 3)),
    ],
)
def test_a_release_on_a_years_results_is_of_its_last_quarter(headline: str, of: tuple[int | None, int | None]) -> None:
    found = stated(Layout(headline, (), (), {}, ()))
    assert (found.fiscal_year, found.fiscal_quarter) == of
