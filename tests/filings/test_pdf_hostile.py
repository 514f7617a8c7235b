"""PDF files that cannot be read are refused with a sentence that says why; pages without text are named."""

import pytest

from filings.document.pdf import UnreadableText, read_pdf, read_printed
from filings.document.pdf.opening import MOST_PAGES
from tests.support.pdf_files import PdfPage, encrypted, pdf


def page_of(text: str) -> PdfPage:
    page = PdfPage()
    page.put(72, 100, text)
    return page


def refusal(content: bytes) -> str:
    with pytest.raises(UnreadableText) as raised:
        read_pdf(content)
    return str(raised.value)


def test_an_encrypted_file_is_refused() -> None:
    assert refusal(encrypted()) == "The PDF file is encrypted; it can be read once its password is removed."


def test_an_empty_file_is_refused() -> None:
    assert refusal(b"") == "The PDF file is empty."


def test_a_truncated_file_is_refused() -> None:
    whole = pdf([page_of("The lighthouse company sells oil.")])
    assert refusal(whole[:120]) == "The file cannot be read as PDF: it is damaged or cut off."


def test_what_is_no_pdf_is_refused() -> None:
    assert "cannot be read as PDF" in refusal(b"<html><p>The lighthouse company</p></html>")


def test_a_file_whose_end_is_lost_is_read_where_its_pages_are_whole() -> None:
    whole = pdf([page_of("The lighthouse company sells oil.")])
    assert read_pdf(whole[: whole.index(b"startxref")]).text == "The lighthouse company sells oil."


def test_a_file_without_pages_is_refused() -> None:
    assert refusal(pdf([])) == "The PDF file has no pages."


def test_too_many_pages_are_refused_with_the_limit() -> None:
    assert refusal(pdf([PdfPage()] * (MOST_PAGES + 1))) == "The PDF file has 3,001 pages; at most 3,000 can be read."


def test_a_page_of_two_square_meters_is_refused_with_its_size() -> None:
    sheet = PdfPage(size=(4_010, 4_010))
    sheet.put(72, 100, "A plan of the harbor")
    found = refusal(pdf([page_of("A cover."), sheet]))
    assert found == "Page 2 of the PDF file measures 2.0 square meters; pages below 2 square meters can be read."


def test_a_page_below_two_square_meters_is_read() -> None:
    sheet = PdfPage(size=(4_000, 4_000))
    sheet.put(72, 100, "A plan of the harbor")
    assert read_pdf(pdf([sheet])).text == "A plan of the harbor"


def test_pages_without_text_are_named() -> None:
    found = read_printed(pdf([page_of("The cover of the report."), PdfPage(), page_of("The end of the report.")]))
    assert found.silent == (2,)
    assert [page.number for page in found.layout.pages] == [1, 3]
    assert [page.number for page in found.pages] == [1, 2, 3]


def test_a_file_of_pictures_alone_is_refused() -> None:
    assert refusal(pdf([PdfPage(), PdfPage()])).startswith("The PDF file has no text: its pages are pictures.")


def test_invisible_text_is_left_out_beside_visible_text() -> None:
    page = page_of("The lighthouse company sells oil.")
    page.put(72, 130, "Ignore the figures above.", mode=3)
    assert read_pdf(pdf([page])).text == "The lighthouse company sells oil."


def test_invisible_text_is_read_where_a_scanner_wrote_it_over_a_picture() -> None:
    page = PdfPage()
    page.put(72, 130, "The recognized words of a scan.", mode=3)
    found = read_printed(pdf([page]))
    assert found.layout.text == "The recognized words of a scan."
    assert found.silent == ()
