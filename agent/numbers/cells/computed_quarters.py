"""A concept's figure for part of a fiscal year: tagged in a filing, or computed from figures that are."""

from agent.numbers.cells.comparability import Figure, of_concept, of_line, unlike
from agent.numbers.facts.cited_facts import fact_ref
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.evaluated import Evaluation
from agent.numbers.facts.gaps import Unanswered, of_industry
from agent.numbers.facts.selection_result import Choice, NoChoice
from agent.numbers.facts.statement_lines import LineFinder, LineOf
from agent.numbers.periods.interim import MADE_OF, InterimFilings, Term
from agent.numbers.printed.printed_finder import PrintedFinder
from agent.numbers.registry.expressions import Binary, Expr
from agent.numbers.registry.registry import Concept, PeriodType, Unit
from agent.numbers.registry.units import CURRENCY
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first, possessive
from agent.state.tables import Gap
from filings.xbrl.periods import FiscalPeriod, Place

CASH_FLOW = "Computed from year-to-date figures."


def interim_expression(evaluator: Evaluation, key: str, offset: int, *, made: bool = True) -> Expr:
    """A concept's figure for the evaluator's period and year, `offset` years back, as names of facts.

    made: also where it must be computed from other periods. Raises Unanswered where nothing gives it, where two ways
    disagree, and where it does not add up over quarters, such as an amount per share.
    """
    company_filings = interim_filings(evaluator)
    concept = company_filings.registry.concepts[key]
    closing = company_filings.closed_by
    selection = closing.selection(evaluator.year)
    if selection and (industry := selection.filing_figures.industries.intersection(concept.not_meaningful_for)):
        raise of_industry(concept.label, min(industry), company_filings.company)
    if concept.period is not PeriodType.DURATION and closing is not company_filings:
        return evaluator.within(closing, evaluator.year).of(key, offset)
    absent = NoChoice(key, Code.CONCEPT_NOT_REPORTED)
    if selection is None:
        raise not_given(evaluator, concept, offset, absent)
    if company_filings.period.days:
        choice = selection.annual(key, offset)
        if isinstance(choice, Choice):
            return evaluator.chosen(choice, offset, selection)
        if (
            choice.code is not Code.CONCEPT_NOT_REPORTED
            or choice.candidates
            or concept.period is not PeriodType.DURATION
        ):
            raise not_given(evaluator, concept, offset, choice)
    if made:
        return _computed(evaluator, concept, offset)
    raise not_given(evaluator, concept, offset, absent)


def interim_filings(evaluator: Evaluation) -> InterimFilings:
    """The filings of an evaluator for part of a year. Raises TypeError for one of whole years."""
    if not isinstance(evaluator.company_filings, InterimFilings):
        raise TypeError("A whole year is no stretch of one.")
    return evaluator.company_filings


def interim_line_expression(evaluator: Evaluation, key: str, offset: int, *, made: bool = True) -> Expr:
    """As `interim_expression`, for a printed line or a part of the company.

    A balance at the end of a period without its own filing is that of the filing that closes it.
    """
    company_filings, find, absent = interim_filings(evaluator), evaluator.lines[key], None
    if isinstance(find, PrintedFinder):
        return evaluator.printed(key, offset)
    if _may_find(find, company_filings, evaluator.year):
        try:
            return evaluator.printed(key, offset)
        except Unanswered as error:
            if not (made and error.absent):
                raise
            absent = error
    elif company_filings.period.days or not made:
        raise of_years_only(company_filings, evaluator.year)
    closing = company_filings.of(company_filings.closing)
    if not _may_find(find, closing, evaluator.year):
        raise of_years_only(company_filings, evaluator.year)
    label, held = find(closing, evaluator.year, offset)
    if held.fact.start == held.fact.end:
        asked = closing.by_year.get(evaluator.year + offset)
        if asked and held.fact.end == asked.period_end:
            return evaluator.within(closing, evaluator.year).of(key, offset)
        raise absent or of_years_only(company_filings, evaluator.year)  # the opening balance
    if not CURRENCY.fullmatch(held.fact.unit):
        raise not_added_up(evaluator, label)
    try:
        tree = _sum_of(evaluator, key, offset, of_line(find, held), label)
    except Unanswered as error:
        raise (absent if error.absent else None) or error from None
    if tree is None:
        raise absent or of_years_only(company_filings, evaluator.year)
    return tree


def _may_find(find: LineOf, company_filings: CompanyFilings, year: int) -> bool:
    """Whether a filing may have a line: with its statements, or a statement's row by its element alone."""
    of_statement = isinstance(find, LineFinder) and bool(find.statement)
    by_element = of_statement and bool(company_filings.period.days) and year in company_filings.by_year
    return by_element or company_filings.prints(year)


def _computed(evaluator: Evaluation, concept: Concept, offset: int) -> Expr:
    """The sum or difference of other periods. The 10-K's own figure for a fourth quarter, if any, must agree."""
    company_filings = interim_filings(evaluator)
    own = company_filings.own_quarter(evaluator.year)
    told = own.annual(concept.key, offset) if own else None
    if concept.unit is not Unit.USD:
        if own and isinstance(told, Choice):
            return evaluator.chosen(told, offset, own)
        raise not_added_up(evaluator, concept.label)
    tree = _sum_of(evaluator, concept.key, offset, of_concept(concept.key), concept.label)
    if tree is None:
        raise not_given(evaluator, concept, offset, NoChoice(concept.key, Code.CONCEPT_NOT_REPORTED))
    if own and isinstance(told, Choice) and abs(evaluator.value(tree) - told.value) > 3 * told.half_unit:
        raise disputed(evaluator, concept.label, offset, "The 10-K itself gives a different figure for the quarter.")
    return tree


