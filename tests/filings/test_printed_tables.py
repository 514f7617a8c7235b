"""Tables as printed: strings kept, split cells together, columns that only make space gone."""

import pytest

from filings.document.blocks import Block
from filings.document.layout import Layout, read_layout
from tests.support.lantern import document


def read(rows: str) -> tuple[Layout, Block]:
    layout = read_layout(document(f"<table>{rows}</table>"))
    assert [block.kind for block in layout.blocks] == ["table"]
    return layout, layout.blocks[0]


def printed(rows: str) -> list[list[str]]:
    layout, block = read(rows)
    return [[layout.text[cell.start : cell.end] for cell in row] for row in block.rows]


def row(*cells: str) -> str:
    return "<tr>" + "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells) + "</tr>"


@pytest.mark.parametrize(
    ("cells", "joined"),
    [
        (("$", "1,234"), "$ 1,234"),
        (("(8", ")"), "(8)"),
        (("12", "%"), "12 %"),
        (("(12", ")%"), "(12)%"),
        (("$", "(8", ")"), "$ (8)"),
        (("—", "%"), "— %"),
        (("$", "—"), "$ —"),
        (("—",), "—"),
        (("37.2%",), "37.2%"),
    ],
)
def test_it_puts_a_figure_together_and_keeps_it_as_printed(cells, joined):
    assert printed(row("Brass", *cells) + row("Glass", "5")) == [["Brass", joined], ["Glass", "5"]]


def test_it_drops_columns_that_only_make_space():
    rows = row("", "", "2024", "", "2023") + row("Brass", "", "8", "", "9") + row("Glass", "", "1", "", "—")
    assert printed(rows) == [["", "2024", "2023"], ["Brass", "8", "9"], ["Glass", "1", "—"]]


def test_it_reduces_spans_to_the_columns_that_are_left():
    head = row("", '<td colspan="7">Years ended</td>')
    rows = head + row('<td colspan="2"></td>', '<td colspan="2">2024</td>', "", '<td colspan="2">2023</td>')
    rows += row("Brass", "", "$", "8", "", "$", "9") + row("Glass", "", "", "1", "", "", "2")
    layout, block = read(rows)
    assert [[(layout.text[c.start : c.end], c.span) for c in cells] for cells in block.rows] == [
        [("", 1), ("Years ended", 2)],
        [("", 1), ("2024", 1), ("2023", 1)],
        [("Brass", 1), ("$ 8", 1), ("$ 9", 1)],
        [("Glass", 1), ("1", 1), ("2", 1)],
    ]
    assert all(sum(cell.span for cell in cells) == 3 for cells in block.rows)


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        (row("", "2024", "2023") + row("Brass", "8", "9"), 1),
        (
            row("", "Years ended", "") + row("(In millions)", "2024", "2023") + row("Sales:") + row("Brass", "8", "9"),
            2,
        ),
        (row("Brass", "8", "9") + row("Glass", "1", "2"), 0),
        (row("<td><b>Name</b></td>", "<td><b>Office</b></td>") + row("A. Lamp", "Chair") + row("B. Wick", "Clerk"), 1),
    ],
)
def test_it_counts_the_rows_that_name_columns(rows, header):
    assert read(rows)[1].header == header


def test_it_keeps_the_cells_beside_a_cell_that_spans_rows():
    rows = row('<td rowspan="2">Brass</td>', "8", "9") + row("5", "6")
    assert printed(rows) == [["Brass", "8", "9"], ["", "5", "6"]]


def test_it_survives_spans_that_are_no_numbers_or_are_huge():
    rows = row('<td colspan="x">Brass</td>', '<td colspan="99999999">8</td>', "9") + row("Glass", "1", "2")
    assert printed(rows)[0][0] == "Brass"


def test_it_keeps_the_years_apart_beside_labels_over_several_columns():
    spacer = '<td colspan="3"></td>'
    rows = "<tr>" + "".join(
        (
            '<td colspan="3">In coins</td>',
            '<td colspan="6">2024</td>',
            spacer,
            '<td colspan="3">2023</td>',
            spacer,
            '<td colspan="3">2022</td>',
        )
    )
    rows += "</tr>"
    for label, *years in (("Lamps", "267.0", "223.8", "201.4"), ("Oil", "44.4", "(3.9)", "12.1")):
        rows += f'<tr><td colspan="6">{label}</td>'
        rows += (spacer + "<td></td>").join(f'<td colspan="2">{year}</td>' for year in years) + "</tr>"
    rows += '<tr><td colspan="6">Total</td>' + (spacer + "<td></td>").join(
        f"<td>$</td><td>{year}</td>" for year in ("311.4", "219.9", "213.5")
    )
    rows += "</tr>"
    assert printed(rows) == [
        ["In coins", "2024", "2023", "2022"],
        ["Lamps", "267.0", "223.8", "201.4"],
        ["Oil", "44.4", "(3.9)", "12.1"],
        ["Total", "$ 311.4", "$ 219.9", "$ 213.5"],
    ]


def test_it_keeps_a_footnote_mark_and_the_figure_after_it_apart():
    rows = row("", "", '<td colspan="3">2024</td>', "", '<td colspan="3">2023</td>')
    rows += row("Lamps", "", "$", "26", "(1)", "", "$", "27", "(1)") + row("Oil", "", "", "—", "", "", "", "7", "")
    assert printed(rows)[1:] == [["Lamps", "$ 26", "(1)", "$ 27", "(1)"], ["Oil", "—", "", "7", ""]]
