"""The dates and periods that a sentence names, in the fiscal calendar of its document."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from filings.tables.column_periods import QUARTER, YEAR, Period, Subject, said_of, start_of, years_later
from filings.tables.months import MONTHS, NAMES
from filings.xbrl.periods import natural_year

QUARTERS = 4
WEEKS_A_QUARTER = 13
_YEAR = r"(?:19|20)\d\d"
_YEARS = rf"(?P<years>{_YEAR}(?:(?:,\s+and|,|\s+and|\s+or)\s+{_YEAR})*)(?![\d%-])"
_FULL = rf"(?:{NAMES})\.?\s+\d{{1,2}},?\s+{_YEAR}(?!\d)"
_DAYS = rf"(?P<days>(?:{NAMES})\.?\s+\d{{1,2}},?\s+{_YEAR}(?:(?:,\s+and|,|\s+and)\s+(?:{_FULL}|{_YEAR}))*)(?!\d)"
_OF = r"(?:\s+of)?(?:\s+(?:the\s+)?(?:our\s+)?(?:fiscal(?:\s+years?)?|FY|calendar(?:\s+years?)?|years?))?"
_LENGTH = (
    r"(?:[a-z\d-]+[\s-]+(?:months?|weeks?)|(?:fiscal\s+)?(?:full[\s-])?years?|"
    r"(?:(?:first|second|third|fourth)\s+)?(?:fiscal\s+)?quarters?)"
)
_ORDINAL = r"(?P<ordinal>first|second|third|fourth)"
_BEFORE = (
    r"(?:\b(?P<open>since|through|thru|until|by|after|before|prior\s+to|due(?:\s+in|\s+on)?|matur\w+(?:\s+in|\s+on)?|expir\w+(?:\s+in|\s+on)?|"
    r"beginning(?:\s+in|\s+on)?|starting(?:\s+in|\s+on)?|between|dated|effective(?:\s+as\s+of|\s+in|\s+on)?)\s+)?"
    r"(?:\b(?:in|during|for|over|within|of|as\s+of|as\s+at|at|on|both)\s+(?:both\s+|each\s+of\s+)?)*"
    r"(?P<end>(?:the\s+)?(?:end|close)\s+of\s+)?(?:\bthe\s+|\bour\s+)?"
)
# Each names a period in one way; the first that fits a place stands.
_PATTERNS = tuple(
    (kind, needed, re.compile(pattern + r"(?![\w-])", re.IGNORECASE))
    for kind, needed, pattern in (
        ("trailing", "t", rf"\b(?P<trailing>(?:trailing|last|past|preceding)\s+(?:twelve|12)[\s-]+months?|TTM)(?:\s+(?:ended|ending)\s+{_DAYS})?"),
        ("length", "end", rf"(?P<length>(?:(?:[a-z]+|{_LENGTH})(?:,\s+|,?\s+and\s+)){{0,2}}{_LENGTH}(?:\s+periods?)?(?:\s+then)?)\s+(?:ended|ending)\s+(?:on\s+)?{_DAYS}",
        ),
        ("days", "", rf"\b{_DAYS}"),
        ("both", "quarter", rf"{_ORDINAL}\s+quarter\s+and\s+(?:the\s+)?(?:first\s+)?(?P<months>half|six\s+months|nine\s+months|full[\s-]years?|year){_OF}\s+(?P<years>{_YEAR})(?!\d)"),
        ("part", "month", rf"first\s+(?P<months>three|six|nine)\s+months{_OF}(?:\s+{_YEARS})?"),
        ("half", "half", rf"(?P<half>first|second)\s+half{_OF}\s+{_YEARS}"),
        ("quarter", "", rf"{_ORDINAL}(?:\s+fiscal)?[\s-]+quarters?(?:{_OF}\s+{_YEARS})?"),
        ("quarter", "", rf"(?:fiscal\s+)?{_YEARS}\s+{_ORDINAL}[\s-]+quarter"),
        ("quarter", "", rf"(?P<q>Q[1-4]|[1-4]Q){_OF}\s*[\s'\u2019]?(?P<years>(?:20)?\d\d)"),
        ("quarter", "q", rf"\b(?:FY\s*|fiscal\s+)?(?P<years>{_YEAR})\s*(?P<q>Q[1-4])"),
        ("quarter", "q", r"\b(?P<q>Q[1-4])"),
        ("year", "", rf"(?:full[\s-]years?\s+)?\b(?:fiscal(?:\s+years?)?|FY|full[\s-]years?|calendar(?:\s+years?)?|years?)\s*{_YEARS}"),
        ("month", "", rf"\b(?P<month>{NAMES})(?:,|\s+of)?\s+(?P<of>{_YEAR})"),
        ("relative", "", r"\b(?P<relative>(?:(?:same|comparable|corresponding|equivalent|prior|previous|preceding|last|year[\s-]ago)"
            r"[\s-]+(?:(?:fiscal|prior|year[\u2019']?s?)[\s-]+)*(?:quarter|period|year)s?(?:[\u2019']s)?"
            r"(?:\s+(?:of\s+|in\s+)?(?:the\s+)?(?:last|prior|previous|a)\s+(?:fiscal\s+)?years?(?:\s+(?:ago|earlier))?)?)|"
            rf"(?:a|one)\s+year\s+(?:ago|earlier))(?:\s+(?:of|in)\s+{_YEAR})?",
        ),
        ("next", "t", r"\b(?P<next>(?:next|upcoming|coming)\s+(?:fiscal\s+)?(?:quarter|year))"),
        ("own", "", r"(?P<own>\b(?:year|quarter)[\s-]end\b|\b(?:this\s+|current\s+)?(?:fiscal\s+)?(?:full[\s-])?(?:quarter|year)\b(?!-|\s+(?:over|on|to)\b))"),
        ("year", "", rf"\b{_YEARS}(?!\s+(?-i:[A-Z]))"),
    )
)  # fmt: skip
_PREPOSITIONS = re.compile(_BEFORE + "$", re.IGNORECASE)
LONGEST_PREPOSITIONS = 40
_HINT = re.compile(r"(?:19|20)\d\d|quarter|year|period|Q[1-4]|[1-4]Q|FY|half|months", re.IGNORECASE)
_AT = re.compile(r"\b(?:as\s+(?:of|at)|at|on|end\s+of|close\s+of)\s", re.IGNORECASE)
_SPLIT = re.compile(rf"{_FULL}|{_YEAR}", re.IGNORECASE)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_MONTHS = {"three": 3, "six": 6, "nine": 9, "half": 6}


@dataclass(frozen=True, slots=True)
class Dated:
    """A phrase that dates, as a range of a sentence. periods: in the order named, none where they are not certain.

    ahead: what it names where it is said of the future: "the first quarter".
    behind: what it names where nothing else is dated: "the prior-year quarter" in a report of a quarter.
    before: in years, or where `quarters` in quarters, how far it is behind another that is named: "a year ago".
    """

    start: int
    end: int
    periods: tuple[Period, ...] = ()
    before: int = 0
    quarters: bool = False
    ahead: Period | None = None
    behind: Period | None = None


@dataclass(frozen=True, slots=True)
class Calendar:
    """A company's fiscal years as its document shows them. end, year: the last day and the label of one of them."""

    subject: Subject
    end: date | None
    year: int

    @classmethod
    def of(cls, subject: Subject) -> "Calendar":
        end = subject.end
        if end and not subject.annual:
            end = shifted(end, QUARTERS - subject.quarter) if subject.quarter else None
        return cls(subject, end, subject.fiscal_year or (natural_year(end) if end else 0))

    @property
    def own(self) -> Period | None:
        """The period that the document reports on."""
        end = self.subject.end
        if end is None or not (self.subject.annual or self.subject.quarter):
            return None
        return Period(start_of(end, YEAR if self.subject.annual else QUARTER), end)

    def years(self, year: int) -> Period | None:
        """A fiscal year."""
        if self.end is None:
            return None
        end = years_later(self.end, year - self.year)
        return Period(start_of(end, YEAR), end)

    def quarters(self, year: int, quarter: int) -> Period | None:
        """A quarter of a fiscal year."""
        whole = self.years(year)
        if whole is None:
            return None
        own = self.subject.quarter == quarter and self.subject.end
        end = years_later(own, year - self.year) if own else shifted(whole.end, quarter - QUARTERS)
        return Period(start_of(end, QUARTER), end)


