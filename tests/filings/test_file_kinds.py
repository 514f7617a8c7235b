"""What a file is is told from its bytes, and what is not read is refused with a sentence that says what it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.document.file_kinds import FileKind, kind_of
from filings.document.layout import UnreadableText
from tests.support.brought_files import ole, word, zipped

PROSE = "We make widgets in Lindau. We sold more of them than a year before.\n"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", FileKind.PDF),
        (b"\xef\xbb\xbf \n%PDF-1.4\n", FileKind.PDF),
        (b"<!DOCTYPE html><html><body>Widgets</body></html>", FileKind.HTML),
        (b"\xef\xbb\xbf\n<!-- made -->\n<HTML><body>Widgets", FileKind.HTML),
        (
            b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>Widgets</body></html>',
            FileKind.HTML,
        ),
        (b"<DOCUMENT>\n<TYPE>EX-99\n<TEXT>\nWidgets", FileKind.HTML),
        (b"<div>Widgets</div>", FileKind.HTML),
        (b"Sent by mail\n<p>Widgets</p><p>Gears</p>", FileKind.HTML),
        (word("Widgets"), FileKind.WORD),
        (PROSE.encode(), FileKind.TEXT),
        (PROSE.encode("utf-16"), FileKind.TEXT),
        (PROSE.encode("utf-16-le"), FileKind.TEXT),
        (b"GIF89 is a format. MZ and BM and RIFF are letters.", FileKind.TEXT),
        (b"BMW sells cars, and ID3 is a car.", FileKind.TEXT),
        (b"A <widget> costs <b>5</b> euros. " + PROSE.encode() * 200, FileKind.TEXT),
        (b"# Widgets\n\nText.\n\n## Gears\n\nText.\n", FileKind.MARKDOWN),
        (b"| A | B |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n", FileKind.MARKDOWN),
    ],
)
def test_a_file_is_what_its_bytes_are(content: bytes, kind: FileKind) -> None:
    for name in ("", "x.pdf", "x.docx", "x.png", "../../etc/passwd"):
        assert kind_of(content, name) == kind


def test_the_name_tells_markdown_from_text_and_nothing_else() -> None:
    assert kind_of(PROSE.encode(), "notes.md") == FileKind.MARKDOWN
    assert kind_of(PROSE.encode(), "notes.MARKDOWN") == FileKind.MARKDOWN
    assert kind_of(PROSE.encode(), "notes.txt") == FileKind.TEXT
    assert kind_of(word("Widgets"), "notes.md") == FileKind.WORD
    assert kind_of(b"<!doctype html><p>Widgets", "notes.md") == FileKind.HTML


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty."),
        (b" \r\n\t\x00\x00", "The file is empty."),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "an image (PNG)"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "an image (JPEG)"),
        (b"GIF89a\x01\x00\x01\x00", "an image (GIF)"),
        (b"BM\x46\x00\x00\x00\x00\x00\x00\x00", "an image (BMP)"),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "XML data (<svg>)"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "an image (SVG)"),
        (b'<?xml version="1.0"?><rows><row>1</row></rows>', "XML data (<rows>)"),
        (b"MZ\x90\x00\x03\x00\x00\x00", "a program"),
        (b"\x7fELF\x02\x01\x01\x00", "a program"),
        (b"{\\rtf1\\ansi Widgets}", "Rich Text"),
        (b"\x1f\x8b\x08\x00", "an archive (gzip)"),
        (b"\x00\x00\x00\x18ftypmp42", "a picture, sound or film"),
        (ole("WordDocument"), "Word document of the old kind (.doc)"),
        (ole("EncryptionInfo", "EncryptedPackage"), "The file is encrypted."),
        (ole("Workbook"), "a spreadsheet (.xls)"),
        (ole("Root Entry"), "an old kind of Microsoft Office"),
        (zipped(a_dot_txt=b"Widgets"), "an archive (zip)"),
        (zipped(xl__workbook_dot_xml=b"<x/>"), "a spreadsheet (.xlsx)"),
        (zipped(ppt__presentation_dot_xml=b"<x/>"), "a presentation (.pptx)"),
        (zipped(mimetype=b"x", content_dot_xml=b"<x/>"), "an OpenDocument file"),
        (zipped(), "an archive (zip)"),
        (word("Widgets")[:900], "damaged or cut off"),
        (b"Widgets\x00and gears", "bytes that no text has"),
        (bytes(range(1, 32)) * 9, "bytes that no text has"),
    ],
)
def test_what_is_not_read_is_refused_with_a_sentence(content: bytes, said: str) -> None:
    with pytest.raises(UnreadableText) as refused:
        kind_of(content, "report.pdf")
    sentence = str(refused.value)
    assert said in sentence
    assert sentence.startswith("The file is ")
    assert sentence.endswith(".")


@given(st.binary(max_size=400), st.text(max_size=20))
def test_any_bytes_have_a_kind_or_are_refused(content: bytes, filename: str) -> None:
    try:
        assert kind_of(content, filename) in FileKind
    except UnreadableText as refused:
        assert str(refused).endswith(".")  # noqa: PT017
