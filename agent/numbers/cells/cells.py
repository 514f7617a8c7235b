"""One table cell: a measure computed for one company and fiscal year, with its facts, formula and notes."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal

from agent.numbers.cells.evaluation import Evaluator
from agent.numbers.cells.meaningful import computed
from agent.numbers.cells.row_expressions import Version
from agent.numbers.facts.cited_facts import about_label, fact_ref
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.derived_concepts import breakdown
from agent.numbers.facts.evaluated import Evaluated, FactOperand, mark, plain
from agent.numbers.facts.gaps import Unanswered, meaningless, of_industry, of_other_industries
from agent.numbers.facts.render import headline, is_money
from agent.numbers.facts.selection_result import Choice
from agent.numbers.facts.share_classes import is_class
from agent.numbers.parts.part_figures import MemberFinder
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Expr, Name, mapped
from agent.numbers.registry.registry import PeriodType, Registry
from agent.numbers.registry.units import in_currency
from agent.refusals.codes import Code
from agent.state import Rejected
from agent.state.tables import Cell, CellOperand, Gap, Recast
from filings.xbrl import member_facts

# Rates are reported to a tenth of a percent; a larger difference gets a note.
CROSSCHECK_POINTS = Decimal("0.1")
# Years that were not asked need no reason for a missing value: nobody reads it.
UNSAID = Gap(code=Code.CONCEPT_NOT_REPORTED, text="")


def evaluated(version: Version, company_filings: CompanyFilings, year: int) -> tuple[Evaluated, int]:
    """The facts of a measure for a fiscal year, and the year of the report that gives them. Raises Unanswered.

    That is the year's own report or, where it has no figure, the next one that gives it beside its own; of a part of the
    company the newest, which divides all years alike.
    """
    try:
        return _worked(version, company_filings, year, year, alone=False), year
    except Unanswered as error:
        if not _may_be_later(error, version, company_filings, year):
            raise
        for later in sorted(company_filings.printing(year), reverse=_of_part(version)):
            if later > year and later in company_filings.by_year and company_filings.aligned(year, later):
                with suppress(Unanswered):
                    return from_filing(version, company_filings, year, later), later
        raise


def _may_be_later(error: Unanswered, version: Version, company_filings: CompanyFilings, year: int) -> bool:
    """Whether a later report may give what a year's own does not: it has no such figure, or none of a part's is certain."""
    code = error.gap().code
    if not _of_part(version):
        return code is Code.CONCEPT_NOT_REPORTED and company_filings.period.whole and not version.is_statement_row
    classes = any(is_class(one.member) for one in version.lines.values() if isinstance(one, MemberFinder))
    return not classes and not (code is Code.CONFLICT and _knows_parts(company_filings, year))


def _of_part(version: Version) -> bool:
    return any(isinstance(one, MemberFinder) for one in version.lines.values())


def _knows_parts(company_filings: CompanyFilings, year: int) -> bool:
    """Whether a year's report is loaded with its parts, or divides nothing."""
    selection = company_filings.selection(year)
    return not is_unread(company_filings, year) or (
        selection is not None and member_facts.has_any(selection.filing_figures.filing)
    )


def is_unread(company_filings: CompanyFilings, year: int) -> bool:
    """Whether the document of a year's filing is not loaded, so that its parts are unknown."""
    selection = company_filings.selection(year)
    return not company_filings.prints(year) or (
        selection is not None and not selection.filing_figures.filing.chunks_stored
    )


def _worked(version: Version, company_filings: CompanyFilings, year: int, anchor: int, *, alone: bool) -> Evaluated:
    selection = company_filings.selection(anchor)
    if selection is None:
        raise KeyError(f"No {company_filings.report(anchor)} is held of {company_filings.company.name}.")
    if industry := selection.filing_figures.industries.intersection(version.meaningless_for):
        raise of_industry(version.label, min(industry), company_filings.company)
    if version.only_for and not selection.filing_figures.industries.intersection(version.only_for):
        raise of_other_industries(version.label, version.only_for, company_filings.company)
    if not company_filings.period.whole and sets_flow_against_balance(version.expr, company_filings.registry):
        raise of_part_of_year(version.label, company_filings)
    found = Evaluator(company_filings, anchor, version.lines, alone=alone).work(version.expr, year)
    if [_is_balance(side, found, company_filings.registry) for side in version.sides] == [True, False]:
        raise _no_share(version.label)
    return found


