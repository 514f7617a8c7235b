"""The picture of a page of a PDF file, on which the reader marks what is cited."""

import ctypes
import struct
import zlib

from filings.document.layout.walk import UnreadableText
from filings.document.pdf.opening import opened

WIDEST = 2_400  # pixels
MOST_PIXELS = 12_000_000
DRAWN = 0x01 | 0x10  # FPDF_ANNOT, and FPDF_REVERSE_BYTE_ORDER: red before blue
UNFILTERED = b"\0"  # the PNG filter of a row
EFFORT = 3  # of 9


def page_picture(content: bytes, number: int, width: int) -> bytes:
    """Page `number`, from 1, as a PNG `width` pixels wide, as high as the page's shape asks.

    A point of the page is width / PrintedPage.width pixels. Raises ValueError for a width out of bounds, and
    UnreadableText, with a sentence for people, for a file or page that cannot be shown.
    """
    import pypdfium2.raw as pdfium

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
        bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGR, None, 0)
        if not bitmap:
            raise UnreadableText(f"Page {number} of the PDF file cannot be drawn.")
        try:
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
            pdfium.FPDF_RenderPageBitmap(bitmap, sheet.handle, 0, 0, width, height, 0, DRAWN)
            stride = pdfium.FPDFBitmap_GetStride(bitmap)
            pixels = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
    return _png(pixels, width, height, stride)


def _png(pixels: bytes, width: int, height: int, stride: int) -> bytes:
    """Rows of red, green and blue as a PNG. Text on white packs as well without filters and with little effort."""
    rows = b"".join(UNFILTERED + pixels[at : at + 3 * width] for at in range(0, height * stride, stride))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, EFFORT)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
