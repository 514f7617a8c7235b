"""Word documents: headings, lists, tables and pages as printed; broken and hostile ones refused in a sentence."""

import socket
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile

import pytest
from docx import Document
from docx.enum.text import WD_BREAK
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.shared import Pt
from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document.any_file import read_layout_of
from filings.document.layout import Layout, UnreadableText
from filings.document.word_file import MOST_MEMBERS, check_archive
from tests.support.brought_files import W, check, ole, repacked, saved, word, word_xml

RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml"
SENTENCE = "We make widgets in Lindau and sell them in nine countries."


def read(content: bytes) -> Layout:
    layout = read_layout_of(content, "letter.docx")
    check(layout)
    return layout


def kinds(layout: Layout) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, layout.of(block)) for block in layout.blocks]


def refusal(content: bytes) -> str:
    with pytest.raises(UnreadableText) as refused:
        read_layout_of(content, "letter.docx")
    return str(refused.value)


def test_headings_are_known_by_style_and_by_look() -> None:
    document = Document()
    document.add_heading("Letter", 0)
    document.add_heading("Overview", 1)
    document.add_paragraph(SENTENCE)
    document.add_heading("Costs", 2)
    document.add_paragraph().add_run("Magnets").bold = True
    document.add_paragraph(SENTENCE).add_run(" In bold.").bold = True
    assert kinds(read(saved(document))) == [
        ("heading", 2, "Letter"),
        ("heading", 2, "Overview"),
        ("paragraph", 0, SENTENCE),
        ("heading", 3, "Costs"),
        ("heading", 2, "Magnets"),
        ("paragraph", 0, f"{SENTENCE} In bold."),
    ]


def test_a_style_of_ones_own_takes_what_it_is_based_on() -> None:
    document = Document()
    own = document.styles.add_style("Chapter", 1)
    own.base_style = document.styles["Heading 3"]
    bold = document.styles.add_style("Strong line", 1)
    bold.font.bold, bold.font.size = True, Pt(14)
    document.add_paragraph("Widgets", style="Chapter")
    document.add_paragraph("Gears", style="Strong line")
    assert [(block.kind, block.level) for block in read(saved(document)).blocks] == [("heading", 4), ("heading", 2)]


def test_styles_based_on_each_other_are_read() -> None:
    document = Document()
    one, two = (document.styles.add_style(name, 1) for name in ("One", "Two"))
    one.base_style, two.base_style = two, one
    document.add_paragraph(SENTENCE, style="One")
    assert read(saved(document)).text == SENTENCE


def test_lists_are_bullets() -> None:
    document = Document()
    document.add_paragraph("Widgets", style="List Bullet")
    document.add_paragraph("Gears", style="List Number")
    assert [block.kind for block in read(saved(document)).blocks] == ["bullet", "bullet"]


def test_a_table_keeps_rows_spans_and_figures() -> None:
    document = Document()
    table = document.add_table(4, 3)
    rows = [("", "Year", ""), ("", "2025", "2024"), ("Widgets", "1,204", "1,100"), ("Gears", "(77)", "—")]
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0)).text = "Sold"
    layout = read(saved(document))
    assert layout.text == "Sold\tYear\n\t2025\t2024\nWidgets\t1,204\t1,100\nGears\t(77)\t—"
    (block,) = layout.blocks
    assert block.header == 2
    assert [cell.span for cell in block.rows[0]] == [1, 2]


def test_a_cell_over_two_rows_takes_the_text_of_both() -> None:
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    merged = cell.format('<w:vMerge w:val="restart"/>', "Widgets"), cell.format("<w:vMerge/>", "and gears")
    rows = "".join(
        f"<w:tr>{first}{cell.format('', figure)}</w:tr>" for first, figure in zip(merged, "78", strict=True)
    )
    assert read(word_xml(f"<w:tbl>{rows}</w:tbl>")).text == "Widgets and gears\t7\n\t8"


def test_pages_begin_at_breaks_also_within_a_sentence() -> None:
    document = Document()
    paragraph = document.add_paragraph("This long sentence about widgets goes over the end of a page and is")
    paragraph.add_run().add_break(WD_BREAK.PAGE)
    paragraph.add_run("not ended before the next one begins.")
    document.add_page_break()
    document.add_paragraph("Gears.").paragraph_format.page_break_before = True
    document.add_section()
    document.add_paragraph("Springs.")
    layout = read(saved(document))
    assert [block.kind for block in layout.blocks] == ["paragraph"] * 3
    assert [layout.text[page.start :].split()[0] for page in layout.pages] == ["This", "not", "Gears.", "Springs."]
    assert [page.number for page in layout.pages] == [1, 2, 3, 4]


