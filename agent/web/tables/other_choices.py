"""The other ways to make a table, for links below it: how companies are aligned, and which reports give each year."""

from agent.query.answer_form import OTHER_ALIGNMENT, OTHER_BASIS, Choice
from agent.state.query import Alignment, Basis
from agent.state.tables import Table

LABELS: dict[Choice, str] = {
    Alignment.FISCAL: "Show each company's own fiscal periods",
    Alignment.CALENDAR: "Align by calendar",
    Basis.FIRST: "Show as first reported",
    Basis.LAST: "Show as last reported",
}


def other_choices(table: Table) -> tuple[Choice, ...]:
    """What can be chosen in place of what a table is, where it would differ."""
    found: list[Choice] = []
    if table.aligned:
        found.append(OTHER_ALIGNMENT[table.aligned])
    if table.basis:
        found.append(OTHER_BASIS[table.basis])
    return tuple(found)
