"""Opens PDF files and refuses those that cannot be read, each with a sentence for people."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from filings.document.layout.walk import UnreadableText

MOST_PAGES = 3_000
LARGEST_PAGE = 2.0  # square meters: an A0 sheet has one
POINTS_PER_METER = 72 / 0.0254
# PDFium keeps state for the whole process and is not made for threads.
ONE_AT_A_TIME = Lock()


class Sheet:
    """A page of an open file: the handle PDFium gives it, its size as shown in points, and its turn by 90 degrees."""

    def __init__(self, handle: Any, number: int) -> None:
        import pypdfium2.raw as pdfium

        self.handle, self.number = handle, number
        self.width: float = pdfium.FPDF_GetPageWidthF(handle)
        self.height: float = pdfium.FPDF_GetPageHeightF(handle)
        self.turned: int = max(pdfium.FPDFPage_GetRotation(handle), 0)
        box = pdfium.FS_RECTF()
        if not pdfium.FPDF_GetPageBoundingBox(handle, box):
            box.left, box.bottom, box.right, box.top = 0, 0, self.width, self.height
        self.box: tuple[float, float, float, float] = (box.left, box.bottom, box.right, box.top)

    def shown(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """A box of the page's own coordinates as x0, y0, x1, y1 in points from the upper left corner as shown."""
        x, y, far_x, far_y = self.box
        if self.turned == 1:
            return bottom - y, left - x, top - y, right - x
        if self.turned == 2:
            return far_x - right, bottom - y, far_x - left, top - y
        if self.turned == 3:
            return far_y - top, far_x - right, far_y - bottom, far_x - left
        return left - x, far_y - top, right - x, far_y - bottom


class Opened:
    """An open file."""

    def __init__(self, handle: Any, pages: int) -> None:
        self.handle, self.pages = handle, pages

    @contextmanager
    def sheet(self, number: int) -> Iterator[Sheet]:
        """Page `number`, from 1. Raises UnreadableText where the file lacks it or it is too large."""
        import pypdfium2.raw as pdfium

        if not 1 <= number <= self.pages:
            raise UnreadableText(f"The PDF file has no page {number}; it has {self.pages}.")
        handle = pdfium.FPDF_LoadPage(self.handle, number - 1)
        if not handle:
            raise UnreadableText(f"Page {number} of the PDF file cannot be read: the file is damaged.")
        try:
            sheet = Sheet(handle, number)
            area = sheet.width * sheet.height / POINTS_PER_METER**2
            if area >= LARGEST_PAGE:
                raise UnreadableText(
                    f"Page {number} of the PDF file measures {area:,.1f} square meters; pages below "
                    f"{LARGEST_PAGE:g} square meters can be read."
                )
            yield sheet
        finally:
            pdfium.FPDF_ClosePage(handle)


@contextmanager
def opened(content: bytes) -> Iterator[Opened]:
    """A PDF file, open. Raises UnreadableText, naming what is wrong."""
    import pypdfium2.raw as pdfium

    if not content:
        raise UnreadableText("The PDF file is empty.")
    with ONE_AT_A_TIME:
        # PDFium reads from this buffer for as long as the file is open.
        handle = pdfium.FPDF_LoadMemDocument64(content, len(content), None)
        if not handle:
            error = pdfium.FPDF_GetLastError()
            if error in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
                raise UnreadableText("The PDF file is encrypted; it can be read once its password is removed.")
            raise UnreadableText("The file cannot be read as PDF: it is damaged or cut off.")
        try:
            pages = pdfium.FPDF_GetPageCount(handle)
            if not pages:
                raise UnreadableText("The PDF file has no pages.")
            if pages > MOST_PAGES:
                raise UnreadableText(f"The PDF file has {pages:,} pages; at most {MOST_PAGES:,} can be read.")
            yield Opened(handle, pages)
        finally:
            pdfium.FPDF_CloseDocument(handle)
