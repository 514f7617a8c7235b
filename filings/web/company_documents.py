"""A company's documents of every kind: their list, how many of each kind, and which periods between them are missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import forms
from django.db.models import Q

from filings.models import Company, Filing, FilingQuerySet
from filings.models.report import IMPORTED, READ
from filings.models.source_kinds import KINDS, YEARLY, SourceKind
from filings.web.forms import kind_field, quarter_field, year_field

# Documents of a kind that a company's page shows, and missing periods that it names.
SHOWN, NAMED = 8, 8
SHOWN_FIELDS = (
    "accession",
    "form",
    "source",
    "filed",
    "period_end",
    "fiscal_year",
    "fiscal_quarter",
    "title",
    "address",
    "facts_stored",
    "chunks_stored",
    "withdrawn",
    "primary_document",
    "company",
)


@dataclass(frozen=True, slots=True)
class KindHeld:
    """The documents of one kind: the newest, how many there are, and the periods between them of which none is held."""

    kind: SourceKind
    documents: tuple[Filing, ...]
    count: int
    missing: tuple[str, ...]

    @property
    def named(self) -> str:
        """The missing periods in words, the first few."""
        more = len(self.missing) - NAMED
        return ", ".join(self.missing[:NAMED]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True, slots=True)
class Since:
    """The newest annual report, and how many documents are newer."""

    report: Filing
    count: int


def held(company: Company) -> FilingQuerySet:
    """Documents of a company and its predecessors of which figures or text are held, newest first."""
    found = Filing.objects.of_companies([company.cik]).filter(READ | Q(accession__startswith=IMPORTED))
    return found.select_related("company").order_by("-filed", "-period_end", "-pk")


def by_kind(company: Company) -> list[KindHeld]:
    """The documents of a company by kind, in the order of the kinds."""
    order = list(KINDS)
    found = sorted(held(company).only(*SHOWN_FIELDS, "company__cik"), key=lambda one: order.index(one.source))
    groups = []
    for source, of_kind in groupby(found, key=lambda one: one.source):
        documents = tuple(of_kind)
        missing = missing_periods(KINDS[source], documents)
        groups.append(KindHeld(KINDS[source], documents[:SHOWN], len(documents), missing))
    return groups


def missing_periods(kind: SourceKind, documents: Sequence[Filing]) -> tuple[str, ...]:
    """The fiscal quarters or years between the oldest and the newest document of a kind that no document is of."""
    if kind.span == "day":
        return ()
    if kind.span == "year":
        years = {one.fiscal_year for one in documents if one.fiscal_year}
        between = range(max(years, default=0), min(years, default=1) - 1, -1)
        return tuple(f"fiscal {year}" for year in between if year not in years)
    quarters = {(one.fiscal_year, one.fiscal_quarter) for one in documents if one.fiscal_year and one.fiscal_quarter}
    if not quarters:
        return ()
    (first, begins), (last, ends) = min(quarters), max(quarters)
    all_of = [(year, number) for year in range(last, first - 1, -1) for number in range(kind.quarters, 0, -1)]
    inside = [one for one in all_of if (first, begins) <= one <= (last, ends) and one not in quarters]
    return tuple(f"Q{number} fiscal {year}" for year, number in inside)


def since_annual(company: Company) -> Since | None:
    """The newest annual report of a company that is not an amendment, with how many documents are dated after it."""
    documents = held(company)
    annual = documents.filter(source__in=[kind.key for kind in YEARLY]).exclude(form__endswith="/A").first()
    return Since(annual, documents.filter(filed__gt=annual.filed).count()) if annual else None


class DocumentFilter(forms.Form):
    """Filters of a company's documents."""

    kind = kind_field()
    year = year_field()
    quarter = quarter_field()
    since = forms.BooleanField(required=False, label="Only since the last annual report")

    def __init__(self, data: Any, since: Since | None) -> None:
        super().__init__(data, label_suffix="")
        self.last = since
        if since is None:
            del self.fields["since"]
        else:
            self.fields["since"].label = f"Only since the last {since.report.kind.called}"

    def matching(self, documents: FilingQuerySet) -> FilingQuerySet:
        """The documents that pass the filters; those that cannot be read are left out, and their errors told."""
        self.is_valid()
        asked = self.cleaned_data
        if asked.get("kind"):
            documents = documents.filter(source=asked["kind"])
        if asked.get("year"):
            documents = documents.filter(fiscal_year=asked["year"])
        if asked.get("quarter"):
            documents = documents.filter(fiscal_quarter=asked["quarter"])
        if asked.get("since") and self.last:
            documents = documents.filter(filed__gt=self.last.report.filed)
        return documents
