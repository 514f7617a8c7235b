"""`python -m evals.members_check`: whether the figures of a filing's parts add up to the company's.

For revenue and operating income of every primary 10-K whose document is held, by segment, product and region: the facts of
one member each, under the element, period and unit of the consolidated figure. Nothing here uses how questions are answered.
A company tells totals among its parts ("Products" beside "iPhone"), so the largest set that adds up counts; what is left
over, as corporate costs and eliminations, is listed.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

import django

MEASURES = {
    "revenue": ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "SalesRevenueNet"),
    "operating income": ("OperatingIncomeLoss",),
}
AXES = {
    "segment": ("StatementBusinessSegmentsAxis", "ConsolidationItemsAxis=OperatingSegmentsMember"),
    "product": ("ProductOrServiceAxis", ""),
    "region": ("StatementGeographicalAxis", ""),
}
MOST_PARTS = 16
# Each part is rounded, mostly to millions.
ROUNDED = Decimal(1_000_000)


@dataclass(frozen=True)
class Sum:
    """The parts of one figure of one filing, and what is missing of the whole: none where a set of them adds up."""

    filing: str
    measure: str
    axis: str
    parts: int
    missing: Decimal | None


def sums() -> Iterator[Sum]:
    """Every figure of the newest year of each filing that has two parts or more on an axis."""
    from filings.models import Fact, Filing

    for filing in Filing.objects.primary().filter(members__isnull=False).distinct().select_related("company"):
        facts = Fact.objects.filter(filing=filing, source=Fact.Source.DOCUMENT, end=filing.period_end)
        for measure, tags in MEASURES.items():
            whole = next(
                (
                    one
                    for tag in tags
                    for one in facts.filter(tag=tag, dimensions="")
                    if 350 <= (one.end - one.start).days <= 380
                ),
                None,
            )
            if whole is None:
                continue
            alike = facts.filter(tag=whole.tag, start=whole.start, unit=whole.unit).exclude(dimensions="")
            for name, (axis, beside) in AXES.items():
                values: dict[str, Decimal] = {}
                for one in alike.order_by("dimensions"):
                    told = one.dimensions.split(";")
                    if told[0].startswith(f"{axis}=") and (len(told) == 1 or told[1:] == [beside]):
                        values.setdefault(told[0], one.value)
                if 2 <= len(values) <= MOST_PARTS:
                    missing = left(list(values.values()), whole.value)
                    yield Sum(f"{filing.company.called} {filing.fiscal_year}", measure, name, len(values), missing)


def left(values: Sequence[Decimal], whole: Decimal) -> Decimal | None:
    """None where some of the values add up to the whole, each rounded; else what all of them leave."""
    for size in range(len(values), 1, -1):
        for some in combinations(values, size):
            if abs(sum(some) - whole) <= ROUNDED * size / 2:
                return None
    return whole - sum(values)


def report(found: Sequence[Sum]) -> str:
    """The counts by measure and axis, then what does not add up."""
    lines = ["# Parts against the whole", "", *(__doc__ or "").partition("\n\n")[2].strip().splitlines(), ""]
    lines += ["| measure | by | figures | add up | leave something |", "|---|---|---:|---:|---:|"]
    counts = Counter((one.measure, one.axis, one.missing is None) for one in found)
    for measure in MEASURES:
        for axis in AXES:
            whole, not_whole = counts[measure, axis, True], counts[measure, axis, False]
            lines.append(f"| {measure} | {axis} | {whole + not_whole} | {whole} | {not_whole} |")
    lines += ["", "| filing | measure | by | parts | left, USD million |", "|---|---|---|---:|---:|"]
    lines += [
        f"| {one.filing} | {one.measure} | {one.axis} | {one.parts} | {one.missing / 1_000_000:,.0f} |"
        for one in found
        if one.missing is not None
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    print(report(list(sums())))
