"""Compares two answers: which of their statements are the same, changed, added or removed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.models import Run
from agent.numbers.facts.render import exact
from agent.numbers.tables.table_text import in_full, measure, sentence
from agent.refusals.grammar import capitalized, lower_first
from agent.runs.stored_answer import read
from agent.state import Answer, Cell, Excerpt, Refusal, Scale
from agent.state.fact_findings import FactRef
from agent.web.history.comparison_rows import Comparison, Kind, Statement, rows


@dataclass(frozen=True)
class Again:
    """A run, the earlier run whose question it repeats, and the differences of their answers."""

    old: Run
    comparison: Comparison | None  # None where one of the two has no answer


def of_run(run: Run) -> Again | None:
    """The run that this one repeats, and the differences; None for a run that repeats none."""
    if run.again_of_id is None:
        return None
    old = Run.objects.get(pk=run.again_of_id)
    before, after = read(old.answer), read(run.answer)
    return Again(old, compare(before, after) if before and after else None)


def compare(old: Answer, new: Answer) -> Comparison:
    """The rows of two answers, matched by subject."""
    return Comparison(tuple(rows(statements(old), statements(new))))


def statements(answer: Answer) -> Iterator[Statement]:
    """What an answer says: its figures and gaps with their later values, notes, quotations, passages, data, refusals."""
    scale = answer.plan.scale
    for block in answer.blocks:
        for one in block.table.cells if block.table else ():
            if one.asked and (one.value is not None or one.gap):
                yield _figure(one, scale)
                yield from () if one.alternative else _later_values(one)
        for result in block.table.results if block.table else ():
            key = (result.operation, result.row, result.cik)
            said = sentence(result, block.table, scale) if block.table else ""
            yield Statement("Result", (key,), result.label, said, _sources(result.facts))
        if block.text:
            yield Statement("Text", (block.target,), _titled(answer, block.target), block.text)
        for claim in block.claims:
            title = f"Quotation, Item {claim.item}" if claim.item else "Quotation"
            words = _words(claim.shown)
            yield Statement("Claim", (words,), title, words, _place(claim), rewords=claim.cik)
        for near in block.passages:
            title = f"Closest passage, Item {near.item}" if near.item else "Closest passage"
            yield Statement("Passage", (_words(near.text),), title, _words(near.text), _place(near))
        for datum in block.particulars:
            text = f"Fiscal {datum.fiscal_year}: {datum.value}"
            source = f"{datum.accession}, {datum.source}"
            yield Statement("Data", ((datum.target, datum.key),), datum.label, text, source)
        if block.refusal:
            yield _refusal(block.refusal)
    for noted in dict.fromkeys(_notes(answer)):
        yield Statement("Note", (noted,), *noted)


# --- figures ---


def _titled_figure(cell: Cell) -> str:
    return f"{cell.company}, {lower_first(measure(cell))}"


def _keys(cell: Cell) -> tuple[tuple[object, ...], ...]:
    """What identifies a figure: its tags and year; its tags, in any year; its measure, which may have several readings.

    So a figure of another year counts as changed, not as new.
    """
    subject = (cell.cik, cell.measure, cell.reading)
    tagged = (subject, tuple(fact.name for fact in cell.facts), cell.unit)
    return (tagged, cell.place, cell.period_end), tagged, subject


def _figure(cell: Cell, scale: Scale | None) -> Statement:
    """Fiscal 2024: $31,370 million (31,370,000,000 US dollars)."""
    kind: Kind = "Related figure" if cell.alternative else "Figure"
    reading = f", {lower_first(cell.period_reading)}" if cell.period_reading else ""
    year = f"{capitalized(cell.place.called)}{reading}: " if cell.fiscal_year else ""
    none = f"none. {cell.gap.text if cell.gap else ''}".rstrip()
    text = f"{year}{none if cell.value is None else in_full(cell, scale)}"
    said = (cell.value, cell.unit, cell.place, cell.period_end, cell.gap and cell.gap.text)
    return Statement(kind, _keys(cell), _titled_figure(cell), text, _sources(cell.facts), said)


def _later_values(cell: Cell) -> Iterator[Statement]:
    """10-K fiscal 2025: 0.17 US dollars per share, restated."""
    dated, tagged, _ = _keys(cell)
    for later in (one.later for one in cell.restated):
        year = f" fiscal {later.fiscal_year}" if later.fiscal_year else ""
        restated = ", restated" if later.change else ", not restated"
        text = f"{later.fact.form}{year}: {exact(later.fact.value, later.fact.unit)}{restated}"
        keys = tuple((one, later.fact.accession) for one in (dated, tagged))
        yield Statement("Later value", keys, _titled_figure(cell), text, _sources([later.fact]))


def _sources(facts: Sequence[FactRef]) -> str:
    return "; ".join(
        dict.fromkeys(f"{fact.form} {fact.accession}, {fact.element.partition(':')[2]}" for fact in facts)
    )


# --- words ---


def _notes(answer: Answer) -> Iterator[tuple[str, str]]:
    """(subject, note) of figures, then of parts, their tables and the results of operations."""
    for block in answer.blocks:
        for one in block.table.cells if block.table else ():
            if one.asked and not one.alternative and (one.value is not None or one.gap):
                yield from ((_titled_figure(one), note) for note in one.notes)
    for block in answer.blocks:
        retrieved = block.retrieval.notes if block.retrieval else ()
        tabled = (block.table.notes, *(one.notes for one in block.table.results)) if block.table else ()
        title = _titled(answer, block.target)
        yield from ((title, note) for notes in (block.notes, retrieved, *tabled) for note in notes)


def _titled(answer: Answer, number: int) -> str:
    """The company that a part is about."""
    return next((target.company.called for target in answer.plan.targets if target.id == number), "The answer")


def _refusal(refusal: Refusal) -> Statement:
    """Its sentences, followed by what was looked for and the facts listed."""
    looked_for = (f"{what}: {value}." for what, value in refusal.looked_for)
    listed = (f"{fact.label or fact.name}: {exact(fact.value, fact.unit)}." for fact in refusal.candidates)
    text = " ".join(filter(None, (refusal.text, refusal.detail, *looked_for, *listed)))
    source = _sources(refusal.candidates)
    return Statement("Not answered", (refusal.target,), str(refusal.code), text, source, (refusal.code, text))


def _words(text: str) -> str:
    return " ".join(text.split())


def _place(one: Excerpt) -> str:
    """0000320193-24-000123, Item 1A, page 14."""
    item = f"Item {one.item}" if one.item else ""
    page = f"page {one.page}" if one.page else ""
    return ", ".join(filter(None, (one.accession, item, page)))
