"""The text of PDF files: paragraphs, headings, list entries, columns, running lines; and where it is printed."""

from filings.document.blocks import Block
from filings.document.layout import Layout
from filings.document.pdf import read_pdf, read_printed
from tests.support.pdf_files import PdfPage, pdf, width

STORY = (
    "The keeper of the northern lighthouse sells lamp oil to every ship that enters the harbor before the ice. "
    "He keeps a ledger of the barrels, and the harbor master signs each page of it when the season is over."
)
OTHER = (
    "The southern lighthouse is kept by his sister, who trades in rope and in canvas for sails that storms have torn. "
    "She keeps no ledger at all, and the harbor master has never asked her for one in the years of her service."
)


def texts(layout: Layout, kind: str = "") -> list[str]:
    return [layout.of(block) for block in layout.blocks if not kind or block.kind == kind]


def block_of(layout: Layout, words: str) -> Block:
    return next(block for block in layout.blocks if words in layout.of(block))


def test_a_paragraph_is_joined_across_its_lines() -> None:
    page = PdfPage()
    y = page.write(72, 100, STORY, 70)
    page.write(72, y + 12, OTHER, 70)
    assert texts(read_pdf(pdf([page]))) == [STORY, OTHER]


def test_a_first_line_set_in_begins_a_paragraph() -> None:
    page = PdfPage()
    y = page.write(72, 100, STORY, 70)
    page.put(90, y, "Her ledger is thinner, as the keeper of the harbor says, since rope")
    page.put(72, y + 12, "is sold by the fathom and oil by the barrel.")
    found = texts(read_pdf(pdf([page])))
    assert found[-1] == (
        "Her ledger is thinner, as the keeper of the harbor says, since rope is sold by the fathom and oil by the barrel."
    )


def test_a_hyphen_at_the_end_of_a_line_is_mended_where_the_document_has_the_word() -> None:
    page = PdfPage()
    page.put(72, 100, "The lighthouse sells oil to ships that need it badly. A light-")
    page.put(72, 112, "house without oil is dark, and a keeper of a dark tower is a")
    page.put(72, 124, "keeper in need. Long-term leases of towers are rare, but long-")
    page.put(72, 136, "term leases of boats are not.")
    text = read_pdf(pdf([page])).text
    assert "A lighthouse without oil" in text
    assert "but long-term leases" in text


def test_a_sentence_that_a_page_break_interrupts_is_joined() -> None:
    first, second = PdfPage(), PdfPage()
    first.write(72, 100, STORY, 70)
    first.write(72, 160, "The harbor master of the northern towns, who has seen many keepers come and go,", 70)
    second.write(72, 100, "remembers the one who sold whale oil without a license.", 70)
    layout = read_pdf(pdf([first, second]))
    assert texts(layout)[-1].endswith("come and go, remembers the one who sold whale oil without a license.")
    assert layout.text[layout.pages[1].start :].startswith("remembers the one")


def test_a_word_that_a_page_break_divides_is_mended_and_keeps_its_places() -> None:
    first, second = PdfPage(), PdfPage()
    first.write(72, 100, STORY.replace("harbor before", "lighthouse before"), 70)
    first.write(72, 160, "The harbor master of the northern towns has seen many keepers of the light-", 80)
    second.write(72, 100, "house come and go.", 70)
    found = read_printed(pdf([first, second]))
    assert found.layout.text.endswith("many keepers of the lighthouse come and go.")
    assert found.layout.text[found.layout.pages[1].start :] == "house come and go."
    (place,) = found.pages[1].places
    assert found.layout.text[place.start : place.end] == "house come and go."


def test_two_columns_are_read_one_after_the_other_below_what_stands_across_them() -> None:
    page = PdfPage()
    page.middle(306, 80, "A letter of the harbor master to all who keep a light on this coast", 10, "F2")
    page.write(60, 110, STORY, 38)
    page.write(320, 113, OTHER, 38)
    found = texts(read_pdf(pdf([page])))
    assert found == ["A letter of the harbor master to all who keep a light on this coast", STORY, OTHER]


