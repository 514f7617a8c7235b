"""Recognises what a file is by its first bytes and its structure, never by its name."""

import re
from enum import StrEnum
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from filings.document.encodings import decoded_text, is_binary
from filings.document.layout import UnreadableText
from filings.document.layout.markup import FRONT, MARKUP, WRAPPING, is_typed

PDF_FRONT = 1024  # bytes before "%PDF-" that readers of PDF allow
WANTED = "Diligence reads PDF, HTML, Word (.docx), Markdown and plain text."


class FileKind(StrEnum):
    """The kinds of file that are read."""

    PDF = "pdf"
    HTML = "html"
    WORD = "docx"
    MARKDOWN = "markdown"
    TEXT = "text"


# Signatures (https://www.iana.org/assignments/media-types, and each format's own specification) of what is not read.
REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"GIF8", "an image (GIF)"),
    (b"II*\x00", "an image (TIFF)"),
    (b"MM\x00*", "an image (TIFF)"),
    (b"{\\rtf", "a Rich Text file (.rtf)"),
    (b"%!PS", "a PostScript file"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xfe\xed\xfa", "a program"),
    (b"\x1f\x8b", "an archive (gzip)"),
    (b"7z\xbc\xaf\x27\x1c", "an archive (7z)"),
    (b"Rar!\x1a\x07", "an archive (RAR)"),
    (b"BZh", "an archive (bzip2)"),
    (b"\xfd7zXZ\x00", "an archive (xz)"),
    (b"\x28\xb5\x2f\xfd", "an archive (zstd)"),
    (b"SQLite format 3\x00", "a database"),
    (b"ID3", "a sound file"),
    (b"OggS", "a sound file"),
    (b"fLaC", "a sound file"),
    (b"\x1aE\xdf\xa3", "a film"),
    (b"BM", "an image (BMP)"),
    (b"MZ", "a program"),
    (b"RIFF", "a picture, sound or film (RIFF)"),
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Names of streams in an OLE file, which are UTF-16: what they make it, the first that is there.
OLE_STREAMS: tuple[tuple[str, str], ...] = (
    ("EncryptedPackage", "The file is encrypted. Remove its password in the program that made it, and try again."),
    ("WordDocument", "The file is a Word document of the old kind (.doc). Save it as .docx or PDF, and try again."),
    ("Workbook", f"The file is a spreadsheet (.xls). {WANTED}"),
    ("PowerPoint Document", f"The file is a presentation (.ppt). {WANTED}"),
)
ZIP, ZIP_EMPTY = b"PK\x03\x04", b"PK\x05\x06"
# The beginning of names in a zip file that tell its kind.
ZIP_FOLDERS: tuple[tuple[str, str], ...] = (
    ("xl/", "a spreadsheet (.xlsx)"),
    ("ppt/", "a presentation (.pptx)"),
    ("META-INF/container.xml", "an electronic book (.epub)"),
    ("META-INF/MANIFEST.MF", "a program (.jar)"),
    ("content.xml", "an OpenDocument file"),
    ("Index/", "a document of Apple's iWork"),
)
# What precedes the first element of a page.
LEADING = re.compile(r"(?:\s+|<\?xml[^<>]*\?>|<!--.*?-->|<!doctype[^<>]*>)+", re.IGNORECASE | re.DOTALL)
DOCTYPE = re.compile(r"<!doctype\s+html", re.IGNORECASE)
FIRST_ELEMENT = re.compile(r"<(?P<name>[A-Za-z][\w:.-]*)")
OF_PAGES = re.compile(
    r"(?:xhtml:)?(?:html|head|body|meta|title|base|link|style|script|div|p|table|font|span|section|article|main|header|"
    r"center|h[1-6]|ul|ol|pre|b|i|a|br|hr|img|document|xbrl|sec-document)",
    re.IGNORECASE,
)
CLOSING_TAG = re.compile(r"</(?:html|body|div|p|table|td|span)\s*>", re.IGNORECASE)
TEXT_A_TAG = 2_000  # characters for each closing tag up to which a text with tags is a page
MARKDOWN_NAME = re.compile(r".*\.(?:md|markdown|mdown|mkd)", re.IGNORECASE | re.DOTALL)
# Marks that plain text has not: headings, fences, the rule below a table's header, lines in bold.
MARKDOWN = re.compile(
    r"^ {0,3}(?:#{1,6} +\S.*|(?:```|~~~)[\w-]*|\*\*[^*\n]+\*\*|\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:?)? *)$",
    re.MULTILINE,
)
LEAST_MARKDOWN = 2


def kind_of(content: bytes, filename: str = "") -> FileKind:
    """The kind of a file. Its name decides only between Markdown and plain text.

    Raises UnreadableText, with a sentence for people, for what is not read.
    """
    if not content.strip(b"\x00 \t\r\n\f"):
        raise UnreadableText("The file is empty.")
    if b"%PDF-" in content[:PDF_FRONT]:
        return FileKind.PDF
    if content.startswith(OLE):
        raise UnreadableText(_ole_refusal(content))
    if content.startswith((ZIP, ZIP_EMPTY)):
        return _zip_kind(content)
    binary = is_binary(content)
    for signature, name in REFUSED:
        # Signatures of letters may begin a text.
        if content.startswith(signature) and (binary or not signature.isalnum()):
            raise UnreadableText(f"The file is {name}. {WANTED}")
    if content[4:8] == b"ftyp":
        raise UnreadableText(f"The file is a picture, sound or film. {WANTED}")
    if content[257:262] == b"ustar":
        raise UnreadableText(f"The file is an archive (tar). {WANTED}")
    if binary:
        raise UnreadableText(f"The file is no text: it holds bytes that no text has. {WANTED}")
    return _text_kind(decoded_text(content), filename)


def _ole_refusal(content: bytes) -> str:
    for stream, sentence in OLE_STREAMS:
        if stream.encode("utf-16-le") in content:
            return sentence
    return f"The file is of an old kind of Microsoft Office. {WANTED}"


def _zip_kind(content: bytes) -> FileKind:
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, OSError, NotImplementedError, OverflowError):
        raise UnreadableText(
            "The file is damaged or cut off: its parts cannot be read. Save it anew, and try again."
        ) from None
    if "word/document.xml" in names:
        return FileKind.WORD
    for folder, name in ZIP_FOLDERS:
        if any(part.startswith(folder) for part in names):
            raise UnreadableText(f"The file is {name}. {WANTED}")
    if any(part.startswith("word/") for part in names):
        return FileKind.WORD
    raise UnreadableText(f"The file is an archive (zip). Unpack it and bring the documents in it. {WANTED}")


def _text_kind(text: str, filename: str) -> FileKind:
    if is_typed(text):
        return FileKind.TEXT
    front = text[:FRONT]
    leading = LEADING.match(front)
    element = FIRST_ELEMENT.match(front, leading.end() if leading else 0)
    if (leading and DOCTYPE.search(leading[0])) or WRAPPING.search(front):
        return FileKind.HTML
    if element and OF_PAGES.fullmatch(element["name"]):
        return FileKind.HTML
    if element and leading and "<?xml" in leading[0].lower():
        raise UnreadableText(f"The file is XML data (<{element['name'][:40]}>), no document. {WANTED}")
    if element and element["name"].lower() == "svg":
        raise UnreadableText(f"The file is an image (SVG). {WANTED}")
    if MARKDOWN_NAME.fullmatch(filename):
        return FileKind.MARKDOWN
    if MARKUP.search(front) and len(CLOSING_TAG.findall(front)) * TEXT_A_TAG >= len(front):
        return FileKind.HTML
    marks = sum(1 for _, _ in zip(range(LEAST_MARKDOWN), MARKDOWN.finditer(front), strict=False))
    return FileKind.MARKDOWN if marks >= LEAST_MARKDOWN else FileKind.TEXT
