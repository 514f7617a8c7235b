"""What a hostile filer repeats ten thousand times is read like anything else: each of these once took minutes."""

import pytest

from evals.bench.growth_pieces import Build
from evals.bench.growth_readers import READERS

READ = {reader.name: reader for reader in READERS}


@pytest.mark.parametrize("count", [20_000, pytest.param(80_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("reader", "piece"),
    [
        ("plain text", "blanks of both kinds"),
        ("layout", "blanks of both kinds"),
        ("layout", "blanks"),
        ("layout", "cut instructions"),
        ("layout", "cut html"),
        ("layout", "attributes"),
        ("layout", "cells of a row"),
        ("layout", "nested tables"),
        ("style", "sheet of names"),
        ("style", "sheet of open comments"),
        ("style", "sheet of one rule"),
        ("style", "of names"),
        ("style", "of blanks"),
        ("words", "full stops"),
        ("words", "numbered references"),
        ("words", "less than"),
        ("inline XBRL", "label of stars"),
        ("inline XBRL", "label of footnotes"),
        ("inline XBRL", "namespaces"),
        ("inline XBRL", "facts of one link"),
        ("companyfacts", "digits against facts"),
        ("linkbases", "sheaf"),
        ("linkbases", "names of a role"),
    ],
)
def test_a_reader_reads_what_is_repeated_as_often_as_can_be(reader: str, piece: str, count: int) -> None:
    READ[reader].read(READ[reader].pieces[piece](count))


def test_a_wide_and_long_table_is_not_filled_with_empty_cells() -> None:
    from filings.document.layout import read_layout

    build: Build = READ["layout"].pieces["long and wide"]
    (table,) = (block for block in read_layout(build(8_000)).blocks if block.kind == "table")
    assert len(table.rows) == 4_001
    assert sum(map(len, table.rows)) < 200_000


def test_a_word_without_an_end_over_a_table_is_not_repeated_with_each_part_of_it() -> None:
    from filings.sections import SourceDocument, read_sections
    from filings.text.chunking import chunk

    rows = "".join(f"<tr><td>Lamp of the harbour {at}</td><td>{at}</td></tr>" for at in range(2_000))
    page = f"<table><tr><td>a</td><td>{'b' * 15_000}</td></tr>{rows}</table>"
    for content in (page, f"<p>{'b' * 15_000}</p>{page}"):
        document = f"<html><body>{content}</body></html>".encode()
        sections = read_sections([SourceDocument("a.htm", "10-K", document)])
        found = [(section, one) for section in sections for one in chunk(section)]
        assert len(found) > 20
        assert sum(end - start for _, one in found for start, end in one.ranges) < 3 * len(document)


def test_tables_deep_inside_one_another_are_text_in_a_cell() -> None:
    from filings.document.layout import read_layout

    deep = "<table><tr><td>" * 60 + "<p>At the ground.</p>" + "</td></tr></table>" * 60
    assert read_layout(f"<html><body><p>Above.</p>{deep}<p>Below.</p></body></html>".encode()).text == (
        "Above.\n\nAt the ground.\n\nBelow."
    )


def test_of_an_element_with_endless_attributes_nothing_is_read_and_all_around_it_is() -> None:
    from filings.document.layout import read_layout

    page = "<p " + "".join(f"a{at}='>' " for at in range(5_000)) + 'style="display:none">SECRET</p>'
    assert (
        read_layout(f"<html><body><p>Above.</p>{page}<p>Below.</p></body></html>".encode()).text == "Above.\n\nBelow."
    )
