"""Writes a user's whole history into one file: every question with its figures, quotations and refusals."""

from collections.abc import Iterator
from itertools import count
from typing import IO
from urllib.parse import urlencode

from django.urls import reverse

from agent.models import Run, RunQuerySet
from agent.refusals.codes import Code
from agent.runs.answer_json import place
from agent.runs.stored_answer import read
from agent.state import Block, Table
from agent.web.cards.citations import Citation, opened_by
from agent.web.cards.prose_card import ShownClaim
from agent.web.exports import csv_file
from agent.web.exports.cell_values import Amount, Linked, Value
from agent.web.exports.figure_rows import COLUMNS, FigureRow, Site, Tickers, asserted, figures
from agent.web.exports.xlsx_writer import Book, Sheet
from filings.edgar.registrant_names import everyday_name

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
# The columns of the CSV, whose rows are of several kinds.
Row = dict[str, Value]
OF_CELL = tuple(heading for heading, _ in COLUMNS)
HEADINGS = (
    "Question", "Asked (UTC)", "Result", *OF_CELL, "Refusal", "About", "Quotation", "Source", "Passage", "Answer",
)  # fmt: skip
REFUSED, WHY, NEAREST = "Not answered", "Why no figure", "Figure of the nearest question, not asserted"


def write_csv(file: IO[bytes], runs: RunQuerySet, site: Site) -> None:
    """A row for each figure, quotation and refusal of the runs."""
    tickers = Tickers()
    rows = (row for run in _each(runs) for row in _rows(run, tickers, site))
    csv_file.write(file, HEADINGS, ([_kept(row.get(heading)) for heading in HEADINGS] for row in rows))


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
    """A row for each figure that an answer asserts; none where its format is no longer read."""
    answer = read(run.answer)
    tables: list[Table] = (
        [one.table for one in answer.blocks if one.table and one.outcome == "answered"] if answer else []
    )
    tickers.look_up(cell.cik for table in tables for cell in table.cells)
    page = site(run.get_absolute_url())
    for table in tables:
        for row in asserted(table):
            yield [run.question, run.created, *row.values(tickers, site), Linked(page, page)]


# --- one row for each thing that was said ---


def _rows(run: Run, tickers: Tickers, site: Site) -> Iterator[Row]:
    """The results of a run, heading -> value; for an answer no longer read, only its refusal."""
    of_run: Row = {"Question": run.question, "Asked (UTC)": run.created, "Answer": site(run.get_absolute_url())}
    answer = read(run.answer)
    if answer is None:
        if run.refusal_code:
            yield {**of_run, "Result": REFUSED, WHY: _refused(run.refusal_code), "Refusal": run.refusal_code}
        return
    names = {one.cik: one.called for one in answer.plan.companies}
    tickers.look_up([*names, *(cell.cik for block in answer.blocks if block.table for cell in block.table.cells)])
    asked = {one.id: one.company.cik for one in answer.plan.targets}

    def whose(cik: int) -> Row:
        return {"Company": names.get(cik, ""), "Ticker": tickers.get(cik, ""), "CIK": cik}

    numbers = count(1)
    for block in answer.blocks:
        of_block = whose(asked[block.target]) if block.target in asked else {}
        yield from ({**of_run, **of_block, **row} for row in _of_block(block, tickers, site))
        filings = {one.accession: one for one in block.filings}
        for near in block.passages:
            shown: Row = {
                "Result": "Passage to read",
                "Accessions": near.accession,
                "Quotation": " ".join(near.text.split()),
            }
            yield {**of_run, **whose(near.cik), **shown, "Source": place(near)}
        for claim in block.shown_claims:
            citation = Citation(next(numbers), claim, None, opened_by(run.pk))
            quoted = ShownClaim(citation, filings.get(claim.accession), True)
            yield {**of_run, **whose(claim.cik), **_quoted(quoted, site)}


def _of_block(block: Block, tickers: Tickers, site: Site) -> Iterator[Row]:
    """A refusal; or its figures, its gaps with their reasons, and data of filings."""
    if block.refusal:
        reason = f"{block.refusal.text} {block.refusal.detail}".strip()
        yield {"Result": REFUSED, WHY: reason, "Refusal": block.refusal.code.value}
        return
    if block.table:
        result = "Figure" if block.outcome == "answered" else NEAREST

        def given(row: FigureRow) -> Row:
            return dict(zip(OF_CELL, row.values(tickers, site), strict=True))

        yield from ({"Result": result, **given(row)} for row in asserted(block.table))
        for row in figures(block.table):
            if row.cell and row.cell.gap and row.cell.asked and not row.cell.alternative:
                yield {"Result": "No figure", **given(row), "Refusal": row.cell.gap.code.value}
    for one in block.particulars:
        row_of: Row = {"Fiscal year": one.fiscal_year, "Measure": one.label, "Accessions": one.accession}
        yield {"Result": "Filing data", **row_of, "Quotation": one.value, "Source": one.source}


def _quoted(shown: ShownClaim, site: Site) -> Row:
    """The filing's words with their place in it."""
    claim, filing = shown.claim, shown.filing
    found: Row = {"Result": "Quotation", "Accessions": claim.accession, "Quotation": shown.quotation}
    found["About"] = "; ".join(filter(None, (claim.path, claim.caption, *claim.before)))
    if filing:
        dated: Row = {"Fiscal year": filing.fiscal_year, "Period end": filing.period_end, "Filed": filing.filed}
        found |= dated | {"Filings": filing.url}
    form = filing.form if filing else ""
    return found | {"Source": ", ".join(filter(None, (form, shown.where))), "Passage": site(_passage(shown.citation))}


def _passage(citation: Citation) -> str:
    """The reader's address of a passage, or its filing's where it is outside any Item.

    Sections are not looked up for many answers.
    """
    claim, number = citation.claim, citation.number
    if not claim.item:
        return f"{reverse('filing', args=[claim.accession])}?{urlencode({'cik': claim.cik})}"
    query = urlencode([("cik", claim.cik), citation.opened_by, ("cite", number)])
    return f"{reverse('section', args=[claim.accession, claim.item])}?{query}#c{number}"


def _kept(value: Value) -> Value:
    """A computed figure with a spreadsheet's digits: its operands are listed in full."""
    return value.kept if isinstance(value, Amount) else value
