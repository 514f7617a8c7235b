"""`python -m evals.interim_check`: whether a 10-Q of which no statement is stored is answered as with its statements.

For every stored 10-Q whose document is held: each concept of its quarter, its year to date and its balances, chosen by
the statements of the 10-Q itself, beside what is chosen without them, under the elements of the 10-Ks near it.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import django

from filings.xbrl.periods import QUARTERS, TO_DATE

# The periods that 10-Qs report.
GIVEN = (*QUARTERS[:3], *TO_DATE[1:])


@dataclass(frozen=True)
class Compared:
    """One concept of one period: the outcome, and both figures where they differ."""

    outcome: str
    where: str
    concept: str
    figures: str = ""


def compared() -> Iterator[Compared]:
    """Every concept of every 10-Q whose statements are stored."""
    from agent.numbers import registry as registry_file
    from agent.numbers.interim import period_filings
    from agent.numbers.registry import PeriodType
    from agent.numbers.selection_result import Choice
    from agent.numbers.table import filings_by_company
    from agent.steps.deps import Deps
    from filings.models import Company

    registry = registry_file.load()
    held = Company.objects.filter(filings__source="10-Q", filings__statements__isnull=False).distinct()
    companies = Deps.current().companies
    refs = [companies.ref(companies.registrants[cik]) for cik in held.values_list("cik", flat=True)]
    # Two objects, because what is read of a filing is kept on it.
    printed, without = (filings_by_company(refs, Deps.current(), interim=True) for _ in range(2))
    for ref in refs:
        for period in GIVEN:
            by_face, by_guides = (period_filings(by_company[ref.cik], period) for by_company in (printed, without))
            for year in by_face.by_year:
                if not by_face.prints(year):
                    continue
                by_guides.by_year[year].__dict__["_faces"] = {}
                ours, theirs = by_guides.selection(year), by_face.selection(year)
                for key, concept in registry.concepts.items():
                    if (
                        ours is None
                        or theirs is None
                        or (concept.period is not PeriodType.DURATION and period in TO_DATE[1:])
                    ):
                        continue
                    one, other = ours.annual(key), theirs.annual(key)
                    where = f"{ref.called} {period} {year}"
                    if isinstance(one, Choice) and isinstance(other, Choice):
                        same = abs(one.value - other.value) <= one.half_unit + other.half_unit
                        said = "" if same else f"{one.value} without, {other.value} with"
                        yield Compared("equal" if same else "unequal", where, key, said)
                    elif isinstance(one, Choice):
                        yield Compared("only without statements", where, key, str(one.value))
                    elif isinstance(other, Choice):
                        yield Compared("only with statements", where, key)


def report(found: list[Compared]) -> str:
    """The counts, then every figure that the statements do not confirm."""
    counts = Counter(one.outcome for one in found)
    lines = [
        "# 10-Qs with and without their statements",
        "",
        *(__doc__ or "").partition("\n\n")[2].strip().splitlines(),
        "",
    ]
    lines += [
        "| outcome | concepts |",
        "|---|---:|",
        *(f"| {outcome} | {count} |" for outcome, count in counts.most_common()),
    ]
    lines += ["", "| 10-Q | concept | outcome | figures |", "|---|---|---|---|"]
    lines += [
        f"| {one.where} | {one.concept} | {one.outcome} | {one.figures} |"
        for one in found
        if one.outcome in ("unequal", "only without statements")
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    print(report(list(compared())))
