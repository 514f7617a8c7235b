"""Compares the filings and their data that a text answer names with the stored ones, before they are shown."""

from collections.abc import Iterator, Sequence

from agent.state import FilingDatum, FilingRef, PeriodForm, Target
from agent.steps.locate import particulars
from filings.models import Filing
from filings.models.source_kinds import ANNUAL

SAME = ("accession", "form", "source", "title", "filed", "fiscal_quarter")
# What a filing may lack, which is then told by its day.
WHERE_KNOWN = ("fiscal_year", "period_end")


def problems(target: Target, filings: Sequence[FilingRef], data: Sequence[FilingDatum]) -> Iterator[str]:
    """How the filings of a target, and their data, differ from what is stored or asked, in sentences."""
    stored = Filing.objects.select_related("company").in_bulk([one.filing for one in filings])
    for place, one in enumerate(filings):
        held = stored.get(one.filing)
        if held is None or held.company.asked_as != target.company.cik:
            yield f"The {one.called} is not a filing of {target.company.called} that is stored."
        elif unlike(one, held):
            yield f"The {one.called} differs from the stored filing."
        elif not (is_before(one, target, filings[0]) if place else is_asked(one, target)):
            yield f"The {one.called} is not of the period asked for."
    again = list(particulars(target, [one for one in filings if one.filing in stored])) if data else []
    for datum in data:
        if datum.model_copy(update={"iteration": 0}) not in again:
            yield f"{datum.label}: {datum.value} differs from the stored filing."


def unlike(one: FilingRef, held: Filing) -> bool:
    """Whether a filing is named otherwise than it is stored."""
    known = [name for name in WHERE_KNOWN if getattr(held, name) is not None]
    return any(getattr(one, name) != getattr(held, name) for name in (*SAME, *known))


def is_asked(one: FilingRef, target: Target) -> bool:
    """Whether a filing is the document chosen, or of the fiscal year named."""
    if target.document is not None:
        return one.filing == target.document
    fixed = target.period.form is PeriodForm.FISCAL and one.source == ANNUAL.key and target.period.part is None
    return not fixed or target.period.year in (None, one.fiscal_year)


def is_before(one: FilingRef, target: Target, newer: FilingRef) -> bool:
    """Whether a filing behind the first is of the year that this one is compared with; of other questions it came since."""
    if target.topic is None or not target.topic.compares:
        return True
    asked = target.earlier.year if target.earlier else None
    return one.fiscal_year == (asked or newer.fiscal_year - 1)
