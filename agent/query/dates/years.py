"""Which years a question asks about: named, spanned, counted back, or each company its own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from agent.query.dates.dates import MONTH, can_name, find_periods, full_year, month_end
from agent.query.dates.year_parts import YearPart, part_of
from agent.state.query import MOST_YEARS, Last, Periods, Span, Years
from agent.state.references import Period, PeriodForm
from agent.words.tokens import Plain, Token, plain
from filings.tables.months import MONTHS

_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "few": 3, "several": 3, "couple of": 2, "couple": 2, "decade": 10,
}  # fmt: skip
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})"
_FISCAL = r"(?:the[ ]+)?(?:fiscal(?:[ -]+years?)?|financial[ -]+years?|fys?|f\.y\.|years?)"
_CALENDAR = r"(?:calendar(?:[ -]+years?)?|cy)"


def _one(name: str) -> str:
    """A pattern of one year: FY24, fiscal 2024, 2024, '24; the second of a range also 24."""
    short = r"|\d\d" if name == "b" else ""
    return (
        rf"(?:(?:(?P<{name}_form>{_FISCAL}|{_CALENDAR})[ -]*'?(?P<{name}_long>20\d\d|19[5-9]\d|\d\d))"
        rf"|(?P<{name}_bare>20\d\d|19[5-9]\d|'\d\d{short}))(?![\d%]|[.,]\d|-\d\d-)"
    )


