"""The picture of a page: its size, its limits, and that the places of the text are where it is drawn."""

import struct
import zlib

import numpy as np
import pytest

from filings.document.pdf import UnreadableText, read_printed
from filings.document.pdf.picture import MOST_PIXELS, WIDEST, page_picture
from tests.support.pdf_files import PdfPage, pdf


def pixels(png: bytes) -> np.ndarray:
    """Red, green and blue of each pixel, from a PNG of rows without a filter."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, colors = struct.unpack(">IIBB", png[16:26])
    assert (depth, colors) == (8, 2)
    at, packed = 8, b""
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + data),)
        packed += data if name == b"IDAT" else b""
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_text_is_drawn_where_its_places_are(turned: int) -> None:
    page = PdfPage(turned=turned, origin=(20, 40))
    page.put(72, 100, "Oil is sold by the barrel.", 20)
    content = pdf([page])
    found = read_printed(content).pages[0]
    picture = pixels(page_picture(content, 1, 600))
    scale = 600 / found.width
    assert picture.shape == (round(found.height * scale), 600, 3)
    (place,) = found.places
    inside = picture[
        round(place.y0 * scale) : round(place.y1 * scale), round(place.x0 * scale) : round(place.x1 * scale)
    ]
    dark = int((picture < 128).sum())
    assert dark
    assert int((inside < 128).sum()) == dark


def test_a_page_that_is_not_there_is_named() -> None:
    with pytest.raises(UnreadableText, match=r"^The PDF file has no page 2; it has 1\.$"):
        page_picture(pdf([PdfPage()]), 2, 600)


@pytest.mark.parametrize("width", [0, WIDEST + 1])
def test_a_width_out_of_bounds_is_refused_with_the_bounds(width: int) -> None:
    with pytest.raises(ValueError, match=rf"{width} pixels; it must be from 1 to 2,400"):
        page_picture(pdf([PdfPage()]), 1, width)


def test_a_picture_of_too_many_pixels_is_refused_with_the_limit() -> None:
    with pytest.raises(UnreadableText, match=f"at most {MOST_PIXELS:,} are drawn"):
        page_picture(pdf([PdfPage(size=(100, 14_000))]), 1, 2_400)
