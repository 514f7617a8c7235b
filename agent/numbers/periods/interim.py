"""Quarters, year-to-date periods and trailing twelve months: which filing reports them, or what they are computed from.

A 10-Q reports its quarter and the year to date. The rest is computed: the fourth quarter is the year less its first
nine months, a quarter's cash flow is the year to date less the quarters before, and trailing twelve months are the last
year, plus this year to date, less last year's.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Literal, NamedTuple

from agent.numbers.facts import accounting_identities
from agent.numbers.facts.accounting_identities import Outcome, Reported
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.filing_figures import Candidate, FilingFigures
from agent.numbers.facts.selection_result import Choice, ChosenOperand, NoChoice, names_of, same
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Name
from agent.numbers.registry.registry import Concept, PeriodType
from agent.refusals.codes import Code
from filings.models import Filing
from filings.xbrl.periods import QUARTER_DAYS, QUARTERS, TO_DATE, TRAILING, FiscalPeriod


class Term(NamedTuple):
    """One period in a sum: added or subtracted, in the same fiscal year or, with a shift of -1, the one before."""

    sign: Literal[1, -1]
    period: FiscalPeriod
    shift: int = 0


# How a period is computed where no filing reports it: the first way whose figures are all available.
MADE_OF: Mapping[FiscalPeriod, tuple[tuple[Term, ...], ...]] = {
    FiscalPeriod.Q2: ((Term(1, FiscalPeriod.H1), Term(-1, FiscalPeriod.Q1)),),
    FiscalPeriod.Q3: ((Term(1, FiscalPeriod.NINE_MONTHS), Term(-1, FiscalPeriod.H1)),),
    FiscalPeriod.Q4: ((Term(1, FiscalPeriod.YEAR), Term(-1, FiscalPeriod.NINE_MONTHS)),),
    FiscalPeriod.H1: ((Term(1, FiscalPeriod.Q1), Term(1, FiscalPeriod.Q2)),),
    FiscalPeriod.H2: ((Term(1, FiscalPeriod.YEAR), Term(-1, FiscalPeriod.H1)),),
    FiscalPeriod.NINE_MONTHS: (tuple(Term(1, one) for one in QUARTERS[:3]),),
    **{
        trailing: ((Term(1, FiscalPeriod.YEAR, -1), Term(1, to_date), Term(-1, to_date, -1)),)
        for trailing, to_date in zip(TRAILING, TO_DATE, strict=True)
    },
}


def read_for(years: CompanyFilings, period: FiscalPeriod) -> list[tuple[CompanyFilings, int]]:
    """The filings that a period is computed from, each with how many years back it is read."""
    if period is FiscalPeriod.YEAR:
        return [(years, 0)]
    # Later reports show whether the figures were restated.
    found = [(period_filings(years, period), near) for near in (0, 1)]
    # The reports of the year before and after are read too: they show whether the figures were restated.
    found += [
        (period_filings(years, one.period), one.shift + near)
        for one in MADE_OF.get(period, ((),))[0]
        for near in (-1, 0, 1)
    ]
    # The 10-Ks show under which elements a figure stands.
    found += [(years, shift) for shift in (-1, 0, 1)]
    return list({(id(one), shift): (one, shift) for one, shift in found}.values())


# Attributes that Django keeps on an object besides its columns.
MODEL_STATE = ("_state", "_prefetched_objects_cache")


def period_filings(years: CompanyFilings, period: FiscalPeriod) -> CompanyFilings:
    """A company's filings for one part of each fiscal year; `years` are those for whole years."""
    if period is FiscalPeriod.YEAR:
        return years
    if period not in years.parts:
        years.parts[period] = InterimFilings(
            years.company,
            years.filings,
            years.registry,
            {},
            interim=years.interim,
            period=period,
            basis=years.basis,
            as_of=years.as_of,
            beside=years.beside,
            years=years,
        )
    return years.parts[period]


