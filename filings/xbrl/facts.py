"""XBRL facts: which values a filing holds for given tags, unit and period, and where on its face. Knows no concept.

Everything is found by dates: `fy`, `fp` and `frame` of companyfacts describe a filing and are not read here.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import Q

from filings.models import Fact, Filing, Statement, StatementKind
from filings.xbrl.companyfacts import CompanyFacts, FactRow, FilingFacts, UnreadableFacts, parse_companyfacts
from filings.xbrl.periods import YEAR_DAYS, is_year

__all__ = [
    "CompanyFacts",
    "Face",
    "FaceLine",
    "FactRow",
    "FilingFacts",
    "PeriodWanted",
    "UnreadableFacts",
    "Value",
    "count",
    "face",
    "face_values",
    "faces",
    "has_value",
    "held",
    "held_names",
    "later_values",
    "parse_companyfacts",
]


class PeriodWanted(StrEnum):
    """Which of a filing's periods a value is wanted for."""

    ANNUAL = "annual"  # 350-380 days ending at the filing's period end
    INSTANT = "instant"  # at the period end
    COVER = "cover"  # dei, from the period end to the filing date: the cover's share count
    SECOND_QUARTER = "second_quarter"  # dei, within the fiscal year: the cover's public float
    PRIOR_ANNUAL = "prior_annual"  # the year before, as this filing reports it
    PRIOR_INSTANT = "prior_instant"


PRIOR = frozenset({PeriodWanted.PRIOR_ANNUAL, PeriodWanted.PRIOR_INSTANT})


@dataclass(frozen=True, slots=True)
class Value:
    """One value of one tag, unit and period in one filing, known from one source or from two.

    `fact` is the one to cite: the document's, which knows its printed line, else that of companyfacts.
    """

    fact: Fact
    twin: Fact | None = None

    @property
    def name(self) -> str:
        return self.fact.name

    @property
    def value(self) -> Decimal:
        value: Decimal = self.fact.value
        return value

    @property
    def sources(self) -> tuple[str, ...]:
        return (self.fact.source, self.twin.source) if self.twin else (self.fact.source,)

    @property
    def unequal(self) -> bool:
        """Whether the document and companyfacts give different numbers."""
        return self.twin is not None and self.twin.value != self.fact.value


@dataclass(frozen=True, slots=True)
class FaceLine:
    """One printed or presented line of a statement. `name` is prefixed; `heading` is the nearest line above without
    figures; `aside` marks a figure inside the row's label, as a par value."""

    order: int
    name: str
    label: str = ""
    heading: str = ""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Face:
    """A statement of a filing. `basis` says who tells: linkbase or inline.

    `dimensional` are lines printed by class, segment or product only, never for the whole company; `lines` has none
    of them.
    """

    kind: StatementKind
    title: str
    basis: str
    lines: tuple[FaceLine, ...]
    dimensional: tuple[FaceLine, ...] = ()

    def __contains__(self, name: object) -> bool:
        return any(line.name == name for line in self.lines)

    @property
    def names(self) -> tuple[str, ...]:
        """Tags in order, each once."""
        return tuple(dict.fromkeys(line.name for line in self.lines))

    def lines_of(self, name: str) -> tuple[FaceLine, ...]:
        """The lines of a tag: two for an opening and a closing balance."""
        return tuple(line for line in self.lines if line.name == name)


def held(
    filing: Filing, names: Collection[str], *, unit: str | None = None, period: PeriodWanted = PeriodWanted.ANNUAL
) -> list[Value]:
    """The values the filing holds for tags such as "us-gaap:Revenues", in the order of `names`.

    unit: as companyfacts spells it; None takes any. Of the cover the newest date comes first. The facts of a period
    are read from the database once for a `filing` object, so that asking again costs nothing.
    """
    values = _values(filing, period)
    return [
        value for name in dict.fromkeys(names) for value in values.get(name, ()) if unit in (None, value.fact.unit)
    ]


def held_names(filing: Filing, *, period: PeriodWanted = PeriodWanted.ANNUAL) -> tuple[str, ...]:
    """All tags the filing holds a value of for a period."""
    return tuple(_values(filing, period))


def faces(filing: Filing) -> dict[StatementKind, Face]:
    """The statements known of a filing, by kind."""
    found: dict[StatementKind, Face] | None = filing.__dict__.get("_faces")
    if found is None:
        found = {
            StatementKind(statement.kind): Face(
                StatementKind(statement.kind),
                statement.title,
                statement.basis,
                tuple(_line(line) for line in statement.lines if not line.get("dimensional")),
                tuple(_line(line) for line in statement.lines if line.get("dimensional")),
            )
            for statement in Statement.objects.filter(filing=filing)
        }
        filing.__dict__["_faces"] = found
    return found


def face(filing: Filing, kind: StatementKind | str) -> Face | None:
    """One statement of a filing, or None where it is not known."""
    return faces(filing).get(StatementKind(kind))


