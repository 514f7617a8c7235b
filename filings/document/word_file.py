"""Reads a Word document (.docx, Office Open XML, ISO/IEC 29500): paragraphs, headings, lists, tables, pages.

The file is a zip archive, whose sizes are checked before anything in it is parsed. Entities are not expanded, and nothing
that the document links to is fetched. Hidden and deleted text, comments, headers and footers are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from lxml import etree

from filings.document.cell_spans import cell_span
from filings.document.layout import UnreadableText
from filings.document.layout.css import Style
from filings.document.layout.lines import Grid, GridCell, Line
from filings.document.layout.segments import Segment, lines_of
from filings.document.layout.tables import unfolded
from filings.document.layout.walk import MOST_COLUMNS
from filings.document.word_styles import Look, Styles, W, value

MOST_MEMBERS = 5_000
MOST_BYTES = 200_000_000  # of all parts, unpacked
MOST_TEXT = 50_000_000  # of the part that holds the text: some ten thousand pages
MOST_RATIO, FREE = 300, 1_000_000  # unpacked to packed size of a part larger than FREE; text reaches about 60
AT_ONCE = 1 << 18
ENCRYPTED = 0x1
MOST_NESTED = 24
DAMAGED = "The Word file is damaged or cut off. Open it in Word, save it anew, and try again."
# Elements whose text is not of the printed document, or stands in it twice.
LEFT_OUT = frozenset({W + "del", W + "moveFrom", W + "instrText", W + "delText", W + "pPr", W + "rPr"})
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
OF_BLOCKS = frozenset({W + "sdt", W + "sdtContent", W + "customXml", W + "ins", W + "moveTo"})
TURNING = frozenset({None, "nextPage", "oddPage", "evenPage"})  # kinds of section that begin a page


def word_lines(content: bytes) -> tuple[list[Line], int]:
    """The lines of a document, and its number of pages. Raises UnreadableText with a sentence for people."""
    check_archive(content)
    body, styles, notes = _opened(content)
    reading = _Reading(styles)
    reading.blocks(body)
    # Notes stand at the end: which page a note is on is not in the file.
    for note in notes:
        reading.blocks(note)
    return reading.lines, reading.page


def check_archive(content: bytes) -> None:
    """Refuse archives that unpack to more than a document needs, by what they declare and by what they hold."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            parts = archive.infolist()
            if len(parts) > MOST_MEMBERS:
                raise UnreadableText(f"The Word file has {len(parts):,} parts; at most {MOST_MEMBERS:,} are read.")
            if any(part.flag_bits & ENCRYPTED for part in parts):
                raise UnreadableText("The Word file is encrypted. Remove its password in Word, and try again.")
            _check_size(sum(part.file_size for part in parts), MOST_BYTES)
            unpacked = 0
            for part in parts:
                if part.filename == "word/document.xml":
                    _check_size(part.file_size, MOST_TEXT)
                if part.file_size > max(FREE, MOST_RATIO * part.compress_size):
                    raise UnreadableText(
                        "The Word file is packed tighter than any document: a part of it unpacks to more than "
                        f"{MOST_RATIO} times its size."
                    )
                with archive.open(part) as stream:
                    while some := stream.read(AT_ONCE):
                        unpacked += len(some)
                        _check_size(unpacked, MOST_BYTES)
    # What zipfile raises on the bytes of a damaged file.
    except (BadZipFile, ZlibError, EOFError, OSError, ValueError, NotImplementedError, OverflowError, RuntimeError):
        raise UnreadableText(DAMAGED) from None


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise UnreadableText(
            f"The Word file unpacks to more than {most // 1_000_000} MB, the most that is read. Split it, and try again."
        )


def _opened(content: bytes) -> tuple[etree._Element, Styles, list[etree._Element]]:
    """The body of a document, its styles, and its footnotes and endnotes."""
    import docx
    from docx.exceptions import PythonDocxError
    from docx.oxml import parse_xml

    try:
        document = docx.Document(BytesIO(content))
        parts = [
            relation.target_part
            for relation in document.part.rels.values()
            if not relation.is_external and relation.reltype.endswith(("/footnotes", "/endnotes"))
        ]
        notes = [note for part in parts for note in parse_xml(part.blob) if value(note, "type") is None]
        return document.element.body, Styles(document.styles.element), notes
    except ValueError as error:
        # python-docx names the type of a document that is none, such as one with macros or a template.
        if "macroEnabled" in str(error) or "template" in str(error):
            raise UnreadableText(
                "The Word file holds macros or is a template. Save it as .docx, and try again."
            ) from None
        raise UnreadableText(DAMAGED) from None
    # Its parts may lack what python-docx takes for granted: it has no error of its own for that.
    except (KeyError, AttributeError, TypeError, IndexError, AssertionError, BadZipFile, etree.LxmlError, OSError):
        raise UnreadableText(DAMAGED) from None
    except PythonDocxError:
        raise UnreadableText(DAMAGED) from None


@dataclass(slots=True)
class _Hanging:
    """A cell that goes on in the rows below."""

    cell: GridCell | None
    columns: int


