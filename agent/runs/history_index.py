"""The full-text index of a user's history: the words of question, answer and note."""

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db import connections
from django.db.models.expressions import RawSQL

from agent.models import Run, RunQuerySet, RunText
from agent.numbers.facts.render import exact, shown
from agent.runs.stored_answer import read
from agent.state import Block, Cell, Target

if TYPE_CHECKING:
    from uuid import UUID

_PARTED = re.compile(r"[\s\x00-\x1f/|\u2010-\u2015\u2212]+")
# Longer words are cut: PostgreSQL's index takes no lexeme of more than 2,046 bytes.
LONGEST = 64
_ENDS = " \"'\u2018\u2019\u201c\u201d()[]{}<>.,;:!?$%*#&+-=@^`|~\\\u2026\u00b7_"


def tokens(text: str) -> list[str]:
    """The words of a text as they are compared: lower case, without accents, punctuation at their ends and possessives."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter)).replace("\u2019", "'")
    words = (word.strip(_ENDS).removesuffix("'s")[:LONGEST] for word in _PARTED.split(plain))
    return [word for word in words if word]


def folded(*texts: str) -> str:
    """Texts as they are stored for search: each word once, a hyphenated one also by its parts."""
    found: dict[str, None] = {}
    for text in texts:
        for word in tokens(text):
            found[word] = None
            if "-" in word:
                found.update(dict.fromkeys(part for part in word.split("-") if part))
    return " ".join(found)


# Keys of the runs with these words, by the index of migration 0004. A list of keys and not a condition on the joined
# table: SQLite would look that up for every run and every word.
_FOUND = {
    "sqlite": (
        "SELECT words.run_id FROM agent_runtext_index JOIN agent_runtext AS words"
        " ON words.id = agent_runtext_index.rowid WHERE agent_runtext_index MATCH %s"
    ),
    "postgresql": "SELECT run_id FROM agent_runtext WHERE vector @@ %s::tsquery",
}


def found_by(runs: RunQuerySet, typed: str) -> RunQuerySet:
    """The runs with a word that begins with each of the words typed."""
    wanted = list(dict.fromkeys(tokens(typed)))
    if not wanted:
        return runs.none() if typed.strip() else runs
    vendor = connections[runs.db].vendor
    query = for_sqlite(wanted) if vendor == "sqlite" else for_postgresql(wanted)
    return runs.filter(pk__in=RawSQL(_FOUND[vendor], [query]))  # noqa: S611 - what is typed is a parameter


def for_sqlite(words: list[str]) -> str:
    """Words as a query of FTS5: each quoted, and the beginning of a word."""
    return " ".join('"{}"*'.format(word.replace('"', '""')) for word in words)


def for_postgresql(words: list[str]) -> str:
    """Words as a tsquery: each quoted, and the beginning of a lexeme."""
    escaped = (word.replace("\\", "\\\\").replace("'", "''") for word in words)
    return " & ".join(f"'{word}':*" for word in escaped)


def remember(pk: "UUID") -> None:
    """Index a run again, as after its answer or a changed note."""
    run = Run.objects.only("question", "composed", "note", "answer").filter(pk=pk).first()
    if run is not None:
        RunText.objects.update_or_create(run=run, defaults={"words": words_of(run)})


def words_of(run: Run) -> str:
    """The words by which a history search finds a run."""
    return folded(run.question, run.composed, run.note, *said(run.answer))


def said(answer: object) -> Iterator[str]:
    """The texts of a stored answer; none where there is none or its format is no longer read."""
    found = read(answer)
    if found is None:
        return
    for target in found.plan.targets:
        yield from of_target(target)
    for block in found.blocks:
        yield from of_block(block)


def of_target(target: Target) -> Iterator[str]:
    """The company and the thing asked about, as texts."""
    yield from (target.company.name, target.company.short, target.company.symbol, target.period.text)
    if target.topic:
        yield target.topic.text


def of_block(block: Block) -> Iterator[str]:
    """The texts of one part of the answer."""
    yield block.text
    yield from block.notes
    for cell in block.table.cells if block.table else ():
        yield from of_cell(cell)
    for claim in block.claims:
        yield from (claim.shown, claim.quote, claim.caption)
    for passage in block.passages:
        yield from (passage.text, *passage.headings)
    for one in block.particulars:
        yield from (one.label, one.value)
    for filing in block.filings:
        yield from (filing.accession, filing.form, f"FY{filing.fiscal_year} {filing.fiscal_year}")
    if block.refusal:
        yield from (str(block.refusal.code), block.refusal.text, block.refusal.detail)


def of_cell(cell: Cell) -> Iterator[str]:
    """The label of a figure, and its place in the filing."""
    yield from (cell.company, cell.label, cell.reading, f"{cell.place.short} {cell.fiscal_year}")
    if cell.value is not None:
        yield shown(cell.value, cell.unit, reported=cell.fact is not None)
        yield exact(cell.value, cell.unit) if cell.fact else ""
    yield from cell.notes
    for fact in cell.facts:
        yield from (fact.label, fact.tag, fact.accession)