def shifted(end: date, quarters: int) -> date:
    """The last day of the quarter so many later: of a month, or a whole number of weeks later."""
    if (end + timedelta(days=1)).day != 1:
        return end + timedelta(weeks=WEEKS_A_QUARTER * quarters)
    years, month = divmod(end.year * 12 + end.month - 1 + 3 * quarters, 12)
    return date(years, month + 1, monthrange(years, month + 1)[1])


def earlier(period: Period, number: int, *, quarters: bool) -> Period:
    """The period a number of years or quarters before another."""
    before = period.start - timedelta(days=1)
    if quarters:
        start, end = shifted(before, -number), shifted(period.end, -number)
    else:
        start, end = years_later(before, -number), years_later(period.end, -number)
    return Period(end if period.start == period.end else start + timedelta(days=1), end)


def dates_in(text: str, calendar: Calendar) -> list[Dated]:
    """The phrases of a sentence that date, in order, with their prepositions."""
    if not _HINT.search(text):
        return []
    found: list[Dated] = []
    lower = text.lower()
    for kind, needed, pattern in _PATTERNS:
        if needed not in lower:
            continue
        for match in pattern.finditer(text):
            before = _PREPOSITIONS.search(text, max(0, match.start() - LONGEST_PREPOSITIONS), match.start())
            start = before.start() if before else match.start()
            if all(match.end() <= one.start or one.end <= match.start() for one in found):
                start = max([start, *(one.end for one in found if one.end <= match.start())])
                found.append(_dated(kind, match, before.groupdict() if before else {}, start, calendar))
    return sorted(found, key=lambda one: one.start)


