"""Verifies a saved answer against the filings stored now: every figure, quotation, passage and piece of data."""

from collections.abc import Iterator

from agent.numbers.reasons import is_so
from agent.prose import guards
from agent.prose.near_passages import is_stored
from agent.runs.answer_json import place
from agent.state import Answer, Block, Check, Target
from agent.steps.cite_check import check
from agent.steps.locate import particular
from filings.models import Filing


def reverify(answer: Answer) -> tuple[Check, ...]:
    """One check for each table, quotation, passage and piece of data shown, in their order. Loads no model and no index."""
    targets = {target.id: target for target in answer.plan.targets}
    return tuple(
        one for block in answer.blocks if block.target in targets for one in again(block, targets[block.target])
    )


def again(block: Block, target: Target) -> Iterator[Check]:
    if block.table is not None:
        yield check(block.table, target)
        yield from judged(block, target)
    company = target.company
    names = [name for name in (company.name, company.short, company.symbol) if name]
    yield from guards.reverify(block.claims, names, block.filings)
    for one in block.passages:
        ok = is_stored(one)
        said = "re-read and unchanged" if ok else "no longer in the stored filing"
        yield Check(target=target.id, name="cite_check", ok=ok, detail=f"Passage of {place(one)}: {said}.")
    yield from data(block, target)


def judged(block: Block, target: Target) -> Iterator[Check]:
    """The comparisons of a judgement, computed again from the table, which is checked itself."""
    for one in block.judgement.reasons if block.judgement and block.table else ():
        if one.figure and block.table and not is_so(one, block.table):
            detail = "A comparison of the model\u2019s reading does not follow from the figures."
            yield Check(target=target.id, name="cite_check", ok=False, detail=detail)


def data(block: Block, target: Target) -> Iterator[Check]:
    """The data of the filing, read again from its row."""
    filings = {filing.accession: filing for filing in block.filings}
    for one in block.particulars:
        row = Filing.objects.filter(accession=one.accession).of_companies([target.company.cik]).first()
        cited = filings.get(one.accession)
        now = particular(target, cited.model_copy(update={"filing": row.pk})) if row and cited else None
        problem = (
            "" if now and now.value == one.value else f"{one.label}: {one.value} no longer matches the stored filing."
        )
        detail = problem or f"{one.label}: {one.value}, re-read and unchanged."
        yield Check(target=target.id, name="cite_check", ok=not problem, detail=detail)
