"""Verifies the texts of a certificate: quotations, passages, and data of filings, against the stored sections."""

from collections.abc import Iterable, Iterator, Sequence

from agent.certificates.records import Claim, Figure, FilingDetail, Quotation, ShownPassage, TextPlace
from agent.certificates.report import Problem, different
from agent.certificates.stored import Stored
from agent.prose.search.near_passages import unlike
from agent.prose.text.boundaries import Range
from agent.prose.text.folding import same_item
from agent.prose.text.section_text import SectionText
from agent.prose.verification import verify_quotations
from agent.state import Claim as Quoted
from agent.state import FilingRef
from agent.state.findings import needed_of
from agent.steps.locate import KINDS
from filings.models import Company, Filing
from filings.models.section import chunk_pieces


class TextCheck:
    """The texts of one certificate against the stored sections."""

    def __init__(self, claims: Iterable[Claim], stored: Stored) -> None:
        self.stored = stored
        self.figures = [one for one in claims if isinstance(one, Figure)]

    def problems(self, claim: Claim) -> Iterator[Problem]:
        """What differs in a claim of text."""
        match claim:
            case Quotation():
                yield from self._quotation(claim)
            case ShownPassage():
                yield from self._passage(claim)
            case FilingDetail():
                yield from self._detail(claim)

    def _place(self, place: TextPlace, text: SectionText | None) -> Iterator[Problem]:
        """How the place of a text differs from the stored one, but for its page."""
        if text is None:
            near = self.stored.section(place.cik, place.accession, place.section)
            said = (
                f"No text with this hash is stored of section {place.section} of {place.accession}, CIK {place.cik}."
            )
            held = near.sha256 if near else ""
            yield Problem(field="place.section_sha256", certificate=place.section_sha256, stored=held, detail=said)
            return
        section, document = text.section, text.section.document
        if section.sha256 != place.section_sha256:
            said = "The filing was read again since: these words stand in it, and what is beside them is not compared."
            yield Problem(
                field="place.section_sha256",
                certificate=place.section_sha256,
                stored=section.sha256,
                detail=said,
                unheld=True,
            )
        elif not text.intact:
            said = "The stored text of the section no longer matches its hash."
            yield Problem(field="place.section_sha256", certificate=place.section_sha256, stored="", detail=said)
        yield from different("place.section", place.section, section.number)
        yield from different("place.item", place.item, section.item)
        yield from different("place.document", place.document, document.filename if document else "")
        yield from different("place.document_sha256", place.document_sha256, document.sha256 if document else "")

    def _text(self, place: TextPlace, words: Sequence[str], span: Range) -> tuple[SectionText | None, Range]:
        """The section that a place names, and the range in it; of one that was read again, where the words stand now."""
        section = self.stored.text(place.cik, place.accession, place.section_sha256)
        if section is not None:
            return self.stored.read(section), span
        return self.stored.read_anew(place.cik, place.accession, place.item, words, span[0]) or (None, span)

    def _quotation(self, claim: Quotation) -> Iterator[Problem]:
        text, (start, end) = self._text(
            claim.place, [claim.quote, *(one.text for one in needed_of(claim.about))], (claim.start, claim.end)
        )
        filing = self.stored.filings.get((claim.place.cik, claim.place.accession))
        yield from self._place(claim.place, text)
        if text is None or filing is None:
            return
        again = text.section.sha256 != claim.place.section_sha256
        yield from different("place.page", claim.place.page, text.page(start))
        yield from different("quote", claim.quote, text.text[start:end], unheld=again)
        if claim.relation != "verbatim" and same_item(claim.text, claim.quote):
            yield from different("relation", claim.relation, "verbatim")
        names = [*Company.objects.asked_as([filing.company.asked_as]).values_list("name", flat=True)]
        names.append(self.stored.company(filing.company.asked_as))
        if again:
            moved = _restored(claim).model_copy(update={"start": start, "end": end, "quote": text.text[start:end]})
            problem = verify_quotations.reworded(moved, text, names)
        else:
            (check,) = verify_quotations.reverify([_restored(claim)], names, [_reference(filing)])
            problem = "" if check.ok else check.detail
        if problem:
            yield Problem(field="text", certificate=claim.text, stored="", detail=problem)
        shown = [f" ({one.shown}" if one.fiscal_year is None else f": {one.shown})" for one in self.figures]
        for number, put in enumerate(claim.figures):
            if not put.text.endswith(tuple(shown)) or not 0 <= put.position <= len(claim.text):
                said = "The inserted figure is none of the certificate."
                yield Problem(field=f"figures[{number}]", certificate=put.text, stored="", detail=said)

    def _passage(self, claim: ShownPassage) -> Iterator[Problem]:
        text, _ = self._text(claim.place, chunk_pieces(claim.text, claim.ranges), claim.ranges[0])
        yield from self._place(claim.place, text)
        if text is None or text.section.sha256 != claim.place.section_sha256:
            return
        told = (claim.text, claim.ranges, claim.marked, claim.headings, claim.place.page)
        for field, certificate, stored in unlike(text, *told):
            yield Problem(field=field, certificate=certificate, stored=stored)
        for number, (start, end) in enumerate(claim.marked):
            within = any(first <= start < end <= last for first, last in claim.ranges)
            if not within or text.bounds.widened(start, end) != (start, end):
                said = "What is marked is no sentence or row of the passage."
                yield Problem(field=f"marked[{number}]", certificate=f"{start}-{end}", stored="", detail=said)

    def _detail(self, claim: FilingDetail) -> Iterator[Problem]:
        filing = self.stored.filings.get((claim.cik, claim.accession)) or next(
            iter(Filing.objects.filter(accession=claim.accession).of_companies([claim.cik])), None
        )
        kind = KINDS.get(claim.key)
        if filing is None or kind is None:
            field = "key" if kind is None else "accession"
            yield Problem(field=field, certificate=getattr(claim, field), stored="")
            return
        yield from different("value", claim.value, kind.value(filing))
        # These are our words for it, which a later release may change.
        yield from different("label", claim.label, kind.label, unheld=True)
        yield from different("source", claim.source, kind.source_of(filing), unheld=True)
        yield from different("fiscal_year", claim.fiscal_year, filing.fiscal_year or filing.filed.year)


def _restored(claim: Quotation) -> Quoted:
    """A quotation as the state of a run has it."""
    place = claim.place
    return Quoted(
        target=0,
        chunk=0,
        section=0,
        sha256=place.section_sha256,
        cik=place.cik,
        accession=place.accession,
        item=place.item,
        page=place.page,
        start=claim.start,
        end=claim.end,
        quote=claim.quote,
        text=claim.text,
        verdict=claim.relation,
        about=claim.about,
        row=claim.columns,
    )


def _reference(filing: Filing) -> FilingRef:
    """A stored filing as the state of a run has it, for the column of its year."""
    return FilingRef(
        target=0,
        filing=filing.pk,
        accession=filing.accession,
        form=filing.form,
        source=filing.source,
        filed=filing.filed,
        fiscal_year=filing.fiscal_year or filing.filed.year,
        fiscal_quarter=filing.fiscal_quarter,
        period_end=filing.period_end or filing.filed,
        url=filing.url,
    )