def _dated(kind: str, match: re.Match[str], before: dict[str, str | None], start: int, calendar: Calendar) -> Dated:
    told = {"open": None, "end": None, **before, **match.groupdict()}
    if kind == "relative":
        said = (told["relative"] or "").lower()
        quarters = "quarter" in said and "year" not in said and not re.match(r"same|comparable|corresp|equival", said)
        known = "quarter" in said if calendar.subject.quarter else not re.search("quarter|period", said)
        own = calendar.own if known else None
        behind = earlier(own, 1, quarters=quarters) if own else None
        return Dated(start, match.end(), (), 1, quarters, behind=behind)
    try:
        periods = tuple(_periods(kind, told, match.string[start : match.end()], calendar))
    except ValueError:
        periods = ()
    ahead = _ahead(kind, told, calendar)
    if told["end"]:
        periods, ahead = tuple(Period(one.end, one.end) for one in periods), None
    return Dated(start, match.end(), () if told["open"] else periods, ahead=ahead)


def _ahead(kind: str, told: dict[str, str | None], calendar: Calendar) -> Period | None:
    """The next period that is called so after the document's own, of words that name no year."""
    subject = calendar.subject
    if subject.end is None or told.get("years"):
        return None
    if kind == "quarter":
        if _quarter(told) == subject.quarter:
            return None  # the document's own
        found = (calendar.quarters(year, _quarter(told)) for year in (calendar.year, calendar.year + 1))
        return next((one for one in found if one and one.end > subject.end), None)
    said = (told.get("next") or told.get("own") or "").lower()
    if not said or said.endswith("end"):
        return None
    if said.endswith("quarter"):
        end = shifted(subject.end, 1)
        return Period(start_of(end, QUARTER), end) if kind == "next" else None
    under_way = bool(subject.quarter and subject.quarter < QUARTERS) and kind == "own"
    return calendar.years(calendar.year + (not under_way))