def _is_balance(side: Expr, found: Evaluated, registry: Registry) -> bool | None:
    """Whether one side of a share is a balance; None where it is of both kinds. What balances changed by is a flow."""
    operands = formula.operands(side)
    if len({one.offset for one in operands}) > 1:
        return False
    keys = {one.name.key for one in operands}
    kinds = {registry.concepts[key].period is not PeriodType.DURATION for key in keys if key in registry.concepts}
    lines = keys - registry.concepts.keys()
    kinds |= {one.held.fact.start == one.held.fact.end for one in found.parts.values() if one.key in lines}
    return next(iter(kinds)) if len(kinds) == 1 else None


def _no_share(label: str) -> Unanswered:
    """The refusal of a balance as a share of a flow, of which it is no part. A flow is held against a balance often."""

    def gap() -> Gap:
        return meaningless(
            f"{label} compares a balance with a flow, of which it is no part.",
            "Ask for the ratio, as one / the other.",
        )

    return Unanswered(gap, meaningless=True)


def from_filing(version: Version, company_filings: CompanyFilings, year: int, filed_for: int) -> Evaluated:
    """A measure for a fiscal year as the filing of another year gives it alone. Raises Unanswered."""
    return _worked(version, company_filings, year, filed_for, alone=True)


def sets_flow_against_balance(expr: Expr, registry: Registry) -> bool:
    """Whether an expression divides a flow by a balance or the reverse, which is comparable only for full years."""
    kinds = {
        registry.concepts[one.name.key].period is PeriodType.DURATION
        for one in formula.operands(expr)
        if one.name.key in registry.concepts
    }
    return len(kinds) > 1


def of_part_of_year(label: str, company_filings: CompanyFilings) -> Unanswered:
    """The refusal of a ratio of a flow and a balance for part of a year."""

    def gap() -> Gap:
        return meaningless(
            f"{label} compares a flow with a balance, so it is not comparable for part of a year.",
            "Ask for the fiscal year or the trailing twelve months.",
        )

    return Unanswered(gap, meaningless=True)


@dataclass(frozen=True)
class BuiltCell:
    """A cell and what it was computed from. `evaluated` is None where nothing answers."""

    cell: Cell
    version: Version
    company_filings: CompanyFilings
    evaluated: Evaluated | None = None

    def without(self, gap: Gap) -> "BuiltCell":
        """The cell with its value taken back, for a reason."""
        return replace(self, cell=self.cell.model_copy(update={"value": None, "gap": gap}))


def build_cell(
    version: Version,
    row: int,
    company_filings: CompanyFilings,
    year: int,
    *,
    asked: bool = True,
    reading: str = "",
) -> BuiltCell:
    """The cell of a fiscal year whose filing is loaded.

    Only the default reading of an asked year gets a reason for a missing value.
    """
    base = empty(version, row, company_filings, year, asked=asked, reading=reading)
    one = BuiltCell(base, version, company_filings)
    try:
        found, filed_for = evaluated(version, company_filings, year)
    except Unanswered as error:
        return one.without(because(error, version) if asked and not version.alternative else UNSAID)
    if filed_for != year:
        return restated(one, found, filed_for)
    return replace(one, cell=filled(base, version, found, company_filings, year), evaluated=found)


def restated(one: BuiltCell, given: Evaluated, filed_for: int) -> BuiltCell:
    """A cell with its value as a later filing prints it, and with the value first reported, if that is loaded."""
    year = one.cell.fiscal_year or 0
    filing = one.company_filings.by_year[filed_for]
    recast = Recast(
        fiscal_year=filed_for,
        accession=filing.accession,
        first=one.cell.recast.first if one.cell.recast else one.cell.value,
        fact=one.cell.recast.fact if one.cell.recast else one.cell.fact,
        own_loaded=year in one.company_filings.by_year
        and (not one.version.lines or one.version.is_statement_row or _knows_parts(one.company_filings, year)),
    )
    update: dict[str, object] = {"recast": recast, "notes": ()}
    if year not in one.company_filings.by_year:
        ends = [part.held.fact.end for part in given.parts.values() if part.year == year]
        update |= {"accession": filing.accession, "filed": filing.filed, "url": filing.url}
        update |= {"period_end": max(ends, default=None), "fiscal_period": one.company_filings.period}
    base = one.cell.model_copy(update=update)
    return replace(one, cell=filled(base, one.version, given, one.company_filings, year), evaluated=given)


