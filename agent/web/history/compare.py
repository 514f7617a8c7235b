"""Two answers beside each other: which of what they say is the same, changed, added or gone."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.models import Run
from agent.numbers.answer import exact
from agent.runs.stored import read
from agent.state import Answer, Block, Particular, Refusal
from agent.web.history.compare_claims import claims
from agent.web.history.compare_figures import figures, source, told
from agent.web.history.compared import Comparison, Row, rows


def compare(old: Answer, new: Answer) -> Comparison:
    """The rows of two answers, matched by what they are about."""
    return Comparison(
        (
            *figures(old, new),
            *notes(old, new),
            *texts(old, new),
            *claims(old, new),
            *data(old, new),
            *refusals(old, new),
        )
    )


@dataclass(frozen=True)
class Again:
    """A run beside the one whose question it asks again."""

    old: Run
    comparison: Comparison | None  # None where one of the two has no answer


def of_run(run: Run) -> Again | None:
    """The run that this one asks again, and what differs; None for one that asks nothing again."""
    if run.again_of_id is None:
        return None
    old = Run.objects.get(pk=run.again_of_id)
    before, after = read(old.answer), read(run.answer)
    return Again(old, compare(before, after) if before and after else None)


# --- notes and texts ---


def notes(old: Answer, new: Answer) -> Iterator[Row]:
    """What the reader must know beside figures and quotations, by its words."""
    return rows("Note", noted(old), noted(new), key=lambda one: one, title=lambda one: one[0], text=lambda one: one[1])


def noted(answer: Answer) -> list[tuple[str, str]]:
    """(what it is beside, note), each once."""
    of_figures = [(one.title, note) for one in told(answer) for note in one.draft.found.notes]
    of_blocks = [
        (titled(answer, block), note)
        for block in answer.blocks
        for note in (*block.notes, *(block.retrieval.notes if block.retrieval else ()))
    ]
    return list(dict.fromkeys(of_figures + of_blocks))


def texts(old: Answer, new: Answer) -> Iterator[Row]:
    """Words of the answer's own, by the part that they stand in."""

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
    return next((target.company.name for target in answer.plan.targets if target.id == block.target), "The answer")


# --- data and refusals ---


def data(old: Answer, new: Answer) -> Iterator[Row]:
    """Data of filings, by what it is."""
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


def particulars(answer: Answer) -> list[Particular]:
    return [one for block in answer.blocks for one in block.particulars]


def refusals(old: Answer, new: Answer) -> Iterator[Row]:
    """Parts that are not answered: why, where it was looked, and the facts that are listed."""
    return rows(
        "Not answered",
        refused(old),
        refused(new),
        key=lambda one: one.target,
        title=lambda one: str(one.code),
        text=told_of,
        said=lambda one: (one.code, told_of(one)),
        source=lambda one: source(one.candidates),
    )


def told_of(refusal: Refusal) -> str:
    """Its sentences, then what was looked for and the facts listed, as a sentence each."""
    looked_for = (f"{what}: {value}." for what, value in refusal.looked_for)
    listed = (f"{fact.label or fact.name}: {exact(fact.value, fact.unit)}." for fact in refusal.candidates)
    return " ".join(filter(None, (refusal.text, refusal.detail, *looked_for, *listed)))


def refused(answer: Answer) -> list[Refusal]:
    return [block.refusal for block in answer.blocks if is_refused(block) and block.refusal]


def is_refused(block: Block) -> bool:
    return block.outcome == "refused"
