"""The table of an answer with guidance: each figure where its document prints it, and how it changed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from django.db.models import QuerySet

from agent.numbers.facts.cited_facts import reference
from agent.numbers.printed.guided_figures import is_earlier, limit_of, pairs, place_of, range_of
from agent.numbers.printed.printed_figures import PrintedFigure, figures_called
from agent.numbers.printed.printed_finder import key_of
from agent.refusals.grammar import capitalized, lower_first
from agent.state import FactRef, Query
from agent.state.measure_operands import leaves
from agent.state.query import Change, Combined, Measure, Printed
from agent.state.tables import Cell, CellOperand, Table
from filings.importing.stated import dateline
from filings.models import Filing
from filings.models.source_kinds import NEWS
from filings.tables.outlook_tables import HIGH, LOW
from filings.tables.read_again import subject_of
from filings.tables.sentence_dates import Calendar
from filings.xbrl.periods import Place

_LIMITS = {LOW: "low end of the range", HIGH: "high end of the range"}
_NOW, _BEFORE = "guided_now", "guided_before"
_NO_EARLIER = "No earlier guidance of it is held, so that its change is not known."


def guided_table(query: Query) -> Table:
    """The figures of guidance that the rows of a query were chosen as, each read from its document's stored tables."""
    kinds = [type(row.measure) for row in query.rows]
    guidance = _Guidance(query)
    # Periods of one kind of row stand side by side.
    cells = tuple(cell for row in query.rows for cell in guidance.cells(kinds.index(type(row.measure)), row.measure))
    notes = [_NO_EARLIER] if any(isinstance(row.measure, Change) for row in query.rows) else []
    newest = guidance.held.exclude(source=NEWS.key).order_by("-filed").first()
    given = max((one.filed for one in cells if one.filed), default=None)
    if newest and given and newest.filed > given:
        notes.append(f"The newest document held is the {newest.called} filed {newest.filed:%-d %B %Y}.")
    return Table(cells=cells, notes=tuple(notes))


@dataclass(frozen=True)
class _Guidance:
    """What a query cites, each figure read and cited once."""

    query: Query
    _read: dict[Printed, tuple[PrintedFigure, ...]] = field(default_factory=dict)
    _cited: dict[tuple[str, int, int], FactRef] = field(default_factory=dict)

    @property
    def held(self) -> QuerySet[Filing]:
        """The company's documents."""
        found = Filing.objects.of_companies([self.query.companies[0].cik]).filter(withdrawn=None)
        return found.select_related("company")

    def cells(self, number: int, measure: Measure) -> Iterator[Cell]:
        """The cells of a row: each limit of a range, and how far it was moved where that is asked."""
        figures = [self._figures(one) for one in leaves(measure) if isinstance(one, Printed)]
        if isinstance(measure, Combined):
            for now, before in pairs(*figures):
                yield self._difference(self._cell(number, now), now, before)
        else:
            yield from (self._cell(number, one) for one in figures[0])

    def _figures(self, asked: Printed) -> tuple[PrintedFigure, ...]:
        """The figure that was chosen, or both limits of its range."""
        if (held := self._read.get(asked)) is not None:
            return held
        filing = self.held.filter(accession=asked.accession).first()
        found = [*figures_called(filing, asked)] if filing else []
        chosen = next((one for one in found if one.cell.start == asked.start), None)
        read = self._read[asked] = range_of(one for one in found if chosen and _is_of_one(one, chosen))
        return read

    def _of(self, figure: PrintedFigure) -> FactRef:
        """A figure as cited, with the day on which its text was given."""
        place = figure.filing.accession, figure.table.section, figure.cell.start
        if place not in self._cited:
            fact = figure.held.fact
            self._cited[place] = reference(fact, label=fact.label).model_copy(update={"given": _given(figure)})
        return self._cited[place]

    def _cell(self, number: int, figure: PrintedFigure) -> Cell:
        fact, place, limit = self._of(figure), _place(figure), limit_of(figure)
        told = figure.cell.text[:1].isalpha()
        return Cell(
            row=number,
            cik=self.query.companies[0].cik,
            company=self.query.companies[0].called,
            measure=_key(figure),
            label=capitalized(figure.label),
            reading=", ".join(filter(None, (_LIMITS.get(limit, limit), fact.guided))),
            limit="low" if limit == LOW else "high" if limit == HIGH else "",
            fiscal_year=place.year,
            fiscal_period=place.period,
            accession=fact.accession,
            filed=fact.filed,
            url=fact.url,
            value=fact.value,
            unit=fact.unit,
            fact=fact,
            notes=(f"As printed: \u201c{figure.cell.text}\u201d.",) if told else (),
        )

    def _difference(self, cell: Cell, now: PrintedFigure, before: PrintedFigure) -> Cell:
        """How far the guidance of a cell was moved: in points, of what is in percent."""
        operands = tuple(
            CellOperand(
                name=name,
                concept=_key(one),
                label=f"{capitalized(one.label)}, {self._of(one).guided}",
                cik=cell.cik,
                fiscal_year=cell.place.year,
                fiscal_period=cell.fiscal_period,
                fact=self._of(one),
            )
            for name, one in ((_NOW, now), (_BEFORE, before))
        )
        others = dict.fromkeys(one.fact.accession for one in operands if one.fact.accession != cell.accession)
        update = {
            "measure": f"change_of_{cell.measure}",
            "label": f"Change of guidance: {lower_first(cell.label)}",
            "formula": f"{_NOW} - {_BEFORE}",
            "operands": operands,
            "fact": None,
            "value": now.cell.value - before.cell.value,
            "unit": "points" if cell.unit == "percent" else cell.unit,
            "seams": tuple(others),
            "notes": (),
            "limit": "",
        }
        return cell.model_copy(update=update)


def _given(figure: PrintedFigure) -> date | None:
    """The day in the dateline of the text that prints a figure, where it lies between the end of its period and its filing."""
    filing = figure.filing
    text = filing.sections.filter(number=figure.table.section).values_list("text", flat=True).first()
    day = dateline(text or "")
    return day if day and (filing.period_end or day) <= day < filing.filed else None


def _is_of_one(one: PrintedFigure, other: PrintedFigure) -> bool:
    return one.cell.period == other.cell.period and is_earlier(one.cell) == is_earlier(other.cell)


def _place(figure: PrintedFigure) -> Place:
    place = place_of(figure.cell.period, Calendar.of(subject_of(figure.filing)))
    if place is None:
        raise ValueError(f"{figure.cell.period} is no fiscal year or quarter.")
    return place


def _key(figure: PrintedFigure) -> str:
    return key_of(Printed(words=figure.row.label, guidance=True))
