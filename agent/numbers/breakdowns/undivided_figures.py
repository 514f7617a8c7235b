"""Why a figure is not divided: no parts known, other parts in that year, or none that is certain to be the largest."""

from agent.numbers.cells.cells import BuiltCell, empty, is_unread
from agent.numbers.cells.row_expressions import Version
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.parts.part_facts import AXES, axis, divided, own_members
from agent.numbers.parts.part_names import cleaned
from agent.numbers.registry.expressions import Name
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first, possessive
from agent.state.query import Breakdown, Concept, Line
from agent.state.tables import Gap
from filings.xbrl import member_facts
from filings.xbrl.axes import words
from filings.xbrl.periods import Place


def nothing(
    number: int,
    measure: Breakdown,
    whole: Version,
    company_filings: CompanyFilings,
    year: int,
    *,
    divided: bool = False,
) -> BuiltCell:
    """The cell of a year without known parts, or with parts of which none is certain to be the largest."""
    blank = Version(whole.key, f"{whole.label} by {measure.axis}", whole.unit, Name(whole.key))
    one = BuiltCell(empty(blank, number, company_filings, year), blank, company_filings)
    if not divided:
        return one.without(no_parts(measure, whole, company_filings, year))
    text = (
        f"No single set of {measure.axis}s that adds up to {lower_first(whole.label)} was found in "
        f"{possessive(company_filings.company.called)} {company_filings.report(year)}, so none can be called the "
        f"{measure.first}."
    )
    return one.without(Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Parts", measure.axis),)))


def other_parts(measure: Breakdown, whole: Version, company_filings: CompanyFilings, year: int) -> Gap:
    """Why a part has no figure in a year that is divided into others."""
    text = f"{company_filings.company.called} breaks {lower_first(whole.label)} for {Place(year, company_filings.period).called} into other parts."
    return Gap(code=Code.DIMENSIONAL_ONLY, text=text)


def no_parts(measure: Breakdown, whole: Version, company_filings: CompanyFilings, year: int) -> Gap:
    """Why no parts of a year are known: its document is not loaded, or reports none, or only one."""
    company, when = company_filings.company.called, Place(year, company_filings.period).called
    selection = company_filings.selection(year)
    known = selection is not None and member_facts.has_any(selection.filing_figures.filing)
    if measure.axis != "class" and is_unread(company_filings, year) and not known:
        text = f"{possessive(company)} {lower_first(whole.label)} by {measure.axis} for {when} is not in our data."
        detail = f"The document of its {company_filings.report(year)} is not loaded."
        return Gap(code=Code.YEAR_NOT_INGESTED, text=text, detail=detail, looked_for=(("Parts", measure.axis),))
    sought = f"{lower_first(whole.label)} by {measure.axis}"
    if measure.axis == "year":
        sought = f"schedule of {lower_first(whole.label)}"
    text = f"No tagged or printed {sought} was found in {possessive(company)} {company_filings.report(year)}."
    if (alone := _only_part(measure, company_filings, year)) is not None:
        text = f"{company} reports {lower_first(whole.label)} by {measure.axis} for {when} only for {alone}."
        if not alone:
            text = f"{company} reports only one {measure.axis} for {when}, so its {lower_first(whole.label)} is not divided."
    return Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Parts", measure.axis),))


def _only_part(measure: Breakdown, company_filings: CompanyFilings, year: int) -> str | None:
    """The name of the part that alone has a figure of its kind, empty where it is the whole; None where that is not so."""
    selection = company_filings.selection(year)
    if selection is None or not isinstance(measure.of, Concept | Line) or measure.axis == "class":
        return None
    try:
        figure = divided(measure.of, selection, company_filings, year)
    except Unanswered:
        return None
    alone = {members[0]: one for one in figure.facts if len(members := own_members(one)) == 1}
    own = [(told, one) for told, one in alone.items() if axis(told) in AXES[measure.axis]]
    if len(own) != 1:
        return None
    told, fact = own[0]
    if fact.value == figure.whole.value:
        return ""
    labels = member_facts.labels(selection.filing_figures.filing)
    return cleaned(labels.get(told, words(told.partition("=")[2])))