def _periods(kind: str, told: dict[str, str | None], said: str, calendar: Calendar) -> Iterator[Period]:
    found: list[Period | None]
    if kind in {"length", "days"}:
        days, lengths = list(_days(told["days"] or "")), _lengths(told.get("length"))
        # "the three and six months ended June 30, 2024"; of which year which length is of is not said.
        several = len(days) > 1 and len(lengths) > 1
        found = [None] if several else [_of_day(day, one, bool(_AT.search(said))) for one in lengths for day in days]
    elif kind == "trailing":
        end = next(_days(told["days"]), None) if told["days"] else calendar.subject.end
        found = [Period(start_of(end, YEAR), end) if end else None]
    elif kind == "both":
        year, months = int(told["years"] or 0), _MONTHS.get((told["months"] or "").split()[0].lower(), YEAR)
        whole = calendar.quarters(year, months // QUARTER)
        found = [
            calendar.quarters(year, _quarter(told)),
            Period(start_of(whole.end, months), whole.end) if whole else None,
        ]
    elif kind == "month":
        month, year = MONTHS[(told["month"] or "").lower()], int(told["of"] or 0)
        found = [Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))]
    elif kind == "next":
        return
    elif kind == "own":
        found = [_own(told["own"] or "", calendar)]
    else:
        years: list[int | None] = [
            int(one) + (2000 if len(one) == 2 else 0) for one in re.findall(r"\d+", told.get("years") or "")
        ]
        found = [_of_year(kind, told, year, calendar) for year in years or [None]]
    if all(found):
        yield from (one for one in found if one)


def _days(said: str) -> Iterator[date]:
    """The days of "December 31, 2024 and 2023" and of "June 30, 2024 and December 31, 2023"."""
    month, day = 0, 0
    for one in _SPLIT.findall(said):
        told = said_of(one)
        month, day = told.day or (month, day)
        if told.year:
            last = monthrange(told.year, month)[1]
            # The last day of February in another year.
            yield date(told.year, month, last if (month, day) == (2, 29) else day)


def _lengths(said: str | None) -> list[str | None]:
    """The lengths of "three and six months"; None where none is said."""
    if said is None or not re.search(r"\band\b|,", said):
        return [said]
    *others, last = re.split(r",?\s+and\s+|,\s+", said)
    if re.search("year|quarter", last, re.IGNORECASE):
        return [*others, last]
    unit = "months" if "month" in last.lower() else "weeks"
    return [*(one if unit[:-1] in one.lower() else f"{one} {unit}" for one in others), last]


def _of_day(day: date, length: str | None, at: bool) -> Period | None:
    """The period that ends with a day, or the day; None of a day on which something happens."""
    if length is None:
        return Period(day, day) if at else None
    said = said_of(re.sub(r"\bfiscal\b", "", length, flags=re.IGNORECASE))
    return Period(start_of(day, said.length, said.weeks), day) if said.length and not said.several else None


def _of_year(kind: str, told: dict[str, str | None], year: int | None, calendar: Calendar) -> Period | None:
    subject = calendar.subject
    if kind == "year":
        return calendar.years(year) if year else None
    if kind == "quarter":
        return calendar.quarters(year or calendar.year, _quarter(told))
    if year is None and (kind != "part" or not subject.quarter):
        return None
    months = _MONTHS.get((told.get("months") or "").lower(), YEAR // 2)
    last = 4 if (told.get("half") or "").lower() == "second" else months // 3
    whole = calendar.quarters(year or calendar.year, last)
    return Period(start_of(whole.end, months), whole.end) if whole else None


def _quarter(told: dict[str, str | None]) -> int:
    return _ORDINALS.get((told.get("ordinal") or "").lower()) or int((told.get("q") or "0").strip("Qq"))


def _own(said: str, calendar: Calendar) -> Period | None:
    """The document's own quarter or year: "the quarter", "year-end"; a year that has ended with its period."""
    subject, said = calendar.subject, said.lower()
    if subject.end is None:
        return None
    at = said.endswith("end")
    if "quarter" in said:
        period = Period(start_of(subject.end, QUARTER), subject.end) if subject.quarter or subject.annual else None
    else:
        period = calendar.years(calendar.year) if subject.annual or subject.quarter == QUARTERS else None
    return Period(period.end, period.end) if period and at else period
