"""Compares the facts that a certificate cites with the stored ones, field by field."""

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property
from typing import Any

from django.db.models import Q

from agent.certificates.records import CitedFact, PrintedAt
from agent.certificates.report import Problem, different
from agent.certificates.stored import Stored
from agent.state import FactRef
from filings.models import Fact
from filings.tables.column_periods import NEAR
from filings.tables.printed_cells import PrintedPlace, places_of, read_at
from filings.tables.read_again import unlike

# Facts among which the one that a wrong citation means is looked for.
MOST_NEAR = 500
# No fact has this primary key: it stands for one that is not found.
NONE = -1
COMPARED = ("cik", "accession", "form", "filed", "source", "element", "unit", "start", "end", "dimensions", "decimals", "raw")  # fmt: skip
Identity = tuple[int, str, str, str, str, date, date, str]


class HeldFacts:
    """The stored facts that are cited, found by what identifies them in a filing."""

    def __init__(self, cited: Iterable[CitedFact], stored: Stored) -> None:
        self.cited, self.stored = list(cited), stored
        rows = Fact.objects.select_related("filing__company", "document").filter(
            filing__accession__in={one.accession for one in self.cited},
            tag__in={one.element.partition(":")[2] for one in self.cited},
        )
        self.rows = {identity(one): one for one in rows}

    @cached_property
    def printed(self) -> dict[PrintedPlace, Fact]:
        """The printed figures that no row stores, read again at their places; of a filing that was read again since, where
        they stand now.
        """
        cited = {place: one for one in self.cited if identity_of(one) not in self.rows and (place := place_of(one))}
        found = read_at(cited)
        elsewhere = [place for place, one in cited.items() if place not in found or not is_figure(found[place], one)]
        return found | {place: fact for place in elsewhere if (fact := moved(cited[place]))}

    @cached_property
    def unlike(self) -> dict[int, str]:
        """By primary key, the stored printed figures that their documents do not print."""
        keys = (identity_of(one) for one in self.cited)
        found = (self.rows[key] for key in keys if key in self.rows)
        return unlike(one for one in found if one.source == Fact.Source.PRINTED)

    def find(self, cited: CitedFact) -> Fact | None:
        """The fact that is cited; None where no such fact is stored or printed."""
        place = place_of(cited)
        return self.rows.get(identity_of(cited)) or (self.printed.get(place) if place else None)

    @cached_property
    def by_key(self) -> dict[int | PrintedPlace, Fact]:
        """As agent.numbers.verification.verify takes them."""
        return {one.pk: one for one in self.rows.values()} | self.printed

    def restored(self, cited: CitedFact) -> FactRef:
        """A cited fact as the state of a run has it, with the primary key that it has now."""
        row = self.find(cited)
        taxonomy, _, tag = cited.element.partition(":")
        printed = cited.printed
        return FactRef(
            fact=NONE if row is None else row.pk or 0,
            taxonomy=taxonomy,
            tag=tag,
            section=printed.section if printed else None,
            text_start=printed.start if printed else None,
            printed=printed.text if printed else "",
            label=printed.label if printed else "",
            **{**cited.model_dump(exclude={"element", "source_sha256", "printed"}), "value": cited.value},
        )

    def problems(self, cited: CitedFact, path: str) -> Iterator[Problem]:
        """How a cited fact differs from the stored one. path: of the fact in its claim."""
        row = self.find(cited)
        near = row or self.nearest(cited)
        if near is None:
            yield Problem(field=path, certificate=f"{cited.element} {cited.raw}", stored="")
            return
        for field, value in values_of(near).items():
            # The company's reports tell the days of a period that is only printed, and more may be loaded since.
            told = field in ("start", "end") and near.pk is None and abs(getattr(cited, field) - value) <= NEAR
            yield from different(f"{path}.{field}", getattr(cited, field), value, unheld=told)
        yield from different(f"{path}.value", cited.value, -near.value if cited.negated else near.value)
        yield from self._source(cited, near, path)
        if cited.printed:
            yield from self._printed(cited.printed, near, f"{path}.printed")
        if row and row.pk in self.unlike:
            yield Problem(field=path, certificate=cited.raw, stored="", detail=self.unlike[row.pk])

    def _source(self, cited: CitedFact, near: Fact, path: str) -> Iterator[Problem]:
        """Whether it was read from the file that is stored now. SEC writes its data file anew with each report: of
        another file with the same fact nobody can tell.
        """
        is_document = near.source != Fact.Source.COMPANYFACTS and near.document
        held = near.document.sha256 if is_document and near.document else near.filing.facts_sha256
        if cited.source_sha256:
            yield from different(f"{path}.source_sha256", cited.source_sha256, held, unheld=not is_document)

    def _printed(self, cited: PrintedAt, near: Fact, path: str) -> Iterator[Problem]:
        section = self.stored.section(near.filing.company.cik, near.filing.accession, near.section)
        document = section.document if section else near.document
        expected: dict[str, Any] = {
            "document": document.filename if document else "",
            "document_sha256": document.sha256 if document else "",
            "anchor": near.anchor if near.source == Fact.Source.DOCUMENT else "",
            "page": self.stored.page(section, near.text_start) or near.page or "",
            "section": near.section,
            "start": near.text_start,
            "end": near.text_end,
            "section_sha256": section.sha256 if section else "",
            "text": near.printed,
            # A statement's line names a fact that has no label of its own.
            "label": near.label or cited.label,
        }
        for field, value in expected.items():
            # Of the text of another reading nobody can tell more than that the figure stands in this one too.
            unheld = field == "section_sha256" and near.printed == cited.text
            yield from different(f"{path}.{field}", getattr(cited, field), value, unheld=unheld)

    def nearest(self, cited: CitedFact) -> Fact | None:
        """The stored fact that has most in common with a wrong citation."""
        tag = cited.element.partition(":")[2]
        same_filing = Q(filing__accession=cited.accession) & (Q(tag=tag) | Q(raw=cited.raw))
        same_company = Q(company__cik=cited.cik, tag=tag, end=cited.end) | Q(
            company__cik=cited.cik, tag=tag, raw=cited.raw
        )
        rows = Fact.objects.select_related("filing__company", "document").filter(same_filing | same_company)
        return max(rows[:MOST_NEAR], key=lambda one: common(cited, one), default=None)