_A, _B = _one("a"), _one("b")
_EDGE = r"(?<![\w'$.,/-])"
_SPAN = tuple(
    re.compile(rf"{_EDGE}{lead}{_A}{between}{_B}(?!\w)")
    for lead, between in (
        (r"between[ ]+", r"[ ]+(?:and|to)[ ]+"),
        (
            r"(?:(?:from|over|for|in|during|across|since)[ ]+)?(?:the[ ]+)?",
            r"[ ]*(?:-+>?|\.\.+|\u2026|[ ](?:up[ ]+)?to[ ]|[ ]through[ ]|[ ]thru[ ]|[ ]until[ ]|[ ]till[ ])[ ]*(?:and[ ]+including[ ]+)?",
        ),
    )
)
_SINCE = (
    re.compile(rf"{_EDGE}since[ ]+(?:the[ ]+end[ ]+of[ ]+|the[ ]+year[ ]+)?{_A}(?!\w)"),
    re.compile(rf"{_EDGE}(?:every|each)[ ]+(?:fiscal[ ]+)?year[ ]+(?:from|since|starting[ ]+in)[ ]+{_A}(?!\w)"),
    re.compile(
        rf"{_EDGE}from[ ]+{_A}[ ]+(?:on|onwards?|forward|(?:(?:up[ ]+)?to|until|till|through)[ ]+(?:now|date|today|present|the[ ]+(?:present|latest)))(?!\w)"
    ),
)
# Neither "on or after 2020" nor "two years after 2020", and none of "after 2020 and 2022".
_AFTER = re.compile(
    rf"(?<!or )(?<!years )(?<!year )(?<!yrs )(?<!yr ){_EDGE}after[ ]+(?:the[ ]+end[ ]+of[ ]+)?{_A}(?!\w)"
    rf"(?![ ]*(?:,|-|and|&|or|to|through|thru|until|till|up[ ]+to)[ ]*(?:before[ ]+|{_FISCAL}[ ]*)*'?\d)"
)
_LAST = re.compile(
    rf"{_EDGE}(?:(?:over|for|in|during|across|of)[ ]+)?(?:the[ ]+|its[ ]+)?(?:last|past|previous|prior|preceding|latest|most[ ]+recent|trailing)[ ]+"
    rf"{_COUNT}[ -]*(?:(?:full|reported|completed|fiscal|financial|annual)[ ]+)*(?:years?|yrs?|y|annual[ ]+reports?|10-?ks?)"
    rf"(?:[ ]+(?:up[ ]+to|until|till|through|to|ended|ending)[ ]+(?:and[ ]+including[ ]+)?(?:in[ ]+)?{_A})?(?!\w)"
)
_LAST_QUARTERS = re.compile(
    rf"{_EDGE}(?:(?:over|for|in|during|across|of)[ ]+)?(?:the[ ]+|its[ ]+)?"
    rf"(?:last|past|previous|prior|preceding|latest|most[ ]+recent|trailing)[ ]+"
    rf"{_COUNT}[ -]+(?:(?:reported|completed|fiscal)[ ]+)*(?:quarters?|qtrs?)(?!\w)"
)
_YEARS_LONG = re.compile(rf"{_EDGE}(?:the[ ]+)?{_COUNT}[ -]*(?:fiscal[ ]+|financial[ ]+)?(?:years?|yrs?|y)(?!\w)")
_DECADE = re.compile(rf"{_EDGE}(?:over[ ]+|in[ ]+)?(?:the[ ]+)?(?:last|past)[ ]+(?P<count>decade)(?!\w)")
# 2020, 21, 22 and 23
_RUN = re.compile(rf"{_EDGE}(?P<first>20\d\d)(?P<rest>(?:,?[ ]*(?:,|and|&)[ ]*'?\d\d(?!\d|[.,]\d|%))+)")
# 23/24/25, FY24/FY23, 2022/23
_SLASHED = re.compile(
    rf"{_EDGE}(?P<lead>(?:{_FISCAL}[ -]*)?'?)(?P<years>(?:20)?\d\d(?:/(?:fy)?'?(?:20)?\d\d)+)(?![\w/%]|[.,]\d)"
)
_MONTH_OF_YEAR = re.compile(rf"{MONTH},?[ ]+(?:of[ ]+)?(?P<year>(?:19|20)\d\d)$")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens first..last (exclusive) that name a period, or a part of a year, which is none."""

    first: int
    last: int
    text: str
    periods: Periods | None = None
    count: int = 0  # "3-year": so many, of what follows from the rest
    month: date | None = None  # the end of a month: a period of balances only
    interim: bool = False
    part: YearPart | None = None  # of a year: which one it is, where it is known

    @property
    def places(self) -> range:
        return range(self.first, self.last)

    @property
    def blank(self) -> bool:
        """Whether it speaks of a year that is not known."""
        return not (self.periods or self.count or self.month or self.interim)

    @property
    def period(self) -> Period | None:
        """The one year it names."""
        return self.periods.periods[0] if isinstance(self.periods, Years) else None


def stretches(question: str, tokens: Sequence[Token], today: date) -> list[Stretch]:
    """Every period the question names, in order of place."""
    folded = _respelled(plain(question), tokens)
    text = folded.text
    found: list[tuple[int, int, dict[str, object]]] = []
    for start, end, slots in _ranges(text):
        if not any(start < other[1] and other[0] < end for other in found):
            found.append((start, end, slots))
    for start, end, _ in found:
        text = text[:start] + " " * (end - start) + text[end:]
    for match in find_periods(Plain(text, folded.offsets), today):
        words = text[match.first : match.last]
        if words == "now" and text[: match.first].rstrip().endswith("from"):
            continue  # "five years from now"
        if match.period:
            slots = {"periods": Years(periods=(match.period,))}
        elif part := part_of(words):
            slots = {"interim": True, "part": part}
        elif month := _MONTH_OF_YEAR.search(words.strip()):
            slots = {"month": month_end(int(month["year"]), MONTHS[month["month"]])}
        else:
            slots = {"interim": True}
        found.append((match.first, match.last, slots))
    listed = []
    for start, end, slots in sorted(found, key=lambda one: one[0]):
        first, last = folded.offsets[start], folded.offsets[end - 1] + 1
        places = [place for place, token in enumerate(tokens) if token.start < last and first < token.end]
        if places:
            words = question[first:last].strip().removesuffix(" of")
            listed.append(Stretch(places[0], places[-1] + 1, words, **slots))  # type: ignore[arg-type]
    return listed


def _respelled(folded: Plain, tokens: Sequence[Token]) -> Plain:
    """The question with its slips undone: "betwen 2016 and 2020" is a span."""
    slips = [token for token in tokens if token.slip]
    letters = [
        (offset, letter)
        for offset, letter in zip(folded.offsets, folded.text, strict=False)
        if not any(token.start <= offset < token.end for token in slips)
    ]
    letters += [(token.start, letter) for token in slips for letter in token.base[:-1]]
    letters += [(token.end - 1, token.base[-1]) for token in slips]
    letters.sort(key=lambda one: one[0])
    return Plain("".join(letter for _, letter in letters), (*(offset for offset, _ in letters), folded.offsets[-1]))


def _ranges(text: str) -> Iterator[tuple[int, int, dict[str, object]]]:
    for pattern in _SPAN:
        for hit in pattern.finditer(text):
            first, last = _period(hit, "a"), _period(hit, "b", _period(hit, "a"))
            if first.year and last.year and 0 < last.year - first.year < MOST_YEARS * 2:
                yield *hit.span(), {"periods": Span(first=first, last=last)}
    for hit in _RUN.finditer(text):
        years = [int(hit["first"]), *(2000 + int(one) for one in re.findall(r"\d\d", hit["rest"]))]
        if years == list(range(years[0], years[-1] + 1)):
            first, last = (Period(form=PeriodForm.BARE, year=one, text=str(one)) for one in (years[0], years[-1]))
            yield *hit.span(), {"periods": Span(first=first, last=last)}
    for hit in _SLASHED.finditer(text):
        years = sorted(full_year(one) for one in re.findall(r"\d+", hit["years"]))
        # "10/11/12" is a day.
        if years == list(range(years[0], years[-1] + 1)) and (hit["lead"] or years[0] > 2012):
            form = PeriodForm.FISCAL if hit["lead"].strip("'") else PeriodForm.BARE
            first, last = (Period(form=form, year=one, text=str(one)) for one in (years[0], years[-1]))
            yield *hit.span(), {"periods": Span(first=first, last=last)}
    for pattern in _SINCE:
        for hit in pattern.finditer(text):
            yield *hit.span(), {"periods": Span(first=_period(hit, "a"))}
    for hit in _AFTER.finditer(text):
        before = _period(hit, "a")
        year = (before.year or 0) + 1
        yield *hit.span(), {"periods": Span(first=before.model_copy(update={"year": year, "text": str(year)}))}
    for pattern in (_LAST, _DECADE):
        for hit in pattern.finditer(text):
            named = hit.groupdict().get("a_long") or hit.groupdict().get("a_bare")
            count = min(_count(hit["count"]), MOST_YEARS)
            if count:
                yield *hit.span(), {"periods": Last(count=count, until=_period(hit, "a") if named else None)}
    for hit in _LAST_QUARTERS.finditer(text):
        count = min(_count(hit["count"]), MOST_YEARS)
        if count:
            yield *hit.span(), {"interim": True, "part": YearPart(None, hit.group().strip(), count=count)}
    for hit in _YEARS_LONG.finditer(text):
        if 1 < _count(hit["count"]) <= MOST_YEARS:
            yield *hit.span(), {"count": _count(hit["count"])}


def _count(words: str) -> int:
    return int(words) if words.isdecimal() else _NUMBERS.get(words, 0)


def _period(hit: re.Match[str], name: str, like: Period | None = None) -> Period:
    """The year of one side of a range, called as the other side is where it says nothing of its own."""
    long, bare, form = hit[f"{name}_long"], hit[f"{name}_bare"], hit[f"{name}_form"] or ""
    if re.match(_CALENDAR, form):
        kind = PeriodForm.CALENDAR
    elif form and not form.strip().startswith("year"):
        kind = PeriodForm.FISCAL
    else:
        kind = like.form if like else PeriodForm.BARE
    return Period(form=kind, year=full_year(long or bare), text=(long or bare))


# --- from stretches to the periods asked ---


@dataclass(frozen=True, slots=True)
class Asked:
    """The periods of a question: years named one by one, or the one span."""

    years: tuple[Period, ...] = ()
    range: Span | Last | None = None
    count: int = 0
    clash: str = ""  # words of a period that goes with no other

    @property
    def periods(self) -> Periods:
        if self.range:
            return self.range
        if self.count and len(self.years) <= 1:
            year = self.years[0] if self.years and self.years[0].year else None
            return Last(count=self.count, until=year)
        return Years(periods=self.years or (Period(form=PeriodForm.LATEST),))

    @property
    def several(self) -> bool:
        return not isinstance(self.periods, Years) or len(self.years) > 1


def asked(stretches: Sequence[Stretch]) -> Asked:
    """What the stretches of a question come to together. A day decides the year that a label beside it names."""
    named = [one.period for one in stretches if one.period]
    ends = [period for period in named if period.form is PeriodForm.ENDED]
    named = [period for period in named if not any(can_name(period, end) for end in ends if end is not period)]
    told = [period for period in named if period.form not in {PeriodForm.LATEST, PeriodForm.PREVIOUS}]
    years = _distinct(told or named)
    if any(period.form is PeriodForm.FISCAL for period in years):
        bare = PeriodForm.BARE
        years = tuple(one.model_copy(update={"form": PeriodForm.FISCAL}) if one.form is bare else one for one in years)
    ranges = [one.periods for one in stretches if isinstance(one.periods, Span | Last)]
    counts = {one.count for one in stretches if one.count}
    spans = [one for one in ranges if isinstance(one, Span)]
    chosen = spans[0] if spans else (ranges[0] if ranges else None)
    clash = stretches[-1].text if len(set(spans)) > 1 else ""
    if isinstance(chosen, Last) and chosen.until is None and len(years) == 1 and years[0].year:
        chosen = chosen.model_copy(update={"until": years[0]})
    elif isinstance(chosen, Last) and len(years) > 1:
        chosen = None
    if isinstance(chosen, Span) and any(not _within(period, chosen) for period in years):
        clash = next(one.text for one in stretches if one.period and not _within(one.period, chosen))
    return Asked(years, chosen, max(counts, default=0), clash)


def _within(period: Period, span: Span) -> bool:
    year = period.year or (period.end.year if period.end else None)
    if year is None or span.first.year is None:
        return True
    return span.first.year <= year and (span.last is None or span.last.year is None or year <= span.last.year)


def _distinct(periods: Sequence[Period]) -> tuple[Period, ...]:
    """The periods without those named twice, a fiscal label before a bare year."""
    found: dict[tuple[object, ...], Period] = {}
    for period in periods:
        key: tuple[object, ...] = (period.year, period.end) if period.year or period.end else (period.form,)
        if key not in found or (period.form is PeriodForm.FISCAL and found[key].form is PeriodForm.BARE):
            found[key] = period
    return tuple(found.values())


def number_of(word: str) -> Decimal:
    """A number in digits or as a word: 12, 1,000, twelve. Raises KeyError for any other word."""
    digits = word.replace(",", "")
    return Decimal(digits) if digits[:1].isdigit() or digits[:1] == "." else Decimal(_NUMBERS[word])


def is_number(word: str) -> bool:
    """Whether a word is a number, in digits or from two to twelve as a word."""
    return bool(re.fullmatch(r"[\d.,]+", word)) or word in _NUMBERS
