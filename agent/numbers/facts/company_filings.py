"""The filings of one company by fiscal year, each read once for all cells of a table."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from django.db.models import Count, Max

from agent.numbers.facts import accounting_identities
from agent.numbers.facts.accounting_identities import Outcome, Reported
from agent.numbers.facts.fact_selection import INCLUDING, SHARE, Selection
from agent.numbers.facts.filing_figures import TELLING_TAGS, FilingFigures
from agent.numbers.registry.formula import operands
from agent.numbers.registry.registry import Concept, Registry
from agent.state import CompanyRef
from agent.state.query import Basis
from filings.models import Filing
from filings.models.source_kinds import NEWS
from filings.xbrl import facts, stored_faces
from filings.xbrl.periods import A_YEAR, FiscalPeriod, Place
from filings.xbrl.splits import is_split

# Concepts that selection always looks at, and those that confirm which of several lines is revenue.
ALWAYS = ("nci_income", "nci", "preferred_dividends")
TOTAL_ASSETS = "us-gaap:Assets"  # gives the currency of the statements
CONFIRMING = ("gross_profit", "cost_of_revenue", "operating_income", "opex", "costs_and_expenses")
# Concepts that a share split restates, the most reliable first.
SHARES = ("shares_diluted_wa", "shares_basic_wa", "eps_diluted")
# How many years back the statements of a 10-K reach.
REACH = 2
# Fiscal years of 52 and 53 weeks end on slightly different days.
DRIFT_DAYS = 15


@dataclass
class CompanyFilings:
    """The filings of one company that can answer.

    selections: by primary key of the filing, shared within a run. period: the part of each fiscal year. interim: the
    10-Qs, newest first; of several for one quarter, the first filed is used. basis: which report is to give each year; None:
    its own, or a later one where that joins the years after it. as_of: the day by which all of these were filed, None for
    any; not_filed: those filed later. beside: documents that print the figures of a period of which one of these has XBRL, or
    prints them first.
    """

    company: CompanyRef
    filings: Sequence[Filing]
    registry: Registry
    selections: dict[int, Selection]
    checked: dict[tuple[int, str, int], tuple[Outcome, ...]] = field(default_factory=dict)
    interim: Sequence[Filing] = ()
    period: FiscalPeriod = FiscalPeriod.YEAR
    # The same filings for other parts of the year (`agent.numbers.periods.interim`), each built once.
    parts: "dict[FiscalPeriod, CompanyFilings]" = field(default_factory=dict)
    basis: Basis | None = None
    as_of: date | None = None
    not_filed: Sequence[Filing] = ()
    beside: Sequence[Filing] = ()

    @cached_property
    def by_year(self) -> dict[int, Filing]:
        """The filing of each fiscal year, newest year first; of two with one label, the newer."""
        found: dict[int, Filing] = {}
        for filing in self.filings:
            if filing.fiscal_year is not None:
                found.setdefault(filing.fiscal_year, filing)
        return found

    @cached_property
    def documents(self) -> list[Filing]:
        """The documents that print figures, of whatever kind and period: the likeliest to give those of a period first."""
        held = Filing.objects.of_companies([self.company.cik]).filter(withdrawn=None, printed_tables__isnull=False)
        held = held.filter(filed__lte=self.as_of or date.max).exclude(source=NEWS.key)
        held = held.select_related("company").annotate(tables=Count("printed_tables"), newest=Max("printed_tables"))
        return sorted(held, key=lambda one: (one.figures_rank, one.filed, one.pk))

    @property
    def annual(self) -> "CompanyFilings":
        """The same company's filings for whole years."""
        return self

    @property
    def closed_by(self) -> "CompanyFilings":
        """The filings whose period ends with this one: these, where they report it themselves."""
        return self

    def report(self, year: int) -> str:
        """The name of a fiscal year's filing: "fiscal 2024 10-K"."""
        return Place(year, self.period).report

    def printing(self, year: int, near: int | None = None, newest: int | None = None) -> list[int]:
        """The fiscal years whose filings may give a year, in the order in which they are to.

        By default its own, that of `near`, and of the others the newest first. newest: the last of them.
        """
        last = year + REACH if newest is None else min(year + REACH, newest)
        match self.basis:
            case Basis.FIRST:
                return [year]
            case Basis.LAST:
                return list(range(year + REACH, year - 1, -1))
        return list(dict.fromkeys((year, *([] if near is None else [near]), *range(last, year, -1))))

    def prints(self, year: int) -> bool:
        """Whether statement lines and parts of the company can be found in a fiscal year's filing."""
        return True

    def selection(self, year: int) -> Selection | None:
        """The concepts of a fiscal year's 10-K, each selected once; None where it is not loaded."""
        filing = self.by_year.get(year)
        if filing is None:
            return None
        if filing.pk not in self.selections:
            self.selections[filing.pk] = Selection(FilingFigures(filing, self.registry))
        return self.selections[filing.pk]

    def read(self, year: int) -> list[Selection]:
        """The filing that a fiscal year's figures are taken from."""
        return [*filter(None, [self.selection(year)])]

    def outcomes(self, year: int, key: str, offset: int) -> tuple[Outcome, ...]:
        """The accounting identities that involve a concept, checked on `year`'s filing, `offset` years back."""
        cell = (year, key, offset)
        selection = self.selection(year)
        if cell not in self.checked and selection is not None:

            def reported(key: str, back: int) -> Reported | None:
                return selection.reported(key, offset + back)

            self.checked[cell] = accounting_identities.check(self.registry, reported, key)
        return self.checked.get(cell, ())

    def aligned(self, first: int, last: int) -> bool:
        """Whether two fiscal years end on the same day of the year, give or take a 53rd week.

        A year whose 10-K is not loaded counts as such: its figures are those that another 10-K prints beside its own.
        """
        if first not in self.by_year or last not in self.by_year:
            return True
        ends = [self.by_year[year].period_end for year in (first, last)]
        if ends[0] is None or ends[1] is None:
            return False
        return abs((ends[1] - ends[0]).days - A_YEAR * (last - first)) <= DRIFT_DAYS

    def splits(self, first: int, last: int) -> tuple[int, ...]:
        """The fiscal years after `first`, up to `last`, whose 10-K restates share counts by a whole-number factor."""
        return tuple(year for year in range(first + 1, last + 1) if self._restates_shares(year))

    def _restates_shares(self, year: int) -> bool:
        selection = self.selection(year)
        for key in SHARES if selection else ():
            for back in (1, 2):
                own = self.selection(year - back)
                before, now = own and own.value(key), selection and selection.value(key, -back)
                if before and now:
                    return is_split(now, before)
        return False


