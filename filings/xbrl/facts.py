"""Looks up the values that a filing reports for XBRL tags. Knows no concepts.

Everything is found by dates: `fy`, `fp` and `frame` of companyfacts describe a filing and are not read here.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from operator import itemgetter
from typing import Any

from django.db.models import Q

from filings.models import Company, Fact, Filing
from filings.xbrl.companyfacts import CompanyFacts, FactRow, FilingFacts, UnreadableFacts, parse_companyfacts
from filings.xbrl.periods import YEAR_DAYS

__all__ = [
    "CompanyFacts",
    "FactRow",
    "FilingFacts",
    "PeriodWanted",
    "UnreadableFacts",
    "Value",
    "count",
    "has_value",
    "held",
    "held_names",
    "later_values",
    "parse_companyfacts",
    "prefetch",
]


class PeriodWanted(StrEnum):
    """Which of a filing's periods a value is wanted for."""

    ANNUAL = "annual"  # a duration of `Filing.days`, 350-380 of a 10-K, ending at the filing's period end
    INSTANT = "instant"  # at the period end
    COVER = "cover"  # dei, from the period end to the filing date: the cover's share count
    SECOND_QUARTER = "second_quarter"  # dei, within the fiscal year: the cover's public float
    PRIOR_ANNUAL = "prior_annual"  # the year before, as this filing reports it
    PRIOR_INSTANT = "prior_instant"
    SECOND_PRIOR_ANNUAL = "second_prior_annual"  # two years before: statements of income and cash flow have three
    SECOND_PRIOR_INSTANT = "second_prior_instant"


# The periods of a filing's own year, of the year before, and of the one before that.
BY_YEAR = (
    (PeriodWanted.ANNUAL, PeriodWanted.INSTANT, PeriodWanted.COVER, PeriodWanted.SECOND_QUARTER),
    (PeriodWanted.PRIOR_ANNUAL, PeriodWanted.PRIOR_INSTANT),
    (PeriodWanted.SECOND_PRIOR_ANNUAL, PeriodWanted.SECOND_PRIOR_INSTANT),
)
YEARS_BACK = {period: back for back, periods in enumerate(BY_YEAR) for period in periods}


# A stored fact as the database gives it, with all of its columns.
Row = tuple[Any, ...]
COLUMNS = tuple(column.attname for column in Fact._meta.concrete_fields)
FILING, UNIT = COLUMNS.index("filing_id"), COLUMNS.index("unit")
_tag_and_dates = itemgetter(*map(COLUMNS.index, ("taxonomy", "tag", "start", "end")))


@dataclass(frozen=True, slots=True)
class Value:
    """One value of one tag, unit and period in one filing, from one source or both.

    `fact` is the one to cite: the document's, which has its printed line, else companyfacts'. `negated`: whether the value is
    the printed figure with the opposite sign, as of an outflow in brackets.
    """

    fact: Fact
    twin: Fact | None = None
    negated: bool = False

    @property
    def name(self) -> str:
        return self.fact.name

    @property
    def value(self) -> Decimal:
        value: Decimal = self.fact.value
        return -value if self.negated else value

    @property
    def sources(self) -> tuple[str, ...]:
        return (self.fact.source, self.twin.source) if self.twin else (self.fact.source,)

    @property
    def unequal(self) -> bool:
        """Whether the document and companyfacts give different numbers."""
        return self.twin is not None and self.twin.value != self.fact.value


def held(
    filing: Filing, names: Collection[str], *, unit: str | None = None, period: PeriodWanted = PeriodWanted.ANNUAL
) -> list[Value]:
    """The filing's values for tags such as "us-gaap:Revenues", in the order of `names`.

    unit: as companyfacts spells it; None takes any. Cover facts: the newest date first. A period's facts are read from
    the database once for a `filing` object.
    """
    read = _read(filing, period, names)
    return [
        value
        for name in dict.fromkeys(names)
        for value in read.values_of(filing, period, name)
        if unit in (None, value.fact.unit)
    ]


def prefetch(filings: Collection[Filing], names: Collection[str], years: int = 2) -> None:
    """Read the facts of tags for many filings in one query.

    years: how many fiscal years, the filing's own first. Each filing object keeps what was read; other tags are read
    when needed.
    """
    # A 10-Q is read for its quarter and for the year to date, as two objects of one filing.
    lacking = [(one, tags) for one in filings if one.period_end and (tags := _lacking(one, names, years))]
    if not lacking:
        return
    tags = {name.partition(":")[2] for _, wanted in lacking for name in wanted}
    cover = any(name.startswith("dei:") for _, wanted in lacking for name in wanted)
    windows = Q()
    for one in {one.pk: one for one, _ in lacking}.values():
        windows |= Q(filing=one) & _ends(one, years, cover=cover)
    found: dict[int, list[Row]] = {one.pk: [] for one, _ in lacking}
    for row in _rows(windows & Q(tag__in=tags)):
        found[row[FILING]].append(row)
    for one, _ in lacking:
        for back in range(years):
            _keep(one, back, found[one.pk], set(names))