def face_values(
    filing: Filing, kind: StatementKind | str, *, period: PeriodWanted = PeriodWanted.ANNUAL
) -> list[tuple[FaceLine, Value]]:
    """The lines of a statement that have a value for the period, in order."""
    statement = face(filing, kind)
    values = _values(filing, period)
    return [(line, value) for line in (statement.lines if statement else ()) for value in values.get(line.name, ())]


def has_value(filing: Filing, name: str) -> bool:
    """Whether the filing holds a value of a tag for the whole company, for any period."""
    taxonomy, _, tag = name.partition(":")
    return Fact.objects.filter(filing=filing, taxonomy=taxonomy, tag=tag, dimensions="").exists()


def later_values(fact: Fact) -> list[Value]:
    """What later primary 10-Ks and amendments of the company report for the same tag, unit and period, oldest first."""
    later = Fact.objects.filter(
        Q(filing__is_primary=True) | Q(form__endswith="/A"),
        company=fact.company_id,
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
    """How many values the filing holds, all periods; one known from two sources counts once."""
    return (
        Fact.objects.filter(filing=filing)
        .values("taxonomy", "tag", "unit", "start", "end", "dimensions")
        .distinct()
        .count()
    )


def _line(line: Mapping[str, Any]) -> FaceLine:
    return FaceLine(
        line["order"], line["tag"], line.get("label", ""), line.get("heading", ""), line.get("aside", False)
    )


def _values(filing: Filing, period: PeriodWanted) -> dict[str, list[Value]]:
    """The filing's values for a period by tag, kept on the `filing` object: it lives as long as one question."""
    kept: dict[PeriodWanted, dict[str, list[Value]]] = filing.__dict__.setdefault("_values", {})
    if period not in kept:
        kept.update(_prior_values(filing) if period in PRIOR else _current_values(filing))
    return kept[period]


def _current_values(filing: Filing) -> dict[PeriodWanted, dict[str, list[Value]]]:
    end = filing.period_end
    current = (PeriodWanted.ANNUAL, PeriodWanted.INSTANT, PeriodWanted.COVER, PeriodWanted.SECOND_QUARTER)
    if end is None:
        return {wanted: {} for wanted in current}
    facts: dict[PeriodWanted, list[Fact]] = {wanted: [] for wanted in current}
    for fact in _facts(filing, Q(end=end) | Q(taxonomy="dei")):
        instant = fact.start == fact.end
        if fact.end == end and instant:
            facts[PeriodWanted.INSTANT].append(fact)
        elif fact.end == end and is_year(fact.start, fact.end):
            facts[PeriodWanted.ANNUAL].append(fact)
        if fact.taxonomy == "dei" and instant:
            if end <= fact.end <= filing.filed:
                facts[PeriodWanted.COVER].append(fact)
            elif end - timedelta(days=max(YEAR_DAYS)) < fact.end < end:
                facts[PeriodWanted.SECOND_QUARTER].append(fact)
    return {wanted: _by_name(_merged(found)) for wanted, found in facts.items()}


def _prior_values(filing: Filing) -> dict[PeriodWanted, dict[str, list[Value]]]:
    """Values a year before. The prior year's end is the one most annual facts have."""
    empty: dict[PeriodWanted, dict[str, list[Value]]] = {wanted: {} for wanted in PRIOR}
    if filing.period_end is None:
        return empty
    first, last = (filing.period_end - timedelta(days=days) for days in (YEAR_DAYS[-1], YEAR_DAYS[0]))
    facts = _facts(filing, Q(end__gte=first, end__lte=last))
    ends = Counter(fact.end for fact in facts if is_year(fact.start, fact.end)) or Counter(fact.end for fact in facts)
    if not ends:
        return empty
    end = ends.most_common(1)[0][0]
    annual = [fact for fact in facts if fact.end == end and is_year(fact.start, fact.end)]
    instant = [fact for fact in facts if fact.end == end and fact.start == fact.end]
    return {
        PeriodWanted.PRIOR_ANNUAL: _by_name(_merged(annual)),
        PeriodWanted.PRIOR_INSTANT: _by_name(_merged(instant)),
    }


def _facts(filing: Filing, condition: Q) -> list[Fact]:
    """Facts of the whole company, newest period first, each with `filing` itself so that naming it costs no query."""
    facts = list(Fact.objects.filter(condition, filing=filing, dimensions="").order_by("-end", "pk"))
    for fact in facts:
        fact.filing = filing
    return facts


def _merged(facts: Iterable[Fact]) -> list[Value]:
    """Facts of one filing with their twins of the other source put together, in the order given."""
    twins: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        twins.setdefault((fact.taxonomy, fact.tag, fact.unit, fact.start, fact.end), []).append(fact)
    values = []
    for same in twins.values():
        same.sort(key=lambda fact: fact.source != Fact.Source.DOCUMENT)
        values.append(Value(same[0], same[1] if len(same) > 1 else None))
    return values


def _by_name(values: Iterable[Value]) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for value in values:
        found.setdefault(value.name, []).append(value)
    return found
