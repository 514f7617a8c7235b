"""Compares two answers: which of their statements are the same, changed, added or removed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from agent.models import Run
from agent.numbers.render import exact
from agent.runs.stored_answer import read
from agent.state import Answer, Block, Claim, FilingDatum, NearPassage, Refusal, Table
from agent.web.history.compare_figures import figures, given_figures, source
from agent.web.history.comparison_rows import Comparison, Row, Status, matched, rows

# Sentences with this share of words in common are two versions of one; below it they are two sentences.
ALIKE = 0.6
# More claims than this are not compared pair by pair.
MOST_PAIRS = 10_000


def claims(old: Answer, new: Answer) -> Iterator[Row]:
    """Quoted sentences: the same words, another version, or only in one answer."""
    before, after = shown_claims(old), shown_claims(new)
    pairs = matched(before, after, said)
    same = list(pairs)
    gone = [was for was, is_now in same if was and not is_now]
    added = [is_now for was, is_now in same if is_now and not was]
    reworded = nearest(gone, added)
    for was, is_now in same:
        if is_now is not None:
            earlier = was or reworded.get(id(is_now))
            yield row_of(earlier, is_now, "same" if was else "changed" if earlier else "added")
    kept = {id(one) for one in reworded.values()}
    yield from (row_of(one, None, "gone") for one in gone if id(one) not in kept)


def shown_claims(answer: Answer) -> list[Claim]:
    return [claim for block in answer.blocks for claim in block.claims]


def said(claim: Claim) -> str:
    return " ".join(claim.shown.split())


def nearest(gone: Sequence[Claim], added: Sequence[Claim]) -> dict[int, Claim]:
    """id of a new claim -> the old claim that it is a version of; the most similar first, each once."""
    if len(gone) * len(added) > MOST_PAIRS:
        return {}
    alike = sorted(
        (
            (-ratio, place, at, one, other)
            for at, one in enumerate(gone)
            for place, other in enumerate(added)
            if one.cik == other.cik and (ratio := likeness(said(one), said(other))) >= ALIKE
        ),
        key=lambda pair: pair[:3],
    )
    found: dict[int, Claim] = {}
    taken: set[int] = set()
    for _, _, _, one, other in alike:
        if id(one) not in taken and id(other) not in found:
            found[id(other)] = one
            taken.add(id(one))
    return found


def likeness(one: str, other: str) -> float:
    """The share of words that two texts have in common and in order, from 0 to 1."""
    matcher = SequenceMatcher(None, one.split(), other.split(), autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0


def row_of(was: Claim | None, is_now: Claim | None, status: Status) -> Row:
    shown = is_now or was
    return Row(
        "Claim",
        status,
        title=f"Quotation, Item {shown.item}" if shown and shown.item else "Quotation",
        old=said(was) if was else "",
        new=said(is_now) if is_now else "",
        old_source=place(was) if was else "",
        new_source=place(is_now) if is_now else "",
    )


def place(one: Claim | NearPassage) -> str:
    """0000320193-24-000123, Item 1A, page 14."""
    item = f"Item {one.item}" if one.item else ""
    page = f"page {one.page}" if one.page else ""
    return ", ".join(filter(None, (one.accession, item, page)))


def compare(old: Answer, new: Answer) -> Comparison:
    """The rows of two answers, matched by subject."""
    return Comparison(
        (
            *figures(old, new),
            *notes(old, new),
            *texts(old, new),
            *claims(old, new),
            *passages(old, new),
            *data(old, new),
            *refusals(old, new),
        )
    )


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


# --- notes and texts ---


def notes(old: Answer, new: Answer) -> Iterator[Row]:
    """Notes beside figures and quotations, by their words."""
    return rows("Note", noted(old), noted(new), key=lambda one: one, title=lambda one: one[0], text=lambda one: one[1])


def noted(answer: Answer) -> list[tuple[str, str]]:
    """(subject, note), each once."""
    of_figures = [(one.title, note) for one in given_figures(answer) for note in one.cell.notes]
    of_blocks = [
        (titled(answer, block), note)
        for block in answer.blocks
        for note in (*block.notes, *(block.retrieval.notes if block.retrieval else ()), *of_table(block.table))
    ]
    return list(dict.fromkeys(of_figures + of_blocks))


def of_table(table: Table | None) -> tuple[str, ...]:
    """Notes on whole tables and results of operations."""
    return (*table.notes, *(note for one in table.results for note in one.notes)) if table else ()


def texts(old: Answer, new: Answer) -> Iterator[Row]:
    """The answer's own words, by part."""

    def written(answer: Answer) -> list[tuple[int, str, str]]:
        return [(block.target, titled(answer, block), block.text) for block in answer.blocks if block.text]

    return rows(
        "Text",
        written(old),
        written(new),
        key=lambda one: one[0],
        title=lambda one: one[1],
        text=lambda one: one[2],
    )


def titled(answer: Answer, block: Block) -> str:
    """The company that a part is about."""
    return next((target.company.called for target in answer.plan.targets if target.id == block.target), "The answer")


# --- data, passages and refusals ---


def passages(old: Answer, new: Answer) -> Iterator[Row]:
    """Passages, by their words: those that only one answer has."""

    def shown(answer: Answer) -> list[NearPassage]:
        return [one for block in answer.blocks for one in block.passages]

    return rows(
        "Passage",
        shown(old),
        shown(new),
        key=lambda one: " ".join(one.text.split()),
        title=lambda one: f"Closest passage, Item {one.item}" if one.item else "Closest passage",
        text=lambda one: " ".join(one.text.split()),
        source=place,
    )


def data(old: Answer, new: Answer) -> Iterator[Row]:
    """Data about filings, by kind."""
    return rows(
        "Data",
        particulars(old),
        particulars(new),
        key=lambda one: (one.target, one.key),
        title=lambda one: one.label,
        text=lambda one: f"Fiscal {one.fiscal_year}: {one.value}",
        said=lambda one: (one.fiscal_year, one.value),
        source=lambda one: f"{one.accession}, {one.source}",
    )


def particulars(answer: Answer) -> list[FilingDatum]:
    return [one for block in answer.blocks for one in block.particulars]


def refusals(old: Answer, new: Answer) -> Iterator[Row]:
    """Refused parts: reason, what was looked for, and the facts listed."""
    return rows(
        "Not answered",
        refused(old),
        refused(new),
        key=lambda one: one.target,
        title=lambda one: str(one.code),
        text=refusal_text,
        said=lambda one: (one.code, refusal_text(one)),
        source=lambda one: source(one.candidates),
    )


def refusal_text(refusal: Refusal) -> str:
    """A refusal's sentences, followed by what was looked for and the facts listed."""
    looked_for = (f"{what}: {value}." for what, value in refusal.looked_for)
    listed = (f"{fact.label or fact.name}: {exact(fact.value, fact.unit)}." for fact in refusal.candidates)
    return " ".join(filter(None, (refusal.text, refusal.detail, *looked_for, *listed)))


def refused(answer: Answer) -> list[Refusal]:
    return [block.refusal for block in answer.blocks if is_refused(block) and block.refusal]


def is_refused(block: Block) -> bool:
    return block.refusal is not None
