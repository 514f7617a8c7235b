"""Rows printed on a statement, found by their own label, whether or not the registry knows them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from agent.numbers.facts.cited_facts import fact_ref
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.filing_figures import Candidate, FilingFigures, words
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.selection_result import same
from agent.numbers.registry.concept import STATEMENTS
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.registry_schema import normalise
from agent.numbers.registry.row_labels import Fit, label_words
from agent.refusals.codes import Code
from agent.refusals.grammar import possessive
from agent.state.query import Line, Statement
from agent.state.tables import Gap
from filings.models import Fact
from filings.xbrl import facts
from filings.xbrl.facts import PeriodWanted, Value
from filings.xbrl.periods import YEAR_DAYS, Place
from filings.xbrl.stored_faces import FaceLine

# Statements are searched in this order; the cover has no rows of figures.
KINDS = ("income", "balance", "cashflow", "comprehensive", "equity")
OPENING = re.compile(r"\b(beginning|start|opening)\b", re.IGNORECASE)
DURATIONS = (PeriodWanted.ANNUAL, PeriodWanted.PRIOR_ANNUAL, PeriodWanted.SECOND_PRIOR_ANNUAL)
INSTANTS = (PeriodWanted.INSTANT, PeriodWanted.PRIOR_INSTANT, PeriodWanted.SECOND_PRIOR_INSTANT)
# Finds a line's fact in a fiscal year's filing, `offset` years back: its label and value.
LineOf = Callable[[CompanyFilings, int, int], tuple[str, Value]]


class Printed(NamedTuple):
    """A row of a statement with its value."""

    kind: str
    line: FaceLine
    held: Value


def key_of(line: Line) -> str:
    """The key of a line in formulas."""
    label = line.label or " ".join(line.names)
    return f"line_{normalise(f'{label} {line.statement}').replace(' ', '_')}"


@dataclass(frozen=True)
class LineFinder:
    """Finds a line's fact in a filing: by its label, or else by its tags in this or other years.

    statement: for a row of a whole statement, the kind; such a row is found by its tag, because labels may repeat.
    heading: the printed line above it. alike: whether other rows of the statement have the same label.
    """

    line: Line
    statement: str = ""
    heading: str = ""
    alike: bool = False

    @property
    def kind(self) -> str:
        """The statement in which alone it is looked for; "" for any."""
        return self.statement or self.line.statement

    @property
    def opening(self) -> bool:
        """Whether it is an opening balance, which stands under the closing one's element."""
        return OPENING.search(self.line.label) is not None

    def __call__(self, company_filings: CompanyFilings, year: int, offset: int) -> tuple[str, Value]:
        """The printed label and the value, `offset` years back. Raises Unanswered."""
        selection = company_filings.selection(year)
        if selection is None:
            raise KeyError(f"No {company_filings.report(year)} is held of {company_filings.company.name}.")
        filing_figures = selection.filing_figures
        found = list(valued(filing_figures, self._rows(filing_figures), offset))
        if not found and not self.kind:
            names = self._names(company_filings, year)
            found = list(valued(filing_figures, [row for row in rows(filing_figures) if row[1].name in names], offset))
        if not found:
            raise self._not_found(company_filings, year, offset, filing_figures)
        first = found[0]
        unlike = [one for one in found if not same(candidate(one.held), candidate(first.held))]
        if unlike:
            raise self._two(company_filings, filing_figures, [first, *unlike])
        label = first.line.label or words(first.line.name)
        if self.line.statement:
            label = f"{label} ({STATEMENTS[self.line.statement]})"
        label = f"{self.heading} {label}" if self.alike and self.heading else label
        return label, first.held if self.statement else as_paid(first, company_filings.registry)

    def _rows(self, filing_figures: FilingFigures) -> list[tuple[str, FaceLine]]:
        if not self.kind:
            return list(labelled(filing_figures, self.line))
        own = [row for row in rows(filing_figures) if row[0] == self.kind and row[1].name in self.line.names]
        if not own and self.kind not in filing_figures.faces:
            # A filing that is loaded without this statement has the row's figure under its element.
            own = [(self.kind, FaceLine(0, name, self.line.label)) for name in self.line.names]
            return [one for one in own if any(valued(filing_figures, [one], 0))][:1]
        alike = [row for row in own if row[1].label == self.line.label]
        return alike[:1] or [row for row in own if (OPENING.search(row[1].label) is not None) == self.opening][:1]

    def _names(self, company_filings: CompanyFilings, year: int) -> frozenset[str]:
        """The tags of the line in the nearest year that prints it."""
        for near in sorted(company_filings.by_year, key=lambda one: (abs(one - year), -one)):
            selection = company_filings.selection(near)
            if near != year and selection and (found := list(labelled(selection.filing_figures, self.line))):
                return frozenset(line.name for _, line in found)
        return frozenset(self.line.names)

    def _two(self, company_filings: CompanyFilings, filing_figures: FilingFigures, found: list[Printed]) -> Unanswered:
        def gap() -> Gap:
            return Gap(
                code=Code.CONFLICT,
                text=f"Several rows of {possessive(company_filings.company.called)} statements are labeled “{found[0].line.label}”.",
                detail="Their figures differ.",
                looked_for=(("Row", self.line.label),),
                candidates=tuple(fact_ref(one.held, filing_figures) for one in found),
            )

        return Unanswered(gap)

    def _not_found(
        self, company_filings: CompanyFilings, year: int, offset: int, filing_figures: FilingFigures
    ) -> Unanswered:
        wanted, names = label_words(self.line.label), set(self.line.names)
        by_class = any(
            label_words(line.label) == wanted or line.name in names
            for face in filing_figures.faces.values()
            for line in face.dimensional
        )
        label, asked = self.line.label, year + offset

        def gap() -> Gap:
            company = company_filings.company.called
            if by_class:
                text = f"{company} reports “{label}” only by class or segment in its {company_filings.report(year)}."
                return Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Row", label),))
            text = f"No statement in {possessive(company)} {company_filings.report(year)} prints “{label}” with a figure for {Place(asked, company_filings.period).called}."
            detail = ""
            if not filing_figures.faces:
                text = f"{possessive(company)} {company_filings.report(year)} is loaded without its statements."
                detail = "Single measures are available."
            return Gap(code=Code.CONCEPT_NOT_REPORTED, text=text, detail=detail, looked_for=(("Row", label),))

        return Unanswered(gap, absent=not by_class)