def test_hidden_and_deleted_text_comments_and_fields_are_left_out() -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>SECRET</w:t></w:r>"
    deleted = "<w:del><w:r><w:delText>SECRET</w:delText><w:t>SECRET</w:t></w:r></w:del>"
    moved = "<w:moveFrom><w:r><w:t>SECRET</w:t></w:r></w:moveFrom>"
    field = "<w:r><w:instrText>SECRET</w:instrText></w:r>"
    kept = "<w:ins><w:r><w:t>and gears</w:t></w:r></w:ins>"
    content = word_xml(
        f'<w:p><w:r><w:t xml:space="preserve">Widgets </w:t></w:r>{hidden}{deleted}{moved}{field}{kept}</w:p>'
    )
    assert read(content).text == "Widgets and gears"


def test_content_controls_and_text_boxes_are_read_once() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>"
    compatible = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    alternate = f"<mc:AlternateContent {compatible}><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    control = "<w:sdt><w:sdtContent><w:p><w:r><w:t>Controlled.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    layout = read(word_xml(f"{control}<w:p><w:r>{alternate}<w:t>Around it.</w:t></w:r></w:p>"))
    assert [layout.of(block) for block in layout.blocks] == ["Controlled.", "Around it.", "In a box."]


def test_footnotes_stand_at_the_end() -> None:
    note = "<w:footnote{}><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:footnote>"
    notes = note.format(' w:id="0" w:type="separator"', "SECRET") + note.format(' w:id="2"', "Without gears.")
    document = Document()
    document.add_paragraph(SENTENCE)
    name, kind = PackURI("/word/footnotes.xml"), f"{MAIN}.footnotes+xml"
    part = Part(name, kind, f'<w:footnotes xmlns:w="{W}">{notes}</w:footnotes>'.encode(), document.part.package)
    document.part.relate_to(part, f"{RELATIONSHIPS}/footnotes")
    assert read(saved(document)).text == f"{SENTENCE}\n\nWithout gears."


def test_deeply_nested_tables_are_read() -> None:
    body = "<w:p><w:r><w:t>Deep.</w:t></w:r></w:p>"
    for _ in range(60):
        body = f"<w:tbl><w:tr><w:tc>{body}</w:tc></w:tr></w:tbl>"
    assert read(word_xml(body)).text == "Deep."


@pytest.mark.parametrize("span", ["²", "9" * 5_000, "-1", ""])
def test_a_hostile_span_is_read(span: str) -> None:
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr><w:p><w:r><w:t>{{}}</w:t></w:r></w:p></w:tc>'
    row = f"<w:tr>{cell.format('Widgets')}{cell.format('77')}</w:tr>"
    assert "77" in read(word_xml(f"<w:tbl>{row}{row}</w:tbl>")).text


# --- hostile files ---


def test_nothing_that_a_document_links_to_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("The network was used.")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    document = Document()
    document.add_paragraph(SENTENCE)
    target = "https://evil.example/"
    for kind in ("image", "attachedTemplate", "hyperlink", "frame"):
        document.part.relate_to(
            target + kind,
            f"{RELATIONSHIPS}/{kind}",
            is_external=True,
        )
    assert read(saved(document)).text == SENTENCE


def test_entities_are_not_expanded() -> None:
    laughs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(9))
    front = f'<!DOCTYPE w [{laughs}<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    content = word_xml("<w:p><w:r><w:t>Widgets &e8; &file;</w:t></w:r></w:p>", front)
    try:
        text = read_layout_of(content, "x.docx").text
    except UnreadableText as refused:
        text = str(refused)
    assert "haha" not in text
    assert "root:" not in text


