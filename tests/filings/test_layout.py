"""One document -> one frozen text with its blocks and pages."""

import pytest

from filings.document.blocks import page_at
from filings.document.layout import Layout, UnreadableText, read_layout
from tests.support.lantern import BREAK, LONG, bold, document, p, table


def blocks(layout: Layout) -> list[tuple[str, str]]:
    return [(block.kind, layout.of(block)) for block in layout.blocks]


def test_it_puts_blocks_two_line_feeds_apart_and_tables_in_rows_and_tabs():
    layout = read_layout(document(p("One lantern.") + table(("Sales", "2024", "2023"), ("Brass", "8", "9"))))
    assert layout.text == "One lantern.\n\nSales\t2024\t2023\nBrass\t8\t9"
    cells = layout.blocks[1].rows[1]
    assert [layout.text[cell.start : cell.end] for cell in cells] == ["Brass", "8", "9"]


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">SECRET</div>',
        '<div style="DISPLAY : NONE"><p>SECRET</p></div>',
        '<span style="visibility:hidden">SECRET</span>',
        '<p style="font-size:0">SECRET</p>',
        '<p style="font-size:0px">SECRET</p>',
        '<p style="color:#FFFFFF">SECRET</p>',
        '<p><font color="white">SECRET</font></p>',
        '<p style="opacity:0">SECRET</p>',
        '<p style="position:absolute;left:-9999px">SECRET</p>',
        '<p hidden="hidden">SECRET</p>',
        "<script>SECRET</script>",
        "<script>document.write('SECRET')</script>",
        "<style>p:before { content: 'SECRET' }</style>",
        "<noscript>SECRET</noscript>",
        '<p class="gone">SECRET</p>',
        "<!-- SECRET -->",
        '<ix:header xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><ix:hidden><p>SECRET</p></ix:hidden></ix:header>',
    ],
)
def test_it_never_shows_hidden_text(hidden):
    head = "<title>SECRET</title><style>.gone { display: none }</style>"
    layout = read_layout(document(p("Before it.") + hidden + p("After it."), head=head))
    assert layout.text == "Before it.\n\nAfter it."


def test_it_shows_white_text_on_a_dark_ground():
    layout = read_layout(document('<div style="background-color:#003366"><p style="color:#ffffff">Outlook</p></div>'))
    assert layout.text == "Outlook"


def test_it_shows_the_text_of_inline_xbrl():
    facts = 'xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'
    layout = read_layout(document(f"<p {facts}>Sales were $<ix:nonFraction>1,234</ix:nonFraction> million.</p>"))
    assert layout.text == "Sales were $1,234 million."


def test_it_normalises_blanks_and_drops_what_has_no_width_but_keeps_quotes_as_filed():
    text = "The&#160;lan&#173;tern&#8203;s  \n are “bright” \u2013 it&#8217;s said.&nbsp;"
    assert read_layout(document(p(text))).text == "The lanterns are “bright” \u2013 it\u2019s said."


def test_it_reads_windows_characters_as_browsers_do():
    assert read_layout(b"<html><body><p>It&#146;s \x93bright\x94.</p></body></html>").text == "It\u2019s “bright”."


def test_it_reads_utf8_under_a_declaration_of_another_encoding():
    content = b'<?xml version="1.0" encoding="ASCII"?>' + document(p("Caf\u00e9 lanterns."))
    assert read_layout(content).text == "Caf\u00e9 lanterns."


def test_it_leaves_out_the_lines_of_a_container():
    content = b"<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<TEXT>\n" + document(p("Lanterns."))
    assert read_layout(content).text == "Lanterns."


@pytest.mark.parametrize(
    "page_break",
    [
        BREAK,
        '<p style="page-break-before:always"></p>',
        '<div style="break-before: page; margin-top: 6pt"><p></p></div>',
        '<div style="height:2pt;page-break-after:always"></div>',
        '<div style="break-after:page"></div>',
        "<p Style='page-break-before:always'><HR SIZE='3'/></p>",
    ],
)
def test_it_starts_pages_at_css_page_breaks_and_reads_their_printed_numbers(page_break):
    pages = page_break.join(
        p(f"Text {word}.") + p(f"{number}") for number, word in ((7, "one"), (8, "two"), (9, "three"))
    )
    layout = read_layout(f"<html><body>{pages}</body></html>".encode())
    assert layout.text == "Text one.\n\nText two.\n\nText three."
    assert [(page.start, page.number, page.printed) for page in layout.pages] == [
        (0, 1, "7"),
        (11, 2, "8"),
        (22, 3, "9"),
    ]