@dataclass(slots=True)
class _Reading:
    """Goes once over the elements of a document. `lines` receives lines: the document's, or an open cell's."""

    styles: Styles
    lines: list[Line] = field(default_factory=list)
    page: int = 1
    seen_on_page: bool = False
    nested: int = 0

    def blocks(self, parent: etree._Element) -> None:
        """Paragraphs and tables, also those in content controls and tracked insertions."""
        for child in parent:
            if child.tag == W + "p":
                self.paragraph(child)
            elif child.tag == W + "tbl":
                self.table(child)
            elif child.tag in OF_BLOCKS:
                self.blocks(child)

    def turn(self) -> None:
        """Begin a page, unless this one is empty or within a table, whose cells stand side by side."""
        if self.seen_on_page and not self.nested:
            self.page += 1
            self.seen_on_page = False

    def paragraph(self, element: etree._Element) -> None:
        look = self.styles.paragraph(element)
        if look.page_before:
            self.turn()
        segments = [Segment()]
        boxes: list[etree._Element] = []
        first = True

        def flush() -> None:
            nonlocal segments, first
            lines = lines_of(segments, self.page, bullet=look.listed and first and not look.level)
            if lines:
                self.seen_on_page, first = True, False
            for line in lines:
                line.level = look.level
                line.bold = line.bold or look.level > 0
                line.bullet = line.bullet and not look.level
            self.lines += lines
            segments = [Segment()]

        for node, run in _printed(element, boxes):
            style = self.styles.run(run, look)
            if style is None:
                continue
            if node.tag == W + "t":
                segments[-1].add(node.text or "", _css(style))
            elif node.tag == W + "noBreakHyphen":
                segments[-1].add("-", _css(style))
            elif node.tag == W + "lastRenderedPageBreak" or value(node, "type") == "page":
                if not self.nested:
                    flush()
                    self.turn()
            elif node.tag == W + "tab":
                segments[-1].add(" ", _css(style))
            else:
                segments.append(Segment())
        flush()
        for box in boxes:
            self.blocks(box)
        if look.section and self.styles.section_kind(element) in TURNING:
            self.turn()

    def table(self, element: etree._Element) -> None:
        if self.nested == MOST_NESTED:
            # As text of the cell that it is in.
            for paragraph in element.iter(W + "p"):
                self.paragraph(paragraph)
            return
        outer, self.lines = self.lines, []
        self.nested += 1
        grid = Grid()
        hanging: dict[int, _Hanging] = {}
        for row in _within(element, W + "tr"):
            cells = self.row(row, hanging)
            if cells:
                grid.rows.append(cells)
        self.nested -= 1
        self.lines = outer
        found = unfolded(grid)
        self.seen_on_page = self.seen_on_page or bool(found)
        self.lines += found

    def row(self, element: etree._Element, hanging: dict[int, _Hanging]) -> list[GridCell]:
        """The cells of a row that have text. One that goes on from above takes the text of its rows below."""
        properties = element.find(W + "trPr")
        heads = properties is not None and properties.find(W + "tblHeader") is not None
        before = properties.find(W + "gridBefore") if properties is not None else None
        place = cell_span(value(before, "val"), MOST_COLUMNS) if before is not None else 0
        cells: list[GridCell] = []
        for element_of_cell in _within(element, W + "tc"):
            properties = element_of_cell.find(W + "tcPr")
            span = properties.find(W + "gridSpan") if properties is not None else None
            merge = properties.find(W + "vMerge") if properties is not None else None
            columns = cell_span(value(span, "val"), MOST_COLUMNS)
            outer, self.lines = self.lines, []
            self.blocks(element_of_cell)
            lines, self.lines = self.lines, outer
            above = hanging.get(place)
            goes_on = merge is not None and value(merge, "val") != "restart" and above is not None
            if goes_on and above is not None and above.cell is not None:
                above.cell.lines += lines
            elif lines:
                cells.append(GridCell(place, place + columns, lines, heads))
            if merge is None:
                hanging.pop(place, None)
            elif not goes_on:
                hanging[place] = _Hanging(cells[-1] if lines else None, columns)
            place += columns
        return cells


def _within(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    """The rows of a table, or the cells of a row, also those in content controls."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in OF_BLOCKS:
            yield from _within(child, tag)


PRINTED = frozenset(W + name for name in ("t", "br", "cr", "tab", "noBreakHyphen", "lastRenderedPageBreak"))


def _printed(
    element: etree._Element, boxes: list[etree._Element], run: etree._Element | None = None
) -> Iterator[tuple[etree._Element, etree._Element | None]]:
    """The text and breaks of a paragraph with their runs, in order; text boxes in it are added to `boxes`."""
    for child in element:
        if child.tag in LEFT_OUT or child.tag == FALLBACK:
            continue
        if child.tag == W + "txbxContent":
            boxes.append(child)
        elif child.tag in PRINTED:
            yield child, run
        else:
            yield from _printed(child, boxes, child if child.tag == W + "r" else run)


def _css(look: Look) -> Style:
    return Style(
        bold=look.bold,
        italic=look.italic,
        underline=look.underline,
        caps=look.caps,
        size=look.size,
        centered=look.centered,
    )
