"""One figure as the answer card shows it, with its formula or the row that the filing prints."""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property

from django.urls import reverse
from django.utils.text import capfirst, slugify

from agent.numbers.cells.measure_keys import MOVES, known
from agent.numbers.facts.render import decimals, exact, headline, in_table, is_money, rounded
from agent.numbers.registry import registry as registry_file
from agent.numbers.tables import table_text
from agent.refusals.grammar import capitalized, lower_first
from agent.state import Cell, FactRef, LaterValue, Scale
from agent.web.tables.formula_words import Piece, in_figures, in_words, of_one_money
from filings.models import Fact, StatementKind
from filings.web import printed_places
from filings.xbrl.periods import FiscalPeriod, Place

GAP = "\u2013"


@dataclass(frozen=True)
class Printed:
    """One column of a printed line."""

    end: date
    printed: str
    used: bool


@dataclass(frozen=True)
class Line:
    """A statement row as the document prints it, in the printed order of years."""

    title: str
    label: str
    cells: tuple[Printed, ...]
    instant: bool


@dataclass(frozen=True)
class Later:
    """A value that a later filing gives differently."""

    what: str
    used: str
    fact: FactRef
    fiscal_year: int | None


@dataclass(frozen=True)
class Figure:
    """A cell as people read it, with its context.

    places: decimals of an amount in a column with others; None: as many as it has.
    """

    cell: Cell
    scale: Scale | None = None
    places: int | None = None

    @cached_property
    def _headline(self) -> tuple[str, str]:
        cell = self.cell
        return heading_of(cell.value, cell.unit, self.scale, reported=cell.fact is not None)

    @property
    def headline(self) -> str:
        return self._headline[0]

    @property
    def unit_word(self) -> str:
        return self._headline[1]

    @property
    def text(self) -> str:
        return " ".join(filter(None, self._headline))

    @property
    def exact(self) -> str:
        """In full: 31,370,000,000 US dollars."""
        return exact(self.cell.value, self.cell.unit) if self.cell.value is not None else ""

    @property
    def says_exact(self) -> bool:
        """Whether the full figure adds to the headline; for a computed one it would claim too much."""
        return self.cell.fact is not None and self.exact != self.text

    @cached_property
    def column(self) -> str:
        """The figure in a table's column."""
        value = self.cell.value
        if value is None:
            return GAP
        if not self.cell.fact and self.places is None:
            value = rounded(value, self.cell.unit)
        text = in_table(value, self.cell.unit, self.scale, self.places)
        return signed(text, value) if self.moves else text

    def decimals(self, digits: int | None = None) -> int:
        """How many decimals an amount has, or needs for its first so many digits."""
        value = self.cell.value
        if value is None:
            return 0
        told = value if self.cell.fact else rounded(value, self.cell.unit)
        return decimals(told, self.cell.unit, self.scale, digits)

    @property
    def full(self) -> str:
        """All of its digits, where the column shows fewer."""
        less = self.places is not None and self.decimals() > self.places
        return replace(self, places=None).column if less else ""

    @property
    def moves(self) -> bool:
        """Whether it is a change and so has a sign either way."""
        return self.cell.measure.startswith(tuple(MOVES))

    @property
    def movement(self) -> str:
        """A change in a sentence: +4.9%, +2.1 points."""
        return signed(self.text, self.cell.value)

    @property
    def year_before(self) -> str:
        """The period compared with: fiscal 2023, Q3 fiscal 2023."""
        return Place(self.cell.place.year - 1, self.cell.fiscal_period).called

    @property
    def name(self) -> str:
        """The measure's name with its definition: Return on equity (average equity)."""
        return capfirst(table_text.measure(self.cell))

    @property
    def reading(self) -> str:
        """What distinguishes it from other readings of the question."""
        return capfirst(self.cell.period_reading or self.cell.reading or self.cell.label)

    @property
    def below(self) -> str:
        """The line below a reading, such as: Total revenue, fiscal 2025."""
        name = self.name if self.cell.period_reading else self.cell.label if self.cell.reading else ""
        when = self.cell.place.called
        return f"{name}, {when}" if name else capitalized(when)

    @property
    def title(self) -> str:
        """The figure's title: Apple, research and development expense, fiscal 2024."""
        return f"{self.cell.company}, {lower_first(self.name)}, {self.cell.place.called}"

    @property
    def anchor(self) -> str:
        """The anchor of its formula on the page, after the part's number."""
        cell = self.cell
        return slugify(f"{cell.row} {cell.cik} {cell.measure} {cell.reading} {cell.place.short}")

    @property
    def href(self) -> str:
        """The page of its fact or computation; empty for a printed line's or part of a year's computation, which has
        none.
        """
        cell = self.cell
        if cell.fact:
            return fact_path(cell.fact)
        of_part = cell.fiscal_period is not FiscalPeriod.YEAR
        if cell.value is None or of_part or not known(cell.measure, registry_file.load()):
            return ""
        return reverse("figure", args=[cell.cik, cell.fiscal_year, cell.measure])

    @property
    def reader(self) -> str:
        """The line of the document that prints its figure; empty for an XBRL fact."""
        fact = self.cell.fact
        if fact is None:
            return ""
        return printed_places.address(fact.accession, fact.cik, fact.section, fact.text_start, fact.text_end)

    @property
    def reason(self) -> str:
        """Why it is missing, in a few words."""
        return self.cell.gap.code.row.title if self.cell.gap else ""

    @property
    def dated(self) -> FactRef:
        """The fact that gives its period: its own, or for a formula the year's flow, else its balance."""
        ends = [fact for fact in self.cell.facts if fact.end == self.cell.period_end] or list(self.cell.facts)
        return next((fact for fact in ends if fact.start != fact.end), ends[0])

    @property
    def is_instant(self) -> bool:
        """Whether it is for a day rather than a period."""
        return all(fact.start == fact.end for fact in self.cell.facts)

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements of its facts, each once."""
        kinds = [fact.statement for fact in self.cell.facts]
        return tuple(
            dict.fromkeys(StatementKind(kind).label if kind else "Not on a loaded statement" for kind in kinds)
        )

    @property
    def restated(self) -> LaterValue | None:
        """The first later filing with another value of a fact shown as filed."""
        return self.cell.restated[0].later if self.cell.fact and self.cell.restated else None

    @property
    def restated_said(self) -> str:
        """Which later report's value is shown, and what the year's own report gave; empty for a value as filed."""
        recast = self.cell.recast
        if recast is None:
            return ""
        report = Place(recast.fiscal_year, self.cell.fiscal_period).report
        if recast.first is None:
            own = "has no such figure loaded" if recast.own_loaded else "is not loaded"
            return f"From the {report}; the year's own {own}."
        said = f"As restated in the {report}"
        first = " ".join(filter(None, headline(recast.first, self.cell.unit, self.scale)))
        return f"{said}; first reported: {first}."

    @property
    def later(self) -> tuple[Later, ...]:
        """Other values in later filings, for the figure or the facts behind it."""
        labels = {(one.concept, one.fiscal_year): one.label for one in self.cell.operands}
        return tuple(
            Later(
                f"{labels.get((one.concept, one.fiscal_year), self.name)}, fiscal {one.fiscal_year}",
                " ".join(filter(None, headline(one.used, one.later.fact.unit, self.scale))),
                one.later.fact,
                one.later.fiscal_year,
            )
            for one in self.cell.restated
        )

    @cached_property
    def line(self) -> Line | None:
        return printed_line(self.cell.fact) if self.cell.fact else None

    @cached_property
    def formula(self) -> str:
        """The expression with the operands' labels; empty for a fact."""
        return in_words(self.cell.formula, self.cell.unit, self.cell.operands, self.cell.place)

    @cached_property
    def figures(self) -> tuple[Piece, ...]:
        """The expression with the operands' figures."""
        return in_figures(self.cell.formula, self.cell.unit, self.cell.operands)

    @property
    def in_millions(self) -> bool:
        """Whether its formula is in millions."""
        return of_one_money(self.cell.operands)

    @property
    def plain(self) -> str:
        """The figure and its source in a line of text, for copying."""
        if self.cell.value is None:
            return f"{self.title}: none."
        sources = "; ".join(
            dict.fromkeys(
                f"{fact.element}, {fact.form} {fact.accession}, filed {fact.filed:%-d %b %Y}"
                for fact in self.cell.facts
            )
        )
        end = self.cell.fact.end if self.cell.fact else self.cell.period_end
        lasting = "year" if self.cell.fiscal_period is FiscalPeriod.YEAR else "period"
        end = None if self.cell.guided else end
        when = f" ({'as of' if self.is_instant else f'{lasting} ended'} {end:%-d %b %Y})" if end else ""
        return f"{self.title}{when}: {table_text.in_full(self.cell, self.scale)}. {sources}."


