"""What holds of every PDF file: blocks and cells in order and inside the text, places that have the text's characters."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document.pdf import PdfLayout, read_printed
from tests.support.pdf_files import PdfPage, pdf, width

FOOT = "Printed by the harbor press"
WORDS = st.sampled_from(
    [
        "oil",
        "lamp-",
        "house",
        "The",
        "keeper's",
        "1,204",
        "(31)",
        "$",
        "%",
        "\u2014",
        "2031",
        "\u2022",
        "(a)",
        "sold.",
        "....",
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
PLACED = st.tuples(
    st.integers(20, 560),
    st.integers(30, 760),
    TEXTS,
    st.sampled_from([6.0, 9.0, 10.0, 14.0]),
    st.sampled_from(["F1", "F2"]),
)
PAGES = st.lists(st.lists(PLACED, min_size=1, max_size=14), min_size=1, max_size=4)


def read(pages: list[list[tuple[int, int, str, float, str]]]) -> PdfLayout:
    made = []
    for placed in pages:
        page = PdfPage()
        for x, y, text, size, font in placed:
            page.put(x, y, text, size, font)
        # A page of ornaments alone has no text, which is refused.
        page.put(20, 780, FOOT)
        made.append(page)
    return read_printed(pdf(made))


@settings(max_examples=120, deadline=None)
@given(PAGES)
def test_blocks_and_cells_are_in_order_and_inside_the_text(
    pages: list[list[tuple[int, int, str, float, str]]],
) -> None:
    layout = read(pages).layout
    at = 0
    for block in layout.blocks:
        assert at <= block.start < block.end <= len(layout.text)
        assert layout.text[at : block.start].strip() == ""
        at = block.end
        cells = [cell for row in block.rows for cell in row]
        inside = block.start
        for cell in cells:
            assert inside <= cell.start <= cell.end <= block.end
            inside = cell.end
        assert len({sum(cell.span for cell in row) for row in block.rows}) <= 1
    assert layout.text[at:].strip() == ""


@settings(max_examples=120, deadline=None)
@given(PAGES)
def test_places_have_every_character_of_the_text_once(pages: list[list[tuple[int, int, str, float, str]]]) -> None:
    found = read(pages)
    text = found.layout.text
    places = sorted((place.start, place.end) for page in found.pages for place in page.places)
    printed = "".join(text[start:end] for start, end in places)
    assert "".join(printed.split()) == "".join(text.split())
    assert all(one[1] <= other[0] for one, other in pairwise(places))


@settings(max_examples=60, deadline=None)
@given(PAGES)
def test_places_are_where_something_is_printed(pages: list[list[tuple[int, int, str, float, str]]]) -> None:
    found = read(pages)
    for page, placed in zip(found.pages, pages, strict=True):
        far = max([20 + width(FOOT, 10), *(x + width(text, size) for x, _, text, size, _ in placed)])
        for place in page.places:
            assert 19 <= place.x0 < place.x1 <= far + 1
            assert 0 < place.y0 < place.y1 < 800


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_no_character_is_lost(texts: list[str]) -> None:
    page = PdfPage()
    for place, text in enumerate(texts):
        page.put(40, 40 + 50 * place, text)
    page.put(40, 700, FOOT)
    printed = Counter("".join([*texts, FOOT]))
    read_ = Counter(read_printed(pdf([page])).layout.text)
    # Dots that lead to a figure and lone dashes are ornaments, hyphens may be mended.
    for character in set(printed) - set(" .-\u2014"):
        assert read_[character] == printed[character]