def empty(
    version: Version, row: int, company_filings: CompanyFilings, year: int, *, asked: bool = True, reading: str = ""
) -> Cell:
    """The cell of a fiscal year before its value is computed."""
    filing = company_filings.by_year[year]
    return Cell(
        row=row,
        cik=company_filings.company.cik,
        company=company_filings.company.called,
        measure=version.key,
        label=version.label,
        fiscal_year=year,
        fiscal_period=company_filings.period,
        period_end=filing.period_end,
        accession=filing.accession,
        filed=filing.filed,
        url=filing.url,
        unit=version.unit,
        asked=asked,
        alternative=version.alternative,
        reading=version.reading,
        period_reading=reading,
    )


def because(error: Unanswered, version: Version) -> Gap:
    """Why a cell has no value; for a formula, the reason of its missing operand."""
    gap = error.gap()
    if isinstance(version.expr, Name) or error.meaningless:
        return gap
    detail = f"{version.label} cannot be computed without it. {gap.detail}".rstrip()
    return gap.model_copy(update={"detail": detail, "looked_for": (("Formula", version.label), *gap.looked_for)})


def filled(base: Cell, version: Version, found: Evaluated, company_filings: CompanyFilings, year: int) -> Cell:
    """The cell with its value, formula, facts and notes."""
    value, gap = computed(found, version.label, company_filings, year)
    if gap is not None:
        of = tuple(fact_ref(part.held, part.selection.filing_figures) for part in found.parts.values())
        gap = gap.model_copy(update={"candidates": of if len({one.unit for one in of}) == 1 else ()})
    unit = unit_of(version, found)
    if unit is None:
        gap, value, unit = meaningless(f"{version.label} mixes figures in different units."), None, ""
    only, named = found.only, names(found, year, company_filings)
    filing = company_filings.by_year.get(year)
    notes = (*found.notes, *(about_label(filing.named_year, year) if filing else ()))
    if version.crosscheck and value is not None and company_filings.closed_by is company_filings:
        notes += crosschecked(version, value, company_filings, year)
    own = mark(company_filings, year)
    seams = dict.fromkeys(other.by_year[of].accession for key, (other, of) in found.filings.items() if key != own)
    # A printed figure may be of a document that stands for no year.
    printed = [part.held.fact.filing for part in found.parts.values() if part.held.fact.pk is None]
    seams |= dict.fromkeys(one.accession for one in printed if one.accession != base.accession)
    return base.model_copy(
        update={
            **(around(only, company_filings, year) if only and base.asked and not base.alternative else {}),
            "label": only.label if only and version.lines else version.label,
            "value": value,
            "unit": unit,
            "gap": gap,
            "fact": fact_ref(only.held, only.selection.filing_figures) if only else None,
            "formula": "" if only else str(renamed(plain(found.tree), named, year)),
            "operands": () if only else operands(found.parts, named, year),
            "notes": tuple(dict.fromkeys(notes)),
            "seams": tuple(seams),
            "failed_checks": found.failed,
            "passed_checks": found.passed,
        }
    )


def around(only: FactOperand, company_filings: CompanyFilings, year: int) -> dict[str, object]:
    """What a reader may want to see beside one fact: the parts that add up to it, and the candidates not used; nothing
    beside the figure of a year before the filing's own.
    """
    choice = only.selection.annual(only.key) if only.concept and only.year == only.filed_for else None
    if not isinstance(choice, Choice):
        return {}
    filing_figures = only.selection.filing_figures
    return {
        "breakdown": tuple(
            CellOperand(
                name=str(Name(part.key, offset=part.offset)),
                concept=part.key,
                label=filing_figures.registry.concepts[part.key].label,
                cik=company_filings.company.cik,
                fiscal_year=year + part.offset,
                fiscal_period=company_filings.period,
                fact=fact_ref(part.candidate.held, filing_figures),
            )
            for part in breakdown(choice, only.selection)
        ),
        "rejected": tuple(
            Rejected(fact=fact_ref(loser.held, filing_figures), why=why) for loser, why in choice.losers
        ),
    }


