"""Two answers beside each other: which of what they say is the same, changed, added or gone."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.kept.compare_claims import claims
from agent.kept.compare_figures import figures, told
from agent.kept.compared import Comparison, Row, matched, status_of
from agent.kept.stored import read
from agent.models import Run
from agent.state import Answer, Block, Particular, Refusal


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
    for was, is_now in matched(noted(old), noted(new), lambda one: one):
        if (shown := is_now or was) is not None:
            status = status_of(was, is_now, lambda one: one)
            yield Row("Note", status, shown[0], was[1] if was else "", is_now[1] if is_now else "")


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

    for was, is_now in matched(written(old), written(new), lambda one: one[0]):
        if (shown := is_now or was) is not None:
            status = status_of(was, is_now, lambda one: one[2])
            yield Row("Text", status, shown[1], was[2] if was else "", is_now[2] if is_now else "")


def titled(answer: Answer, block: Block) -> str:
    """The company that a part is about."""
    return next((target.company.name for target in answer.plan.targets if target.id == block.target), "The answer")


# --- data and refusals ---


def data(old: Answer, new: Answer) -> Iterator[Row]:
    """Data of filings, by what it is."""

    def shown(one: Particular | None) -> tuple[str, str]:
        return (f"Fiscal {one.fiscal_year}: {one.value}", f"{one.accession}, {one.source}") if one else ("", "")

    for was, is_now in matched(particulars(old), particulars(new), lambda one: (one.target, one.key)):
        if (named := is_now or was) is None:
            continue
        (before, old_source), (after, new_source) = shown(was), shown(is_now)
        yield Row("Data", status_of(was, is_now, shown_value), named.label, before, after, old_source, new_source)


def shown_value(one: Particular) -> tuple[int, str]:
    return one.fiscal_year, one.value


def particulars(answer: Answer) -> list[Particular]:
    return [one for block in answer.blocks for one in block.particulars]


def refusals(old: Answer, new: Answer) -> Iterator[Row]:
    """Parts that are not answered, by code."""

    def shown(one: Refusal | None) -> str:
        return " ".join(filter(None, (one.text, one.detail))) if one else ""

    for was, is_now in matched(refused(old), refused(new), lambda one: one.target):
        if (named := is_now or was) is None:
            continue
        status = status_of(was, is_now, lambda one: (one.code, shown(one)))
        yield Row("Not answered", status, str(named.code), shown(was), shown(is_now))


def refused(answer: Answer) -> list[Refusal]:
    return [block.refusal for block in answer.blocks if is_refused(block) and block.refusal]


def is_refused(block: Block) -> bool:
    return block.outcome == "refused"
