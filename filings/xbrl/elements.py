"""Looks up the standard labels of XBRL elements, which come from companyfacts."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, Max, Sum

from filings.models import Company, Element, Fact

# Net Income Loss; a run of capitals is one word: EPS Basic.
_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True, order=True)
class NamedElement:
    """An element that a label names: us-gaap:Revenues. `measured` is a Measured value; `instant` says of a day."""

    name: str
    measured: str
    instant: bool


@dataclass(frozen=True, slots=True)
class ElementLabel:
    """A standard label and the elements with that label, in order."""

    label: str
    elements: tuple[NamedElement, ...]


def labels(ciks: Collection[int] | None = None) -> tuple[ElementLabel, ...]:
    """Every stored label with its elements: those these companies report, or all.

    The same rows give the same tuple on every database; `version` says when to read again.
    """
    found = Element.objects.order_by().values_list("label", "taxonomy", "tag", "measured", "instant")
    if ciks is not None:
        reported = Fact.objects.filter(
            company__in=list(Company.objects.filter(cik__in=ciks).values_list("pk", flat=True)), dimensions=""
        )
        held = set(reported.order_by().values_list("taxonomy", "tag").distinct())
        found = [row for row in found if (row[1], row[2]) in held]  # type: ignore[assignment]
    rows = sorted((label, NamedElement(f"{taxonomy}:{tag}", *kind)) for label, taxonomy, tag, *kind in found)
    return tuple(
        ElementLabel(label, tuple(element for _, element in group))
        for label, group in groupby(rows, lambda row: row[0])
    )


def standard_label(taxonomy: str, tag: str, *, instant: bool) -> str:
    """The taxonomy's label of an element; its tag in words where none is stored.

    Of several labels, from several years' taxonomies, the last stored.
    """
    named = Element.objects.filter(taxonomy=taxonomy, tag=tag).order_by().values_list("instant", "pk", "label")
    found = max(named, key=lambda row: (row[0] == instant, row[1]), default=None)
    return found[2] if found else _WORD_BEGINS.sub(" ", tag)


def version() -> tuple[object, ...]:
    """A cheap stamp of what `labels` reads, which changes with every ingestion that it would show."""
    stored = Element.objects.aggregate(Count("pk"), Max("pk"))
    companies = Company.objects.aggregate(Max("ingested"), Sum("facts_stored"))
    return *stored.values(), *companies.values()
