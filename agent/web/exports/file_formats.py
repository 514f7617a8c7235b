"""Writes tables as files in every format, for pages and history."""

import io
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC
from enum import StrEnum
from typing import TypeVar

from django.http import HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from accounts.request_types import Request
from agent.numbers.tables.table_text import rows_of, sentence
from agent.refusals.nearest_question import TITLE
from agent.runs import judgement_text, model_reading
from agent.web.api.figures import outcome
from agent.web.exports import csv_file, markdown_file, table_workbook
from agent.web.exports.figure_rows import COLUMNS, Site, Tickers, figures
from agent.web.exports.provenance import About
from agent.web.tables.table_card import TableCard

# Some systems accept no longer names.
LONGEST_NAME = 80
_SPAN = re.compile(r"\bfiscal (\d{4})(?: to (\d{4}))?")


class Format(StrEnum):
    """A kind of file, by the ending of its name."""

    XLSX = "xlsx"
    CSV = "csv"
    MD = "md"
    JSON = "json"

    @property
    def content_type(self) -> str:
        return CONTENT_TYPES[self]


CONTENT_TYPES = {
    Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Format.CSV: "text/csv; charset=utf-8",
    Format.MD: "text/markdown; charset=utf-8",
    Format.JSON: "application/json; charset=utf-8",
}


def unknown(name: str, known: Sequence[Format] = tuple(Format)) -> HttpResponse | None:
    """The error for an unknown format, with the known ones; None for a known one."""
    if name in known:
        return None
    said = f"There is no format \u201c{name[:20]}\u201d here. There are: {', '.join(known)}."
    return HttpResponseBadRequest(said, content_type="text/plain; charset=utf-8")


def response(tables: Sequence[TableCard], format_: Format, request: Request, about: About) -> HttpResponse:
    """Tables as a download in one file: a sheet each, or one below the other."""
    content = written(tables, format_, about, request.build_absolute_uri)
    return attached(HttpResponse(content, content_type=format_.content_type), about.title or tables[0].title, format_)


def written(tables: Sequence[TableCard], format_: Format, about: About, site: Site) -> bytes:
    """At least one table as a file. site: turns a path of this site into a whole address."""
    return _WRITERS[format_](tables, about, site)


Reply = TypeVar("Reply", bound=HttpResponseBase)


def attached(reply: Reply, title: str, format_: Format) -> Reply:
    """A download under the name of its title, which no cache stores."""
    reply["Content-Disposition"] = content_disposition_header(True, name_of(title, format_)) or "attachment"
    patch_cache_control(reply, private=True, no_store=True)
    return reply


def name_of(title: str, format_: Format) -> str:
    """A file name such as apple-gross-margin-2020-2024.xlsx, in characters that every system accepts."""
    short = _SPAN.sub(lambda found: "-".join(filter(None, found.groups())), title)
    return f"{slugify(short)[:LONGEST_NAME].strip('-_') or 'figures'}.{format_}"


def _xlsx(tables: Sequence[TableCard], about: About, site: Site) -> bytes:
    file = io.BytesIO()
    table_workbook.write(file, tables, about, site)
    return file.getvalue()


def _csv(tables: Sequence[TableCard], about: About, site: Site) -> bytes:
    file = io.BytesIO()
    tickers = Tickers().look_up(cell.cik for card in tables for cell in card.table.cells)
    # A file of the nearest question says so in every row, and so does one of a question that a model read: there are
    # no notes below the figures.
    said = {
        TITLE: about.nearest,
        model_reading.TITLE: about.reading.read_as if about.reading else "",
        judgement_text.TITLE: " ".join(line.strip() for line in about.judgement).removeprefix(
            f"{judgement_text.TITLE}: "
        ),
    }
    marks = {heading: text for heading, text in said.items() if text}
    rows = ([*row.values(tickers, site), *marks.values()] for card in tables for row in figures(card.table))
    csv_file.write(file, [*(heading for heading, _ in COLUMNS), *marks], rows)
    return file.getvalue()


def _markdown(tables: Sequence[TableCard], about: About, site: Site) -> bytes:
    return markdown_file.written(tables, about, site).encode()


def _json(tables: Sequence[TableCard], about: About, site: Site) -> bytes:
    """The tables with rows and results in the API's format."""
    said = {
        "question": about.question,
        "nearest": about.nearest,
        "reading": about.reading.model_dump(mode="json") if about.reading else None,
        "judgement": list(about.judgement),
        "answered": about.at.astimezone(UTC).isoformat() if about.at else None,
        "page": about.url,
        "tables": [
            {
                "title": card.title,
                "table": [row.model_dump(mode="json") for row in rows_of(card.table)],
                "results": [
                    outcome(one, sentence(one, card.table, card.scale)).model_dump(mode="json")
                    for one in card.table.results
                ],
                "notes": list(card.table.notes),
            }
            for card in tables
        ],
    }
    return json.dumps(said, ensure_ascii=False, indent=1).encode(errors="replace")


_WRITERS: dict[Format, Callable[[Sequence[TableCard], About, Site], bytes]] = {
    Format.XLSX: _xlsx,
    Format.CSV: _csv,
    Format.MD: _markdown,
    Format.JSON: _json,
}
