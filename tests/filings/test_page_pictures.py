"""Pages of a PDF file in the reader: their pictures, the cited lines on them, and the original to download."""

import hashlib
import re
from datetime import date
from pathlib import Path

import pytest
from django.test import Client
from django.utils.timezone import now
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from filings.document.blocks import Page, stored_blocks, stored_pages
from filings.document.pdf import read_pdf
from filings.importing import original_files, page_pictures, withdrawal
from filings.importing.page_pictures import DrawnPage, Line
from filings.models import Document, Filing, Section
from filings.models.report import imported_accession
from filings.web.page_marks import boxes, spans
from tests.support.holdings import northwind
from tests.support.pdf_files import PdfPage, encrypted, pdf
from tests.support.processes import run as run_python

FIRST = "The ceramic stage comes from one supplier in Lindau, and no other plant in Europe can fire it."
SECOND = "Deliveries stopped for seven weeks."


def two_pages() -> bytes:
    first, second = PdfPage(), PdfPage()
    first.put(72, 90, "Northwind outlook", size=14, font="F2")
    first.write(72, 120, f"{FIRST} We keep four months of stages in stock.", wide=60)
    second.put(72, 90, "Risks", size=14, font="F2")
    second.write(72, 120, f"{SECOND} Nobody was hurt by it at all, and orders were kept.", wide=60)
    return pdf([first, second])


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def imported(content: bytes, text: str = "", name: str = "outlook.pdf") -> Section:
    """A document as an import leaves it."""
    filing = Filing.objects.create(
        company=northwind(),
        source="report",
        accession=imported_accession(content),
        filed=date(2025, 5, 6),
        title="Outlook",
        chunks_stored=1,
    )
    document = Document.objects.create(
        filing=filing,
        sequence=1,
        type="report",
        filename=name,
        size=len(content),
        sha256=original_files.write(content),
    )
    layout = None if text else read_pdf(content)
    text = layout.text if layout else text
    return Section.objects.create(
        filing=filing,
        document=document,
        number=1,
        status="unverified",
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        blocks=stored_blocks(layout.blocks if layout else ()),
        pages=stored_pages(layout.pages if layout else [Page(0, 1)]),
    )


@pytest.fixture
def section(db: None, folder: Path) -> Section:
    return imported(two_pages())


def address(section: Section, number: int) -> str:
    return f"/documents/{section.filing.accession}/p1/pages/{number}"


def test_the_picture_of_the_cited_page_is_loaded_beside_the_text(client: Client, section: Section) -> None:
    at = section.text.index(SECOND)
    marked = f"{at}-{at + len(SECOND)}"
    page = client.get(f"/filings/{section.filing.accession}/p1", {"at": marked}).content.decode()
    assert f'hx-get="{address(section, 2)}?at={marked}" hx-trigger="load"' in page
    # The marks of pages in the text lead to their pictures.
    assert f'<a href="?page=1#picture" hx-get="{address(section, 1)}?at={marked}"' in page
    first = client.get(f"/filings/{section.filing.accession}/p1").content.decode()
    assert f'hx-get="{address(section, 1)}" hx-trigger="load"' in first
    other = client.get(f"/filings/{section.filing.accession}/p1", {"page": "2"}).content.decode()
    assert f'hx-get="{address(section, 2)}" hx-trigger="load"' in other


def test_the_cited_lines_are_marked_where_they_are_printed(client: Client, section: Section) -> None:
    at = section.text.index(FIRST)
    shown = client.get(address(section, 1), {"at": f"{at}-{at + len(FIRST)}"}).content.decode()
    found = re.findall(r'<rect class="picture__mark" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', shown)
    # Two lines of ten points from y 120 on, the first of them whole, in Courier.
    assert len(found) == 2
    (x, y, wide), (_, below, less) = [tuple(map(float, one)) for one in found]
    assert x == pytest.approx(70.5, abs=2)
    assert 105 < y < 120 < below < 132
    assert wide == pytest.approx(len(FIRST[: FIRST[:61].rindex(" ")]) * 6 + 3, abs=4)
    assert less < wide
    assert 'viewBox="0 0 612.0 792.0"' in shown
    assert "the cited lines marked" in shown
    assert "Next page" in shown
    assert "Previous page" not in shown
    # What is cited of this page is not on the other.
    assert "<rect" not in client.get(address(section, 2), {"at": f"{at}-{at + len(FIRST)}"}).content.decode()


def test_a_page_is_drawn_once(client: Client, section: Section, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = client.get(f"/documents/{section.filing.accession}/pages/1.png")
    content = b"".join(drawn.streaming_content)
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20]) == page_pictures.WIDTH
    assert drawn["Cache-Control"] == "private, max-age=86400"
    monkeypatch.setattr(page_pictures, "draw", None)
    again = client.get(f"/documents/{section.filing.accession}/pages/1.png")
    assert b"".join(again.streaming_content) == content


def test_what_is_no_page_or_no_pdf_is_not_found(client: Client, section: Section, folder: Path) -> None:
    for number in (0, 3, int("9" * 300)):
        assert client.get(f"/documents/{section.filing.accession}/pages/{number}.png").status_code == 404
        assert client.get(address(section, number)).status_code == 404
    assert not list(folder.glob("page-pictures/*"))
    original_files.delete(section.document.sha256 if section.document else "")
    assert client.get(f"/documents/{section.filing.accession}/pages/1.png").status_code == 404
    assert client.get(f"/filings/{section.filing.accession}/original").status_code == 404
    assert 'id="picture"' not in client.get(f"/filings/{section.filing.accession}/p1").content.decode()


