"""Parts of a year as people write them: Q3 2024, third quarter, 3Q24, first half, nine months, year to date, TTM.

Which words are one is decided in `dates`; here they are read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from agent.query.dates.dates import MONTHS_LONG, YEAR_AGO, date_in, full_year, month_end
from agent.state.query import Span
from agent.state.references import Period, PeriodForm, RelativePeriod
from filings.tables.months import MONTHS
from filings.xbrl.periods import QUARTERS, FiscalPeriod

Kind = FiscalPeriod | RelativePeriod

HALVES = (FiscalPeriod.H1, FiscalPeriod.H2)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "first": 1, "second": 2, "third": 3, "fourth": 4, "final": 4}
_ORDINAL = r"(?P<{0}>first|second|third|fourth|final|1st|2nd|3rd|4th)"
_QUARTER = r"(?:fiscal[ ]+)?(?:quarters?|qtrs?)"
_KINDS: tuple[tuple[re.Pattern[str], object], ...] = tuple(
    (re.compile(rf"(?:(?<![a-z0-9])|(?<=20\d\d)){pattern}(?:(?![a-z])|(?=fy))"), kind)
    for pattern, kind in (
        (r"(?:by|per|each|every|all(?:[ ]+four)?)[ ]+(?:fiscal[ ]+)?(?:quarters?|qtrs?)", None),
        (r"q(?P<number>[1-4])", QUARTERS),
        (r"(?P<number>[1-4])q", QUARTERS),
        (rf"{_ORDINAL.format('number')}[ -]+{_QUARTER}", QUARTERS),
        (r"(?:quarter|qtr)[ ]+(?P<number>[1-4]|one|two|three|four)", QUARTERS),
        (r"h(?P<number>[12])", HALVES),
        (r"(?P<number>[12])h", HALVES),
        (rf"{_ORDINAL.format('number')}[ -]+hal(?:f|ves)", HALVES),
        (r"(?:ttm|ltm|(?:twelve|12)[ -]+months?)", RelativePeriod.TRAILING),
        (r"(?:ytd|year[ -]+to[ -]+date)", RelativePeriod.TO_DATE),
        (r"(?:nine|9)[ -]+months?|9m|(?:39|thirty[ -]nine)[ -]+weeks?", RelativePeriod.NINE_MONTHS),
        (r"(?:six|6)[ -]+months?|(?:26|twenty[ -]six)[ -]+weeks?|half", RelativePeriod.HALF),
        (r"first[ -]+(?:three|3)[ -]+months?", FiscalPeriod.Q1),
        (r"(?:three|3)[ -]+months?|(?:13|thirteen)[ -]+weeks?", RelativePeriod.QUARTER),
        (r"(?:last|previous|prior|latest|most[ ]+recent)[ -]+" + _QUARTER, RelativePeriod.QUARTER),
        (r"(?:last|latest|most[ ]+recent)[ -]+10-?q", RelativePeriod.TEN_Q),
        (r"(?:the[ ]+)?(?:holiday[ ]+)?(?:quarter|qtr)(?:[ ]+(?:ended|ending))?", RelativePeriod.QUARTER),
        (r"quarters|qtrs|quarterly", None),
        # The first of "first and second quarter".
        (_ORDINAL.format("number"), QUARTERS),
    )
)
_AHEAD = re.compile(r"\b(?:next|this|current)\b")
_YEAR_IN = re.compile(
    r"(?:(?P<form>fy|f\.y\.|fiscal|cy|calendar)[^0-9']{0,8})?'?(?P<year>20\d\d|(?<![\d.])\d\d)(?![\d%]|[ -]?[kq]\b)"
)


@dataclass(frozen=True, slots=True)
class YearPart:
    """A part of a year as it is named. kind: None for every quarter. count: so many of the newest quarters."""

    kind: Kind | None
    text: str
    year: int | None = None
    form: PeriodForm = PeriodForm.BARE
    end: date | None = None
    month: int = 0  # the last of some months of which no year is named
    count: int = 0
    ago: bool = False  # whether it is that of the year before another

    def of(self, period: Period) -> Period:
        """This part of a year, or of what ends on a day."""
        return period.model_copy(update={"part": self.kind, "text": f"{self.text} {period.text}".strip()})

    @property
    def seasonal(self) -> bool:
        """Whether a season tells which quarter it is, and not its number."""
        return "holiday" in self.text.lower()

    @property
    def alone(self) -> Period | None:
        """The period it names by itself; None where it names no year and no day."""
        if self.end:
            return Period(form=PeriodForm.ENDED, end=self.end, part=self.kind, text=self.text)
        if self.year:
            return Period(form=self.form, year=self.year, part=self.kind, text=self.text)
        return None


def part_of(words: str) -> YearPart | None:
    """What the words of a stretch name; None for weeks, months, and quarters that are still to come."""
    text = words.lower().strip()
    if _AHEAD.search(text):
        return None
    if YEAR_AGO.fullmatch(text):
        return YearPart(RelativePeriod.QUARTER, words, ago=True)
    if months := MONTHS_LONG.fullmatch(text):
        return _of_months(months, words)
    for pattern, kinds in _KINDS:
        if not (hit := pattern.search(text)):
            continue
        kind: object = kinds
        if isinstance(kinds, tuple):
            said = hit["number"]
            number = int(said[0]) if said[0].isdigit() else _NUMBERS[said]
            if number > len(kinds):
                return None
            kind = kinds[number - 1]
        found = YearPart(kind, words)  # type: ignore[arg-type] # a member of its enumeration
        if end := date_in(text):
            return replace(found, end=end)
        rest = f"{text[: hit.start()]} {text[hit.end() :]}"
        if year := _YEAR_IN.search(rest):
            form = _FORMS.get((year["form"] or "")[:2], PeriodForm.BARE)
            return replace(found, year=full_year(year["year"]), form=form)
        return found
    return None


def _of_months(found: re.Match[str], words: str) -> YearPart | None:
    """Some months as a part of a year, by how many they are."""
    first, last = (MONTHS[found[name].rstrip(".")] for name in ("first", "last"))
    kind = _BY_MONTHS.get((last - first) % 12 + 1)
    if kind is None:
        return None
    end = month_end(int(found["year"]), last) if found["year"] else None
    return YearPart(kind, words, end=end, month=0 if end else last)


_BY_MONTHS = {
    3: RelativePeriod.QUARTER,
    6: RelativePeriod.HALF,
    9: RelativePeriod.NINE_MONTHS,
    12: RelativePeriod.TRAILING,
}
_FORMS = {
    "fy": PeriodForm.FISCAL,
    "f.": PeriodForm.FISCAL,
    "fi": PeriodForm.FISCAL,
    "cy": PeriodForm.CALENDAR,
    "ca": PeriodForm.CALENDAR,
}


def quarters_of(years: Sequence[Period]) -> tuple[Period, ...]:
    """Every quarter of some years."""
    return tuple(year.model_copy(update={"part": one}) for year in years for one in QUARTERS)


def quarters_of_span(span: Span) -> Span:
    """Every quarter from the first of a span to the last of it."""
    last = span.last.model_copy(update={"part": QUARTERS[-1]}) if span.last else None
    return Span(first=span.first.model_copy(update={"part": QUARTERS[0]}), last=last)