def _lacking(filing: Filing, names: Collection[str], years: int) -> set[str]:
    """The tags that have not been read of a filing for all of the years."""
    reads = [_kept(filing).get(back) for back in range(years)]
    missing: set[str] = set()
    for read in reads:
        missing |= set(names) if read is None else set(names) - read.names if read.names is not None else set()
    return missing


def _keep(filing: Filing, back: int, rows: list[Row], names: set[str]) -> None:
    """Add facts that were read for several filings at once to one of them."""
    read = _kept(filing).get(back)
    if read is None:
        _kept(filing)[back] = _Read.of(filing, back, rows, names)
    elif read.names is not None:
        read.put(filing, back, rows, names - read.names)


def held_names(filing: Filing, *, period: PeriodWanted = PeriodWanted.ANNUAL) -> tuple[str, ...]:
    """All tags with a value in the filing for a period."""
    return tuple(_read(filing, period).rows[period])


def has_value(filing: Filing, name: str) -> bool:
    """Whether the filing has any value of a tag for the whole company."""
    taxonomy, _, tag = name.partition(":")
    return Fact.objects.filter(filing=filing, taxonomy=taxonomy, tag=tag, dimensions="").exists()


def later_values(fact: Fact) -> list[Value]:
    """Values that later primary 10-Ks and amendments of the company report for the same tag, unit and period, oldest
    first; for a 10-Q's fact also later 10-Qs.
    """
    interim = Q(form__startswith="10-Q")
    told = Q(filing__is_primary=True) | Q(form__endswith="/A") | interim
    later = Fact.objects.filter(
        told if fact.form.startswith("10-Q") else told & ~interim,
        company__in=Company.objects.asked_as([fact.filing.company.asked_as]),
        taxonomy=fact.taxonomy,
        tag=fact.tag,
        unit=fact.unit,
        start=fact.start,
        end=fact.end,
        dimensions=fact.dimensions,
        filed__gt=fact.filed,
    ).select_related("filing__company")
    by_filing: dict[int, list[Fact]] = defaultdict(list)
    for other in later.order_by("filed", "pk"):
        by_filing[other.filing_id].append(other)
    return [value for facts in by_filing.values() for value in _merged(facts)]


def count(filing: Filing) -> int:
    """The number of values in the filing, all periods; one from two sources counts once. Cached on the object."""
    if "_count" not in filing.__dict__:
        values = Fact.objects.filter(filing=filing).values("taxonomy", "tag", "unit", "start", "end", "dimensions")
        filing.__dict__["_count"] = values.distinct().count()
    found: int = filing.__dict__["_count"]
    return found


@dataclass
class _Read:
    """What has been read of one of a filing's years.

    names: the tags read; None for all. A table uses few of the tags it may need: fact objects are created from rows
    only when used.
    """

    end: date | None
    rows: dict[PeriodWanted, dict[str, list[Row]]]
    names: set[str] | None = None
    values: dict[tuple[PeriodWanted, str], list[Value]] = field(default_factory=dict)

    @classmethod
    def of(cls, filing: Filing, back: int, rows: list[Row], names: set[str] | None = None) -> "_Read":
        """The year `back` years before the filing's own. An earlier year ends where most annual facts do."""
        end = filing.period_end if back == 0 else _prior_end(filing, back, rows)
        return cls(end, _sorted_out(filing, back, end, rows), names)

    def add(self, filing: Filing, back: int, names: set[str]) -> None:
        """Read further tags."""
        tags = {name.partition(":")[2] for name in names}
        self.put(filing, back, _rows(_ends_of(filing, back) & Q(tag__in=tags, filing=filing)), names)

    def put(self, filing: Filing, back: int, rows: Iterable[Row], names: set[str]) -> None:
        """Add the complete facts of further tags."""
        rows = list(rows)
        if self.end is None and back:
            self.end = _prior_end(filing, back, rows)
        for period, held in _sorted_out(filing, back, self.end, rows).items():
            self.rows[period] |= {name: found for name, found in held.items() if name in names}
        self.names = (self.names or set()) | names

    def values_of(self, filing: Filing, period: PeriodWanted, name: str) -> list[Value]:
        """The values of a tag, each fact with the `filing` object itself, so that naming it costs no query."""
        if (period, name) not in self.values:
            facts = [_fact(filing, row) for row in self.rows[period].get(name, ())]
            self.values[period, name] = _merged(facts)
        return self.values[period, name]