@dataclass
class InterimFilings(CompanyFilings):
    """A company's filings for one part of every fiscal year. years: those for whole years."""

    years: CompanyFilings = field(kw_only=True)

    def of(self, period: FiscalPeriod) -> CompanyFilings:
        """The same company's filings for another part of the year."""
        return period_filings(self.years, period)

    @cached_property
    def by_year(self) -> dict[int, Filing]:
        """The filing that closes the period in each fiscal year, newest first: its 10-Q, or the 10-K."""
        if self.period.days:
            found: dict[int, Filing] = {}
            for filing in self.interim:
                if filing.fiscal_quarter == self.period.quarter and filing.fiscal_year is not None:
                    found[filing.fiscal_year] = filing
            return {year: self._read_for(filing) for year, filing in found.items()}
        closing = self.of(self.closing).by_year
        terms = MADE_OF[self.period][0]
        return {
            year: filing
            for year, filing in closing.items()
            if all(year + term.shift in self.of(term.period).by_year for term in terms)
        }

    @property
    def closing(self) -> FiscalPeriod:
        """The period whose filing closes this one, where no filing reports this one itself."""
        quarter = self.period.quarter
        return FiscalPeriod.YEAR if quarter == len(QUARTERS) else TO_DATE[quarter - 1]

    @property
    def annual(self) -> CompanyFilings:
        return self.years

    @property
    def closed_by(self) -> CompanyFilings:
        return self if self.period.days else self.of(self.closing)

    def _read_for(self, filing: Filing, days: range | None = None) -> Filing:
        """The filing as an object of its own, because what is read from it is kept on it."""
        own = copy(filing)
        for kept in [name for name in own.__dict__ if name.startswith("_") and name not in MODEL_STATE]:
            del own.__dict__[kept]
        own.days = days or self.period.days
        return own

    def selection(self, year: int) -> Selection | None:
        """The concepts of the period in a fiscal year; for a period without a filing, those of the one that closes it."""
        if not self.period.days:
            return self.of(self.closing).selection(year) if year in self.by_year else None
        filing = self.by_year.get(year)
        if filing is None:
            return None
        if filing.pk not in self.selections:
            guides = [one for near in (year, year - 1, year + 1) if (one := self.years.selection(near))]
            self.selections[filing.pk] = Guided(FilingFigures(filing, self.registry), guides=guides[:2])
        return self.selections[filing.pk]

    def read(self, year: int) -> list[Selection]:
        """The filing that a fiscal year's figures are taken from; for a fourth quarter also the 10-K's own figures."""
        return [*super().read(year), *filter(None, [self.own_quarter(year)])]

    def own_quarter(self, year: int) -> Selection | None:
        """The fourth quarter as a 10-K itself reports it. Those before 2021 did, in a note."""
        guide = self.years.selection(year)
        if self.period is not FiscalPeriod.Q4 or guide is None:
            return None
        key = -year
        if key not in self.selections:
            filing = self._read_for(guide.filing_figures.filing, QUARTER_DAYS)
            filing.__dict__["_faces"] = {}  # its statements are for the year
            self.selections[key] = Guided(FilingFigures(filing, self.registry), guides=[guide])
        return self.selections[key]

    def prints(self, year: int) -> bool:
        """Whether the period's 10-Q is loaded with its statements."""
        selection = self.selection(year) if self.period.days else None
        return selection is not None and bool(selection.filing_figures.faces)

    def outcomes(self, year: int, key: str, offset: int) -> tuple[Outcome, ...]:
        """The identities that involve a concept, except those of a flow with balances of the year before."""
        cell = (year, key, offset)
        selection = self.selection(year)
        if cell not in self.checked and selection is not None:

            def reported(key: str, back: int) -> Reported | None:
                flow = self.registry.concepts[key].period is PeriodType.DURATION
                return selection.reported(key, offset + back) if flow or not back else None

            self.checked[cell] = accounting_identities.check(self.registry, reported, key)
        return self.checked.get(cell, ())


@dataclass
class Guided(Selection):
    """The concepts of a filing without stored statements, under the elements that the nearest 10-Ks selected."""

    guides: Sequence[Selection] = field(kw_only=True, default=())

    def _decide(self, concept: Concept, offset: int) -> Choice | NoChoice:
        if self.filing_figures.faces:
            return super()._decide(concept, offset)
        told = [guide.annual(concept.key) for guide in self.guides]
        if disputed := next((one for one in told if isinstance(one, NoChoice) and one.code is Code.CONFLICT), None):
            # What a 10-K leaves undecided, a 10-Q without its statements does not decide.
            return NoChoice(concept.key, Code.CONFLICT, text=disputed.text, tried=names_of(concept))
        chosen = [choice for choice in told if isinstance(choice, Choice)]
        found = [one for choice in chosen if (one := self._like(concept, choice, offset))]
        if not found and chosen:  # the 10-Q uses another element: then all of its elements must agree
            return super()._decide(concept, offset)
        if not found:
            return NoChoice(concept.key, Code.CONCEPT_NOT_REPORTED, tried=names_of(concept))
        first = found[0]
        if any(not _equal(one, first) for one in found[1:]):
            every = tuple({one.fact.pk: one for choice in found for one in choice.candidates}.values())
            return NoChoice(concept.key, Code.CONFLICT, candidates=every, tried=names_of(concept))
        return first

    def _like(self, concept: Concept, choice: Choice, offset: int) -> Choice | None:
        """The figure under the elements that a 10-K's selection uses; None where one of them is missing."""
        if choice.candidate is not None:
            held = self._held(concept, choice.candidate, offset)
            return Choice(concept.key, held.value, held) if held else None
        parts = []
        for part in choice.parts:
            of = self.filing_figures.registry.concepts[part.key]
            held = self._held(of, part.candidate, offset + part.offset)
            if held is None:
                return None
            parts.append(ChosenOperand(part.key, held, part.offset))
        values = {(part.key, part.offset): part.candidate.value for part in parts}

        def resolve(name: Name, shift: int) -> Decimal:
            if (name.key, shift) not in values:
                raise formula.Missing(name, shift)
            return values[name.key, shift]

        try:
            value = formula.evaluate(formula.parse(choice.formula), resolve)
        except (formula.Missing, formula.FormulaError):
            return None
        return Choice(concept.key, value, formula=choice.formula, parts=tuple(parts))

    def _held(self, concept: Concept, like: Candidate, offset: int) -> Candidate | None:
        held = next(self.filing_figures.candidates(concept, [(like.name, like.condition)], offset), None)
        return replace(held, face=like.face, label=like.label, fit=like.fit) if held else None


def _equal(a: Choice, b: Choice) -> bool:
    if a.candidate and b.candidate:
        return same(a.candidate, b.candidate)
    return abs(a.value - b.value) <= a.half_unit + b.half_unit
