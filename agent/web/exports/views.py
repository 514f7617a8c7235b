"""Downloads of answers, for their owner or by a shared link, of the user's history, and of tables of filings."""

from collections.abc import Sequence
from tempfile import SpooledTemporaryFile
from uuid import UUID

from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.models import Run
from agent.refusals import nearest_question
from agent.runs.judgement_text import judgement_lines
from agent.runs.model_reading import model_reading
from agent.runs.stored_answer import read
from agent.web.cards import answer_card
from agent.web.exports import file_formats, history_files, markdown_file, printed_table_sheet
from agent.web.exports.file_formats import Format
from agent.web.exports.provenance import CHECKED, About
from agent.web.forms import HistoryForm
from agent.web.shared_links import opened, read_by_link
from filings.web.reading_views import held_filing, held_section

# A history up to this size needs no file on the server.
IN_MEMORY = 10_000_000
OF_SHEETS = (Format.XLSX, Format.CSV)


@require_safe
@never_cache
def run_table(request: Request, pk: UUID, ending: str) -> HttpResponse:
    """Download the tables of one of the user's answers."""
    found = get_object_or_404(Run.objects.visible_to(request.identity), pk=pk)
    return file_formats.unknown(ending) or _tables(request, found, Format(ending), found.get_absolute_url())


@require_safe
@never_cache
def shared_table(request: Request, token: str, ending: str) -> HttpResponse:
    """Download the tables of a shared answer, without anything about its owner."""
    share = opened(token)
    if share is None:
        raise Http404
    found = file_formats.unknown(ending) or _tables(
        request, share.run, Format(ending), share.get_absolute_url(), token
    )
    return read_by_link(found)


def _tables(request: Request, run: Run, format_: Format, page: str, share: str = "") -> HttpResponse:
    answer = read(run.answer)
    tables = answer_card.tables(answer) if answer else []
    parts = answer_card.parts(answer, run.pk, share) if answer and format_ is Format.MD else []
    if not tables and any(map(markdown_file.is_text, parts)):
        return _text(request, run, parts, page)
    if not tables:
        raise Http404
    about = About(
        question=run.question,
        nearest=nearest_question.line(answer.plan) if answer else "",
        reading=model_reading(answer.plan) if answer else None,
        judgement=tuple(judgement_lines(answer)) if answer else (),
        at=run.finished or run.created,
        url=request.build_absolute_uri(page),
    )
    return file_formats.response(tables, format_, request, about)


def _text(request: Request, run: Run, parts: Sequence[answer_card.AnswerPart], page: str) -> HttpResponse:
    """The text of an answer without tables, in Markdown."""
    about = About(
        question=run.question, at=run.finished or run.created, url=request.build_absolute_uri(page), basis=CHECKED
    )
    content = markdown_file.text(parts, about, request.build_absolute_uri)
    return file_formats.attached(HttpResponse(content, content_type=Format.MD.content_type), run.question, Format.MD)


@require_safe
def printed_table_file(request: Request, accession: str, key: str, ending: str) -> HttpResponse:
    """Download the table that a section prints at a position in its text (?at=)."""
    if refused := file_formats.unknown(ending, OF_SHEETS):
        return refused
    found = held_section(held_filing(request, accession), key)
    at = request.GET.get("at", "")
    table = printed_table_sheet.table_at(found, int(at)) if at.isascii() and at.isdecimal() and len(at) < 10 else None
    if table is None:
        raise Http404
    address = request.build_absolute_uri(f"{found.get_absolute_url()}?at={table.block.start}-{table.block.end}")
    content = (
        printed_table_sheet.as_xlsx(table, address) if ending == Format.XLSX else printed_table_sheet.as_csv(table)
    )
    reply = HttpResponse(content, content_type=Format(ending).content_type)
    return file_formats.attached(reply, table.title, Format(ending))


@require_safe
@never_cache
def history_file(request: Request, ending: str) -> HttpResponseBase:
    """Download the user's runs as filtered on the history page, all pages."""
    if refused := file_formats.unknown(ending, OF_SHEETS):
        return refused
    runs = HistoryForm(request.GET).matching(Run.objects.visible_to(request.identity))
    write = history_files.write_xlsx if ending == Format.XLSX else history_files.write_csv
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    write(file, runs, request.build_absolute_uri)
    file.seek(0)
    reply = FileResponse(file, content_type=Format(ending).content_type)
    return file_formats.attached(reply, f"diligence-history-{now():%Y-%m-%d}", Format(ending))
