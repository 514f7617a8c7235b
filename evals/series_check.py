"""`python -m evals.series_check [report.md]`: whether every row over fiscal years is on one basis, or says where it is not.

For every company of the database and every concept and metric: the row over its last ten fiscal years, as an answer shows it.
Two neighbouring years without a mark between them must agree with a report that prints both: the filing behind the
second year's facts, read here from its stored facts alone, gives the first year the value that the row shows. Nothing
here uses how a row is put on one basis. A pair whose second report prints no figure for the first year is counted apart.
"""

import itertools
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from agent.state import FactRef
    from agent.state.tables import Cell
    from filings.models import Fact

YEARS = 10
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


@dataclass(frozen=True)
class Printed:
    """The stored facts of one company's annual reports, by report and tag."""

    company: int

    @cached_property
    def facts(self) -> dict[tuple[str, str], list["Fact"]]:
        from filings.models import Fact

        found: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        for one in Fact.objects.filter(company=self.company, form="10-K").select_related("filing"):
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


def pairs() -> Iterator[Pair]:
    """Every pair of neighbouring figures of every row."""
    from agent.numbers import registry as registry_file
    from agent.numbers.table import tabulate
    from agent.state.query import Concept, Last, Metric, Query, Row
    from agent.steps.deps import Deps
    from filings.models import Company

    registry = registry_file.load()
    measures: list[Concept | Metric] = [Concept(key=key) for key in registry.concepts]
    measures += [Metric(key=key) for key, one in registry.metrics.items() if not one.hidden]
    for company in Company.objects.filter(facts_stored__gt=0).order_by("cik"):
        deps = Deps.current()
        registrant = deps.companies.registrants.get(company.cik)
        if registrant is None:
            continue
        printed = Printed(company.pk)
        for measure in measures:
            rows = (Row(measure=measure),)
            query = Query(companies=(deps.companies.ref(registrant),), rows=rows, periods=Last(count=YEARS))
            cells = tabulate(query, deps).cells
            told = [one for one in cells if one.asked and not one.alternative and one.value is not None]
            for before, after in itertools.pairwise(told):
                yield judged(company.called, before, after, printed)


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


def report(found: Sequence[Pair]) -> str:
    """The counts, then the pairs that differ."""
    counts = Counter(one.verdict for one in found)
    lines = ["# Series", "", *(__doc__ or "").partition("\n\n")[2].strip().splitlines(), ""]
    lines += [f"{len({one.company for one in found})} companies, {len({one.measure for one in found})} measures.", ""]
    lines += ["| pairs of neighbouring years | |", "|---|---:|"]
    names = {
        "agrees": "on one basis, as a report that prints both confirms",
        "marked": "on two, and marked",
        "differs": "on two without a mark",
        "not printed": "the report behind the second prints no figure for the first",
    }
    lines += [f"| {said} | {counts[verdict]:,} |" for verdict, said in names.items()]
    if differing := [one for one in found if one.verdict == "differs"]:
        lines += ["", "| company | measure | year | shown before it | printed |", "|---|---|---|---:|---:|"]
        lines += [f"| {one.company} | {one.measure} | {one.year} | {one.shown} | {one.printed} |" for one in differing]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the report to a file, or print it; returns 1 where a pair differs."""
    found = list(pairs())
    if arguments:
        Path(arguments[0]).write_text(report(found), encoding="utf-8")
    else:
        print(report(found))
    return int(any(one.verdict == "differs" for one in found))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    sys.exit(main(sys.argv[1:]))
