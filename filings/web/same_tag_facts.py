"""Other facts under a fact's tag: for its own period from other filings, and for other periods."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from filings.models import Fact
from filings.web.charts import Chart, Point, Series, columns
from filings.xbrl.number_format import Scale, column_unit, in_table, is_money, shown
from filings.xbrl.splits import is_split

OTHER_FACTS = 40
COLUMNS = 12


@dataclass(frozen=True, slots=True)
class SameTag:
    """Facts of one tag, unit and kind of period.

    fact: the page's fact. listed: for the table, latest period first. again: each filing's value for the fact's own
    period, oldest first. first: each period's first value, oldest first, including the fact's own.
    """

    fact: Fact
    listed: tuple[Fact, ...]
    again: tuple[Fact, ...]
    first: tuple[Fact, ...]

    @property
    def differing(self) -> int:
        """How many filings give another value for the period."""
        return sum(other.value != self.fact.value for other in self.again)

    @property
    def split(self) -> bool:
        """Whether the differing values are shares and differ by a whole factor, as after a split."""
        told = [other.value for other in self.again if other.value != self.fact.value]
        of_shares = "shares" in self.fact.unit and bool(self.fact.value)
        return of_shares and bool(told) and all(value and is_split(value, self.fact.value) for value in told)

    @property
    def unit(self) -> str:
        """What the columns of both charts are in: US$ millions."""
        return column_unit(self.fact.unit, self._scale)

    @property
    def restated(self) -> Chart | None:
        """A column for each filing of the fact's own period, where they differ."""
        return self._columns(self.again, [one.filed for one in self.again]) if self.differing else None

    @property
    def over_years(self) -> Chart | None:
        """A column a period, at most twelve; the fact's own is the asked one."""
        return self._columns(self.first, [one.end for one in self.first])

    @property
    def _scale(self) -> Scale | None:
        """One scale for all values; None where the unit has none, such as money per share."""
        if not is_money(self.fact.unit) and self.fact.unit != "shares":
            return None
        largest = max(abs(one.value) for one in (*self.again, *self.first))
        limits = ((10**12, Scale.BILLIONS), (10**6, Scale.MILLIONS))
        return next((scale for limit, scale in limits if largest >= limit), Scale.UNITS)

    def _columns(self, facts: Sequence[Fact], days: Sequence[date]) -> Chart | None:
        """Columns by year, with the month where a year occurs twice."""
        form = "%Y" if len({day.year for day in days}) == len(days) else "%b %Y"
        points = (self._point(one, f"{day:{form}}") for one, day in zip(facts, days, strict=True))
        return columns(Series("", tuple(points)), self._words)

    def _point(self, one: Fact, label: str) -> Point:
        same_period = (one.start, one.end) == (self.fact.start, self.fact.end)
        differs = same_period and one.value != self.fact.value
        said = f"{one.end:%-d %b %Y}: {shown(one.value, one.unit)}, {one.form} filed {one.filed:%-d %b %Y}"
        return Point(
            label=label,
            value=one.value,
            text=self._words(one.value),
            href=one.get_absolute_url(),
            title=f"{said}, differs" if differs else said,
            asked=same_period and not differs,
            differs=differs,
        )

    def _words(self, value: Decimal) -> str:
        return in_table(value, self.fact.unit, self._scale)


def same_tag(fact: Fact) -> SameTag:
    """The stored facts under a fact's tag.

    A period's first filing represents it; later ones are listed where they differ, and all for the fact's own period. A
    value in both companyfacts and the document counts once.
    """
    same = Fact.objects.filter(
        company=fact.company_id,
        taxonomy=fact.taxonomy,
        tag=fact.tag,
        unit=fact.unit,
        dimensions=fact.dimensions,
    ).select_related("filing")
    periods: dict[tuple[date, date], dict[int, Fact]] = defaultdict(dict)
    for other in same.order_by("-end", "-start", "filed", "filing", "-source"):
        if other.period_kind == fact.period_kind:
            periods[other.start, other.end].setdefault(other.filing_id, other)
    period = fact.start, fact.end
    periods[period][fact.filing_id] = fact
    listed: list[Fact] = []
    for key, by_filing in periods.items():
        first, *later = by_filing.values()
        listed += [first, *(other for other in later if key == period or other.value != first.value)]
    firsts = [next(iter(by_filing.values())) for by_filing in periods.values()]
    at = [*periods].index(period)
    return SameTag(
        fact,
        listed=_around(listed, listed.index(fact), OTHER_FACTS),
        again=tuple(periods[period].values()),
        first=tuple(reversed(_around(firsts, at, COLUMNS))),
    )


def _around(facts: list[Fact], at: int, most: int) -> tuple[Fact, ...]:
    """The first of some facts, or, where the one at a place is not among those, as many up to it."""
    start = max(0, at - most + 1)
    return tuple(facts[start : start + most])
