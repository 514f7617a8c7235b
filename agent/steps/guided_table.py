"""The table of an answer with guidance: each figure where its document prints it, and how it changed."""

from collections.abc import Iterator

from django.db.models import QuerySet

from agent.numbers.cited_facts import reference
from agent.numbers.guided_figures import is_earlier, limit_of, pairs, place_of, range_of
from agent.numbers.printed_figures import PrintedFigure, figures_called
from agent.numbers.printed_finder import key_of
from agent.refusals.grammar import capitalized, lower_first
from agent.state import FactRef, Query
from agent.state.measures import leaves
from agent.state.query import Change, Combined, Measure, Printed
from agent.state.tables import Cell, CellOperand, Table
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
    # Periods of one kind of row stand side by side.
    cells = tuple(cell for row in query.rows for cell in _cells(kinds.index(type(row.measure)), row.measure, query))
    notes = [_NO_EARLIER] if any(isinstance(row.measure, Change) for row in query.rows) else []
    newest = _held(query).exclude(source=NEWS.key).order_by("-filed").first()
    given = max((one.filed for one in cells if one.filed), default=None)
    if newest and given and newest.filed > given:
        notes.append(f"The newest document held is the {newest.called} filed {newest.filed:%-d %B %Y}.")
    return Table(cells=cells, notes=tuple(notes))


def _held(query: Query) -> QuerySet[Filing]:
    found = Filing.objects.of_companies([query.companies[0].cik]).filter(withdrawn=None)
    return found.select_related("company")


def _cells(number: int, measure: Measure, query: Query) -> Iterator[Cell]:
    figures = [_figures(one, query) for one in leaves(measure) if isinstance(one, Printed)]
    if isinstance(measure, Combined):
        for now, before in pairs(*figures):
            yield _difference(_cell(number, now, query), now, before)
    else:
        yield from (_cell(number, one, query) for one in figures[0])


def _figures(asked: Printed, query: Query) -> tuple[PrintedFigure, ...]:
    """The figure that was chosen, or both limits of its range."""
    filing = _held(query).filter(accession=asked.accession).first()
    found = [*figures_called(filing, asked)] if filing else []
    chosen = next((one for one in found if one.cell.start == asked.start), None)
    return range_of(one for one in found if chosen and _is_of_one(one, chosen))


def _is_of_one(one: PrintedFigure, other: PrintedFigure) -> bool:
    return one.cell.period == other.cell.period and is_earlier(one.cell) == is_earlier(other.cell)


def _place(figure: PrintedFigure) -> Place:
    place = place_of(figure.cell.period, Calendar.of(subject_of(figure.filing)))
    if place is None:
        raise ValueError(f"{figure.cell.period} is no fiscal year or quarter.")
    return place


def _cited(figure: PrintedFigure) -> FactRef:
    fact = figure.held.fact
    return reference(fact, label=fact.label)


def _key(figure: PrintedFigure) -> str:
    return key_of(Printed(words=figure.row.label, guidance=True))


def _cell(number: int, figure: PrintedFigure, query: Query) -> Cell:
    fact, place, limit = _cited(figure), _place(figure), limit_of(figure)
    told = figure.cell.text[:1].isalpha()
    return Cell(
        row=number,
        cik=query.companies[0].cik,
        company=query.companies[0].called,
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


def _difference(cell: Cell, now: PrintedFigure, before: PrintedFigure) -> Cell:
    """How far the guidance of a cell was moved: in points, of what is in percent."""
    operands = tuple(
        CellOperand(
            name=name,
            concept=_key(one),
            label=f"{capitalized(one.label)}, {_cited(one).guided}",
            cik=cell.cik,
            fiscal_year=cell.place.year,
            fiscal_period=cell.fiscal_period,
            fact=_cited(one),
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
