"""A table on the answer card: one figure with its context, readings side by side, or rows of years."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from urllib.parse import urlencode

from django.utils.text import capfirst

from agent.numbers.cells.measure_keys import known
from agent.numbers.facts.render import COMPUTED
from agent.numbers.registry import registry as registry_file
from agent.numbers.tables import table_text
from agent.refusals.grammar import listed
from agent.state import Cell, FactRef, Scale, Table
from agent.state.query import Alignment, Basis
from agent.state.question_words import Display
from agent.state.tables import CellOperand, Result
from agent.web.tables import charts, table_titles
from agent.web.tables.figure_card import Figure, Later, heading_of
from agent.web.tables.formula_words import in_figures, in_words
from agent.web.tables.table_links import StatementLink
from agent.web.tables.table_titles import Computed, Winner
from agent.web.tables.year_table import YearRows, YearTable, order_of
from filings.web.charts import Chart
from filings.xbrl.periods import QUARTERS, FiscalPeriod

# More readings than this become rows of a table.
MOST_READINGS = 4


@dataclass(frozen=True)
class Missing:
    """Cells without a figure for the same reason."""

    whose: str
    text: str
    detail: str
    operands: tuple[CellOperand, ...] = ()


@dataclass(frozen=True)
class TableCard:
    """A table on the card.

    statement: its title where it is a whole statement. ambiguous: whether its figures are alternative readings.
    divided: the measure shown by part, such as total revenue by segment. id: of its part of the answer. symbols:
    tickers by CIK. named: a given title. links: a statement's other forms. display: the form that is asked for. screen:
    address of the page with all companies, where these are the first. basis, as_of: as asked.
    """

    table: Table
    scale: Scale | None = None
    statement: str = ""
    ambiguous: bool = False
    divided: str = ""
    id: str = "1"
    symbols: Mapping[int, str] = field(default_factory=dict)
    named: str = ""
    links: tuple[StatementLink, ...] = ()
    display: Display = Display.TABLE
    screen: str = ""
    basis: Basis | None = None
    as_of: date | None = None

    # --- figures ---

    @cached_property
    def asserted(self) -> tuple[Figure, ...]:
        """The figures that the answer asserts."""
        return tuple(Figure(cell, self.scale) for cell in self.table.asserted)

    @property
    def single(self) -> Figure | None:
        """The one figure asked, where it is one."""
        alone = len(self.asserted) == 1 and not self.table.results and not self.gaps
        return self.asserted[0] if alone else None

    @property
    def readings(self) -> tuple[Figure, ...]:
        """The alternative readings, where the figures are those rather than rows of a table."""
        return self.asserted if 1 < len(self.table.readings) <= MOST_READINGS and not self.divided else ()

    @property
    def result(self) -> Computed | None:
        """The one number of an operation, where nothing else was asked."""
        return self.results[0] if len(self.results) == 1 and self.results[0].is_figure else None

    @cached_property
    def title(self) -> str:
        """Apple, total revenue, fiscal 2021 to 2025."""
        if self.named:
            return self.named
        if self.single:
            return self.single.title
        asked = self._asked
        companies = list(dict.fromkeys(cell.company for cell in asked))
        who = listed(companies) if len(companies) <= table_titles.MOST_NAMED else f"{len(companies)} companies"
        parts = (
            self.statement or self.divided or table_titles.measures_said(asked),
            table_text.places_said(one.column for one in asked if one.fiscal_year),
        )
        return f"{who}{':' if len(companies) > 1 else ','} {', '.join(filter(None, parts))}"

    @property
    def ranges(self) -> tuple[str, ...]:
        """The ranges that are guided, each in a sentence."""
        return tuple(table_text.ranges(self.table, self.scale))

    @property
    def _asked(self) -> list[Cell]:
        """The cells asked for, with or without a figure."""
        return [cell for cell in self.table.cells if cell.asked and not cell.alternative]

    @cached_property
    def related(self) -> tuple[Figure, ...]:
        """Context figures, which are not asserted."""
        cells = [cell for cell in self.table.cells if cell.asked and cell.alternative and cell.value is not None]
        return tuple(Figure(cell, self.scale) for cell in cells)

    # --- the rows ---

    @property
    def several(self) -> bool:
        """Whether it has several companies."""
        return len({cell.cik for cell in self.table.cells}) > 1

    @cached_property
    def rows(self) -> YearRows:
        return YearRows(self.table, self.scale, self.id, alternatives=self.single is None and not self.several)

    @cached_property
    def years(self) -> YearTable:
        """Its rows over fiscal years; several companies in the answer's order, or by the newest year."""
        if self.statement and not self.several:
            return self.rows.statement(self.title)
        return self.rows.view(self.title, order_of(self.table))

    @cached_property
    def chart(self) -> Chart | None:
        """Its chart; None where no chart helps, or none can be drawn of what is asked for as a chart."""
        if self.statement:
            return None
        if self.display is Display.CHART:
            return charts.chart(self.rows) or charts.of_rows(self.rows)
        return None if self.single else charts.chart(self.rows)

    @property
    def lacks_chart(self) -> bool:
        """Whether a chart is asked for and none can be drawn."""
        return self.display is Display.CHART and self.chart is None

    @cached_property
    def small(self) -> Chart | None:
        """The years around its one figure."""
        return charts.small(self.rows, self.rows.lines[0])

    @property
    def grid(self) -> str:
        """The query of the grid with the same content; empty for what the grid does not have: printed lines, and other parts
        of years than quarters.
        """
        years = [cell.column.year for cell in self._asked if cell.fiscal_year]
        measures = list(dict.fromkeys(cell.measure for cell in self._asked))
        periods = {cell.fiscal_period for cell in self._asked if cell.fiscal_year}
        quarters = periods <= set(QUARTERS)
        registry = registry_file.load()
        if self.screen or not years or not (quarters or periods == {FiscalPeriod.YEAR}):
            return ""
        if not all(known(one, registry) for one in measures):
            return ""
        chosen = {
            "companies": ",".join(dict.fromkeys(self.symbols.get(cell.cik) or str(cell.cik) for cell in self._asked)),
            "measures": ",".join(measures),
            "from": min(years),
            "to": max(years),
            "per": "quarter" if quarters else "",
            "align": self.table.aligned.value if self.table.aligned is Alignment.FISCAL else "",
            "basis": self.basis.value if self.basis else "",
            "as_of": self.as_of.isoformat() if self.as_of else "",
        }
        return urlencode({name: value for name, value in chosen.items() if value}, safe=",:")

    @cached_property
    def winner(self) -> Winner | None:
        """The first of several companies compared: in the newest year, of those with a figure."""
        if self.table.rankings:
            newest = max(self.table.rankings, key=lambda one: one.places)
            places = [one for one in newest.order if one.rank == 1]
            names = self.table.names
            who, text = listed([names[one.cik] for one in places]), table_text.figure(newest, self.scale)
            among = self._among({cell.cik for cell in self.table.asserted if cell.column in newest.places})
            own = places[0].fiscal_year and not newest.calendar
            when = newest.place_of(places[0]) if own else max(newest.places)
            return Winner(who, newest.highest, newest.label, when, text, among)
        last = self.rows.newest_with_figures
        cells = [cell for cell in self.table.asserted if cell.column == last]
        alike = len({(cell.measure, cell.reading, cell.unit) for cell in cells}) == 1
        if (
            self.table.results
            or not alike
            or last is None
            or len(cells) < 2
            or len({cell.cik for cell in cells}) != len(cells)
        ):
            return None
        best = max(cell.value for cell in cells if cell.value is not None)
        first = [Figure(cell, self.scale) for cell in cells if cell.value == best]
        who = listed([one.cell.company for one in first])
        among = self._among({cell.cik for cell in cells})
        return Winner(who, True, first[0].name, last, first[0].text, among)

    def _among(self, held: Collection[int]) -> str:
        """Of how many companies one is first, where some have no figure."""
        return f", of the {len(held)} with a figure" if len(held) < len(self.rows.companies) else ""

    @property
    def result_sentences(self) -> tuple[Computed, ...]:
        """The results shown as sentences; a ranking is the order of the rows instead."""
        return tuple(one for one in self.results if not (self.winner and one.result in self.table.rankings))

    @property
    def trend(self) -> tuple[Figure, Figure] | None:
        """The first and last figure of one row over several years, of those on the basis of the last."""
        if not self.asserted or self.statement:
            return None
        # Two companies, or two parts of one, are no trend.
        rows = {(one.cell.cik, one.cell.row, one.cell.measure) for one in self.asserted}
        breaks = [at for at, one in enumerate(self.asserted) if one.cell.basis_break]
        ends = self.asserted[breaks[-1] if breaks else 0], self.asserted[-1]
        alone = len(rows) == 1 and not self.single and not self.table.results and not self.readings
        return ends if alone and ends[0].cell.place != ends[1].cell.place else None

    @property
    def course(self) -> str:
        """The change of the trend's row from first to last year: +5.1 points."""
        ends = self.trend
        found = [
            self._computed(one)
            for one in self.table.moved
            if ends and one.places == tuple(end.cell.place for end in ends)
        ]
        return found[0].movement if found else ""

    @property
    def moved(self) -> Figure | None:
        """The change of the single figure from the year before."""
        cell = self.single.cell if self.single else None
        if cell is None or cell.period_reading:
            return None
        found = (
            one for one in self.table.cells if one.row == cell.row and not one.asked and one.measure != cell.measure
        )
        return next((Figure(one, self.scale) for one in found if one.place == cell.place), None)

    # --- what was computed ---

    @cached_property
    def results(self) -> tuple[Computed, ...]:
        return tuple(map(self._computed, self.table.results))

    def _computed(self, one: Result) -> Computed:
        names = self.table.names
        figure, word = heading_of(
            one.value, one.unit, self.scale, reported=not one.formula and one.unit not in COMPUTED
        )
        extreme = one.operation in ("highest", "lowest")
        return Computed(
            result=one,
            title=table_titles.result_title(one, names),
            sentence=table_text.sentence(one, self.table, self.scale),
            headline=figure,
            unit_word=word,
            when=table_text.best_years(one) if extreme else "",
            formula=in_words(one.formula, one.unit, one.operands, None, names),
            figures=in_figures(one.formula, one.unit, one.operands),
        )

    @cached_property
    def derived(self) -> tuple[Figure, ...]:
        """The computed figures, asked or context, each with its formula."""
        cells = (cell for cell in self.table.cells if cell.asked and cell.formula and cell.value is not None)
        return tuple(Figure(cell, self.scale) for cell in cells)

    @property
    def shows_work(self) -> bool:
        """Whether any of its figures has a formula."""
        return bool(self.derived) or any(one.formula for one in self.results)

    @cached_property
    def later(self) -> tuple[Later, ...]:
        """Other values in later filings, each fact once."""
        found = {(one.what, one.fact.fact): one for figure in self.asserted for one in figure.later}
        return tuple(found.values())

    # --- notes ---

    @cached_property
    def gaps(self) -> tuple[Missing, ...]:
        """Asked cells without a figure, by reason."""
        found: dict[tuple[str, str], list[Cell]] = {}
        for cell in self._asked:
            if cell.gap and cell.gap.text:
                found.setdefault((cell.gap.text, cell.gap.detail), []).append(cell)
        return tuple(
            Missing(capfirst(table_titles.whose(cells, self._asked) or cells[0].label), *reason, cells[0].operands)
            for reason, cells in found.items()
        )

    @property
    def counted_gaps(self) -> tuple[int, int]:
        """How many of the asked figures are missing, and how many were asked."""
        return sum(bool(cell.gap and cell.gap.text) for cell in self._asked), len(self._asked)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader: on figures, results and the table."""
        found: dict[str, list[Cell]] = {}
        for cell in self.table.asserted:
            for note in cell.notes:
                found.setdefault(note, []).append(cell)
        said = [table_titles.said_of(note, cells, self.table.asserted) for note, cells in found.items()]
        if not self.readings:
            said += [table_titles.period_note(cell) for cell in self.table.asserted if cell.period_reading]
        results = (note for one in self.table.results for note in one.notes if note not in found)
        return tuple(dict.fromkeys((*said, *results, *self.table.notes)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes on single figures, without those on the whole table."""
        return tuple(note for note in self.notes if note not in self.table.notes)

    @cached_property
    def checks(self) -> tuple[tuple[bool, str], ...]:
        """The statement checks, each once, failed ones first."""
        cells = self.table.asserted
        failed = dict.fromkeys(one for cell in cells for one in cell.failed_checks)
        passed = dict.fromkeys(one for cell in cells for one in cell.passed_checks)
        return (*((False, one) for one in failed), *((True, one) for one in passed))

    @property
    def broken_checks(self) -> int:
        return sum(not ok for ok, _ in self.checks)

    @property
    def cited(self) -> tuple[FactRef, ...]:
        """The facts of its figures and results."""
        cells = (fact for cell in self.table.asserted for fact in cell.facts)
        return (*cells, *(fact for one in self.table.results for fact in one.facts))

    @cached_property
    def filings(self) -> tuple[tuple[str, int | None, FactRef], ...]:
        """Every filing that the figures are from, once: company, fiscal year where it answers for one, and a fact of it."""
        years = {cell.accession: cell.fiscal_year for cell in self.table.cells if cell.accession}
        names = self.table.names
        found = {fact.accession: fact for fact in self.cited}
        return tuple((names.get(fact.cik, ""), years.get(key), fact) for key, fact in found.items())

    @property
    def source_line(self) -> str:
        return table_titles.source_said(
            [company for company, _, _ in self.filings], [fact.form for _, _, fact in self.filings], self._asked
        )

    @property
    def plain(self) -> str:
        """The table in lines of text with its sources, for copying."""
        if self.single or self.readings:
            return "\n".join(figure.plain for figure in self.asserted)
        sources = dict.fromkeys(
            f"{fact.element}, {fact.form} {fact.accession}" for cell in self.table.asserted for fact in cell.facts
        )
        return "\n".join([self.title, "", table_text.markdown(self.table, self.scale).rstrip(), "", *sources])
