"""The figure of the quarter before, from its own report, where both quarters are on one basis."""

from typing import TYPE_CHECKING

from agent.numbers.bases import Figure, of_concept, of_line, recast_between
from agent.numbers.expressions import Expr
from agent.numbers.formula import operands
from agent.numbers.gaps import Unanswered
from agent.numbers.interim import InterimLedger
from agent.numbers.registry import Unit
from agent.numbers.units import CURRENCY
from agent.refusals.codes import Code
from agent.refusals.labels import possessive
from agent.state.tables import Gap
from filings.xbrl.periods import QUARTERS, Place

if TYPE_CHECKING:
    from agent.numbers.workings import Working


def of_quarter_before(working: "Working", argument: Expr) -> tuple["Working", Expr]:
    """An expression in the quarter before, with the working that found it.

    Raises Unanswered: also for what is no quarter, for shares, which may be split between the two, and where the accounts
    were recast between the two reports.
    """
    ledger = working.ledger
    if not isinstance(ledger, InterimLedger) or ledger.period not in QUARTERS:
        raise _apart(working, Code.NOT_MEANINGFUL, "Only a quarter is set against the quarter before.")
    year, period = Place(working.year, ledger.period).later(-1)
    before = ledger.of(period)
    for one in operands(argument):
        figure, unit = _figure(working, ledger, one.name.key)
        if unit != Unit.PURE and not CURRENCY.fullmatch(unit):
            raise _apart(working, Code.NOT_MEANINGFUL, "Shares may be split between two quarters.")
        if why := recast_between((before, year), (ledger, working.year), figure):
            raise _apart(working, Code.CONFLICT, why)
    near = working.beside(before, year)
    return near, near.of_expression(argument)


def _figure(working: "Working", ledger: InterimLedger, key: str) -> tuple[Figure, str]:
    """How a figure is found in reports, and its unit."""
    if key not in working.lines:
        return of_concept(key), ledger.registry.concepts[key].unit
    _, held = working.lines[key](ledger.closed_by, working.year, 0)
    return of_line(working.lines[key], held), held.fact.unit


def _apart(working: "Working", code: Code, why: str) -> Unanswered:
    def gap() -> Gap:
        when = Place(working.year, working.ledger.period).called
        company = possessive(working.ledger.company.called)
        said = "are not on one basis" if code is Code.CONFLICT else "are not compared"
        text = f"{company} {when} and the quarter before {said}."
        return Gap(code=code, text=text, detail=why, looked_for=(("Period", when),))

    return Unanswered(gap, meaningless=code is Code.NOT_MEANINGFUL)
