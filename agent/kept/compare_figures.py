"""The figures of two answers beside each other: those asserted, those beside them, and what later 10-Ks report."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from agent.found import FactRef, LaterValue
from agent.kept.compared import Kind, Row, rows
from agent.numbers.answer import exact
from agent.state import Answer, Draft
from agent.wording import lower_first


@dataclass(frozen=True)
class Told:
    """A figure that an answer gives. place: its company, measure and number among those of its measure."""

    draft: Draft
    place: Hashable
    title: str


def figures(old: Answer, new: Answer) -> Iterator[Row]:
    """Rows of the figures asserted with their later values, then of those that are only beside them."""
    before, after = told(old), told(new)
    yield from given("Figure", before, after)
    yield from later_values(before, after)
    yield from given("Related figure", told(old, beside=True), told(new, beside=True))


def told(answer: Answer, beside: bool = False) -> list[Told]:
    """The figures that an answer asserts; with `beside`, those that it gives beside them."""
    companies = {target.id: target.company for target in answer.plan.targets}
    found = []
    for block in answer.blocks:
        company = companies.get(block.target)
        seen: dict[str, int] = {}
        for draft in block.mentions if beside else block.drafts:
            concept = draft.found.concept
            number = seen[concept] = seen.get(concept, 0) + 1
            title = ", ".join(filter(None, (company.name if company else "", lower_first(draft.found.label))))
            found.append(Told(draft, (company.cik if company else 0, concept, number), title))
    return found


def given(kind: Kind, old: Sequence[Told], new: Sequence[Told]) -> Iterator[Row]:
    """By company, measure and reading: a figure of another year is changed, not new."""
    return rows(
        kind,
        old,
        new,
        key=lambda one: one.place,
        title=lambda one: one.title,
        text=lambda one: figure(one.draft),
        said=lambda one: said(one.draft),
        source=lambda one: source(one.draft.found.facts),
    )


def said(draft: Draft) -> Hashable:
    return draft.found.value, draft.found.unit, draft.found.fiscal_year, draft.found.period_end


def figure(draft: Draft) -> str:
    """Fiscal 2024: $31,370 million (31,370,000,000 US dollars)."""
    found = draft.found
    reading = f", {lower_first(found.reading)}" if found.reading else ""
    headline = " ".join(filter(None, (draft.headline, draft.unit_word)))
    in_full = "" if draft.exact == headline else f" ({draft.exact})"
    return f"Fiscal {found.fiscal_year}{reading}: {headline}{in_full}"


def source(facts: Sequence[FactRef]) -> str:
    return "; ".join(dict.fromkeys(f"{fact.form} {fact.accession}, {fact.tag}" for fact in facts))


# --- later values ---


def later_values(old: Sequence[Told], new: Sequence[Told]) -> Iterator[Row]:
    """What later 10-Ks report for the figures, by figure and filing."""

    def every(figures: Sequence[Told]) -> list[tuple[Told, LaterValue]]:
        return [(one, value) for one in figures for value in one.draft.found.later]

    return rows(
        "Later value",
        every(old),
        every(new),
        key=lambda one: (one[0].place, one[1].fact.accession),
        title=lambda one: one[0].title,
        text=lambda one: later_value(one[1]),
        source=lambda one: source([one[1].fact]),
    )


def later_value(one: LaterValue) -> str:
    """10-K fiscal 2025: 0.17 US dollars per share, restated."""
    year = f" fiscal {one.fiscal_year}" if one.fiscal_year else ""
    restated = ", restated" if one.change else ", not restated"
    return f"{one.fact.form}{year}: {exact(one.fact.value, one.fact.unit)}{restated}"
