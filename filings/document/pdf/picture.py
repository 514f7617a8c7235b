"""The picture of a page of a PDF file, on which the reader marks what is cited."""

import ctypes
import io

from filings.document.layout.walk import UnreadableText
from filings.document.pdf.opening import opened

WIDEST = 2_400  # pixels
MOST_PIXELS = 12_000_000


def page_picture(content: bytes, number: int, width: int) -> bytes:
    """Page `number`, from 1, as a PNG `width` pixels wide, as high as the page's shape asks.

    A point of the page is width / PrintedPage.width pixels. Raises ValueError for a width out of bounds, and
    UnreadableText, with a sentence for people, for a file or page that cannot be shown.
    """
    import pypdfium2.raw as pdfium
    from PIL import Image

    if not 1 <= width <= WIDEST:
        raise ValueError(f"The width of a picture is {width} pixels; it must be from 1 to {WIDEST:,}.")
    with opened(content) as file, file.sheet(number) as sheet:
        if not sheet.width or not sheet.height:
            raise UnreadableText(f"Page {number} of the PDF file has no area.")
        height = max(round(width * sheet.height / sheet.width), 1)
        if width * height > MOST_PIXELS:
            raise UnreadableText(
                f"The picture of page {number} would have {width * height:,} pixels; at most {MOST_PIXELS:,} are drawn."
            )
        bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, None, 0)
        if not bitmap:
            raise UnreadableText(f"Page {number} of the PDF file cannot be drawn.")
        try:
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
            pdfium.FPDF_RenderPageBitmap(bitmap, sheet.handle, 0, 0, width, height, 0, pdfium.FPDF_ANNOT)
            stride = pdfium.FPDFBitmap_GetStride(bitmap)
            pixels = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
    image = Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", stride, 1)
    found = io.BytesIO()
    # Text in few shades: as readable with 64 colors, and a third of the size.
    image.quantize(64).save(found, "PNG", optimize=False)
    return found.getvalue()