def test_it_cuts_running_headers_and_footers_and_reads_the_number_in_them():
    pages = [
        '<div><a href="#toc">Table of Contents</a></div>'
        + p(f"Text {word}.")
        + p(f"Lantern Works | 2024 Form 10-K | {n}")
        for n, word in enumerate(("one", "two", "three", "four"), 31)
    ]
    layout = read_layout(document(*pages))
    assert layout.text == "Text one.\n\nText two.\n\nText three.\n\nText four."
    assert [page.printed for page in layout.pages] == ["31", "32", "33", "34"]


def test_pages_that_a_row_cannot_number_belong_to_the_last_that_it_can(monkeypatch):
    monkeypatch.setattr("filings.document.layout.MOST_PAGES", 2)
    layout = read_layout(document(p("One."), p("Two."), p("Three."), p("Four.")))
    assert [page.number for page in layout.pages] == [1, 2]
    assert page_at(layout.pages, len(layout.text) - 1) == layout.pages[1]
    assert "Four." in layout.text


def test_it_reads_prefixed_and_roman_page_numbers():
    layout = read_layout(document(p("One.") + p("ii"), p("Two.") + p("F-3"), p("Three.") + p("- 4 -")))
    assert [page.printed for page in layout.pages] == ["ii", "F-3", "4"]


def test_it_keeps_a_line_that_stands_on_two_pages_only():
    layout = read_layout(document(p("Lamps.") + p("One."), p("Lamps.") + p("Two."), p("Oil.") + p("Three.")))
    assert layout.text.count("Lamps.") == 2


def test_it_keeps_none_at_the_end_of_pages():
    layout = read_layout(document(*(p(f"Point {word}.") + p("None.") for word in ("one", "two", "three", "four"))))
    assert layout.text.count("None.") == 4


def test_it_joins_a_paragraph_that_a_page_break_interrupts_and_starts_the_page_inside_it():
    first = "The works stand by the harbour, where the brass is landed from ships and the"
    layout = read_layout(
        document(p(first) + p("4"), p("lanterns are taken away by cart.") + p("5"), p("End.") + p("6"))
    )
    assert layout.text == f"{first} lanterns are taken away by cart.\n\nEnd."
    assert [page.start for page in layout.pages][1] == len(first) + 1


@pytest.mark.parametrize(
    ("last", "first"),
    [
        (p("The works stand by the harbour."), p("Lanterns are sold.")),
        (
            bold("Supply of brass and of glass from other countries over the sea and the land"),
            p("we buy brass abroad."),
        ),
        (p("The works stand by the harbour, where the brass is landed:"), p("• by ship;")),
        (p("The works stand by the harbour and their"), table(("Brass", "8"), ("Glass", "9"))),
    ],
)
def test_it_does_not_join_what_does_not_go_on(last, first):
    layout = read_layout(document(last + p("4"), first + p("5"), p("End.") + p("6")))
    assert len(layout.blocks) == 3


def test_it_joins_a_sentence_that_is_broken_around_a_picture():
    first = "Adjusted costs of the works fell in the year of this report because of the lower prices of"
    layout = read_layout(document(p(first) + p("brass and of glass.")))
    assert layout.text == f"{first} brass and of glass."


def test_it_knows_bullets_in_paragraphs_lists_and_tables_that_only_place_them():
    page = (
        p("•Brass lanterns")
        + "<ul><li>Glass lanterns</li></ul>"
        + table(("", "●", "", "Ship lanterns"))
        + table(("(1)", "Lanterns for harbours"), ("(2)", "Lanterns for stations"))
    )
    assert blocks(read_layout(document(page))) == [
        ("bullet", "• Brass lanterns"),
        ("bullet", "Glass lanterns"),
        ("bullet", "● Ship lanterns"),
        ("bullet", "(1) Lanterns for harbours"),
        ("bullet", "(2) Lanterns for stations"),
    ]


