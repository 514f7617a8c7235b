"""Company, quarter and day of a call: as its opening states them, and None where it does not."""

import datetime

import pytest

from filings.document.any_file import read_layout_of
from filings.sections.call_header import CallHeader, read_call_header
from tests.support.calls import CALL, FORMS, Said, labelled

UNTITLED = b"Operator: "


def header(content: bytes) -> CallHeader:
    return read_call_header(read_layout_of(content, "call.txt"))


def titled(*titles: str, opening: str = "Good day. Lines are muted until the end of the remarks.") -> CallHeader:
    call = [Said("Operator", "", (opening,)), *CALL[1:]]
    words = labelled(call).decode().split("\n\n", 2)[2]
    return header("\n\n".join([*titles, words]).encode())


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_its_header(form: str) -> None:
    assert header(FORMS[form](CALL)) == CallHeader("Northwind Instruments, Inc.", 3, 2025, datetime.date(2025, 10, 28))


@pytest.mark.parametrize(
    ("title", "company", "quarter", "year"),
    [
        ("Meadow Foods, Inc. (NASDAQ: MDW) Q3 2024 Earnings Call Transcript", "Meadow Foods, Inc.", 3, 2024),
        ("Q4 2023 Meadow Foods Inc Earnings Call", "Meadow Foods Inc", 4, 2023),
        ("Meadow Foods (MDW) Q2 FY24 Earnings Conference Call", "Meadow Foods", 2, 2024),
        ("1Q21 Meadow Foods", "Meadow Foods", 1, 2021),
        ("Meadow Foods plc third quarter of fiscal year 2022 results", "Meadow Foods plc", 3, 2022),
        ("Meadow Foods 2022 fourth quarter earnings call", "Meadow Foods", 4, 2022),
        ("Fourth Quarter and Full Year 2019 Results Conference Call", None, 4, 2019),
        ("Edited Transcript", None, None, None),
        ("Meadow Foods Q1 2021 and Q2 2021 Earnings Calls", "Meadow Foods", None, None),
    ],
)
def test_titles_are_read(title: str, company: str | None, quarter: int | None, year: int | None) -> None:
    found = titled(title)
    assert (found.quarter, found.year, found.date) == (quarter, year, None)
    assert found.company == company


@pytest.mark.parametrize(
    ("day", "read"),
    [
        ("October 28, 2025", datetime.date(2025, 10, 28)),
        ("Tuesday, Oct. 28th, 2025, 5:00 PM ET", datetime.date(2025, 10, 28)),
        ("28 October 2025", datetime.date(2025, 10, 28)),
        ("2025-10-28", datetime.date(2025, 10, 28)),
        ("October 38, 2025", None),
        ("10/11/2025", None),
        ("Quarter ended September 30, 2025", None),
        ("October 28, 2025 and October 29, 2025", None),
    ],
)
def test_days_are_read_where_they_are_plain(day: str, read: datetime.date | None) -> None:
    assert titled("Meadow Foods Q3 2025 Earnings Call", day).date == read


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        (
            "Good morning, and welcome to the Meadow Foods second quarter fiscal 2024 earnings conference call.",
            CallHeader("Meadow Foods", 2, 2024),
        ),
        ("Hello and welcome to Q3 2020 Meadow Foods earnings conference call.", CallHeader("Meadow Foods", 3, 2020)),
        (
            "Welcome to Meadow Foods' first quarter results call. This call is recorded today, Wednesday, May 4th, 2022.",
            CallHeader("Meadow Foods", 1, None, datetime.date(2022, 5, 4)),
        ),
        ("Good morning, everyone, and thank you for joining us today.", CallHeader()),
        ("Welcome to the call. Sales grew against the third quarter of 2021.", CallHeader()),
        ("Welcome to our call. We spoke of this on May 4, 2022.", CallHeader()),
        ("Welcome to our earnings call for the first and second quarter.", CallHeader()),
    ],
)
def test_without_a_title_the_first_words_say_it_or_nothing_does(opening: str, expected: CallHeader) -> None:
    assert titled(opening=opening) == expected


def test_a_text_without_speakers_has_no_header() -> None:
    assert header(b"Meadow Foods\n\nWe sold more in the third quarter of 2021.") == CallHeader()
