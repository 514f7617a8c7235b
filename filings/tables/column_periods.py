"""The period that a column's headings name: a length in months and a last day, or a day."""

import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import TypeVar

from filings.tables.months import MONTHS, NAMES
from filings.tables.table_units import CACHED, SCALE
from filings.xbrl.periods import A_YEAR, natural_year

T = TypeVar("T")

WEEKS_A_MONTH = 52 / 12
YEAR, QUARTER, LAST_QUARTER = 12, 3, 4
# By how much the days of a document's period may differ from those that its columns name.
NEAR = timedelta(days=10)

_NUMBERS = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "thirteen": 13, "fourteen": 14, "sixteen": 16, "twenty-four": 24,
    "twenty-six": 26, "twenty-seven": 27, "thirty-six": 36, "thirty-nine": 39, "forty": 40, "fifty-two": 52,
    "fifty-three": 53,
}  # fmt: skip
# The months of a part of a year by its weeks: quarters have 12 to 17.
_OF_WEEKS = ((range(12, 18), 3), (range(24, 30), 6), (range(36, 42), 9), (range(51, 54), 12))
_LENGTH = re.compile(
    rf"(?<!than )(?<!within )(?<!over )(?<!next )(?<!least )\b(?P<number>{'|'.join(one.replace('-', '[ -]') for one in sorted(_NUMBERS, key=len, reverse=True))}|\d{{1,2}})"
    r"[\s-]+(?P<of>month|week)s?\b(?!\s+(?:or|and)\b)(?:[\s-]+periods?)?",
    re.IGNORECASE,
)
_QUARTERS_LONG = re.compile(r"\b(?P<number>two|three|four)[\s-]+quarters\b", re.IGNORECASE)
_HALF = re.compile(r"\b(?:first|second)[\s-]+half\b", re.IGNORECASE)
_QUARTER = re.compile(r"\bquarters?\b|\bquarterly\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:fiscal\s+)?years?\b|\bannual\b|\bfull[\s-]years?\b", re.IGNORECASE)
_DATE = re.compile(rf"\b(?P<month>{NAMES})\.?\s+(?P<day>\d{{1,2}})\s*,?\s+(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_EUROPEAN = re.compile(rf"\b(?P<day>\d{{1,2}})\s+(?P<month>{NAMES})\.?,?\s+(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_SLASHED = re.compile(r"\b(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>(?:20)?\d\d)\b")
_DAY = re.compile(rf"\b(?P<month>{NAMES})\.?\s+(?P<day>\d{{1,2}})\b(?!\s*,?\s*\d{{4}})", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:Q(?P<q>[1-4])|(?P<before>[1-4])Q|(?P<named>first|second|third|fourth)\s+quarter(?:\s+of)?)[\s'\u2019-]*"
    r"(?:fiscal\s+(?:year\s+)?|FY\s*)?['\u2019]?(?P<year>20\d\d|\d\d)\b",
    re.IGNORECASE,
)
_FISCAL = re.compile(r"\bFY\s*['\u2019]?(?P<year>20\d\d|\d\d)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# Heads that say which year a year is.
_FISCAL_YEAR = re.compile(r"\bfiscal\s+years?\b|\bFY\b|\bFY(?=\s*['\u2019]?\d)", re.IGNORECASE)
_CALENDAR_YEAR = re.compile(r"\bcalendar\b", re.IGNORECASE)
_TO_DATE = re.compile(r"\bto[\s-]date\b|\bYTD\b", re.IGNORECASE)
_AT = re.compile(
    rf"\bas\s+(?:of|at)\b|^\s*at\b|\bbalances?\s+at\b|\bat\s+(?:the\s+end\b|(?:{NAMES})\b)", re.IGNORECASE
)
_ENDED = re.compile(r"\bend(?:ed|ing)\b", re.IGNORECASE)
# A column of what changed between two years is of the later.
_COMPARED = re.compile(
    r"\bv(?:s?\b|ersus\b)|\bcompared\s+(?:to|with)\b|\bover\b|\bfrom\b|\bchanged?\b|\b(?:in|de)creases?\b|/\s*\(decrease\)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\(\s*(?:\d{1,2}|[a-z])\s*\)|[*\u2020]+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
# Beside its period a heading of a whole company's column may have these, and no other word.
_PLAIN = frozenset(
    [
        "ended",
        "ending",
        "end",
        "as",
        "of",
        "at",
        "for",
        "the",
        "and",
        "in",
        "on",
        "year",
        "years",
        "fiscal",
        "quarter",
        "quarters",
        "month",
        "months",
        "week",
        "weeks",
        "period",
        "periods",
        "unaudited",
        "audited",
        "restated",
        "revised",
        "recast",
        "note",
        "adjusted",
        "reported",
        "usd",
        "us",
        "dollars",
        "amount",
        "amounts",
        "first",
        "second",
        "third",
        "fourth",
        "half",
        "full",
        "consolidated",
        "gaap",
        "actual",
    ]
)
_IN_WORDS = ("", "one", "two", "three", "four")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


@dataclass(frozen=True, slots=True)
class Balances:
    """Labels of rows, in lower case, that a document has as balances of days alone: of the whole company, and of parts of it,
    which may be the names of these parts.
    """

    of_company: AbstractSet[str] = frozenset()
    of_parts: AbstractSet[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Subject:
    """What a document reports on: the last day of its period, its fiscal year and quarter as the company names them, and
    whether it is of a year. None where it is not known.
    """

    end: date | None = None
    fiscal_year: int | None = None
    quarter: int | None = None
    annual: bool = False
    balances: Balances = Balances()


@dataclass(frozen=True, slots=True)
class Period:
    """start: first day, equal to `end` for a balance."""

    start: date
    end: date

    @property
    def months(self) -> int:
        """Its length; 0 for a day."""
        return round((self.end - self.start).days / 30.4)


@dataclass(frozen=True, slots=True)
class Said:
    """What words say of a period; None where they say nothing or several things.

    day: month and day. year: a year, as printed. quarter: of a fiscal label such as Q3 FY24, whose year `year` is. plain:
    whether they say nothing else. length: in months; weeks: where it is told in weeks. ended: of a stretch of time, be its
    length told or not. compared: of a change, whose later year `year` is.
    fiscal, calendar: of which kind of year. words: what else they say.
    """

    length: int | None = None
    weeks: int | None = None
    day: tuple[int, int] | None = None
    year: int | None = None
    quarter: int | None = None
    at: bool = False
    plain: bool = True
    several: bool = False
    ended: bool = False
    compared: bool = False
    fiscal: bool = False
    calendar: bool = False
    words: str = ""

    @property
    def tells(self) -> bool:
        """Whether they say anything of a period."""
        return self.several or any((self.length, self.day, self.year, self.quarter, self.at))

    @property
    def dates(self) -> bool:
        """Whether they date what stands below them: "Years ended December 31", "As of June 30"; not a day alone."""
        return bool(self.length or self.at)

    def filled(self, context: Iterable["Said"]) -> "Said":
        """With what is missing taken from what stands around, the nearest first."""
        whole = self
        for one in context:
            whole = replace(
                whole,
                length=one.length if whole.length is None and whole.quarter is None else whole.length,
                weeks=one.weeks if whole.length is None and whole.quarter is None else whole.weeks,
                day=one.day if whole.day is None and whole.quarter is None else whole.day,
                at=whole.at or one.at,
                ended=whole.ended or one.ended,
            )
        return whole


@lru_cache(maxsize=CACHED)
def said_of(text: str) -> Said:
    """What a heading, a label or a caption says of a period."""
    plain = _NOTE.sub(" ", SCALE.sub(" ", text))
    lengths: set[int] = set()
    days: set[tuple[int, int]] = set()
    years: set[int] = set()
    quarters: set[int] = set()
    weeks: set[int] = set()
    # Each of them has a digit, which most labels lack.
    for pattern in (_LABEL, _DATE, _EUROPEAN, _SLASHED, _DAY, _FISCAL, _YEAR) if _DIGIT.search(plain) else ():
        for match in pattern.finditer(plain):
            found = match.groupdict()
            if pattern is _LABEL:
                number = found["q"] or found["before"] or _QUARTERS[found["named"].lower()]
                quarters.add(int(number))
                lengths.add(QUARTER)
            if found.get("month"):
                month = int(found["month"]) if found["month"].isdigit() else MONTHS[found["month"].lower()]
                days.add((month, int(found["day"])))
            written = match[0] if pattern is _YEAR else found.get("year")
            if written:
                years.add(int(written) + (2000 if len(written) == 2 else 0))
        plain = pattern.sub(" ", plain)
    for match in _LENGTH.finditer(plain):
        number = match["number"].lower().replace(" ", "-")
        count = int(number) if number.isdigit() else _NUMBERS[number]
        if match["of"].lower() == "week":
            weeks.add(count)
            count = next((months for held, months in _OF_WEEKS if count in held), 0)
        lengths.add(count)
    plain = _LENGTH.sub(" ", plain)
    lengths |= {QUARTER * _IN_WORDS.index(one["number"].lower()) for one in _QUARTERS_LONG.finditer(plain)}
    plain = _QUARTERS_LONG.sub(" ", plain)
    if _HALF.search(plain):
        lengths.add(YEAR // 2)
    if not lengths and _QUARTER.search(plain):
        lengths.add(QUARTER)
    elif not lengths and _WHOLE.search(plain):
        lengths.add(YEAR)
    rest = {word for word in re.findall(r"[^\W_]+|[%$]", plain.lower()) if not word.isdigit()}
    named = [word for word in plain.split() if any(one.isalpha() or one in "%$" for one in word)]
    first = next((at for at, word in enumerate(named) if word.lower().strip(",.;:()") not in _PLAIN), len(named))
    compared = len(years) == 2 and bool(_COMPARED.search(text))
    years = {max(years)} if compared else years
    return Said(
        length=_one(lengths) or None,
        weeks=_one(weeks),
        day=_one(days),
        year=_one(years),
        quarter=_one(quarters),
        at=bool(_AT.search(text)),
        plain=rest - {"$"} <= _PLAIN and not compared,
        several=any(len(one) > 1 for one in (lengths, days, years, quarters)),
        ended=bool(_ENDED.search(text)),
        compared=compared,
        fiscal=bool(_FISCAL_YEAR.search(text)) and not _TO_DATE.search(text),
        calendar=bool(_CALENDAR_YEAR.search(text)),
        words=" ".join(named[first:]),
    )


def _one(found: set[T]) -> T | None:
    return next(iter(found)) if len(found) == 1 else None


def period_of(said: Said, subject: Subject, *, instant: bool | None, parts: bool = False) -> Period | None:
    """The period that words name, of a document; None where it is not certain.

    instant: whether the figures are balances; None: as the words say, a day alone is that of a balance. parts: whether
    other words may stand beside the period, which then name a part. A year alone is the fiscal year of that name in an
    annual document, and where its heads say so; whether a figure below it is a balance at its end is not said.
    """
    if said.several or not (said.plain or parts):
        return None
    end = _end(said, subject)
    if end is None:
        return None
    of_day = said.at or (said.day is not None and not said.ended)
    if instant or (instant is None and of_day and not said.length):
        return Period(end, end)
    if said.day is None and said.quarter is None and said.length not in (None, YEAR):
        return None  # a part of the year that is not told
    of_year = (subject.annual or said.fiscal) and (instant is False or said.day is None)
    length = said.length or (YEAR if of_year else None)
    return Period(start_of(end, length, said.weeks), end) if length else None


def _end(said: Said, subject: Subject) -> date | None:
    if said.year is None:
        return None
    if said.quarter is not None:
        if not (subject.end and subject.fiscal_year and subject.quarter):
            return None
        years = said.year - subject.fiscal_year
        if subject.quarter == said.quarter:
            return years_later(subject.end, years)
        # Quarters of months are of a known length; those of weeks may have one more.
        whole = (subject.end + timedelta(days=1)).day == 1
        return months_later(subject.end, 12 * years + QUARTER * (said.quarter - subject.quarter)) if whole else None
    if said.day is not None:
        month, day = said.day
        if not (1 <= month <= 12 and 1 <= day <= monthrange(said.year, month)[1]):
            return None
        return date(said.year, month, day)
    if said.calendar and not said.fiscal:
        return date(said.year, 12, 31)
    closing = _closing(subject, fiscal=said.fiscal)
    if closing is None:
        return None
    # A year alone is the company's own label of a fiscal year.
    return years_later(closing, said.year - (subject.fiscal_year or natural_year(closing)))


def _closing(subject: Subject, *, fiscal: bool) -> date | None:
    """The last day of the fiscal year that a document is of, of a document of a quarter where its heads speak of fiscal
    years and the quarter's end tells that of the year: it ends with a month, or is the last.
    """
    end, quarter = subject.end, subject.quarter
    if end is None or subject.annual:
        return end
    if not fiscal or not quarter or not subject.fiscal_year:
        return None
    if quarter == LAST_QUARTER:
        return end
    return months_later(end, QUARTER * (LAST_QUARTER - quarter)) if (end + timedelta(days=1)).day == 1 else None


def years_later(end: date, years: int) -> date:
    """The last day of the fiscal year so many years after one: of the same month, or a whole number of weeks later."""
    if (end + timedelta(days=1)).day != 1:
        return end + timedelta(weeks=round(A_YEAR / 7 * years))
    return date(end.year + years, end.month, monthrange(end.year + years, end.month)[1])


def months_later(end: date, months: int) -> date:
    """The last day of the month so many months after the one that ends on a day."""
    years, month = divmod(end.year * 12 + end.month - 1 + months, 12)
    return date(years, month + 1, monthrange(years, month + 1)[1])


def start_of(end: date, months: int, weeks: int | None = None) -> date:
    """The first day of so many months to a day: of a month where they end with one, else of a whole number of weeks."""
    if weeks or (end + timedelta(days=1)).day != 1:
        return end - timedelta(weeks=weeks or round(months * WEEKS_A_MONTH)) + timedelta(days=1)
    years, month = divmod(end.year * 12 + end.month - months, 12)
    return date(years, month + 1, 1)


def apart(periods: Sequence[Period | None], names: Sequence[object] = ()) -> list[Period | None]:
    """The periods of a table's columns; a year begins after the one before it, and of two columns of one period neither is
    known. names: what else names each column; columns of two names may have one period.
    """
    ends = {one.end for one in periods if one and one.months == YEAR}
    found = []
    for one in periods:
        if one and one.months == YEAR and one.start != one.end:
            before = [end for end in ends if abs((one.start - end).days) <= 8]
            one = Period(before[0] + timedelta(days=1), one.end) if before else one
        found.append(one)
    named = list(zip(found, names or [None] * len(found), strict=True))
    return [one[0] if one[0] and named.count(one) == 1 else None for one in named]