def _sum_of(evaluator: Evaluation, key: str, offset: int, figure: Figure, label: str) -> Expr | None:
    """The sum or difference of other comparable periods; None where their filings are not loaded."""
    company_filings = interim_filings(evaluator)
    for terms in MADE_OF.get(company_filings.period, ()):
        if all(evaluator.year + one.shift in company_filings.of(one.period).by_year for one in terms):
            tree = _sum(evaluator, key, offset, terms)
            if why := unlike(company_filings, figure, evaluator.year + offset):
                raise disputed(evaluator, label, offset, why)
            return tree
    return None


def _sum(evaluator: Evaluation, key: str, offset: int, terms: tuple[Term, ...]) -> Expr:
    company_filings = interim_filings(evaluator)
    of_part = interim_line_expression if key in evaluator.lines else interim_expression
    total: Expr | None = None
    for sign, period, shift in terms:
        near = evaluator.within(company_filings.of(period), evaluator.year + shift)
        # Quarters are computed from the year to date and the reverse: only from tagged figures, or it would never end.
        inner = (
            near.of(key, offset)
            if period is FiscalPeriod.YEAR
            else of_part(near, key, offset, made=not company_filings.period.days)
        )
        total = inner if total is None else Binary("+" if sign > 0 else "-", total, inner)
    if total is None:
        raise TypeError(f"{company_filings.period} is made of nothing.")
    evaluator.notes[how(company_filings.period, evaluator.year + offset)] = None
    return total


def how(period: FiscalPeriod, year: int) -> str:
    """How a period was computed, in a sentence."""
    if period in (FiscalPeriod.Q2, FiscalPeriod.Q3):
        return CASH_FLOW
    signs = {1: " plus ", -1: " less "}
    said = [f"{signs[sign]}{Place(year + shift, of).called}" for sign, of, shift in MADE_OF[period][0]]
    return f"Computed as {''.join(said).removeprefix(' plus ')}."


def not_given(evaluator: Evaluation, concept: Concept, offset: int, choice: NoChoice) -> Unanswered:
    """The refusal where a period's filings give no figure for a concept, or several."""
    company_filings, asked = evaluator.company_filings, evaluator.year + offset
    absent = choice.code is Code.CONCEPT_NOT_REPORTED and not choice.candidates

    def gap() -> Gap:
        selection = company_filings.selection(evaluator.year)
        company, label = company_filings.company.called, lower_first(concept.label)
        report = company_filings.report(evaluator.year)
        if choice.code is Code.CONFLICT:
            text = f"{possessive(company)} {report} gives different figures for {label}."
        else:
            text = (
                f"{possessive(company)} {label} for {Place(asked, company_filings.period).called} is not in our data."
            )
        return Gap(
            code=choice.code,
            text=text,
            detail=choice.text or _why_missing(company_filings, evaluator.year, report),
            looked_for=(("Measure", concept.label), ("Period", Place(asked, company_filings.period).called)),
            tags=choice.tried,
            candidates=tuple(fact_ref(one.held, selection.filing_figures) for one in choice.candidates)
            if selection
            else (),
        )

    return Unanswered(gap, absent=absent, facts=frozenset(one.fact.pk for one in choice.candidates))


def _why_missing(company_filings: CompanyFilings, year: int, report: str) -> str:
    """Why a 10-Q gives no figure for a concept: the 10-K shows under which element it stands."""
    if not any(company_filings.annual.selection(near) for near in (year - 1, year, year + 1)):
        return "No 10-K of a nearby fiscal year is loaded."
    return f"The {report} has no figure for the same measure as the 10-K."


def of_years_only(company_filings: CompanyFilings, year: int) -> Unanswered:
    """The refusal of a printed line or a part of the company whose 10-Q is not loaded with its statements."""

    def gap() -> Gap:
        when = Place(year, company_filings.period).called
        text = f"Statement lines and parts of {company_filings.company.called} are not available for {when}."
        detail = "Ask for the fiscal year, or for a measure of the whole company."
        return Gap(code=Code.INTERIM_PERIOD, text=text, detail=detail, looked_for=(("Period", when),))

    return Unanswered(gap)


def not_added_up(evaluator: Evaluation, label: str) -> Unanswered:
    """The refusal of a measure that does not add up over quarters: per-share amounts, average shares, rates."""
    company_filings = evaluator.company_filings

    def gap() -> Gap:
        return Gap(
            code=Code.NOT_MEANINGFUL,
            text=f"{possessive(company_filings.company.called)} {lower_first(label)} for {Place(evaluator.year, company_filings.period).called} is not in our data.",
            looked_for=(("Measure", label),),
        )

    return Unanswered(gap, meaningless=True)


def disputed(evaluator: Evaluation, label: str, offset: int, why: str) -> Unanswered:
    """The refusal of figures that are not comparable."""
    company_filings = evaluator.company_filings

    def gap() -> Gap:
        when = Place(evaluator.year + offset, company_filings.period).called
        return Gap(
            code=Code.CONFLICT,
            text=f"{label} for {when} cannot be computed for {company_filings.company.called}.",
            detail=why,
            looked_for=(("Measure", label), ("Period", when)),
        )

    return Unanswered(gap)
