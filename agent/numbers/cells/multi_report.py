"""Combines figures of several reports where they are comparable: quarters, and years of a part of the company."""

from collections.abc import Mapping, Sequence

from agent.numbers.cells.comparability import Figure, FiledYear, of_concept, of_line, recast_between
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.evaluated import Evaluation
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.statement_lines import LineOf
from agent.numbers.periods.interim import InterimFilings
from agent.numbers.registry.expressions import Expr
from agent.numbers.registry.formula import operands
from agent.numbers.registry.registry import Unit
from agent.numbers.registry.units import CURRENCY
from agent.refusals.codes import Code
from agent.refusals.grammar import possessive
from agent.state.tables import Gap
from filings.xbrl.periods import QUARTERS, Place


def of_quarter_before(evaluator: Evaluation, argument: Expr, offset: int) -> tuple[Evaluation, Expr]:
    """An expression in the quarter before, with the evaluator that found it.

    Raises Unanswered: see `check_quarters`; also for an earlier year, which its own report covers.
    """
    company_filings = evaluator.company_filings
    here = (company_filings, evaluator.year)
    if not isinstance(company_filings, InterimFilings) or company_filings.period not in QUARTERS:
        raise _apart([here], Code.NOT_MEANINGFUL, "Only a quarter is set against the quarter before.")
    if offset:
        raise _apart([here], Code.CONFLICT, "Only its own report is set against that of the quarter before.")
    year, period, _ = Place(evaluator.year, company_filings.period).later(-1)
    before = company_filings.of(period)
    check_quarters(argument, evaluator.lines, [(before, year), here])
    near = evaluator.for_other_filing(before, year)
    return near, near.of_expression(argument)


def check_quarters(expr: Expr, lines: Mapping[str, LineOf], quarters: Sequence[FiledYear]) -> None:
    """Raises Unanswered where an expression cannot be combined over several quarters, oldest first.

    That is so for share figures, which a split may change, and where the accounts were restated between the reports.
    """
    for one in operands(expr):
        figure, unit = _figure(one.name.key, lines, *quarters[-1])
        if unit != Unit.PURE and not CURRENCY.fullmatch(unit):
            raise _apart(quarters, Code.NOT_MEANINGFUL, "Shares may be split between two quarters.")
        if why := recast_between(quarters, figure):
            raise _apart(quarters, Code.CONFLICT, why)


def _figure(key: str, lines: Mapping[str, LineOf], company_filings: CompanyFilings, year: int) -> tuple[Figure, str]:
    """How a figure is looked up in reports, and its unit."""
    if key not in lines:
        return of_concept(key), company_filings.registry.concepts[key].unit
    _, held = lines[key](company_filings.closed_by, year, 0)
    return of_line(lines[key], held), held.fact.unit


def _apart(parts: Sequence[FiledYear], code: Code, why: str) -> Unanswered:
    def gap() -> Gap:
        (company_filings, _), *_ = parts
        when = [Place(year, one.period).called for one, year in (parts[0], parts[-1])]
        said = "are not on the same basis" if code is Code.CONFLICT else "cannot be combined"
        text = f"{possessive(company_filings.company.called)} figures for {' and '.join(dict.fromkeys(when))} {said}."
        return Gap(code=code, text=text, detail=why, looked_for=(("Period", when[-1]),))

    return Unanswered(gap, meaningless=code is Code.NOT_MEANINGFUL)
