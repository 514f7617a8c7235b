"""A whole history in one file: every question with what came of it, and every figure that was answered."""

from collections.abc import Iterator
from typing import IO

from agent.models import Run, RunQuerySet
from agent.refusals.codes import Code
from agent.runs.stored_answer import read
from agent.state import Table
from agent.web.exports import csv_file
from agent.web.exports.figure_rows import COLUMNS, Site, Tickers, asserted
from agent.web.exports.values import Linked, Value
from agent.web.exports.workbook import Book, Sheet
from filings.edgar.names import everyday_name

AT_ONCE = 100
FIELDS = (
    "question", "status", "outcome", "refusal_code", "summary", "company", "cik", "created", "starred", "note", "answer",
)  # fmt: skip
OF_ANSWERS = (
    ("Question", 60.0),
    ("Outcome", 20.0),
    ("Result", 50.0),
    ("Company", 24.0),
    ("Asked (UTC)", 17.0),
    ("Starred", 8.0),
    ("Note", 40.0),
    ("Answer", 44.0),
)
OF_FIGURES = (("Question", 50.0), ("Asked (UTC)", 17.0), *COLUMNS, ("Answer", 44.0))


def write_csv(file: IO[bytes], runs: RunQuerySet, site: Site) -> None:
    """The figures of runs, one row each."""
    tickers = Tickers()
    rows = (row for run in _each(runs) for row in _figures(run, tickers, site))
    csv_file.write(file, [heading for heading, _ in OF_FIGURES], rows)


def write_xlsx(file: IO[bytes], runs: RunQuerySet, site: Site) -> None:
    """The runs on one sheet, their figures on another."""
    tickers = Tickers()
    with Book(file, "History") as book:
        answers, figures = Sheet(book, "Answers", OF_ANSWERS, frozen=1), Sheet(book, "Figures", OF_FIGURES, frozen=1)
        for run in _each(runs):
            answers.write(_answer(run, site))
            for row in _figures(run, tickers, site):
                figures.write(row)
        answers.filtered(0)
        figures.filtered(0)


def _each(runs: RunQuerySet) -> Iterator[Run]:
    return runs.only(*FIELDS).prefetch_related("companies").iterator(chunk_size=AT_ONCE)


def _answer(run: Run, site: Site) -> list[Value]:
    page = site(run.get_absolute_url())
    return [
        run.question,
        run.get_outcome_display() or run.get_status_display(),
        run.summary or _refused(run.refusal_code),
        ", ".join(everyday_name(one.cik, one.name) for one in run.companies.all()) or run.company_called,
        run.created,
        "yes" if run.starred else "",
        run.note,
        Linked(page, page),
    ]


def _refused(code: str) -> str:
    return next((known.row.title for known in Code if known == code), code)


def _figures(run: Run, tickers: Tickers, site: Site) -> Iterator[list[Value]]:
    """A row for each figure that an answer stands for; none of one whose form is read no more."""
    answer = read(run.answer)
    tables: list[Table] = [block.table for block in answer.blocks if block.table] if answer else []
    tickers.look_up(tables)
    page = site(run.get_absolute_url())
    for table in tables:
        for row in asserted(table, tickers, site):
            yield [run.question, run.created, *row, Linked(page, page)]
