"""A concept's figure for a stretch of a fiscal year: tagged in a filing, or made of stretches that are."""

from typing import TYPE_CHECKING

from agent.numbers.cited_facts import fact_ref
from agent.numbers.company_filings import Ledger
from agent.numbers.comparability import Figure, of_concept, of_line, unlike
from agent.numbers.expressions import Binary, Expr
from agent.numbers.gaps import Unanswered, of_industry
from agent.numbers.interim import MADE_OF, InterimLedger, Term
from agent.numbers.registry import Concept, PeriodType, Unit
from agent.numbers.selection_result import Choice, NoChoice
from agent.numbers.units import CURRENCY
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first, possessive
from agent.state.tables import Gap
from filings.xbrl.periods import FiscalPeriod, Place

if TYPE_CHECKING:
    from agent.numbers.evaluation import Working

CASH_FLOW = (
    "Cash flow statements of 10-Qs run from the start of the fiscal year, so a quarter is the difference of two."
)


def of_stretch(working: "Working", key: str, offset: int, *, made: bool = True) -> Expr:
    """The figure of a concept for the working's stretch and year, `offset` years back, as names of facts.

    made: also where it is made of other stretches. Raises Unanswered: where nothing gives it, where two ways disagree,
    and where it cannot be added up, as an amount per share.
    """
    ledger = stretch_of(working)
    concept = ledger.registry.concepts[key]
    closing = ledger.closed_by
    selection = closing.selection(working.year)
    if selection and (industry := selection.book.industries.intersection(concept.not_meaningful_for)):
        raise of_industry(concept.label, min(industry), ledger.company)
    if concept.period is not PeriodType.DURATION and closing is not ledger:
        return working.within(closing, working.year).of(key, offset)
    absent = NoChoice(key, Code.CONCEPT_NOT_REPORTED)
    if selection is None:
        raise not_given(working, concept, offset, absent)
    if ledger.period.days:
        choice = selection.annual(key, offset)
        if isinstance(choice, Choice):
            return working.chosen(choice, offset, selection)
        if (
            choice.code is not Code.CONCEPT_NOT_REPORTED
            or choice.candidates
            or concept.period is not PeriodType.DURATION
        ):
            raise not_given(working, concept, offset, choice)
    if made:
        return _made(working, concept, offset)
    raise not_given(working, concept, offset, absent)


def stretch_of(working: "Working") -> InterimLedger:
    """The ledger of a working that is of a stretch. Raises TypeError for one of whole years."""
    if not isinstance(working.ledger, InterimLedger):
        raise TypeError("A whole year is no stretch of one.")
    return working.ledger


def line_of_stretch(working: "Working", key: str, offset: int, *, made: bool = True) -> Expr:
    """As `of_stretch`, of a printed line or a part of the company.

    A balance at the end of a stretch that no filing gives is that of the filing closing it.
    """
    ledger, find, absent = stretch_of(working), working.lines[key], None
    if ledger.prints(working.year):
        try:
            return working.printed(key, offset)
        except Unanswered as error:
            if not (made and error.absent):
                raise
            absent = error
    elif ledger.period.days or not made:
        raise of_years_only(ledger, working.year)
    closing = ledger.of(ledger.closing)
    if not closing.prints(working.year):
        raise of_years_only(ledger, working.year)
    label, held = find(closing, working.year, offset)
    if held.fact.start == held.fact.end:
        asked = closing.by_year.get(working.year + offset)
        if asked and held.fact.end == asked.period_end:
            return working.within(closing, working.year).of(key, offset)
        raise absent or of_years_only(ledger, working.year)  # what was there at the start
    if not CURRENCY.fullmatch(held.fact.unit):
        raise not_added_up(working, label)
    try:
        tree = _sum_of(working, key, offset, of_line(find, held), label)
    except Unanswered as error:
        raise (absent if error.absent else None) or error from None
    if tree is None:
        raise absent or of_years_only(ledger, working.year)
    return tree


def _made(working: "Working", concept: Concept, offset: int) -> Expr:
    """The sum or difference of other stretches; of a fourth quarter, what the 10-K itself gives must agree with it."""
    ledger = stretch_of(working)
    own = ledger.own_quarter(working.year)
    told = own.annual(concept.key, offset) if own else None
    if concept.unit is not Unit.USD:
        if own and isinstance(told, Choice):
            return working.chosen(told, offset, own)
        raise not_added_up(working, concept.label)
    tree = _sum_of(working, concept.key, offset, of_concept(concept.key), concept.label)
    if tree is None:
        raise not_given(working, concept, offset, NoChoice(concept.key, Code.CONCEPT_NOT_REPORTED))
    if own and isinstance(told, Choice) and abs(working.value(tree) - told.value) > 3 * told.half_unit:
        raise disputed(working, concept.label, offset, "The quarter that the 10-K itself gives is another figure.")
    return tree