def values_of(fact: Fact) -> dict[str, Any]:
    """The stored fields of a fact, as a certificate names them."""
    filing = fact.filing
    own = {name: getattr(fact, name) for name in COMPARED if name not in ("cik", "accession", "element")}
    return {"cik": filing.company.cik, "accession": filing.accession, "element": fact.name, **own}


def common(cited: CitedFact, row: Fact) -> int:
    """How many fields of a citation are those of a stored fact."""
    return sum(getattr(cited, name) == value for name, value in values_of(row).items())


def identity(row: Fact) -> Identity:
    """What identifies a stored fact."""
    company = row.filing.company.cik
    return company, row.filing.accession, row.source, row.name, row.unit, row.start, row.end, row.dimensions


def identity_of(cited: CitedFact) -> Identity:
    """What identifies a cited fact."""
    return (
        cited.cik,
        cited.accession,
        cited.source,
        cited.element,
        cited.unit,
        cited.start,
        cited.end,
        cited.dimensions,
    )


def moved(cited: CitedFact) -> Fact | None:
    """A printed figure where its filing prints it now; None where it prints no such figure."""
    printed = cited.printed
    if printed is None:
        return None
    facts = read_at(places_of(cited.cik, cited.accession, printed.label, printed.text)).values()
    alike = (one for one in facts if is_figure(one, cited))
    return min(alike, key=lambda one: abs((one.text_start or 0) - (printed.start or 0)), default=None)


def is_figure(printed: Fact, cited: CitedFact) -> bool:
    """Whether a figure read from a text is the cited one, wherever it stands."""
    same = (printed.name, printed.unit, printed.raw) == (cited.element, cited.unit, cited.raw)
    return same and abs(printed.end - cited.end) <= NEAR


def place_of(cited: CitedFact) -> PrintedPlace | None:
    """Where a printed figure stands; None for an XBRL fact."""
    printed = cited.printed
    if cited.source != Fact.Source.PRINTED or printed is None or printed.section is None or printed.start is None:
        return None
    return PrintedPlace(cited.cik, cited.accession, printed.section, printed.start)
