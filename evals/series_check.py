"""`python -m evals.series_check [report.md]`: whether rows over fiscal years and quarters are on one basis, and whether parts add up.

For every company of the database and every concept and metric: the row over its last ten fiscal years, as an answer shows
it; over its last 20 fiscal quarters; and for every amount its breakdown by segment, product and region over these years.
Two neighbouring years without a mark between them must agree with a report that prints both: the filing behind the
second year's facts, read here from its stored facts alone, gives the first year the value that the row shows. So must a
quarter and that of the year before, where no mark stands from the one to the other. Nothing here uses how a row is put on
one basis. A pair whose second report prints no figure for the first year is counted apart.
The parts of a year, without subtotals, must add up to the total of the table within rounding, or the total must say that
they do not.
"""

import itertools
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import django

from evals import markdown

if TYPE_CHECKING:
    from agent.state import FactRef
    from agent.state.tables import Cell
    from filings.models import Fact

YEARS, QUARTERS = 10, 20
QUARTERLY = "quarter"
KINDS: tuple[Literal["segment", "product", "region"], ...] = ("segment", "product", "region")
# Fiscal years of 52 and 53 weeks begin and end on slightly different days.
DRIFT = 15
MILLION = 6


@dataclass(frozen=True)
class Pair:
    """Two neighbouring figures of a row, by the year of the second. verdict: agrees, marked, differs, or not printed."""

    company: str
    measure: str
    year: int
    verdict: str
    shown: str = ""
    printed: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Column:
    """The parts of one year of a breakdown. verdict: adds up, says so (that they do not), short, or no total."""

    company: str
    measure: str
    kind: str
    year: int
    verdict: str
    left: str = ""


@dataclass(frozen=True)
class Printed:
    """The stored facts of one company's annual and quarterly reports, by report and tag."""

    company: int

    @cached_property
    def facts(self) -> dict[tuple[str, str], list["Fact"]]:
        from filings.models import Fact

        found: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        for one in Fact.objects.filter(company=self.company, form__in=("10-K", "10-Q")).select_related("filing"):
            found[one.filing.accession, one.tag].append(one)
        return found

    def of(self, accessions: set[str], tags: set[str], like: "FactRef") -> Iterator["Fact"]:
        """What these reports print for the period of a fact, under one of the tags."""
        for accession in accessions:
            for tag in tags:
                for one in self.facts.get((accession, tag), ()):
                    near = abs((one.end - like.end).days) <= DRIFT and abs((one.start - like.start).days) <= DRIFT
                    if near and one.dimensions == like.dimensions and one.unit == like.unit:
                        yield one


def tables() -> Iterator[tuple[str, str, list["Cell"], Printed]]:
    """Every row over the last years and quarters and every breakdown of every company: company, kind of parts, quarter or
    nothing, and cells.
    """
    from agent.numbers.registry import registry as registry_file
    from agent.numbers.registry.concept import Unit
    from agent.numbers.tables.table import tabulate
    from agent.state.query import Breakdown, Concept, Last, Measure, Metric, Query, Row
    from agent.steps.deps import Deps
    from filings.models import Company

    registry = registry_file.load()
    measures: list[tuple[str, Measure]] = [("", Concept(key=key)) for key in registry.concepts]
    measures += [("", Metric(key=key)) for key, one in registry.metrics.items() if not one.hidden]
    divided = [key for key, one in registry.concepts.items() if one.unit is Unit.USD]
    measures += [(QUARTERLY, one) for _, one in measures]
    measures += [(kind, Breakdown(of=Concept(key=key), axis=kind)) for key in divided for kind in KINDS]
    for company in Company.objects.filter(facts_stored__gt=0).order_by("cik"):
        deps = Deps.current()
        registrant = deps.companies.registrants.get(company.cik)
        if registrant is None:
            continue
        printed = Printed(company.pk)
        for kind, measure in measures:
            quarterly = kind == QUARTERLY
            periods = Last(count=QUARTERS if quarterly else YEARS, quarters=quarterly)
            query = Query(companies=(deps.companies.ref(registrant),), rows=(Row(measure=measure),), periods=periods)
            yield company.called, kind, list(tabulate(query, deps).cells), printed


def pairs(company: str, kind: str, cells: Sequence["Cell"], printed: Printed) -> Iterator[Pair]:
    """The pairs of neighbouring figures of a table, row by row."""
    rows: dict[str, list[Cell]] = defaultdict(list)
    for one in cells:
        if (one.asked or kind in KINDS) and not one.alternative and one.value is not None:
            rows[one.measure].append(one)
    for row in rows.values():
        ordered = sorted(row, key=lambda one: one.place)
        if kind == QUARTERLY:
            yield from quarter_pairs(company, ordered, printed)
            continue
        for before, after in itertools.pairwise(ordered):
            yield replace(judged(company, before, after, printed), kind=kind)


def quarter_pairs(company: str, row: Sequence["Cell"], printed: Printed) -> Iterator[Pair]:
    """The quarters of a row with those of the year before."""
    by_place = {one.place: one for one in row}
    for after in row:
        before = by_place.get(after.place.later(-4))
        if before is None:
            continue
        between = [one for one in row if before.place < one.place and not one.place > after.place]
        broken = next((one.basis_break for one in between if one.basis_break), "")
        after = after.model_copy(update={"basis_break": broken})
        yield replace(judged(company, before, after, printed), kind=QUARTERLY)