def test_a_truncated_file_is_damaged() -> None:
    content = word(*[SENTENCE] * 50)
    for length in (100, len(content) // 2, len(content) - 30):
        assert "damaged or cut off" in refusal(content[:length])


def test_changed_bytes_are_noticed() -> None:
    file = BytesIO()
    with ZipFile(BytesIO(word(SENTENCE))) as old, ZipFile(file, "w", ZIP_STORED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    content = file.getvalue().replace(b"widgets in Lindau", b"widgets in Zurich")
    assert "damaged or cut off" in refusal(content)


def test_an_encrypted_file_says_so() -> None:
    assert "encrypted" in refusal(ole("EncryptionInfo", "EncryptedPackage"))


def test_an_encrypted_part_says_so() -> None:
    content = bytearray(word(SENTENCE))
    at = content.find(b"PK\x01\x02")
    content[at + 8] |= 1
    assert "encrypted" in refusal(bytes(content))


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    assert "packed tighter" in refusal(repacked(word(SENTENCE), {"word/media/a.bin": bytes(20_000_000)}))
    assert "unpacks to more than 200 MB" in refusal(repacked(word(SENTENCE), {"word/media/a.bin": bytes(201_000_000)}))


def test_text_of_more_than_the_limit_is_refused() -> None:
    body = word_xml("<w:p><w:r><w:t>" + SENTENCE * 900_000 + "</w:t></w:r></w:p>")
    assert "unpacks to more than 50 MB" in refusal(body)


def test_a_file_of_many_parts_is_refused() -> None:
    parts = {f"word/media/{number}": b"" for number in range(MOST_MEMBERS)}
    assert f"at most {MOST_MEMBERS:,} are read" in refusal(repacked(word(SENTENCE), parts))


def test_a_part_that_declares_less_than_it_holds_is_damaged() -> None:
    content = bytearray(repacked(word(SENTENCE), {"word/media/a.txt": SENTENCE.encode() * 400}))
    at = content.rfind(b"PK\x01\x02")
    content[at + 24 : at + 28] = (10).to_bytes(4, "little")
    with pytest.raises(UnreadableText, match="damaged or cut off"):
        check_archive(bytes(content))


def test_a_document_with_macros_is_told_from_a_damaged_one() -> None:
    plain = word(SENTENCE)
    with ZipFile(BytesIO(plain)) as archive:
        types = archive.read("[Content_Types].xml")
    usual = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    macros = types.replace(usual, b"application/vnd.ms-word.document.macroEnabled.main+xml")
    assert "macros" in refusal(repacked(plain, {"[Content_Types].xml": macros}))


@pytest.mark.parametrize(
    "parts",
    [
        {"word/document.xml": b"no XML"},
        {"word/document.xml": b"<w/>"},
        {"word/document.xml": b""},
        {"word/styles.xml": b"<<"},
        {"[Content_Types].xml": b"<Types/>"},
        {"_rels/.rels": b"<Relationships/>"},
        {"word/_rels/document.xml.rels": b"<"},
    ],
)
def test_a_file_whose_parts_are_broken_is_damaged(parts: dict[str, bytes]) -> None:
    assert refusal(repacked(word(SENTENCE), parts)).endswith(".")


def test_a_document_without_text_says_so() -> None:
    assert refusal(saved(Document())) == "The document has no text."


def test_names_of_parts_lead_nowhere() -> None:
    content = repacked(word(SENTENCE), {"../../../tmp/evil": b"x", "/etc/evil": b"x"})
    assert read(content).text == SENTENCE


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Normal", "Heading 1", "Heading 4", "List Bullet", "table", "break"]),
            st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=60),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_any_document_is_laid_out_exactly(parts: list[tuple[str, str]]) -> None:
    document = Document()
    document.add_paragraph(SENTENCE)
    for style, text in parts:
        if style == "table":
            table = document.add_table(2, 2)
            table.cell(0, 0).text, table.cell(1, 1).text, table.cell(0, 1).text = text, "77", SENTENCE
        elif style == "break":
            document.add_page_break()
        else:
            document.add_paragraph(text, style=style)
    check(read_layout_of(saved(document), "x.docx"))


def test_a_document_in_the_strict_form_is_refused_or_read() -> None:
    strict = word_xml("<w:p><w:r><w:t>Widgets</w:t></w:r></w:p>")
    with ZipFile(BytesIO(strict)) as archive:
        body = archive.read("word/document.xml").replace(
            W.encode(), b"http://purl.oclc.org/ooxml/wordprocessingml/main"
        )
    assert refusal(repacked(strict, {"word/document.xml": body})).endswith(".")


def test_a_field_of_a_page_break_rendered_by_word_counts_once() -> None:
    document = Document()
    paragraph = document.add_paragraph(SENTENCE)
    paragraph.add_run().add_break(WD_BREAK.PAGE)
    run = document.add_paragraph().add_run()
    run._r.append(OxmlElement("w:lastRenderedPageBreak"))
    run.add_text("Gears.")
    assert [page.number for page in read(saved(document)).pages] == [1, 2]