def variant_cell(version: Version, row: int, company_filings: CompanyFilings, year: int) -> BuiltCell | None:
    """The line that the registry shows beside a concept, where the statement has it too."""
    selection = company_filings.selection(year)
    # A metric that equals one concept by definition has no such line.
    concept = version.expr == Name(version.key) and not version.lines
    found = selection.shown_variant(version.key) if selection and concept else None
    if selection is None or found is None:
        return None
    label = f"“{found.label}”, a line of the same statement" if found.label else "Another line of the same statement"
    name = Name(f"{version.key}_beside", mark(company_filings, year), year)
    part = FactOperand(name.key, version.label, year, year, found.held, selection, company_filings)
    other = replace(version, reading=label, alternative=True)
    one = Evaluated(name, {name: part})
    return BuiltCell(
        filled(empty(other, row, company_filings, year), other, one, company_filings, year),
        other,
        company_filings,
        one,
    )


def unit_of(version: Version, found: Evaluated) -> str | None:
    """The unit of a value, in the currency of the statements; None where printed lines mix units."""
    first = next(iter(found.parts.values()), None)
    if version.lines:
        units = {part.held.fact.unit for part in found.parts.values()}
        if len(units) > 1:
            return None
        if not version.unit or is_money(version.unit):
            return units.pop()  # in the currency that is printed
    return in_currency(version.unit, first.selection.filing_figures.currency) if first else version.unit


def crosschecked(version: Version, value: Decimal, company_filings: CompanyFilings, year: int) -> tuple[str, ...]:
    """A note with the figure that the filing itself reports for the same measure, where it differs."""
    selection = company_filings.selection(year)
    reported = selection.value(version.crosscheck) if selection else None
    if reported is None or abs(reported * 100 - value) <= CROSSCHECK_POINTS:
        return ()
    return (f"The filing itself reports {headline(reported, 'pure')[0]}.",)


def names(found: Evaluated, year: int, company_filings: CompanyFilings | None = None) -> dict[str, str]:
    """How a formula names its filings: the base filing by nothing, others by year, other companies by ticker."""
    companies = {other.company.cik for other, _ in found.filings.values()}
    newest = {cik: max(of for other, of in found.filings.values() if other.company.cik == cik) for cik in companies}
    stretches = {other.period for other, _ in found.filings.values()} | (
        {company_filings.period} if company_filings else set()
    )
    said = {}
    for key, (other, of) in found.filings.items():
        company = symbol(other) if len(companies) > 1 else ""
        stretch = (
            other.period.slug
            if len(stretches) > 1 and (company_filings is None or other.period != company_filings.period)
            else ""
        )
        later = f"fy{of}" if of != newest[other.company.cik] else ""
        said[key] = "_".join(filter(None, (company, stretch, later)))
    if company_filings is not None:
        said.setdefault(mark(company_filings, year), "")
    return said


def symbol(company_filings: CompanyFilings) -> str:
    """A company inside a formula: its ticker, else its CIK."""
    word = "".join(one if one.isalnum() else "_" for one in company_filings.company.symbol.lower())
    return word if word[:1].isalpha() and word.isascii() else f"c{company_filings.company.cik}"


def renamed(tree: Expr, named: Mapping[str, str], base: int) -> Expr:
    """An expression as it is shown: years relative to `base`, filings by their names."""
    return mapped(tree, lambda name: Name(name.key, named.get(name.variant, name.variant), name.offset - base))


def operands(parts: Mapping[Name, FactOperand], named: Mapping[str, str], base: int) -> tuple[CellOperand, ...]:
    """The facts of a formula, each under its name in the formula."""
    return tuple(
        CellOperand(
            name=str(renamed(name, named, base)),
            concept=part.key,
            label=part.label,
            cik=part.company_filings.company.cik,
            fiscal_year=part.year,
            fiscal_period=part.company_filings.period,
            fact=fact_ref(part.held, part.selection.filing_figures),
        )
        for name, part in parts.items()
    )
