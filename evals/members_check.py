"""`python -m evals.members_check`: whether the figures of a filing's parts add up to the company's.

For revenue and operating income of every primary 10-K whose document is held, by segment, product and region: the facts of
one member each, under the element, period and unit of the consolidated figure. Nothing here uses how questions are answered.
A company tells totals among its parts ("Products" beside "iPhone"), so the largest set that adds up counts. What is left
over is listed with what it is: the facts beside the parts that add up to it, as those of corporate costs and eliminations,
or, where no facts do, what the filing says.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from filings.models import Fact

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
# How many facts may explain what is left.
MOST_BESIDE = 4
# Sets of more than two are searched among this many facts.
FEW = 25
ITEMS = "ConsolidationItemsAxis"
# Differences that no facts of these elements explain: read in the filings.
READ = {
    ("operating income", "AMD", 2022, 2025): "all other, tagged as an operating segment without a name",
    ("operating income", "Broadcom", 2025, 2025): "unallocated expenses, told in the note under elements of their own",
    ("operating income", "Abbott", 2021, 2023): "costs that no segment bears, each under an element of its own",
    ("revenue", "Alphabet", 2023, 2024): "hedging gains, tagged as gains on derivatives and not as revenue",
    ("revenue", "Comcast", 2021, 2022): "NBCUniversal told whole and in its businesses, on two levels of one axis",
}


def read(measure: str, company: str, year: int) -> str:
    """The filing's own explanation of the rest; empty where it was not read."""
    found = (
        said
        for (of, who, first, last), said in READ.items()
        if (of, who) == (measure, company) and first <= year <= last
    )
    return next(found, "")


@dataclass(frozen=True)
class Sum:
    """The parts of one figure of one filing, and what is missing of the whole: nothing where a set of them adds up.

    is_what: which facts, or what else, the rest is; empty where unknown.
    """

    filing: str
    measure: str
    axis: str
    parts: int
    missing: Decimal | None
    is_what: str = ""


def sums() -> Iterator[Sum]:
    """Every figure of each filing's newest year with two or more parts on an axis."""
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
            of_parts = list(
                facts.filter(start=whole.start, unit=whole.unit).exclude(dimensions="").order_by("dimensions", "tag")
            )
            for name, (axis, beside) in AXES.items():
                parts: dict[str, Fact] = {}
                for one in of_parts:
                    told = one.dimensions.split(";")
                    own = told[0].startswith(f"{axis}=") and (len(told) == 1 or told[1:] == [beside])
                    if own and one.tag == whole.tag:
                        parts.setdefault(told[0], one)
                if 2 <= len(parts) <= MOST_PARTS:
                    missing = left(list(parts.values()), whole)
                    company = filing.company.called
                    is_what = read(measure, company, filing.fiscal_year) if missing is not None else ""
                    if missing is not None and not is_what:
                        others = [one for one in of_parts if one.dimensions.split(";")[0] not in parts]
                        is_what = explained(missing, whole, others)
                    yield Sum(f"{company} {filing.fiscal_year}", measure, name, len(parts), missing, is_what)


def left(parts: Sequence["Fact"], whole: "Fact") -> Decimal | None:
    """None where some of the parts add up to the whole within rounding; else what all of them leave."""
    for size in range(len(parts), 1, -1):
        for some in combinations(parts, size):
            if abs(sum(one.value for one in some) - whole.value) <= _rounding(some):
                return None
    return whole.value - sum(one.value for one in parts)


def explained(missing: Decimal, whole: "Fact", others: Sequence["Fact"]) -> str:
    """The facts that add up to the rest, in words: reconciling items first, of this element and of others."""
    alike = [one for one in others if one.tag == whole.tag]
    beside = [one for one in others if ITEMS in one.dimensions and "OperatingSegments" not in one.dimensions]
    for pool, signs in (
        ([one for one in beside if one.tag == whole.tag], (1,)),
        (alike, (1,)),
        ([one for one in beside if one.tag != whole.tag], (1, -1)),
    ):
        unlike = list({(one.tag, one.dimensions): one for one in pool}.values())
        for size in range(1, MOST_BESIDE + 1) if len(unlike) <= FEW else (1, 2):
            for some in combinations(unlike, size):
                total = sum(one.value for one in some)
                if any(abs(sign * total - missing) <= _rounding([whole, *some]) for sign in signs):
                    return " and ".join(dict.fromkeys(_called(one, whole) for one in some))
    return ""


def _called(one: "Fact", whole: "Fact") -> str:
    from filings.xbrl.axes import words

    members = ", ".join(words(told.partition("=")[2]).lower() for told in one.dimensions.split(";"))
    return members if one.tag == whole.tag else f"{words(one.tag).lower()} ({members})"


def _rounding(facts: Sequence["Fact"]) -> Decimal:
    return sum((Decimal(10) ** -(one.decimals if one.decimals is not None else -6) for one in facts), Decimal(0)) / 2


def report(found: Sequence[Sum]) -> str:
    """The counts by measure and axis, then what does not add up."""
    lines = ["# Parts against the whole", "", *(__doc__ or "").partition("\n\n")[2].strip().splitlines(), ""]
    lines += ["| measure | by | figures | add up | leave something |", "|---|---|---:|---:|---:|"]
    counts = Counter((one.measure, one.axis, one.missing is None) for one in found)
    for measure in MEASURES:
        for axis in AXES:
            whole, not_whole = counts[measure, axis, True], counts[measure, axis, False]
            lines.append(f"| {measure} | {axis} | {whole + not_whole} | {whole} | {not_whole} |")
    unknown = sum(one.missing is not None and not one.is_what for one in found)
    lines += ["", f"{unknown} of those that leave something are not explained.", ""]
    lines += ["| filing | measure | by | parts | left, USD million | what it is |", "|---|---|---|---:|---:|---|"]
    lines += [
        f"| {one.filing} | {one.measure} | {one.axis} | {one.parts} | {one.missing / 1_000_000:,.0f} | {one.is_what} |"
        for one in found
        if one.missing is not None
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    print(report(list(sums())))