def _sum_of(working: "Working", key: str, offset: int, figure: Figure, label: str) -> Expr | None:
    """The sum or difference of other stretches that are on one basis; None where their filings are not held."""
    ledger = stretch_of(working)
    for terms in MADE_OF.get(ledger.period, ()):
        if all(working.year + one.shift in ledger.of(one.period).by_year for one in terms):
            tree = _sum(working, key, offset, terms)
            if why := unlike(ledger, figure, working.year + offset):
                raise disputed(working, label, offset, why)
            return tree
    return None


def _sum(working: "Working", key: str, offset: int, terms: tuple[Term, ...]) -> Expr:
    ledger = stretch_of(working)
    of_part = line_of_stretch if key in working.lines else of_stretch
    total: Expr | None = None
    for sign, period, shift in terms:
        near = working.within(ledger.of(period), working.year + shift)
        # Quarters are made of the year to date, and that of quarters: of tagged ones, or it would never end.
        inner = (
            near.of(key, offset)
            if period is FiscalPeriod.YEAR
            else of_part(near, key, offset, made=not ledger.period.days)
        )
        total = inner if total is None else Binary("+" if sign > 0 else "-", total, inner)
    if total is None:
        raise TypeError(f"{ledger.period} is made of nothing.")
    working.notes[how(ledger.period, working.year + offset)] = None
    return total


def how(period: FiscalPeriod, year: int) -> str:
    """What a stretch is made of, in a sentence."""
    if period in (FiscalPeriod.Q2, FiscalPeriod.Q3):
        return CASH_FLOW
    signs = {1: " plus ", -1: " less "}
    said = [f"{signs[sign]}{Place(year + shift, of).called}" for sign, of, shift in MADE_OF[period][0]]
    return f"Computed as {''.join(said).removeprefix(' plus ')}."


def not_given(working: "Working", concept: Concept, offset: int, choice: NoChoice) -> Unanswered:
    """The filings of a stretch give no figure of a concept, or give several."""
    ledger, asked = working.ledger, working.year + offset
    absent = choice.code is Code.CONCEPT_NOT_REPORTED and not choice.candidates

    def gap() -> Gap:
        selection = ledger.selection(working.year)
        company, label = ledger.company.called, lower_first(concept.label)
        report = ledger.report(working.year)
        if choice.code is Code.CONFLICT:
            text = f"The figures of {possessive(company)} {report} disagree on {label}."
        else:
            text = f"No figure of {label} is held for {Place(asked, ledger.period).called} of {company}."
        return Gap(
            code=choice.code,
            text=text,
            detail=choice.text or _untold(ledger, working.year, report),
            looked_for=(("Measure", concept.label), ("Period", Place(asked, ledger.period).called)),
            tags=choice.tried,
            candidates=tuple(fact_ref(one.held, selection.book) for one in choice.candidates) if selection else (),
        )

    return Unanswered(gap, absent=absent, facts=frozenset(one.fact.pk for one in choice.candidates))


def _untold(ledger: Ledger, year: int, report: str) -> str:
    """Why a quarterly report gives no figure of a concept: the 10-K says under which element it stands."""
    if not any(ledger.annual.selection(near) for near in (year - 1, year, year + 1)):
        return "No 10-K of the fiscal years around it is held, which tells under which element the figure stands."
    return f"The {report} tags none that is the same measure as in the 10-K."


def of_years_only(ledger: Ledger, year: int) -> Unanswered:
    """A printed line, or a part of the company, of a stretch whose 10-Q is not held with them."""

    def gap() -> Gap:
        when = Place(year, ledger.period).called
        text = f"Of {when}, the lines of {possessive(ledger.company.called)} statements and its parts are not held."
        detail = "Ask for the fiscal year, or for a measure of the whole company."
        return Gap(code=Code.INTERIM_PERIOD, text=text, detail=detail, looked_for=(("Period", when),))

    return Unanswered(gap)


def not_added_up(working: "Working", label: str) -> Unanswered:
    """A measure whose stretches do not add up to a year: an amount per share, an average of shares, a rate."""
    ledger = working.ledger

    def gap() -> Gap:
        return Gap(
            code=Code.NOT_MEANINGFUL,
            text=f"{label} of {Place(working.year, ledger.period).called} cannot be computed for {ledger.company.called}.",
            detail="It is no amount that adds up over quarters, and no filing gives it for this period.",
            looked_for=(("Measure", label),),
        )

    return Unanswered(gap, meaningless=True)


def disputed(working: "Working", label: str, offset: int, why: str) -> Unanswered:
    """Figures that cannot be put together: they are not on one basis."""
    ledger = working.ledger

    def gap() -> Gap:
        when = Place(working.year + offset, ledger.period).called
        return Gap(
            code=Code.CONFLICT,
            text=f"{label} of {when} cannot be computed for {ledger.company.called}.",
            detail=why,
            looked_for=(("Measure", label), ("Period", when)),
        )

    return Unanswered(gap)