def rows(filing_figures: FilingFigures) -> Iterator[tuple[str, FaceLine]]:
    """Every row of the filing's statements that may have a figure."""
    for kind in KINDS:
        if kind == "equity" and filing_figures.filing.days != YEAR_DAYS:
            continue  # a statement of equity covers several quarters, told apart only by their dates
        face = filing_figures.faces.get(kind)
        yield from ((kind, line) for line in (face.lines if face else ()) if not line.aside)


def labelled(filing_figures: FilingFigures, line: Line) -> Iterator[tuple[str, FaceLine]]:
    """Rows with this label, parentheses included; or else excluded; or else rows under its tags.

    Where only a linkbase is available, the words of a tag stand in for its label.
    """
    wanted, every = label_words(line.label), list(rows(filing_figures))
    for part in (0, 1):
        found = [row for row in every if label_words(row[1].label or words(row[1].name))[part] == wanted[part]]
        if found:
            yield from found
            return
    yield from (row for row in every if row[1].name in line.names)


def valued(filing_figures: FilingFigures, found: list[tuple[str, FaceLine]], offset: int) -> Iterator[Printed]:
    """The rows with their values in a year: for the year, or else at its end; an opening balance, a year earlier."""
    for kind, line in found:
        back = -offset
        periods = [DURATIONS[back], INSTANTS[back]] if back < len(DURATIONS) else []
        if OPENING.search(line.label):
            # An opening balance of part of a year has no matching day in its report, or one that is ambiguous.
            whole = filing_figures.filing.days == YEAR_DAYS
            periods = [INSTANTS[back + 1]] if whole and back + 1 < len(INSTANTS) else []
        for period in periods:
            if held := facts.held(filing_figures.filing, [line.name], period=period):
                yield Printed(kind, line, held[0])
                break


def as_paid(found: Printed, registry: Registry) -> Value:
    """The value of a row asked by itself: of a payment what was paid, where a document prints it in parentheses."""
    held = found.held
    printed = held.fact.source == Fact.Source.PRINTED and held.value < 0
    return replace(held, negated=printed and found.kind == "cashflow" and registry.is_payment(found.line.label))


def candidate(held: Value) -> Candidate:
    """A value as one that is compared with another."""
    return Candidate(held, "", "", Fit.UNKNOWN)


def lines_of(filing_figures: FilingFigures, statement: Statement) -> tuple[LineFinder, ...]:
    """The rows of one statement as printed. Empty where the statement is not stored."""
    face = filing_figures.faces.get(statement.statement)
    lines = [line for line in (face.lines if face else ()) if not line.aside]
    said = Counter(line.label for line in lines)
    return tuple(
        LineFinder(
            Line(label=line.label or words(line.name), names=(line.name,)),
            statement.statement,
            line.heading,
            alike=bool(line.label) and said[line.label] > 1,
        )
        for line in lines
    )


def not_stored(statement: Statement, company: str, report: str) -> Gap:
    """The gap for a statement whose rows are unknown."""
    name = STATEMENTS[statement.statement]
    return Gap(
        code=Code.CONCEPT_NOT_REPORTED,
        text=f"The {name} in {possessive(company)} {report} is not loaded.",
        detail="Single measures are available.",
        looked_for=(("Statement", name),),
    )
