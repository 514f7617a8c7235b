"""Tables of PDF files: rows, columns, labels on several lines, headings over several columns, and what is no table."""

from filings.document.layout import Layout
from filings.document.pdf import read_pdf
from tests.support.pdf_files import PdfPage, pdf, width

Rows = list[list[tuple[str, int]]]


def tables(layout: Layout) -> list[Rows]:
    return [
        [[(layout.text[cell.start : cell.end], cell.span) for cell in row] for row in block.rows]
        for block in layout.blocks
        if block.rows
    ]


def plain(rows: Rows) -> list[list[str]]:
    return [[text for text, _ in row] for row in rows]


def statement(page: PdfPage, y: float, rows: list[tuple[str, str, str]], step: float = 16) -> float:
    """Rows of a label and two figures; "$" stands apart from its figure, ")" beyond the column's edge."""
    for label, *figures in rows:
        page.put(72, y, label)
        for edge, figure in zip((430, 530), figures, strict=True):
            if figure.startswith("$"):
                page.put(edge - 70, y, "$")
                figure = figure[1:]
            page.end(edge + (width(")", 10) if figure.endswith(")") else 0), y, figure)
        y += step
    return y


def test_figures_are_in_columns_with_their_signs() -> None:
    page = PdfPage()
    page.put(72, 60, "Results of the lighthouse trade", 12, "F2")
    page.put(72, 80, "(In millions)")
    page.middle(400, 100, "2031", font="F2")
    page.middle(500, 100, "2030", font="F2")
    statement(
        page, 116, [("Lamp oil", "$1,204", "$998"), ("Losses at sea", "(31)", "(7)"), ("Net trade", "$1,173", "$991")]
    )
    layout = read_pdf(pdf([page]))
    assert [plain(one) for one in tables(layout)] == [
        [
            ["", "2031", "2030"],
            ["Lamp oil", "$ 1,204", "$ 998"],
            ["Losses at sea", "(31)", "(7)"],
            ["Net trade", "$ 1,173", "$ 991"],
        ]
    ]
    assert [block.header for block in layout.blocks if block.rows] == [1]
    assert layout.text.startswith("Results of the lighthouse trade\n\n(In millions)\n\n")


def test_a_dash_and_an_empty_cell_keep_their_columns() -> None:
    page = PdfPage()
    rows = [("Lamp oil", "12", "14"), ("Rope", "\u2014", "3"), ("Canvas", "", "5"), ("Tar", "8", "")]
    statement(page, 100, rows)
    assert plain(tables(read_pdf(pdf([page])))[0]) == [[*row] for row in rows]


def test_a_percent_sign_apart_belongs_to_its_figure() -> None:
    page = PdfPage()
    for y, label, figure in ((100, "Share of oil", "12"), (116, "Share of rope", "(3)")):
        page.put(72, y, label)
        page.end(430, y, figure)
        page.put(442, y, "%")
    assert plain(tables(read_pdf(pdf([page])))[0]) == [["Share of oil", "12 %"], ["Share of rope", "(3) %"]]


def test_a_label_on_two_lines_is_one_row_with_the_figures_of_either() -> None:
    page = PdfPage()
    y = statement(page, 100, [("Oil sold to the ships of the northern ports", "12", "14")])
    page.put(72, y, "Oil lent against the receipts of the")
    y = statement(page, y + 11, [("harbor master", "3", "4")])
    y = statement(page, y, [("Oil that leaked from the barrels before", "1", "2")])
    page.put(72, y - 5, "they were sealed")
    statement(page, y + 11, [("Oil on hand at the end of the season", "17", "20")])
    assert plain(tables(read_pdf(pdf([page])))[0]) == [
        ["Oil sold to the ships of the northern ports", "12", "14"],
        ["Oil lent against the receipts of the harbor master", "3", "4"],
        ["Oil that leaked from the barrels before they were sealed", "1", "2"],
        ["Oil on hand at the end of the season", "17", "20"],
    ]


def test_a_heading_of_rows_is_not_joined_to_the_first_of_them() -> None:
    page = PdfPage()
    y = statement(page, 100, [("Oil on hand at the beginning of the season", "12", "14")])
    page.put(72, y, "Goods on hand")
    statement(page, y + 16, [("Rope", "3", "4"), ("Canvas", "5", "6")])
    assert plain(tables(read_pdf(pdf([page])))[0])[1:3] == [["Goods on hand", "", ""], ["Rope", "3", "4"]]


