"""Quarters, parts of a year and twelve months to the end of a quarter: what gives them, or what they are made of.

A 10-Q gives its quarter and the year to date. What no filing gives is made of stretches that are given: the fourth
quarter is the year less its first nine months, the quarter of a cash flow the year to date less the quarters before,
and twelve months to a quarter's end are the last year, plus this year to date, less last year's.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Literal, NamedTuple

from agent.numbers import formula, identities
from agent.numbers.company_filings import CompanyFilings
from agent.numbers.expressions import Name
from agent.numbers.fact_selection import Selection
from agent.numbers.filing_figures import Candidate, FilingFigures
from agent.numbers.identities import Outcome, Reported
from agent.numbers.registry import Concept, PeriodType
from agent.numbers.selection_result import Choice, ChosenOperand, NoChoice, names_of, same
from agent.refusals.codes import Code
from filings.models import Filing
from filings.xbrl.periods import QUARTER_DAYS, QUARTERS, TO_DATE, TRAILING, FiscalPeriod


class Term(NamedTuple):
    """One stretch of a sum: added or taken away, of the same fiscal year or, with a shift of -1, of the one before."""

    sign: Literal[1, -1]
    period: FiscalPeriod
    shift: int = 0


# What a stretch is made of where no filing gives it: the first way that has all its figures.
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
    """The ledgers of filings that a stretch is worked out from, each with the years it lies before it."""
    if period is FiscalPeriod.YEAR:
        return [(years, 0)]
    found = [(ledger_of(years, period), 0)]
    # Of what it is made of also what the year before and the next year's reports say: whether they restate it.
    found += [
        (ledger_of(years, one.period), one.shift + near)
        for one in MADE_OF.get(period, ((),))[0]
        for near in (-1, 0, 1)
    ]
    # The 10-Ks say under which elements a figure stands.
    found += [(years, shift) for shift in (-1, 0, 1)]
    return list({(id(one), shift): (one, shift) for one, shift in found}.values())


# What Django keeps on an object beside its columns.
MODEL_STATE = ("_state", "_prefetched_objects_cache")


def ledger_of(years: CompanyFilings, period: FiscalPeriod) -> CompanyFilings:
    """The ledger of a stretch of a company's fiscal years; `years` is that of whole years."""
    if period is FiscalPeriod.YEAR:
        return years
    if period not in years.parts:
        years.parts[period] = InterimFilings(
            years.company, years.filings, years.registry, {}, interim=years.interim, period=period, years=years
        )
    return years.parts[period]


@dataclass
class InterimFilings(CompanyFilings):
    """One stretch of every fiscal year of a company. years: the ledger of whole years."""

    years: CompanyFilings = field(kw_only=True)

    def of(self, period: FiscalPeriod) -> CompanyFilings:
        """The ledger of another stretch of the same company."""
        return ledger_of(self.years, period)

    @cached_property
    def by_year(self) -> dict[int, Filing]:
        """The filing that closes the stretch of each fiscal year, newest year first: its 10-Q, or the 10-K."""
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
        """The stretch whose filing closes this one, where no filing gives this one itself."""
        quarter = self.period.quarter
        return FiscalPeriod.YEAR if quarter == len(QUARTERS) else TO_DATE[quarter - 1]

    @property
    def annual(self) -> CompanyFilings:
        return self.years

    @property
    def closed_by(self) -> CompanyFilings:
        return self if self.period.days else self.of(self.closing)

    def _read_for(self, filing: Filing, days: range | None = None) -> Filing:
        """The filing as an object of its own, since what is read of it is kept on it."""
        own = copy(filing)
        for kept in [name for name in own.__dict__ if name.startswith("_") and name not in MODEL_STATE]:
            del own.__dict__[kept]
        own.days = days or self.period.days
        return own

    def selection(self, year: int) -> Selection | None:
        """The concepts of the stretch in a fiscal year; of a stretch that no filing gives, those of the one closing it."""
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
        """What the figures of a fiscal year are looked for in; of a fourth quarter also what the 10-K has of itself."""
        return [*super().read(year), *filter(None, [self.own_quarter(year)])]

    def own_quarter(self, year: int) -> Selection | None:
        """The fourth quarter as a 10-K itself gives it, which those before 2021 did in a note."""
        guide = self.years.selection(year)
        if self.period is not FiscalPeriod.Q4 or guide is None:
            return None
        key = -year
        if key not in self.selections:
            filing = self._read_for(guide.filing_figures.filing, QUARTER_DAYS)
            filing.__dict__["_faces"] = {}  # its statements are of the year
            self.selections[key] = Guided(FilingFigures(filing, self.registry), guides=[guide])
        return self.selections[key]

    def prints(self, year: int) -> bool:
        """Whether the 10-Q of the stretch is held with its statements."""
        selection = self.selection(year) if self.period.days else None
        return selection is not None and bool(selection.filing_figures.faces)

    def outcomes(self, year: int, key: str, offset: int) -> tuple[Outcome, ...]:
        """The identities that a concept takes part in, but those that set a flow against balances of a year before."""
        cell = (year, key, offset)
        selection = self.selection(year)
        if cell not in self.checked and selection is not None:

            def reported(key: str, back: int) -> Reported | None:
                flow = self.registry.concepts[key].period is PeriodType.DURATION
                return selection.reported(key, offset + back) if flow or not back else None

            self.checked[cell] = identities.check(self.registry, reported, key)
        return self.checked.get(cell, ())

    def report(self, year: int) -> str:
        return f"Q{self.period.quarter} fiscal {year} 10-Q" if self.period.days else self.of(self.closing).report(year)


@dataclass
class Guided(Selection):
    """The concepts of a filing of which no statement is stored: under the elements of the nearest 10-Ks' own choice."""

    guides: Sequence[Selection] = field(kw_only=True, default=())

    def _decide(self, concept: Concept, offset: int) -> Choice | NoChoice:
        if self.filing_figures.faces:
            return super()._decide(concept, offset)
        told = [guide.annual(concept.key) for guide in self.guides]
        if disputed := next((one for one in told if isinstance(one, NoChoice) and one.code is Code.CONFLICT), None):
            # What a 10-K leaves open, a 10-Q without its statements does not decide.
            return NoChoice(concept.key, Code.CONFLICT, text=disputed.text, tried=names_of(concept))
        chosen = [choice for choice in told if isinstance(choice, Choice)]
        found = [one for choice in chosen if (one := self._like(concept, choice, offset))]
        if not found and chosen:  # the 10-Q tags it otherwise: then all of its elements must agree
            return super()._decide(concept, offset)
        if not found:
            return NoChoice(concept.key, Code.CONCEPT_NOT_REPORTED, tried=names_of(concept))
        first = found[0]
        if any(not _equal(one, first) for one in found[1:]):
            every = tuple({one.fact.pk: one for choice in found for one in choice.candidates}.values())
            return NoChoice(concept.key, Code.CONFLICT, candidates=every, tried=names_of(concept))
        return first

    def _like(self, concept: Concept, choice: Choice, offset: int) -> Choice | None:
        """The figure under the elements that a 10-K's choice stands on; None where one of them is missing."""
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
