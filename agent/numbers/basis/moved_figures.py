"""The annual figures of a company that a later 10-K reports with another value, whatever asks for them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from operator import attrgetter
from typing import Any, Literal, Protocol

from django.db.models import Count, Q, QuerySet

from agent.numbers.facts.rounding import same_after_rounding
from agent.numbers.registry.formula import PRECISION
from filings.models import Company, Element, Fact, Filing
from filings.xbrl.later_filings import SAME
from filings.xbrl.member_facts import named
from filings.xbrl.periods import YEAR_DAYS
from filings.xbrl.splits import is_split

_same = attrgetter(*SAME)
# Share counts and amounts a share, which a split changes by a whole factor.
SHARES = "shares"
# Of a figure that is another one rounded; fewer agree by chance.
LEAST_DIGITS = 3


# By a whole factor, as a split does; of a part of the company; any other.
Kind = Literal["split", "recast", "restated"]


class Reported(Protocol):
    """What is known of a figure that moved."""

    unit: str
    value: Decimal
    dimensions: str


class Precise(Protocol):
    """A value and the precision that its source gives, if it does."""

    @property
    def value(self) -> Decimal: ...

    @property
    def decimals(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Moved:
    """One figure of one period in the filing that first gave the value, and in the one that gave another.

    label: as the filing or the taxonomy calls it, with the part of the company. fiscal_year: None where the period ends with no year held.
    """

    before: Fact
    after: Fact
    label: str
    fiscal_year: int | None

    @property
    def change(self) -> Decimal:
        """The later value minus the earlier, in the unit of both."""
        with localcontext(PRECISION):
            return Decimal(self.after.value) - Decimal(self.before.value)

    @property
    def percent(self) -> Decimal | None:
        """The change in percent of the earlier value's size, with one decimal; None where that is zero."""
        if not self.before.value:
            return None
        with localcontext(PRECISION):
            return (self.change / abs(Decimal(self.before.value)) * 100).quantize(Decimal("0.1"))

    @property
    def kind(self) -> Kind:
        return kind_of(self.before, self.after.value)


def kind_of(before: Reported, after: Decimal) -> Kind:
    """How a figure moved to another value in the unit of both."""
    if before.unit.endswith(SHARES) and before.value and after and is_split(after, before.value):
        return "split"
    return "recast" if before.dimensions else "restated"


def moved_figures(company: Company) -> list[Moved]:
    """The annual figures that a primary 10-K or an amendment gives otherwise than the report before it, the newest
    filing first, and in it the newest year.
    """
    facts = reported(company, Q(filing__is_primary=True) | Q(form="10-K/A"))
    return [one for one in moved(facts, several(facts)) if one.after.start == one.after.end or is_year(one.after)]


def moved_by(filing: Filing) -> list[Moved]:
    """The figures, also of quarters, that one report gives otherwise than the company's report before it."""
    forms = Q(filing__is_primary=True) | Q(form__in=("10-K/A", "10-Q", "10-Q/A"))
    own = set(filing.facts.values_list(*SAME))
    facts = reported(filing.company, forms).filter(filed__lte=filing.filed, end__in={key[5] for key in own})
    wanted = several(facts) & own
    return [one for one in moved(facts, wanted) if one.after.filing_id == filing.pk]


def reported(company: Company, of: Q) -> QuerySet[Fact]:
    """The tagged figures of a company's own reports."""
    found = Fact.objects.filter(of, company=company).exclude(taxonomy="dei").exclude(source=Fact.Source.PRINTED)
    return found.select_related("filing__company")


def several(facts: QuerySet[Fact]) -> set[tuple[Any, ...]]:
    """The figures, by `SAME`, that have several values."""
    rows = facts.order_by().values(*SAME).annotate(values=Count("value", distinct=True)).filter(values__gt=1)
    return {tuple(row[name] for name in SAME) for row in rows}


def moved(facts: QuerySet[Fact], wanted: Collection[tuple[Any, ...]]) -> list[Moved]:
    """Each move of the wanted figures, by `SAME`, among these facts."""
    groups: dict[tuple[Any, ...], list[Fact]] = defaultdict(list)
    for fact in facts.filter(tag__in={key[2] for key in wanted}, end__in={key[5] for key in wanted}):
        if (key := _same(fact)) in wanted:
            groups[key].append(fact)
    years = dict(facts.filter(filing__is_primary=True).values_list("filing__period_end", "filing__fiscal_year"))
    pairs = [pair for group in groups.values() for pair in moves(group)]
    labels = labels_of(after for _, after in pairs)
    return sorted((Moved(*pair, labels[pair[1].pk], years.get(pair[1].end)) for pair in pairs), key=order)


def is_year(fact: Fact) -> bool:
    return (fact.end - fact.start).days + 1 in YEAR_DAYS


def order(one: Moved) -> tuple[Any, ...]:
    """The newest filing first, in it the newest year, in it figures of statements in their order."""
    fact = one.after
    return (
        -fact.filed.toordinal(),
        fact.filing.accession,
        -fact.end.toordinal(),
        not fact.statement,
        fact.statement,
        fact.order or 0,
        one.label,
    )


def moves(facts: Iterable[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Pairs of reports of one figure that differ beyond rounding, the oldest first; one fact a filing, the document's."""
    by_filing: dict[int, Fact] = {}
    for fact in sorted(facts, key=lambda one: (one.filed, one.filing.accession, one.source == Fact.Source.DOCUMENT)):
        by_filing[fact.filing_id] = fact
    reports = list(by_filing.values())
    held = reports[0]
    for fact in reports[1:]:
        if not repeats(fact, held):
            yield held, fact
            held = fact


def repeats(one: Precise, other: Precise) -> bool:
    """Whether two reports give one value: equal after rounding, or one is the other in three digits or more, as a note
    in billions is. Only where no precision is known: 105,100 million may be 105,103.
    """
    if same_after_rounding(one.value, one.decimals, other.value, other.decimals):
        return True
    coarse, fine = sorted((one, other), key=lambda each: len(digits(each.value)))
    return coarse.decimals is None and len(digits(coarse.value)) >= LEAST_DIGITS and rounded(fine.value, coarse.value)


def digits(value: Decimal) -> str:
    """The digits of a value without zeros at either end."""
    return "".join(map(str, Decimal(value).as_tuple().digits)).strip("0")


def rounded(fine: Decimal, coarse: Decimal) -> bool:
    """Whether one value is the other in as many digits as it has."""
    return Context(prec=len(digits(coarse)), rounding=ROUND_HALF_UP).plus(Decimal(fine)) == coarse


def labels_of(facts: Iterable[Fact]) -> dict[int, str]:
    """The names of figures, by primary key of the fact: the taxonomy's label, with the part of the company."""
    facts = list(facts)
    known: dict[tuple[str, str], str] = {}
    rows = Element.objects.filter(tag__in={one.tag for one in facts}).order_by("pk")
    for taxonomy, tag, label in rows.values_list("taxonomy", "tag", "label"):
        known[taxonomy, tag] = label
    found = {}
    for one in facts:
        parts = ", ".join(member.label for member in named(one.filing, one.dimensions))
        label = one.label or known.get((one.taxonomy, one.tag)) or one.tag
        found[one.pk] = f"{label}, {parts}" if parts else label
    return found
