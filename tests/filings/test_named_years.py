"""Which fiscal year a document speaks of."""

import pytest

from filings.document.named_years import named_year


@pytest.mark.parametrize(
    ("text", "year"),
    [
        (b"<p>fiscal 2024</p>" * 5, 2024),
        (b"<p>Fiscal year <b>2024</b></p>" * 5, 2024),
        (b"fiscal&#160;year\xc2\xa02024 " * 6 + b"fiscal 2023 " * 2, 2024),
        (b"fiscal 2024 " * 6 + b"fiscal 2023 " * 4, None),
        (b"fiscal 2024 " * 4, None),
        (b"the year 2024 " * 9, None),
        (b"", None),
    ],
)
def test_it_takes_the_year_named_most_when_it_is_named_often_and_alone(text: bytes, year: int | None) -> None:
    assert named_year(text) == year