def columns(company: str, kind: str, cells: Sequence["Cell"]) -> Iterator[Column]:
    """Whether the parts of each year of a breakdown add up to its total, by the table's own figures."""
    years = sorted({one.fiscal_year or 0 for one in cells if one.role and one.value is not None})
    for year in years:
        own = [one for one in cells if one.fiscal_year == year and one.value is not None]
        parts = [one for one in own if one.role in ("part", "reconciling", "rest")]
        top = [one for one in parts if not one.alternative]
        totals = [one for one in own if not one.role and not one.asked]
        measure = totals[0].measure if totals else parts[0].measure
        if len(totals) != 1:
            yield Column(company, measure, kind, year, "no total")
            continue
        slack = sum((half(fact.value, fact.decimals) for one in (*top, *totals) for fact in one.facts), Decimal(0))
        left = totals[0].value - sum(one.value for one in top)
        says = any("add up to" in note for one in own for note in one.notes)
        verdict = "adds up" if abs(left) <= slack else "says so" if says else "short"
        yield Column(company, measure, kind, year, verdict, f"{left:,f}")


def judged(company: str, before: "Cell", after: "Cell", printed: Printed) -> Pair:
    """Whether the reports behind the second figure print the facts behind the first."""
    year = after.fiscal_year or 0
    if after.basis_break:
        return Pair(company, after.measure, year, "marked")
    verdict = "not printed"
    accessions = {one.accession for one in after.facts}
    concepts = {one.fact.fact: one.concept for one in before.operands}
    for fact in before.facts:
        like = {one.fact.tag for one in after.operands if one.concept == concepts.get(fact.fact)}
        tags = {fact.tag, *like, *([after.fact.tag] if after.fact and before.fact else [])}
        values = list(printed.of(accessions, tags, fact))
        if not values:
            continue
        if not any(same(one, fact) for one in values):
            return Pair(company, after.measure, year, "differs", f"{fact.value:,f}", f"{values[0].value:,f}")
        verdict = "agrees"
    return Pair(company, after.measure, year, verdict)


def same(one: "Fact", fact: "FactRef") -> bool:
    """Whether two figures are equal within half of the last digit that either gives."""
    return abs(one.value - fact.value) <= max(half(one.value, one.decimals), half(fact.value, fact.decimals))


def half(value: Decimal, decimals: int | None) -> Decimal:
    """Half of the last digit given; a figure in whole millions is rounded to them, whatever its tag says."""
    digits = -decimals if decimals is not None else 0
    if digits > 0 or decimals is None:
        while digits < MILLION and value and value % Decimal(10) ** (digits + 1) == 0:
            digits += 1
    return Decimal(10) ** digits / 2


def report(found: Sequence[Pair], divided: Sequence[Column]) -> str:
    """The counts, then the pairs that differ and the columns that are short."""
    companies, measures = {one.company for one in found}, {one.measure for one in found if not one.kind}
    names = {
        "agrees": "on one basis, as a report that prints both confirms",
        "marked": "on two, and marked",
        "differs": "on two without a mark",
        "not printed": "the report behind the second prints no figure for the first",
    }
    counts = [Counter(one.verdict for one in found if one.kind in kinds) for kinds in (("",), (QUARTERLY,), KINDS)]
    pairs = ((said, *(f"{one[verdict]:,}" for one in counts)) for verdict, said in names.items())
    ways = {
        "adds up": "add up to the total",
        "says so": "do not, and the table says so",
        "short": "do not, and nothing says so",
        "no total": "stand without a total",
    }
    sums = Counter((one.kind, one.verdict) for one in divided)
    parts = ((said, *(f"{sums[kind, verdict]:,}" for kind in KINDS)) for verdict, said in ways.items())
    differing = [
        (one.company, one.measure, one.year, one.shown, one.printed) for one in found if one.verdict == "differs"
    ]
    short = [
        (one.company, one.measure, one.kind, one.year, one.left)
        for one in divided
        if one.verdict in ("short", "no total")
    ]
    return markdown.document(
        "Series",
        __doc__,
        [f"{len(companies)} companies, {len(measures)} measures."],
        markdown.table(("pairs of neighbouring years", "rows", "quarters a year apart", "parts"), pairs, 3),
        markdown.table(("the parts of a year", "segments", "products", "regions"), parts, 3),
        markdown.table(("company", "measure", "year", "shown before it", "printed"), differing, 2),
        markdown.table(("company", "measure", "parts", "year", "left of the total"), short, 1),
    )


def main(arguments: Sequence[str]) -> int:
    """Write the report to a file, or print it; returns 1 where a pair differs or parts do not add up."""
    found: list[Pair] = []
    divided: list[Column] = []
    for company, kind, cells, printed in tables():
        found += pairs(company, kind, cells, printed)
        divided += columns(company, kind, cells) if kind in KINDS else ()
    told = report(found, divided)
    if arguments:
        Path(arguments[0]).write_text(told, encoding="utf-8")
    else:
        print(told)
    return int(any(one.verdict in ("differs", "short", "no total") for one in (*found, *divided)))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    sys.exit(main(sys.argv[1:]))
