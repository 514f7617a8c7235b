"""What the database holds of the filings that a certificate names: read once, in a few queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from agent.prose.text.boundaries import Range
from agent.prose.text.folding import places_anew
from agent.prose.text.section_text import SectionText
from agent.state import Answer, FactRef
from filings.edgar.registrant_names import everyday_name
from filings.models import Company, Document, Fact, Filing, Section

Key = tuple[int, str]  # CIK and accession number


@dataclass
class Stored:
    """The companies, documents, sections and facts of some filings."""

    filings: dict[Key, Filing] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    anchors: dict[int, str] = field(default_factory=dict)
    sections: dict[Key, list[Section]] = field(default_factory=dict)
    texts: dict[int, SectionText] = field(default_factory=dict)

    @classmethod
    def of(cls, accessions: Iterable[str], ciks: Iterable[int], texts: Iterable[str] = ()) -> Self:
        """The filings of these accession numbers and the names of these companies. texts: accession numbers of filings
        whose sections are needed.
        """
        held = Filing.objects.select_related("company").prefetch_related("documents")
        sections: dict[Key, list[Section]] = {}
        of_sections = Section.objects.select_related("filing__company", "document")
        for one in of_sections.filter(filing__accession__in=set(texts)):
            sections.setdefault((one.filing.company.cik, one.filing.accession), []).append(one)
        return cls(
            filings={(one.company.cik, one.accession): one for one in held.filter(accession__in=set(accessions))},
            names=dict(Company.objects.filter(cik__in=set(ciks)).values_list("cik", "name")),
            sections=sections,
        )

    @classmethod
    def of_answer(cls, answer: Answer) -> Self:
        """What the certificate of an answer is built from."""
        facts = cited_facts(answer)
        texts = [one.accession for block in answer.blocks for one in block.claims]
        texts += [one.accession for block in answer.blocks for one in block.passages]
        texts += [one.accession for one in facts if one.section is not None]
        tables = [block.table for block in answer.blocks if block.table]
        found = cls.of(
            [*texts, *(one.accession for one in facts)], [one.cik for table in tables for one in table.cells], texts
        )
        keys = {one.fact for one in facts if one.source == Fact.Source.DOCUMENT}
        found.anchors = dict(Fact.objects.filter(pk__in=keys).values_list("pk", "anchor"))
        return found

    def company(self, cik: int) -> str:
        """A company's everyday name; empty where it is not stored."""
        return everyday_name(cik, self.names[cik]) if cik in self.names else ""

    def section(self, cik: int, accession: str, number: int | None) -> Section | None:
        """The section of a number."""
        return next((one for one in self.sections.get((cik, accession), ()) if one.number == number), None)

    def page(self, section: Section | None, start: int | None) -> str:
        """The page of a character of a section; empty where none is known."""
        page = section.page(start) if section and start is not None else None
        return page.label if page else ""

    def text(self, cik: int, accession: str, sha256: str) -> Section | None:
        """The section whose text has a hash."""
        return next((one for one in self.sections.get((cik, accession), ()) if one.sha256 == sha256), None)

    def read_anew(
        self, cik: int, accession: str, item: str, words: Sequence[str], near: int
    ) -> tuple[SectionText, Range] | None:
        """Where words stand in a filing that was read again since they were quoted, so that no text has their hash: the
        section of the Item that has them all, and the place of the first ones that is next to `near`.
        """
        for section in self.sections.get((cik, accession), ()):
            places = [places_anew(one, section.text) for one in words] if section.item == item else []
            if places and all(places):
                return self.read(section), min(places[0], key=lambda one: abs(one[0] - near))
        return None

    def read(self, section: Section) -> SectionText:
        """The text of a section, read once."""
        return self.texts.setdefault(section.pk, SectionText(section))

    def document_of(self, cik: int, accession: str, section: int | None, sha256: str) -> Document | None:
        """The document that prints a figure: that of its section, else the one with the hash."""
        found = self.section(cik, accession, section) if section is not None else None
        if found is not None:
            return found.document
        filing = self.filings.get((cik, accession))
        return next((one for one in filing.documents.all() if one.sha256 == sha256), None) if filing else None


def cited_facts(answer: Answer) -> list[FactRef]:
    """Every fact that the certificate of an answer cites."""
    found: list[FactRef] = []
    for block in answer.blocks:
        if block.table:
            cells = [one for one in block.table.cells if one.value is not None]
            results = [one for one in (*block.table.results, *block.table.moved) if one.gap is None]
            found += [fact for one in cells for fact in (*one.facts, *(part.fact for part in one.breakdown))]
            found += [fact for one in results for fact in one.facts]
        found += block.refusal.candidates if block.refusal else ()
    return found
