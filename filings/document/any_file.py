"""Reads a file of any kind that a person brings into one frozen text with its blocks and pages."""

from filings.document.encodings import decoded_text
from filings.document.file_kinds import FileKind, kind_of
from filings.document.layout import Layout, UnreadableText, laid_out, read_layout

MOST_BYTES = 100_000_000


def read_layout_of(content: bytes, filename: str) -> Layout:
    """The layout of a file, by the reader for what its bytes are.

    filename: tells Markdown from plain text, and nothing else; it is never opened. Raises UnreadableText, with a
    sentence for people, for what cannot be read.
    """
    if len(content) > MOST_BYTES:
        raise UnreadableText(
            f"The file has {len(content) // 1_000_000} MB; at most {MOST_BYTES // 1_000_000} MB are read. Split it."
        )
    match kind_of(content, filename):
        case FileKind.PDF:
            from filings.document.pdf import read_pdf

            return read_pdf(content)
        case FileKind.HTML:
            return read_layout(decoded_text(content).encode())
        case FileKind.WORD:
            from filings.document.word_file import word_lines

            return laid_out(*word_lines(content))
        case FileKind.MARKDOWN:
            from filings.document.markdown import markdown_lines

            return laid_out(*markdown_lines(decoded_text(content)))
        case FileKind.TEXT:
            from filings.document.plain_text import text_lines

            return laid_out(*text_lines(decoded_text(content)))
