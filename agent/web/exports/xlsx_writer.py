"""Writes Excel workbooks row by row, with little memory."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import IO, TYPE_CHECKING, Any

from agent.web.exports.cell_values import Amount, Formula, Linked, Printed, Remarked, Value
from agent.web.exports.safe_text import reads_as_formula, writable

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

# Excel's limits. Beyond them it does not open a file, or the library silently leaves out data.
MOST_ROWS = 1_048_576
MOST_LINKS = 65_530
MOST_CHARACTERS = 32_767
LONGEST_ADDRESS = 2_079
DASHED = 3  # a style of borders, as the library numbers them
LINK_COLOUR, QUIET_COLOUR, RULE_COLOUR = "#0B57A4", "#6B6B6B", "#9A9A9A"


class Book:
    """A workbook written to a file. Sheets are written from first row to last."""

    def __init__(self, file: IO[bytes], title: str) -> None:
        # Only here: no page needs it.
        from xlsxwriter import Workbook

        never = {"strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}
        self.workbook = Workbook(file, {"constant_memory": True, **never})
        self.workbook.set_properties({"title": writable(title)[:255]})
        self._formats: dict[tuple[tuple[str, Any], ...], Format] = {}

    def __enter__(self) -> "Book":
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        # A workbook that failed halfway is discarded; closing it removes its temporary files.
        self.workbook.close()

    def format(self, **properties: Any) -> "Format":
        """A cell format, created once: Excel accepts at most 64,000."""
        key = tuple(sorted(properties.items()))
        if key not in self._formats:
            self._formats[key] = self.workbook.add_format(properties)
        return self._formats[key]


class Sheet:
    """A sheet of a workbook, continued on another one when it is full.

    columns: (heading, width in characters). above: lines over the headings, the first as the title. frozen: how many
    columns stay visible.
    """

    def __init__(
        self,
        book: Book,
        name: str,
        columns: Sequence[tuple[str, float]],
        above: Sequence[Value] = (),
        frozen: int = 0,
        most_rows: int = MOST_ROWS,
    ) -> None:
        self.book, self.name, self.columns, self.above, self.frozen = book, name, columns, above, frozen
        self.most_rows = most_rows
        self.count = 0
        self._begin()

    def _begin(self) -> None:
        self.count += 1
        self.worksheet: Worksheet = self.book.workbook.add_worksheet(
            self.name if self.count == 1 else f"{self.name} {self.count}"
        )
        self.row = self.links = 0
        for number, (_, width) in enumerate(self.columns):
            self.worksheet.set_column(number, number, width)
        for number, line in enumerate(self.above):
            self._write(0, line, {"bold": True, "font_size": 14} if number == 0 else {"font_color": QUIET_COLOUR})
            self.row += 1
        self.worksheet.freeze_panes(self.row + 1, self.frozen)
        self.worksheet.repeat_rows(self.row)
        self.worksheet.set_landscape()
        self.worksheet.fit_to_pages(1, 0)
        self.write(
            [heading for heading, _ in self.columns],
            bold=True,
            bottom=1,
            bottom_color=RULE_COLOUR,
            text_wrap=True,
            valign="bottom",
        )

    def write(self, values: Sequence[Value], **properties: Any) -> None:
        """Append a row of values in the order of the columns. properties: of a format, as the library names them."""
        if self.row >= self.most_rows:
            self._begin()
        for column, value in enumerate(values):
            self._write(column, value, properties)
        self.row += 1

    def filtered(self, first: int) -> None:
        """Add filters to the columns. first: the row of the headings."""
        self.worksheet.autofilter(first, 0, max(first, self.row - 1), len(self.columns) - 1)

    def _write(self, column: int, value: Value, properties: dict[str, Any]) -> None:
        match value:
            case None | "":
                return
            case Linked(value=inner, url=url):
                if self._link(column, url):
                    properties = {**properties, "font_color": LINK_COLOUR}
                # Replaces the text that the library writes with a link.
                self._write(column, inner, properties)
            case Remarked(value=str() as text, remark=remark):
                self._text(column, text, {**properties, "font_color": QUIET_COLOUR, "align": "right"})
                self.worksheet.write_comment(self.row, column, _cut(remark), {"x_scale": 2})
            case Remarked(value=inner, remark=remark, breaks=breaks):
                line = {"left": DASHED, "left_color": RULE_COLOUR} if breaks else {}
                self._write(column, inner, {**properties, **line})
                self.worksheet.write_comment(self.row, column, _cut(remark), {"x_scale": 2})
            case Amount(number=None):
                self._text(column, value.text, {**properties, "align": "right"})
            case Amount(number=number):
                # A Decimal, whose digits the library writes unchanged: from a double it writes 0.9399999999999999.
                self.worksheet.write_number(self.row, column, number, self._number_format(value, properties))
            case Formula(text=text, amount=given):
                form = self._number_format(given, properties)
                self.worksheet.write_formula(self.row, column, f"={text}", form, given.number)
            case Printed(number=number, format=shown):
                self.worksheet.write_number(self.row, column, number, self.book.format(**properties, num_format=shown))
            case datetime():
                properties = {**properties, "num_format": "yyyy-mm-dd hh:mm", "align": "left"}
                at = value.astimezone(UTC).replace(tzinfo=None, microsecond=0)
                self.worksheet.write_datetime(self.row, column, at, self.book.format(**properties))
            case date():
                properties = {**properties, "num_format": "yyyy-mm-dd", "align": "left"}
                self.worksheet.write_datetime(self.row, column, value, self.book.format(**properties))
            case int():
                self.worksheet.write_number(self.row, column, value, self.book.format(**properties, align="left"))
            case str():
                self._text(column, value, properties)

    def _number_format(self, value: Amount, properties: dict[str, Any]) -> "Format":
        quiet = {"font_color": QUIET_COLOUR} if value.beside else {}
        return self.book.format(**{**properties, "num_format": value.format, **quiet})

    def _text(self, column: int, text: str, properties: dict[str, Any]) -> None:
        """A text cell. Excel would compute a formula's text once it is edited, without an apostrophe before it."""
        if reads_as_formula(text):
            properties = {**properties, "quote_prefix": True}
        self.worksheet.write_string(self.row, column, _cut(text), self.book.format(**properties))

    def _link(self, column: int, url: str) -> bool:
        """Whether a cell may still have a link: to a page, or to a place in the workbook."""
        leads = url.startswith(("https://", "http://", "internal:"))
        if not leads or len(url) > LONGEST_ADDRESS or self.links >= MOST_LINKS:
            return False
        self.links += 1
        return int(self.worksheet.write_url(self.row, column, writable(url), self.book.format())) == 0


def _cut(text: str) -> str:
    text = writable(text)
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}\u2026"