def keep(filing: Filing, held: Iterable[Fact]) -> None:
    """Use these facts as all that a filing has, without the database."""
    rows = [tuple(getattr(fact, column) for column in COLUMNS) for fact in held]
    for back in range(len(BY_YEAR)):
        _kept(filing)[back] = _Read.of(filing, back, rows)


def currencies(filing: Filing) -> set[str]:
    """The currencies of the balances at a filing's period end, or else of its flows."""
    for period in (PeriodWanted.INSTANT, PeriodWanted.ANNUAL):
        rows = (row for found in _read(filing, period).rows[period].values() for row in found)
        if units := {row[UNIT] for row in rows if len(row[UNIT]) == len("USD")}:
            return units
    return set()


def _kept(filing: Filing) -> dict[int, _Read]:
    """What has been read, stored on the `filing` object, which lives as long as one question."""
    kept: dict[int, _Read] = filing.__dict__.setdefault("_read", {})
    return kept


def _read(filing: Filing, period: PeriodWanted, names: Collection[str] | None = None) -> _Read:
    """What has been read of a period's year. names: those that will be used; None for every tag."""
    kept, back = _kept(filing), YEARS_BACK[period]
    read = kept.get(back)
    if read is None or (names is None and read.names is not None):
        read = kept[back] = _Read.of(filing, back, _rows(_ends_of(filing, back) & Q(filing=filing)))
    elif names is not None and read.names is not None and (missing := set(names) - read.names):
        read.add(filing, back, missing)
    return read


def _ends(filing: Filing, years: int, *, cover: bool) -> Q:
    """Facts of a filing's own year and of those before it."""
    wanted = Q()
    for back in range(years):
        wanted |= _ends_of(filing, back, cover=cover)
    return wanted


def _ends_of(filing: Filing, back: int, *, cover: bool = True) -> Q:
    """Facts that may be of a year. cover: with those of the cover, which have dates of their own."""
    end = filing.period_end
    if end is None:
        return Q(pk__in=[])
    if back == 0:
        return Q(end=end) | Q(taxonomy="dei") if cover else Q(end=end)
    return Q(end__range=[end - timedelta(days=back * days) for days in (YEAR_DAYS[-1], YEAR_DAYS[0])])


def _prior_end(filing: Filing, back: int, rows: list[Row]) -> date | None:
    """The end of an earlier year: by most annual facts in its window, or else by most balances."""
    if filing.period_end is None:
        return None
    first, last = (filing.period_end - timedelta(days=back * days) for days in (YEAR_DAYS[-1], YEAR_DAYS[0]))
    inside = [(start, end) for _, _, start, end in map(_tag_and_dates, rows) if first <= end <= last]
    ends = Counter(end for start, end in inside if (end - start).days in filing.days)
    ends = ends or Counter(end for _, end in inside)
    return ends.most_common(1)[0][0] if ends else None


def _sorted_out(
    filing: Filing, back: int, year_end: date | None, rows: Iterable[Row]
) -> dict[PeriodWanted, dict[str, list[Row]]]:
    """Facts by their period of the year, and by tag."""
    annual, instant = BY_YEAR[back][:2]
    found: dict[PeriodWanted, dict[str, list[Row]]] = {period: {} for period in BY_YEAR[back]}
    for row in rows if year_end else ():
        taxonomy, tag, start, end = _tag_and_dates(row)
        name, at_once = f"{taxonomy}:{tag}", start == end
        if end == year_end and at_once:
            found[instant].setdefault(name, []).append(row)
        elif end == year_end and (end - start).days in filing.days:
            found[annual].setdefault(name, []).append(row)
        if back == 0 and year_end and taxonomy == "dei" and at_once:
            if year_end <= end <= filing.filed:
                found[PeriodWanted.COVER].setdefault(name, []).append(row)
            elif year_end - timedelta(days=max(YEAR_DAYS)) < end < year_end:
                found[PeriodWanted.SECOND_QUARTER].setdefault(name, []).append(row)
    return found


def _rows(condition: Q) -> list[Row]:
    """Facts of the whole company as rows, newest period first."""
    return list(Fact.objects.filter(condition, dimensions="").order_by("-end", "pk").values_list())


def _fact(filing: Filing, row: Row) -> Fact:
    fact = Fact.from_db(filing._state.db, COLUMNS, row)
    Fact._meta.get_field("filing").set_cached_value(fact, filing)
    return fact


def _merged(facts: Iterable[Fact]) -> list[Value]:
    """Facts of one filing, merged with their equals from the other source, in the order given."""
    twins: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        twins.setdefault((fact.taxonomy, fact.tag, fact.unit, fact.start, fact.end), []).append(fact)
    values = []
    for same in twins.values():
        same.sort(key=lambda fact: fact.source != Fact.Source.DOCUMENT)
        values.append(Value(same[0], same[1] if len(same) > 1 else None))
    return values
