"""Periods as people write them: fiscal labels, bare years, year ends, quarters, ranges.

Patterns run over the plain text of the question (lower case, plain quotes and dashes) and never look at a filing:
which fiscal year a label means, and whether it is held, is decided later by the company's own calendar.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from agent.state import Period, PeriodForm
from agent.words.tokens import Plain
from filings.tables.months import MONTHS, NAMES

MONTH = rf"(?P<month>{NAMES})\.?"
_YEAR4 = r"(?:19[5-9]\d|20\d\d)"
# "Q2 10-Q" names no year 2010.
_NO_FORM = r"(?![ -]?[kq]\b)"
_YEAR = rf"(?P<year>{_YEAR4}|'?\d\d)(?!\d|[.,]\d|%)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FISCAL = r"(?:f\.?y\.?e?|fiscal(?:[ -]+(?:years?|yr))?|financial[ -]+year|fisc(?:al)?[ -]+yr)"
_YEAR_LONG = (
    r"(?:(?:the[ ]+)?(?:full[ -]+)?(?:fiscal[ -]+|financial[ -]+)?years?"
    r"|(?:twelve|12)[ -]+months?|(?:52|53|fifty[ -]two|fifty[ -]three)[ -]+weeks?(?:[ ]+period)?)"
)
_ENDED = rf"(?:(?:for|in|during)[ ]+)?(?:the[ ]+)?{_YEAR_LONG}[ ]+(?:that[ ]+)?(?:ended|ending|ends|end|(?<=months[ ])(?:through|to)|(?<=year[ ])to)[ ]+(?:on[ ]+|in[ ]+)?(?:(?:late|early|mid)[ -]+)?"
_JUST_ENDED = r"(?:which[ ]+|that[ ]+)?(?:ended|ending)[ ]+(?:on[ ]+)?"
# By when reports were filed.
_KNOWN = (
    r"(?:(?:as[ ]+)?(?:(?:was|were)[ ]+)?known[ ]+(?:as[ ]+of|on|by|at|in|until)"
    r"|as[ ]+(?:filed|published|reported)[ ]+(?:by|until|up[ ]+to)|(?:filed|published)[ ]+(?:by|until|up[ ]+to|on[ ]+or[ ]+before))[ ]+"
)
_AS_OF = r"(?:as[ ]+(?:of|at)[ ]+|at[ ]+|on[ ]+)"
_DATE = (
    rf"(?:{MONTH}[ ]+{_DAY},?[ ]+(?P<year>{_YEAR4})"
    rf"|(?P<iso>{_YEAR4}-\d\d-\d\d)"
    rf"|(?P<dotted>\d{{1,2}}\.\d{{1,2}}\.{_YEAR4})"
    rf"|(?P<slash>\d{{1,2}}/\d{{1,2}}/(?:{_YEAR4}|\d\d)))(?![\d/-])"
)
_DATE_EU = rf"{_DAY}(?:[ ]+of)?[ ]+{MONTH},?[ ]+(?P<year>{_YEAR4})(?!\d)"
_NUMBER = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve|several|few|couple[ ]+of|(?<!how[ ])many)"

_LAST = r"(?:last|previous|prior|preceding)"
_NEWEST = r"(?:latest|(?<!\bas[ ])most[ ]+recent(?:ly)?|newest|(?<!\bas[ ])last[ ]+reported|(?<!\bas[ ])most[ ]+recently[ ]+reported|last[ ]+available|latest[ ]+available|most[ ]+current|last[ ]+completed?|most[ ]+recently[ ]+filed)"


@dataclass(frozen=True, slots=True)
class PeriodMatch:
    """A stretch of the plain text that names a period; without one, a part of a year or a series of years."""

    first: int  # offsets in the plain text
    last: int
    period: Period | None = None


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{pattern})(?!\w)")


_UNIT = r"(?:fiscal[ ]+)?(?:quarter|qtr|period|half(?:[ -]year)?|three[ ]+months|six[ ]+months|nine[ ]+months)"
# The same part of the year before.
YEAR_AGO = _compiled(
    rf"(?:(?:the[ ]+)?same[ ]+{_UNIT}[ ]+(?:(?:of|in)[ ]+)?(?:the[ ]+)?"
    rf"(?:{_LAST}[ ]+(?:fiscal[ ]+)?year|(?:a[ ]+|one[ ]+)?year[ ]+(?:ago|earlier|before))"
    rf"|(?:the[ ]+|its[ ]+)?(?:year[ -]ago|(?:prior|previous)[ -]year(?:'s)?|last[ ]+year's)[ ]+{_UNIT}"
    r"|(?:a|one)[ ]+year[ ]+(?:ago|earlier|before|prior))"
)
_ORDINAL = "(?:first|second|third|fourth|1st|2nd|3rd|4th)"
# In order: an earlier pattern takes its characters before a later one sees them. Parts that run to a day take it.
_ANY_DATE, _ANY_MONTH = (re.sub(r"\?P<\w+>", "?:", pattern) for pattern in (_DATE, MONTH))
# Mar-May, January to June 2024.
MONTHS_LONG = re.compile(
    rf"(?<![\w'])(?P<first>{_ANY_MONTH})(?:,?[ ]+{_YEAR4})?[ ]*(?:-+|to|through|thru)[ ]*(?P<last>{_ANY_MONTH})"
    rf"(?:,?[ ]+(?:of[ ]+)?(?P<year>{_YEAR4}))?(?!\w)"
)
_BEFORE_DAYS = (
    YEAR_AGO,
    MONTHS_LONG,
    _compiled(
        rf"(?:for[ ]+)?(?:the[ ]+)?(?:first[ ]+)?(?:(?:three|six|nine|3|6|9)[ -]+months?|9m)(?:[ ]+period)?(?:[ ]+(?:ended|ending|to|through)[ ]+(?:{_ANY_DATE}|{_ANY_MONTH}(?:[ ]+\d{{4}})?))?"
    ),
    _compiled(r"(?:the[ ]+)?(?:13|26|39|thirteen|twenty[ -]six|thirty[ -]nine)[ -]+weeks?(?:[ ]+(?:ended|ending))?"),
)
_BEHIND_DAYS = tuple(
    _compiled(pattern)
    for pattern in (
        rf"q[1-4](?:[ ]*(?:fy|of[ ]+)?[ ]*'?(?:20\d\d|\d\d{_NO_FORM}))?",
        r"(?:fy)?[ ]*'?(?:20\d\d|\d\d)[ ]?-?q[1-4]",
        rf"[1-4]q(?:[ ]*(?:fy)?'?(?:20\d\d|\d\d{_NO_FORM}))?",
        r"(?:first|second|third|fourth|final|last|1st|2nd|3rd|4th|next|this|previous|prior|latest|most[ ]+recent|current)[ -]+(?:fiscal[ ]+)?(?:quarters?|qtrs?|10-?q|hal(?:f|ves)|month|week)(?:[ ]+year)?(?:[ ]+of)?",
        rf"{_ORDINAL}(?=(?:(?:[ ]*,[ ]*|[ ]*,?[ ]+(?:and|or|to|through|vs\.?|versus)[ ]+)(?:the[ ]+)?{_ORDINAL})+[ -]+(?:fiscal[ ]+)?(?:quarters?|qtrs?|hal(?:f|ves))\b)",
        r"(?:quarter|qtr)[ ]+(?:[1-4]|one|two|three|four)",
        r"(?:by|per|each|every|all(?:[ ]+four)?|quarter[ ]+by)[ ]+(?:fiscal[ ]+)?(?:quarters?|qtrs?)(?:[ ]+of)?",
        r"(?:last|past|trailing)[ -]+(?:twelve|12)[ -]+months?",
        r"(?:the[ ]+)?quarters?[ ]+(?:ended|ending)",
        # H100 is a chip, H1 23 half a year.
        rf"h[12](?:[ ]+'?(?:20\d\d|\d\d{_NO_FORM})|[ ]*(?:fy[ ]*'?|')(?:20\d\d|\d\d{_NO_FORM})|20\d\d)?",
        rf"[12]h(?:[ ]*(?:fy)?'?(?:20\d\d|\d\d{_NO_FORM}))?",
        r"(?:20\d\d|\d\d)h[12]",
        r"(?:(?:the[ ]+)?holiday[ ]+quarter|quarters?(?![ -]+o(?:ver|n)[ -]+(?:the[ -]+)?quarter)(?<!over[ -]quarter)(?<!on[ -]quarter)|quarterly|qtr|qtrs|year[ -]+to[ -]+date|ytd|ttm|ltm)",
        # Series of years.
        rf"(?:(?:over|for|in|during)[ ]+)?(?:the[ ]+)?(?:last|past|previous|prior|preceding)[ ]+{_NUMBER}[ ]+(?:fiscal[ ]+|financial[ ]+)?years?",
        rf"{_NUMBER}[ -]+years?",
        rf"(?:since|after|before)[ ]+(?:{_FISCAL}[ ]*)?{_YEAR4}",
        rf"{_YEAR4}[ ]*[-/][ ]*'?\d\d(?![\d/-])",
        rf"(?:{_FISCAL}[ ]*)'?\d\d[ ]*[-/][ ]*(?:fy)?'?\d\d(?![\d/-])",
        rf"(?:the[ ]+)?years?[ ]+{_YEAR4}[ ]*(?:to|through|thru|-)[ ]*{_YEAR4}",
    )
)


def find_periods(plain: Plain, today: date) -> list[PeriodMatch]:
    """Every period the text names, in order of place; none overlaps another."""
    text = plain.text
    taken = bytearray(len(text))
    found: list[PeriodMatch] = []
    for match in _all(text, today):
        if any(taken[match.first : match.last]):
            continue
        taken[match.first : match.last] = b"\1" * (match.last - match.first)
        found.append(match)
    return sorted(found, key=lambda one: one.first)


def _all(text: str, today: date) -> Iterator[PeriodMatch]:
    yield from (PeriodMatch(*hit.span()) for pattern in _BEFORE_DAYS for hit in pattern.finditer(text))
    yield from _dates(text)
    yield from (PeriodMatch(*hit.span()) for pattern in _BEHIND_DAYS for hit in pattern.finditer(text))
    yield from _years(text)
    yield from _relative(text, today)


def _dates(text: str) -> Iterator[PeriodMatch]:
    for lead in (_ENDED, _JUST_ENDED, _KNOWN, _AS_OF, r""):
        for body in (_DATE, _DATE_EU):
            for hit in re.finditer(rf"(?<![\w/'-]){lead}{body}", text):
                if end := _date(hit):
                    yield PeriodMatch(*hit.span(), Period(form=PeriodForm.ENDED, end=end, text=_words(hit)))
    for lead in (_ENDED, _KNOWN, _AS_OF):
        for hit in re.finditer(
            rf"(?<![\w/'-]){lead}(?:the[ ]+end[ ]+of[ ]+)?{MONTH},?[ ]+(?P<year>{_YEAR4})(?!\d)", text
        ):
            if hit["month"] == "may" and lead is _AS_OF and not hit.group().startswith("as"):
                continue
            end = month_end(int(hit["year"]), MONTHS[hit["month"]])
            yield PeriodMatch(*hit.span(), Period(form=PeriodForm.ENDED, end=end, text=_words(hit)))
    # A month alone is a month: not a year.
    for hit in re.finditer(
        rf"(?<![\w/'-])(?:in[ ]+)?(?:(?:late|mid|early)[ -]+)?{MONTH},?[ ]+(?:of[ ]+)?(?P<year>{_YEAR4})(?!\d)", text
    ):
        yield PeriodMatch(*hit.span())


def _years(text: str) -> Iterator[PeriodMatch]:
    forms = (
        (PeriodForm.CALENDAR, rf"(?:the[ ]+)?(?:calendar(?:[ -]+year)?|cy)[ ]*{_YEAR}"),
        (PeriodForm.CALENDAR, rf"(?:the[ ]+)?(?P<year>{_YEAR4})[ ]+calendar(?:[ -]+year)?"),
        # "fiscal year ended 2024" names the year of the end, which is not always the company's label.
        (PeriodForm.BARE, rf"(?:the[ ]+)?(?:fiscal[ -]+)?years?[ ]+(?:ended|ending)[ ]+(?:in[ ]+)?(?P<year>{_YEAR4})"),
        (
            PeriodForm.FISCAL,
            rf"(?:the[ ]+)?(?:full[ -]+)?{_FISCAL}(?:[ -]+end)?[ ]*[-:]?[ ]*(?:of[ ]+)?{_YEAR}(?![ -]?[kq]\b)",
        ),
        (PeriodForm.FISCAL, r"f(?P<year>20\d\d)"),
        (PeriodForm.BARE, rf"ye[ ]*{_YEAR}"),
        (PeriodForm.FISCAL, rf"(?:the[ ]+)?(?P<year>{_YEAR4})[ ]+(?:fiscal(?:[ -]+year)?|financial[ -]+year|fy)"),
        (PeriodForm.BARE, rf"(?P<year>{_YEAR4})(?!\d|[.,]\d|%)"),
        (PeriodForm.BARE, r"(?P<year>'\d\d)"),
    )
    for form, pattern in forms:
        for hit in re.finditer(rf"(?<![\w'/$.])(?<!\d,){pattern}(?![\w/])", text):
            yield PeriodMatch(*hit.span(), Period(form=form, year=full_year(hit["year"]), text=_words(hit)))


def _relative(text: str, today: date) -> Iterator[PeriodMatch]:
    year_words = r"(?:(?:full[ -]+)?(?:fiscal[ -]+|financial[ -]+|reported[ ]+)?(?:year(?:'s)?|yr))"
    filed = r"(?:(?:form[ ]+)?10-?k(?:[ ]+filing|[ ]+report)?|annual[ ]+(?:report|filing)|filing)(?:'s)?"
    patterns = (
        (
            PeriodForm.LATEST,
            rf"(?:the[ ]+)?{_NEWEST}(?:[ ]+(?:available|annual|full|fiscal|financial|completed))*(?:[ ]+(?:year(?:'s)?|yr|fy|{filed}|period))?",
        ),
        (PeriodForm.LATEST, rf"(?:the[ ]+|its[ ]+)?(?:last|newest)[ ]+{filed}"),
        (PeriodForm.PREVIOUS, rf"(?:the[ ]+)?{_LAST}[ ]+{year_words}"),
        (PeriodForm.PREVIOUS, r"(?:the[ ]+)?past[ ]+(?:fiscal|financial)[ ]+year"),
        (
            PeriodForm.LATEST,
            r"(?:currently|right[ ]+now|as[ ]+of[ ]+(?:now|today)|at[ ]+present|now|today|these[ ]+days|at[ ]+the[ ]+moment)",
        ),
    )
    for form, pattern in patterns:
        for hit in _compiled(pattern).finditer(text):
            yield PeriodMatch(*hit.span(), Period(form=form, text=_words(hit)))
    for hit in _compiled(rf"(?:the[ ]+)?(?:this|current|running)[ ]+{year_words}").finditer(text):
        # The year that runs now: no 10-K reports it, and the newest one reports another.
        yield PeriodMatch(*hit.span(), Period(form=PeriodForm.FISCAL, year=today.year, text=_words(hit)))


def _words(hit: re.Match[str]) -> str:
    return re.sub(r"^(?:(?:for|in|during|the|as of|as at|at|on)[ ]+)+", "", hit.group()).strip()


def full_year(text: str) -> int:
    """Two digits are of this century: no 10-K facts are older."""
    year = int(text.strip("'"))
    return year if year > 99 else 2000 + year


def _date(hit: re.Match[str]) -> date | None:
    parts = hit.groupdict()
    try:
        if parts.get("iso"):
            return date.fromisoformat(parts["iso"])
        if parts.get("dotted"):
            day, month, year = (int(part) for part in parts["dotted"].split("."))
            return date(year, month, day)
        if parts.get("slash"):
            month, day, year = (int(part) for part in parts["slash"].split("/"))
            # Filings write month first; a first number over 12 can only be a day.
            month, day = (day, month) if month > 12 else (month, day)
            return date(full_year(str(year)), month, day)
        return date(int(parts["year"]), MONTHS[parts["month"]], int(parts["day"]))
    except ValueError:
        return None


def date_in(text: str) -> date | None:
    """The day that a text names, or the last of a month; None where it names none."""
    for body in (_DATE, _DATE_EU):
        for hit in re.finditer(rf"(?<![\w/'-]){body}", text):
            if found := _date(hit):
                return found
    if month := re.search(rf"(?<![\w/'-]){MONTH},?[ ]+(?:of[ ]+)?(?P<year>{_YEAR4})(?!\d)", text):
        return month_end(int(month["year"]), MONTHS[month["month"]])
    return None


def month_end(year: int, month: int) -> date:
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)


def can_name(label: Period, ended: Period) -> bool:
    """Whether a label can be the name of the year that ended on a given day; the day itself decides the year."""
    end = ended.end
    if end is None or label.year is None or label.form not in {PeriodForm.FISCAL, PeriodForm.BARE}:
        return False
    # Only years that end before June are also called by the year they began in.
    return label.year == end.year or (label.form is PeriodForm.FISCAL and end.month < 6 and label.year == end.year - 1)