def test_it_unfolds_tables_with_one_column_of_text():
    page = table((LONG,), ("A second paragraph.",)) + table((bold("Item 1A."), bold("Risk Factors")))
    assert [kind for kind, _ in blocks(read_layout(document(page)))] == ["paragraph", "paragraph", "heading"]


def test_it_parts_bullets_and_headings_that_only_a_line_break_parts():
    page = "<p><b>Supply</b><br/>We buy brass.<br/>• in the north;<br/>• in the south.</p><p>One line<br/>and its second.</p>"
    assert blocks(read_layout(document(page))) == [
        ("heading", "Supply"),
        ("paragraph", "We buy brass."),
        ("bullet", "• in the north;"),
        ("bullet", "• in the south."),
        ("paragraph", "One line and its second."),
    ]


def test_it_ranks_headings_by_how_they_are_set():
    heads = (
        '<p><b style="font-size:14pt">{n} Results</b></p><p><b>{n} Sales</b></p><p><b><i>{n} Brass</i></b></p>'
        "<p><u>{n} Glass</u></p><p><i>{n} Oil</i></p><p>Text of {n}, which is not set apart.</p>"
    )
    layout = read_layout(document("".join(heads.replace("{n}", word) for word in ("First", "Second", "Third"))))
    assert [block.level for block in layout.blocks[:6]] == [2, 3, 4, 5, 6, 0]
    assert layout.blocks[5].kind == "paragraph"


def test_it_takes_a_caption_of_several_lines_for_a_heading_but_not_a_bold_page():
    caption = "Our lanterns depend on brass from few suppliers, and a shortage would harm our results."
    layout = read_layout(document(bold(caption) + bold(LONG * 5)))
    assert [block.kind for block in layout.blocks] == ["heading", "paragraph"]


def test_it_reads_plain_text_with_form_feeds():
    layout = read_layout(b"Item 1. Business\n\nWe make\nlanterns.\n\n1\n\f\nMore lanterns.\n\n2\n")
    assert layout.text == "Item 1. Business\n\nWe make lanterns.\n\nMore lanterns."
    assert [page.printed for page in layout.pages] == ["1", "2"]


@pytest.mark.parametrize("content", [b"", b"   ", b"<html></html>", b"<html><body><script>x</script></body></html>"])
def test_it_refuses_a_document_without_text(content):
    with pytest.raises(UnreadableText):
        read_layout(content)


def test_it_keeps_the_text_of_a_document_that_is_cut_in_the_middle():
    whole = document(*(p(f"Lantern {number} is bright.") for number in range(50)))
    cut = read_layout(whole[: len(whole) // 2])
    assert cut.text.startswith("Lantern 0 is bright.\n\nLantern 1 is bright.")
    assert len(cut.text) > 300


def test_it_keeps_what_follows_an_empty_hidden_element_in_wrongly_nested_xhtml():
    page = '<div style="display:none"/><p>Lanterns <b>are</p></b><p>bright.</p>'
    assert read_layout(document(page)).text.split() == ["Lanterns", "are", "bright."]


@pytest.mark.parametrize(
    ("above", "entry", "below", "kind"),
    [
        ("", "<b>• Brass may become dear.</b>", "It did so in the year before this one.", "heading"),
        ("", "<i>* Brass may become dear.</i>", "It did so in the year before this one.", "heading"),
        ("", "<b>• Brass may become dear.</b>", "• It did so in the year before this one.", "bullet"),
        ("", "<b>• Brass may become dear.</b>", "<b>It did so in the year before this one.</b>", "bullet"),
        ("", "• Brass may become <b>dear.</b>", "It did so in the year before this one.", "bullet"),
        ("<table><tr><td>Brass</td><td>1</td></tr></table>", "<i>* Unaudited</i>", "It is in thousands.", "bullet"),
        ("", f"<b>{'Brass may become dear. ' * 24}</b>", "It did so.", "heading"),
        ("", f"<i>{'Brass may become dear. ' * 24}</i>", "It did so.", "paragraph"),
    ],
)
def test_an_entry_set_apart_above_plain_text_is_its_caption(above, entry, below, kind):
    layout = read_layout(f"<html><body><p>Risks.</p>{above}<p>{entry}</p><p>{below}</p></body></html>".encode())
    assert layout.blocks[-2].kind == kind