def fact_path(fact: FactRef) -> str:
    """The path of the page that shows a fact; of a printed figure that no fact stores, of its line; empty where its document is gone."""
    if fact.place is None:
        return reverse("fact", args=[fact.fact])
    return printed_places.address(fact.accession, fact.cik, fact.section, fact.text_start, fact.text_end)


def signed(text: str, value: Decimal | None) -> str:
    """A change with its sign: +4.9%."""
    return f"+{text}" if value and value > 0 else text


def heading_of(value: Decimal | None, unit: str, scale: Scale | None, *, reported: bool) -> tuple[str, str]:
    """A figure and the word after it; a computed one is rounded."""
    if value is None:
        return GAP, ""
    return headline(value if reported else rounded(value, unit), unit, scale)


def is_amount(cell: Cell) -> bool:
    """Whether it is an amount of money as reported."""
    return cell.fact is not None and is_money(cell.unit)


def printed_line(fact: FactRef) -> Line | None:
    """The statement row of a fact, with its other columns; None without a document."""
    if not (fact.printed and fact.label and fact.statement):
        return None
    columns = (
        Fact.objects.filter(
            company__cik=fact.cik,
            filing__accession=fact.accession,
            source__in=[Fact.Source.DOCUMENT, Fact.Source.PRINTED],
            taxonomy=fact.taxonomy,
            tag=fact.tag,
            unit=fact.unit,
            statement=fact.statement,
            label=fact.label,
            dimensions=fact.dimensions,
        )
        .exclude(printed="")
        .order_by("-end")
        .values_list("end", "printed")
    )
    cells = tuple(Printed(end, printed, end == fact.end) for end, printed in columns)
    if not any(cell.used for cell in cells):
        cells = (Printed(fact.end, fact.printed, used=True), *cells)
    title = fact.title or StatementKind(fact.statement).label
    return Line(title, fact.label, cells, instant=fact.start == fact.end)