def test_a_document_that_is_no_pdf_has_an_original_and_no_picture(client: Client, db: None, folder: Path) -> None:
    content = b"<html><script>alert(1)</script><p>Plain words.</p></html>"
    section = imported(content, "Plain words.", 'a "page".html')
    page = client.get(f"/filings/{section.filing.accession}/p1").content.decode()
    assert 'id="picture"' not in page
    assert client.get(address(section, 1)).status_code == 404
    reply = client.get(f"/filings/{section.filing.accession}/original")
    assert reply.content == content
    assert f'href="/filings/{section.filing.accession}/original" download' in page


def test_a_filing_of_the_sec_has_no_original_here(client: Client, db: None, folder: Path) -> None:
    company = northwind()
    filing = company.filings.get(fiscal_year=2025)
    assert client.get(f"/filings/{filing.accession}/original").status_code == 404
    assert client.get(f"/documents/{filing.accession}/pages/1.png").status_code == 404


def test_a_file_that_cannot_be_drawn_says_why(client: Client, db: None, folder: Path) -> None:
    section = imported(encrypted(), "Confidential.")
    shown = client.get(address(section, 1))
    assert shown.status_code == 200
    assert "The PDF file is encrypted" in shown.content.decode()
    assert not list(folder.glob("page-pictures/*"))


def test_a_deleted_document_leaves_no_pictures(section: Section, folder: Path) -> None:
    page_pictures.page(section.document.sha256 if section.document else "", 1)
    withdrawal.delete(section.filing)
    assert not list((folder / "page-pictures").iterdir())


def test_a_bad_range_is_refused(client: Client, section: Section) -> None:
    reply = client.get(address(section, 1), {"at": "5-99999"})
    assert (reply.status_code, "is not in the text" in reply.content.decode()) == (400, True)


def test_too_many_pictures_at_once_are_asked_to_wait(
    client: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_pictures, "PATIENCE", 0.01)
    for _ in range(page_pictures.AT_ONCE):
        assert page_pictures._drawing.acquire(timeout=1)
    try:
        reply = client.get(f"/documents/{section.filing.accession}/pages/1.png")
        assert (reply.status_code, reply["Retry-After"]) == (503, "2")
    finally:
        for _ in range(page_pictures.AT_ONCE):
            page_pictures._drawing.release()


def test_the_oldest_pictures_go(section: Section, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_pictures, "KEPT", 1)
    sha256 = section.document.sha256 if section.document else ""
    first = page_pictures.page(sha256, 1).picture
    assert page_pictures.page(sha256, 2).picture.exists()
    assert not first.exists()
    page_pictures.forget(sha256)
    assert not list((folder / "page-pictures").iterdir())


def test_what_was_withdrawn_can_still_be_read(client: Client, section: Section) -> None:
    Filing.objects.filter(pk=section.filing.pk).update(withdrawn=now())
    page = client.get(f"/filings/{section.filing.accession}/p1").content.decode()
    assert "This document can be read. It is not searched or cited." in page


@given(st.lists(st.text("ab -", min_size=1, max_size=12), min_size=1, max_size=6), st.data())
def test_boxes_of_any_range_stand_on_its_lines(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    drawn = DrawnPage(100, 100, tuple(Line(one, 0, 10 * n, 50, 10 * n + 8) for n, one in enumerate(lines)), Path())
    found = boxes(drawn, text, [Page(0, 1)], 1, [(start, end)])
    assert all(-1.6 <= one.x <= 50 and one.width <= 53.1 for one in found)
    assert bool(found) == bool(text[start:end].replace("-", "").split())
    assert boxes(drawn, text, [Page(0, 1)], 2, [(start, end)]) == []


def test_cells_that_stand_apart_on_the_page_are_found_one_by_one() -> None:
    printed = "Netsales48.251.7Costofsales20.122.0"
    assert spans(printed, "Net sales\t48.2\nCost of sales\t20.1", "") == [(0, 8), (8, 12), (16, 27), (27, 31)]


def test_words_that_a_page_has_twice_are_those_behind_the_same_words() -> None:
    assert spans("abcabc", "abc", "abc") == [(3, 6)]
    # A running line above the text moves it.
    assert spans("lampsandoilLampsburnoil,wicksburnoil", "oil", "Lampsburn") == [(20, 23)]
    assert spans("lampsandoilLampsburnoil,wicksburnoil", "oil", "Lampsburnoil,wicksburn") == [(33, 36)]
    # Where what precedes them is not on the page, the nearest.
    assert spans("oil,oil", "oil", "xxxx") == [(4, 7)]


def test_the_web_process_loads_no_reader_of_pdf() -> None:
    code = (
        "import sys, django; django.setup(); import filings.web.document_views, filings.web.reading_views;"
        "print(sorted(set(sys.modules) & {'numpy', 'pypdfium2', 'docx', 'filings.document.pdf'}))"
    )
    result = run_python("-c", code, SECRET_KEY="x")
    assert (result.returncode, result.stdout.strip()) == (0, "[]"), result.stderr