def test_a_heading_over_several_columns_spans_them() -> None:
    page = PdfPage()
    for x, text in ((290, "Season ended"), (490, "Year ended")):
        page.middle(x, 84, text, font="F2")
    for x, year in ((240, "2031"), (340, "2030"), (440, "2031"), (540, "2030")):
        page.middle(x, 100, year, font="F2")
    for y, label in ((116, "Oil"), (132, "Rope")):
        page.put(72, y, label)
        for edge, figure in ((260, "1,200"), (360, "1,100"), (460, "4,800"), (560, "4,700")):
            page.end(edge, y, figure)
    assert tables(read_pdf(pdf([page])))[0][:2] == [
        [("", 1), ("Season ended", 2), ("Year ended", 2)],
        [("", 1), ("2031", 1), ("2030", 1), ("2031", 1), ("2030", 1)],
    ]


def test_the_lines_of_a_heading_are_one_cell() -> None:
    page = PdfPage()
    for x, lines in ((400, ("Barrels", "of oil")), (500, ("Fathoms", "of rope"))):
        for number, line in enumerate(lines):
            page.middle(x, 80 + 11 * number, line, font="F2")
    statement(page, 108, [("Northern ports", "12", "14"), ("Southern ports", "3", "4")])
    layout = read_pdf(pdf([page]))
    assert plain(tables(layout)[0])[0] == ["", "Barrels of oil", "Fathoms of rope"]


def test_a_title_in_the_middle_of_the_page_heads_no_column() -> None:
    page = PdfPage()
    page.middle(301, 60, "THE LIGHTHOUSE COMPANY", font="F2")
    page.middle(301, 74, "(in millions)")
    for x, year in ((210, "2031"), (310, "2030"), (410, "2029"), (510, "2028")):
        page.middle(x, 90, year, font="F2")
    for y, label in ((106, "Oil"), (122, "Rope")):
        page.put(72, y, label)
        for edge in (230, 330, 430, 530):
            page.end(edge, y, "1,200")
    layout = read_pdf(pdf([page]))
    assert plain(tables(layout)[0])[0] == ["", "2031", "2030", "2029", "2028"]
    assert layout.text.startswith("THE LIGHTHOUSE COMPANY\n\n(in millions)")


def test_dots_that_lead_to_a_figure_are_dropped() -> None:
    page = PdfPage()
    for y, label, number in ((100, "Our trade", "4"), (116, "The towers", "12")):
        page.put(72, y, f"{label} " + "." * (60 - len(label)))
        page.end(530, y, number)
    assert plain(tables(read_pdf(pdf([page])))[0]) == [["Our trade", "4"], ["The towers", "12"]]


def test_rows_on_slightly_different_baselines_are_one() -> None:
    page = PdfPage()
    for y, label in ((100, "Oil"), (120, "Rope")):
        page.put(72, y, label)
        page.end(430, y + 2.5, "1,200")
        page.end(530, y, "1,100")
    assert plain(tables(read_pdf(pdf([page])))[0]) == [["Oil", "1,200", "1,100"], ["Rope", "1,200", "1,100"]]


def test_text_with_figures_in_it_is_no_table() -> None:
    page = PdfPage()
    text = (
        "The keeper sold 1,204 barrels in 2031 and 998 in 2030, of which 31 were lost at sea and 7 on the road to the "
        "port. In 2031 he lent 12 barrels to 4 ships; in 2030 he lent 14 barrels to 3 ships, and each of the 7 paid."
    )
    page.write(72, 100, text, 40)
    layout = read_pdf(pdf([page]))
    assert tables(layout) == []
    assert layout.text == text


def test_a_numbered_list_is_no_table() -> None:
    page = PdfPage()
    for number, text in enumerate(
        ("Oil is sold by the barrel.", "Rope is sold by the fathom.", "Tar is not sold."), 1
    ):
        page.put(72, 100 + 16 * number, f"{number}.")
        page.put(100, 100 + 16 * number, text)
    layout = read_pdf(pdf([page]))
    assert tables(layout) == []
    assert layout.of(layout.blocks[0]) == "1. Oil is sold by the barrel."


def test_two_tables_under_each_other_stay_apart_where_years_head_each() -> None:
    page = PdfPage()
    for top, title in ((80, "Oil of the season"), (200, "Rope of the season")):
        page.put(72, top, title, font="F2")
        page.middle(415, top + 16, "2031")
        page.middle(515, top + 16, "2030")
        statement(page, top + 32, [("Northern ports", "12", "14"), ("Southern ports", "3", "4")])
    layout = read_pdf(pdf([page]))
    assert [plain(one)[0] for one in tables(layout)] == [["", "2031", "2030"]] * 2
    assert [layout.of(block) for block in layout.blocks if not block.rows] == [
        "Oil of the season",
        "Rope of the season",
    ]
