"""Views for reading filings: one filing with its Items, and the text of a section."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from filings.document.blocks import Page
from filings.importing import original_files, page_pictures
from filings.models import Document, Filing, Section
from filings.redline.held import query_of
from filings.sections import item_coverage
from filings.sections.item_coverage import Entry
from filings.web.citations import Citations
from filings.web.reader import BadRange, Mark, read_ranges, section_html, text_fragment
from filings.web.turns import Turn, joined, speakers, turns_of


def held_filing(request: HttpRequest, accession: str) -> Filing:
    """The filing of an address: the company's in ?cik= where co-registrants filed it together, else the primary one."""
    cik = request.GET.get("cik", "")
    if cik and not (cik.isdecimal() and len(cik) <= 10):
        raise Http404
    found = Filing.objects.registered(accession, int(cik) if cik else None)
    if found is None:
        raise Http404
    return found


def co_filings(filing: Filing) -> list[Filing]:
    """The rows of the other companies that filed the same document."""
    return list(Filing.objects.select_related("company").filter(accession=filing.accession).exclude(pk=filing.pk))


def held_of(found: Filing) -> dict[str, Any]:
    """The context of a filing's page: its data and Items."""
    others = co_filings(found)
    entries = item_coverage.entries(found)
    return {
        "filing": found,
        "company": found.company,
        "others": others,
        "entries": entries,
        "by_items": by_items(entries),
        "original": original_of(found),
        "scope": f"?cik={found.company.cik}" if others else "",
    }


def by_items(entries: Sequence[Entry]) -> bool:
    """Whether a document is divided into Items of the SEC, and not into parts of another name."""
    return any(entry.item and not entry.item.name for entry in entries)


def held_section(filing: Filing, key: str) -> Section:
    """The section of an address. Raises Http404."""
    found = Section.objects.named(key).select_related("document").filter(filing=filing).first()
    if found is None:
        raise Http404
    found.filing = filing
    return found


def section_turns(section: Section) -> list[Turn]:
    """The turns of a section that speakers open, questions joined to their answers by who spoke in earlier sections."""
    found = turns_of(section.text, section.parsed_blocks)
    if not found:
        return []
    earlier = Section.objects.filter(filing=section.filing, number__lt=section.number)
    return joined(found, {turn.key for one in earlier for turn in turns_of(one.text, one.parsed_blocks)})


def section_page(
    request: HttpRequest,
    found: Section,
    citations: Citations | None = None,
    *,
    notice: str = "",
    problems: Sequence[str] = (),
) -> HttpResponse:
    """The page of a section, with an answer's passages marked, if any.

    notice: why nothing is marked. problems: parts of the address that could not be used; with any, the status is 400
    and the text plain.
    """
    marks: tuple[Mark, ...] = ()
    lost, said = 0, list(problems)
    if citations:
        marks, lost = citations.marks(found.pk, found.sha256, found.text)
    elif "at" in request.GET:
        try:
            ranges = read_ranges(request.GET["at"], len(found.text))
            marks = tuple(Mark(start, end, now=True) for start, end in ranges)
        except BadRange as problem:
            said.append(str(problem))
    others = co_filings(found.filing)
    scope = f"cik={found.filing.company.cik}" if others else ""
    query = "&".join(filter(None, (scope, citations.query if citations else "")))
    passage = next((mark for mark in marks if mark.now), None)
    entries = item_coverage.entries(found.filing)
    turns = section_turns(found)

    def table_file(start: int, ending: str) -> str:
        scoped = f"{scope}&" if scope else ""
        return f"{found.get_absolute_url()}/table.{ending}?{scoped}at={start}"

    beside = page_beside(request, found, marks)

    def picture(page: Page) -> str:
        address = reverse("page_picture", args=[found.filing.accession, found.key, page.number])
        return f"{address}?at={beside['picture_at']}" if beside["picture_at"] else address

    pictures = picture if "picture" in beside else None
    context = {
        **beside,
        "section": found,
        "filing": found.filing,
        "company": found.filing.company,
        "title": item_coverage.title(found),
        "entries": entries,
        "by_items": by_items(entries),
        "text": section_html(found.text, found.parsed_blocks, found.parsed_pages, marks, table_file, turns, pictures),
        "speakers": speakers(turns),
        "characters": len(found.text),
        "marks": marks,
        "page": found.page(passage.start) if passage else None,
        "citations": citations,
        "lost": lost,
        "notice": notice,
        "problems": said,
        "scope": f"?{scope}" if scope else "",
        "query": f"?{query}" if query else "",
        "compared": query_of(found),
        "document": document_url(found),
        "fragment": text_fragment(found.text[passage.start : passage.end]) if passage else "",
        "sign": item_coverage.SIGNS[found.status],
    }
    return render(request, "filings/section.html", context, status=400 if said else 200)


def page_beside(request: HttpRequest, found: Section, marks: Sequence[Mark]) -> dict[str, Any]:
    """The page of a PDF file whose picture stands beside the text, and the ranges marked on it; empty for other files."""
    pages = found.parsed_pages
    file = original_of(found.filing)
    if not pages or file is None or not page_pictures.is_pdf(file.sha256):
        return {"original": file}
    shown = [mark for mark in marks if mark.now] or marks
    wanted = request.GET.get("page", "")
    asked = [page for page in pages if str(page.number) == wanted]
    cited = found.page(shown[0].start) if shown else None
    at = ",".join(f"{mark.start}-{mark.end}" for mark in shown)
    number = (asked[0] if asked else cited or pages[0]).number
    return {"original": file, "picture": number, "picture_at": at}


def original_of(filing: Filing) -> Document | None:
    """The row of the file that an imported document was read from, where the file is held."""
    if not filing.is_imported:
        return None
    found = filing.documents.first()
    return found if found and original_files.path_of(found.sha256).exists() else None


def document_url(section: Section) -> str:
    """The section's document on sec.gov, also an exhibit; of an import the address it came from; empty for a fictional
    issuer.
    """
    filing = section.filing
    if section.document is None or not filing.url or filing.is_imported:
        return filing.url
    return f"https://www.sec.gov/{filing.folder_path}/{section.document.filename}"
