"""Parses a filing's document into a tree, however it is written: XHTML, HTML of any age, or truncated."""

import logging
import re
from html import unescape
from html.entities import name2codepoint

from lxml import etree

logger = logging.getLogger(__name__)

MARKUP = re.compile(r"<(?:html|body|div|p|table|font|span|td)\b", re.IGNORECASE)
# None of these looks past the next "<" or begins with blanks, so each character is read once.
XHTML = re.compile(r"<html[^<>]*\bxmlns", re.IGNORECASE)
# What may precede a document: its container's lines (type, sequence, file name), and its declaration, whose encoding no
# longer applies.
WRAPPING = re.compile(r"<DOCUMENT>.{0,2000}?<TEXT>\s*(?:<XBRL>)?", re.IGNORECASE | re.DOTALL)
DECLARATION = re.compile(r"<\?xml[^<>]*\?>")
# Controls that XML forbids; form feeds stay, as page breaks of plain text.
FORBIDDEN = dict.fromkeys([*range(9), 0x0B, *range(0x0E, 0x20)])
ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>")
# libxml2 compares each attribute of an HTML element with all others: a tag longer than any filer's is read without
# attributes.
LONGEST_TAG = 10_000
TAG = re.compile(r"<([A-Za-z][\w:.-]*+)(?:[^<>\"']++|\"[^\"]*+\"?|'[^']*+'?)*+>?")
VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
# How EDGAR marked the columns of tables in plain text until 2001; what its marks and a page around the text begin with.
COLUMNS = re.compile(r"<S>\s*<C>", re.IGNORECASE)
CELL = re.compile(r"<t[rd]\b", re.IGNORECASE)
TYPED_TAG = r"</?(?:html|body|div|pre|table|caption|s|c|fn|type|text|document)>"
TYPED_TAGS = re.compile(rf"^[ \t]*(?:{TYPED_TAG}[ \t]*)+\n|{TYPED_TAG}", re.IGNORECASE | re.MULTILINE)
TYPED_TABLE = re.compile(r"</?table>", re.IGNORECASE)
FRONT = 200_000  # characters within which a document declares its type
WIDE_FRONT = 1_000_000


def decoded(document: bytes) -> str:
    """The text of a document: UTF-8, else Windows characters, which filers' tools write where the SEC wants ASCII."""
    try:
        text = document.decode()
    except UnicodeDecodeError:
        text = document.decode("cp1252", "replace")
    return without(WRAPPING, text).translate(FORBIDDEN)


def without(pattern: re.Pattern[str], text: str) -> str:
    """A text without the first match of a pattern in its front, and the blanks before it."""
    found = pattern.search(text, 0, FRONT)
    return text[: found.start()].rstrip() + text[found.end() :] if found else text


def is_markup(text: str) -> bool:
    """Whether a document has elements rather than plain text."""
    return bool(MARKUP.search(text, 0, WIDE_FRONT))


def is_typed(text: str) -> bool:
    """Whether a text is laid out by its line breaks and blanks, with EDGAR's marks of columns, whatever stands around it."""
    return COLUMNS.search(text) is not None and CELL.search(text) is None


def as_typed(text: str) -> tuple[str, str]:
    """Such a text without the marks and the lines that have nothing else; and its prose, which is outside its tables."""
    prose = "".join(TYPED_TABLE.split(text)[::2])
    return unescape(TYPED_TAGS.sub("", text)), TYPED_TAGS.sub("", prose)


def read_tree(text: str) -> etree._Element | None:
    """The tree of a document; None where there is none.

    XHTML is read by the XML parser, because it ends elements as HTML does not (<td/>). What that rejects, and other
    HTML, is read by the HTML parser, which loses no text of a truncated or wrongly nested document.
    """
    body = without(DECLARATION, text)
    if XHTML.search(body, 0, FRONT):
        parser = etree.XMLParser(
            huge_tree=True, resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
        )
        try:
            return etree.fromstring(ENTITY.sub(_written_out, body).encode(), parser)
        except (etree.XMLSyntaxError, ValueError):
            body = CLOSED.sub(_both_tags, body)
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True, recover=True
    )
    if any(found.end() - found.start() > LONGEST_TAG for found in TAG.finditer(body)):
        body = TAG.sub(_shortened, body)
    try:
        tree = etree.fromstring(body.encode(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if limits := [error.message for error in parser.error_log if error.type_name == "ERR_RESOURCE_LIMIT"]:
        logger.warning("A part of a document is not read: %s", limits[0])
    return tree


def _written_out(match: re.Match[str]) -> str:
    name = match[1]
    code = None if name in OF_XML else name2codepoint.get(name)
    return match[0] if code is None else f"&#{code};"


def _both_tags(match: re.Match[str]) -> str:
    """<td/> as <td></td>, which HTML knows."""
    name = match[1]
    return match[0] if name.lower() in VOID else f"<{name}{match[2]}></{name}>"


def _shortened(match: re.Match[str]) -> str:
    """A tag without its attributes, where they are too many; a declaration that it is hidden is kept."""
    if len(match[0]) <= LONGEST_TAG:
        return match[0]
    return f"<{match[1]}>" if match[1].lower() in {"html", "body"} else f"<{match[1]} hidden>"
