"""A printed figure as a line of a table of figures: of each period's own documents, or of the document that is named."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.render import headline
from agent.numbers.printed.printed_figures import PrintedFigure, Wanted, printed_figures
from agent.numbers.registry.registry_schema import normalise
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first, possessive
from agent.state.query import Printed
from agent.state.tables import Gap
from filings.models import Filing
from filings.tables.column_periods import NEAR
from filings.xbrl.facts import Value
from filings.xbrl.periods import A_YEAR, HALF_DAYS, QUARTER_DAYS, YEAR_DAYS, FiscalPeriod, Place

# The lengths of periods that no report tags.
_LENGTHS = {FiscalPeriod.Q4: QUARTER_DAYS, FiscalPeriod.H2: HALF_DAYS}


def key_of(printed: Printed) -> str:
    """The key of a printed figure in formulas."""
    chosen = printed.start is not None
    place = f" {printed.accession} {printed.section} {printed.start} {printed.unit}" if chosen else ""
    return f"printed_{normalise(printed.words + place).replace(' ', '_')}"


def days_of(period: FiscalPeriod) -> range:
    """The length of durations of a period."""
    return period.days or _LENGTHS.get(period, YEAR_DAYS)


@dataclass(frozen=True)
class PrintedFinder:
    """Finds a printed figure in the documents of a company's period. names: how it may be called.

    of_part: whether it is of a part of the company.
    """

    names: tuple[Printed, ...]
    of_part: bool = False

    @property
    def words(self) -> str:
        """What it is called first."""
        return self.names[0].words

    def __call__(self, company_filings: CompanyFilings, year: int, offset: int) -> tuple[str, Value]:
        """The label and the value, `offset` years back from the documents of a fiscal year. Raises Unanswered."""
        end = _end(company_filings, year)
        if end is None:
            raise KeyError(f"No {company_filings.report(year)} is held of {company_filings.company.name}.")
        asked = _end(company_filings, year + offset) or end + timedelta(days=round(A_YEAR * offset))
        wanted = Wanted(asked, days_of(company_filings.period))
        documents = self._documents(company_filings, end)
        found = printed_figures(documents, self.names, wanted, of_part=self.of_part)
        if len(found) != 1:
            raise self._none_or_several(found, company_filings, year + offset)
        return found[0].called(self.words), found[0].held

    def _documents(self, company_filings: CompanyFilings, end: date) -> Sequence[Filing]:
        held = company_filings.annual.documents
        if accession := self.names[0].accession:
            return [one for one in held if one.accession == accession]
        return [one for one in held if one.period_end and abs(one.period_end - end) <= NEAR]

    def _none_or_several(
        self, found: Sequence[PrintedFigure], company_filings: CompanyFilings, year: int
    ) -> Unanswered:
        def gap() -> Gap:
            company, words = company_filings.company.called, self.words
            when = Place(year, company_filings.period).called
            looked_for = (("Printed figure", words), ("Period", when))
            if not found:
                text = f"No document of {company} that is held prints \u201c{words}\u201d for {when}."
                return Gap(code=Code.CONCEPT_NOT_REPORTED, text=text, looked_for=looked_for)
            text = f"{possessive(company)} {found[0].filing.called} prints several figures for \u201c{words}\u201d in {when}."
            return Gap(code=Code.CONFLICT, text=text, detail=several(found), looked_for=looked_for)

        return Unanswered(gap, absent=not found)


def several(found: Sequence[PrintedFigure]) -> str:
    """The figures that differ, each with what it is called and where it is printed, in a sentence."""
    said = []
    for one in found:
        figure = " ".join(filter(None, headline(one.cell.value, one.cell.unit)))
        page = f", page {one.table.page}" if one.table.page else ""
        said.append(f"{figure} ({lower_first(one.label)}{page})")
    return f"{listed(said)}."


def _end(company_filings: CompanyFilings, year: int) -> date | None:
    filing = company_filings.by_year.get(year)
    return filing.period_end if filing else None