def by_rank(filings: Iterable[Filing], *, quarterly: bool = False) -> tuple[list[Filing], list[Filing]]:
    """The filings that give the figures of their year or quarter, and those that print them too; both in the order given."""

    def period(filing: Filing) -> tuple[int | None, int | None]:
        return filing.fiscal_year, filing.fiscal_quarter if quarterly else None

    held = list(filings)
    first: dict[tuple[int | None, int | None], int] = {}
    for one in held:
        first[period(one)] = min(one.figures_rank, first.get(period(one), one.figures_rank))
    given = [one for one in held if one.figures_rank == first[period(one)]]
    return given, [one for one in held if one not in given]


def prefetch(
    by_company: Iterable[tuple[CompanyFilings, Iterable[int]]],
    keys: Collection[str],
    statements: Collection[str],
    registry: Registry,
    years: int,
) -> None:
    """Read the facts needed for these concepts, for all companies and fiscal years, in one query.

    statements: kinds of which any line may be needed. years: how many years of each filing, its own first.
    """
    books = [
        one.filing_figures
        for company_filings, wanted in by_company
        for year in dict.fromkeys(wanted)
        for one in company_filings.read(year)
    ]
    filings = [filing_figures.filing for filing_figures in books]
    stored_faces.prefetch_faces(filings)
    concepts = [registry.concepts[key] for key in looked_at(keys, registry)]
    names = {*TELLING_TAGS.values(), TOTAL_ASSETS}.union(*map(_names, concepts))
    for filing in filings if statements else ():
        names |= {
            name for kind, face in stored_faces.faces(filing).items() if kind in statements for name in face.names
        }
    # Printed lines are chosen by their labels, so that any may be needed.
    names |= {name for one in books for face in one.faces.values() if face.is_printed for name in face.names}
    if any(concept.derive_if for concept in concepts):
        names |= {line.name for filing_figures in books for line in filing_figures.cost_lines}
    facts.prefetch(filings, names, years)


def looked_at(keys: Collection[str], registry: Registry) -> set[str]:
    """The concepts needed to select and check these: operands, identities, and tie-breakers."""
    open_ = {*keys, *ALWAYS}
    for identity in [one for key in keys for one in registry.identities_of(key)]:
        open_ |= {*identity.keys, *identity.when.tagged, *identity.when.positive}
        open_ |= {one.name.key for one in operands(identity.otherwise.expr)} if identity.otherwise else set()
    found: set[str] = set()
    while open_:
        key = open_.pop()
        found.add(key)
        concept = registry.concepts[key]
        near = {operand.name.key for tree in concept.derivations for operand in operands(tree)}
        if concept.pick is not None:
            near |= {INCLUDING, SHARE, "eps_diluted", "shares_diluted_wa", *CONFIRMING}
        open_ |= near - found
    return found


def _names(concept: Concept) -> set[str]:
    variants = {name for variant in concept.variant_tags for name in concept.variant_names(variant)}
    return {*(one.name for one in concept.candidates), *variants}
