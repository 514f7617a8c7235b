"""Files that a person might bring: fictional documents of each kind, and broken ones."""

from collections.abc import Mapping
from io import BytesIO
from itertools import pairwise
from zipfile import ZIP_DEFLATED, ZipFile

from docx import Document
from docx.document import Document as WordDocument

from filings.document.layout import Layout

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def saved(document: WordDocument) -> bytes:
    """The bytes of a Word document."""
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def word(*paragraphs: str) -> bytes:
    """A Word document of paragraphs."""
    document = Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    return saved(document)


def repacked(content: bytes, parts: Mapping[str, bytes]) -> bytes:
    """A zip file with some parts replaced or added."""
    file = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(file, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, part in parts.items():
            new.writestr(name, part)
    return file.getvalue()


def zipped(**parts: bytes) -> bytes:
    """A zip file; names of parts are written with `__` for a slash and `_dot_` for a full stop."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), part)
    return file.getvalue()


def word_xml(body: str, front: str = "") -> bytes:
    """A Word document with this body, as XML."""
    return repacked(
        word("x"),
        {
            "word/document.xml": f'<?xml version="1.0"?>{front}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'.encode()
        },
    )


def ole(*streams: str) -> bytes:
    """An OLE file with streams of these names, as its directory has them."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + b"".join(name.encode("utf-16-le") for name in streams)


def check(layout: Layout) -> None:
    """What is true of any layout: blocks in order within the text, a gap apart; cells in order within their block."""
    text = layout.text
    assert layout.blocks
    assert layout.blocks[0].start == 0
    assert layout.blocks[-1].end == len(text)
    for first, second in pairwise(layout.blocks):
        assert text[first.end : second.start] == "\n\n"
    for block in layout.blocks:
        assert 0 <= block.start <= block.end <= len(text)
        assert bool(block.rows) == (block.kind == "table")
        assert (block.level > 0) == (block.kind == "heading")
        assert block.header <= len(block.rows)
        at = block.start
        for row in block.rows:
            for cell in row:
                assert at <= cell.start <= cell.end <= block.end
                at = cell.end
    starts = [page.start for page in layout.pages]
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)
    numbers = [page.number for page in layout.pages]
    assert numbers == sorted(set(numbers))
