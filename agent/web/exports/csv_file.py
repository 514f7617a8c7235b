"""Writes CSV files (RFC 4180), with the byte order mark by which Excel recognizes UTF-8."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from itertools import chain
from typing import IO

from agent.web.exports.cell_values import Amount, Formula, Linked, Printed, Remarked, Value
from agent.web.exports.safe_text import guarded


def write(file: IO[bytes], headings: Sequence[Value], rows: Iterable[Sequence[Value]]) -> None:
    """Headings and rows, one at a time."""
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    writer = csv.writer(text)
    for row in chain([headings], rows):
        writer.writerow([field(value) for value in row])
    text.detach()


def field(value: Value) -> str | int:
    """A value as a field: a reported figure with all its digits, or a text that no spreadsheet computes."""
    match value:
        case None:
            return ""
        case Linked() | Remarked():
            return field(value.value)
        case Amount() | Printed():
            return value.text
        case Formula():
            return value.amount.text
        case datetime():
            return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
        case int():
            return value
    return guarded(value)