def test_running_lines_are_cut_and_page_numbers_kept_with_their_pages() -> None:
    pages = []
    for number in range(1, 7):
        page = PdfPage()
        page.put(72, 40, "Lantern Oil Company, report of the year")
        page.write(72, 100, f"In season {number} of the trade, the keeper wrote: {STORY}", 70)
        page.middle(306, 760, str(number + 10))
        pages.append(page)
    layout = read_pdf(pdf(pages))
    assert "Lantern Oil Company" not in layout.text
    assert [page.printed for page in layout.pages] == ["11", "12", "13", "14", "15", "16"]


def test_headings_are_known_by_weight_and_size_and_capitals() -> None:
    page = PdfPage()
    page.put(72, 100, "Our trade", 14, "F2")
    y = page.write(72, 120, STORY, 70)
    page.put(72, y + 12, "THE SOUTHERN TOWER")
    page.write(72, y + 30, OTHER, 70)
    layout = read_pdf(pdf([page]))
    assert texts(layout, "heading") == ["Our trade", "THE SOUTHERN TOWER"]
    large, small = (block.level for block in layout.blocks if block.kind == "heading")
    assert large < small


def test_list_entries_keep_their_mark_and_the_lines_that_hang_below_it() -> None:
    page = PdfPage()
    entries = (
        ("oil is sold by the barrel, and never by the bottle or the", "jar in winter."),
        ("rope is sold by the fathom, and tar to those who buy their", "rope here."),
    )
    for place, (first, second) in enumerate(entries):
        page.put(72, 100 + 24 * place, "\u2022")
        page.put(90, 100 + 24 * place, first)
        page.put(90, 112 + 24 * place, second)
    layout = read_pdf(pdf([page]))
    assert texts(layout, "bullet") == [f"\u2022 {first} {second}" for first, second in entries]


def test_a_raised_mark_stays_in_its_row() -> None:
    page = PdfPage()
    page.put(72, 100, "Lamp oil")
    page.put(72 + width("Lamp oil", 10), 96.5, "(1)", 6)
    page.put(72 + width("Lamp oil", 10) + width("(1)", 6) + 6, 100, "is sold by the barrel.")
    assert read_pdf(pdf([page])).text == "Lamp oil (1) is sold by the barrel."


def test_a_raised_mark_that_its_text_hangs_from_begins_the_entry() -> None:
    page = PdfPage()
    page.put(72, 97, "(1)", 6)
    page.put(100, 100, "Oil that was lent is counted when it is returned.")
    assert read_pdf(pdf([page])).text == "(1) Oil that was lent is counted when it is returned."


def test_text_that_runs_up_the_page_is_read_as_rows() -> None:
    page = PdfPage()
    page.upwards(100, 700, "Barrels of oil by the port")
    page.upwards(120, 700, "where they were filled.")
    assert "Barrels of oil by the port" in read_pdf(pdf([page])).text


def test_places_are_those_of_the_page_as_shown() -> None:
    page = PdfPage(origin=(30, 50))
    page.put(72, 100, "Oil is sold by the barrel.")
    found = read_printed(pdf([page])).pages[0]
    place = found.places[0]
    assert (found.width, found.height) == (612, 792)
    assert (round(place.x0), round(place.x1)) == (72, round(72 + width("Oil is sold by the barrel.", 10)))
    assert place.y0 < 100 < place.y1


def test_places_on_a_page_that_a_viewer_turns_are_turned_with_it() -> None:
    page = PdfPage(turned=90)
    page.put(72, 100, "Oil is sold by the barrel.")
    found = read_printed(pdf([page])).pages[0]
    place = found.places[0]
    assert (found.width, found.height) == (792, 612)
    # Turned clockwise, the upper edge of the page is on the right, and text runs down.
    assert place.x0 < 792 - 100 < place.x1
    assert round(place.y0) == 72
    assert round(place.y1) == round(72 + width("Oil is sold by the barrel.", 10))


def test_the_boxes_of_a_range_are_those_of_its_rows() -> None:
    page = PdfPage()
    page.write(72, 100, STORY, 70)
    found = read_printed(pdf([page]))
    start = found.layout.text.index("He keeps")
    rows = found.pages[0].boxes(start, start + len("He keeps a ledger"))
    assert "".join(found.layout.text[row.start : row.end] for row in rows).replace(" ", "") == "Hekeepsaledger"
    assert all(row.y0 < row.y1 and row.x0 < row.x1 for row in rows)
