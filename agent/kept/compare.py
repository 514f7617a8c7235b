"""Two answers beside each other: which figures, claims and refusals are the same, changed, added or gone."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from agent.kept.compare_claims import claims
from agent.kept.compared import Comparison, Row, Status, matched
from agent.kept.stored import read
from agent.models import Run
from agent.state import Answer, Block, Draft, Particular, Refusal
from agent.wording import lower_first


def compare(old: Answer, new: Answer) -> Comparison:
    """The rows of two answers, matched by what they are about."""
    return Comparison(
        (
            *figures(old, new),
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


# --- figures ---


def figures(old: Answer, new: Answer) -> Iterator[Row]:
    """Figures that are asserted, by company, measure and reading: of another year they are changed, not new."""
    for was, is_now in matched(drafts(old), drafts(new), lambda one: (one[0], one[1].found.concept, one[2])):
        if (shown := is_now or was) is None:
            continue
        status: Status = "added" if was is None else "gone" if is_now is None else "changed"
        if was and is_now and figure_key(was[1]) == figure_key(is_now[1]):
            status = "same"
        yield Row(
            "Figure",
            status,
            title=f"{shown[3]}, {lower_first(shown[1].found.label)}",
            old=figure(was[1]) if was else "",
            new=figure(is_now[1]) if is_now else "",
            old_source=source(was[1]) if was else "",
            new_source=source(is_now[1]) if is_now else "",
        )


def drafts(answer: Answer) -> list[tuple[int, Draft, int, str]]:
    """(CIK, draft, its number among those of its measure, company) for each figure asserted."""
    companies = {target.id: target.company for target in answer.plan.targets}
    found = []
    for block in answer.blocks:
        company = companies.get(block.target)
        seen: dict[str, int] = {}
        for draft in block.drafts:
            number = seen.get(draft.found.concept, 0)
            seen[draft.found.concept] = number + 1
            found.append((company.cik if company else 0, draft, number, company.name if company else ""))
    return found


def figure_key(draft: Draft) -> Hashable:
    return draft.found.value, draft.found.unit, draft.found.fiscal_year, draft.found.period_end


def figure(draft: Draft) -> str:
    """Fiscal 2024: $31,370 million (31,370,000,000 US dollars)."""
    found = draft.found
    reading = f", {lower_first(found.reading)}" if found.reading else ""
    headline = " ".join(filter(None, (draft.headline, draft.unit_word)))
    exact = "" if draft.exact == headline else f" ({draft.exact})"
    return f"Fiscal {found.fiscal_year}{reading}: {headline}{exact}"


def source(draft: Draft) -> str:
    return "; ".join(dict.fromkeys(f"{fact.form} {fact.accession}, {fact.tag}" for fact in draft.found.facts))


# --- data and refusals ---


def data(old: Answer, new: Answer) -> Iterator[Row]:
    """Data of filings, by what it is."""

    def shown(one: Particular | None) -> tuple[str, str]:
        return (f"Fiscal {one.fiscal_year}: {one.value}", f"{one.accession}, {one.source}") if one else ("", "")

    for was, is_now in matched(particulars(old), particulars(new), lambda one: (one.target, one.key)):
        if (named := is_now or was) is None:
            continue
        (before, old_source), (after, new_source) = shown(was), shown(is_now)
        status: Status = "added" if was is None else "gone" if is_now is None else "changed"
        status = "same" if before == after else status
        yield Row("Data", status, named.label, before, after, old_source, new_source)


def particulars(answer: Answer) -> list[Particular]:
    return [one for block in answer.blocks for one in block.particulars]


def refusals(old: Answer, new: Answer) -> Iterator[Row]:
    """Parts that are not answered, by code."""

    def shown(one: Refusal | None) -> str:
        return one.text if one else ""

    for was, is_now in matched(refused(old), refused(new), lambda one: one.target):
        if (named := is_now or was) is None:
            continue
        status: Status = "added" if was is None else "gone" if is_now is None else "changed"
        if was and is_now and (was.code, was.text) == (is_now.code, is_now.text):
            status = "same"
        yield Row("Not answered", status, str(named.code), shown(was), shown(is_now))


def refused(answer: Answer) -> list[Refusal]:
    return [block.refusal for block in answer.blocks if is_refused(block) and block.refusal]


def is_refused(block: Block) -> bool:
    return block.outcome == "refused"
