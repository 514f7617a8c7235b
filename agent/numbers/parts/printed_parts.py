"""How the tables of a document divide a figure: rows that come to it, printed above their total, which is the figure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from typing import NamedTuple

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.parts.divisions import HEADED, MOST_ROUNDING, Division, Part, divisions, rounding
from agent.numbers.parts.part_facts import AXES, Divided, divided
from agent.numbers.printed.printed_rows import StoredTable, tables_of
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.registry_schema import normalise
from agent.refusals.codes import Code
from agent.refusals.grammar import capitalized, lower_first
from agent.state.query import Concept, Line
from agent.state.tables import Gap
from agent.words.printed_words import said
from agent.words.stems import roots
from agent.words.tokens import stems
from filings.models import Fact, Filing, PrintedTable
from filings.tables.column_periods import NEAR
from filings.tables.printed_cells import fact_of
from filings.xbrl.axes import countries
from filings.xbrl.facts import Value

MOST_WORDS = 6  # of a label that may name a measure
# Parts that a document calls its segments, and how many more words may stand with each in a list of them.
LEAST, BETWEEN = 2, 2
_COUNTS = dict(enumerate(said("counts").split(), LEAST))
_OTHERWISE = frozenset(stems(said("otherwise")))
_RECONCILING, _REST, _KINDS = roots(said("reconciling")), *(frozenset(stems(said(one))) for one in ("rest", "kinds"))


def printed_divisions(kind: str, figure: Divided, filing: Filing, key: str, registry: Registry) -> list[Division]:
    """The ways in which a document's tables divide a figure into parts of one kind, those of most parts first.

    key: of the figure's concept; empty for another.
    """
    found, document = [], _Document(filing)
    for table in tables_of(filing.pk):
        for line in lines_of(table, filing, *_period(figure.whole), figure.whole.unit):
            for last, total in enumerate(one.fact for one in line):
                if abs(total.value - figure.whole.value) > rounding(total) + rounding(figure.whole):
                    continue
                above = _parts(line[:last])
                for one in divisions(total, above):
                    used = {id(row.facts[0]) for row in one.rows}
                    rows = [at for at, part in enumerate(above) if id(part.facts[0]) in used]
                    certain = rows[-1] == last - 1 and one.slack <= abs(total.value) * MOST_ROUNDING
                    if certain and _is_of(kind, table, line[rows[0] : last], document, key, registry):
                        found.append(Division(figure.whole, one.top, figure.whole.value - total.value + one.left))
                        break
    return sorted(found, key=lambda one: -one.leaves)


class Figure(NamedTuple):
    """A figure with what names it in its table: the label of its row, or the heading of its column."""

    label: str
    heading: str
    fact: Fact


def lines_of(table: StoredTable, filing: Filing, first: date, last: date, unit: str) -> Iterator[list[Figure]]:
    """The columns and the rows of a table: its figures of a period and unit that stand below or beside each other."""
    if table.kind != PrintedTable.Kind.TABLE:
        return
    cells = [
        (row, cell)
        for row in table.rows
        for cell in row.cells
        if not row.guidance and cell.unit == unit and _is_near((cell.period.start, cell.period.end), (first, last))
    ]
    facts = [fact_of(filing, table.section, table.page, row, cell) for row, cell in cells]
    for fact in facts:
        fact.order = fact.text_start
    for column in dict.fromkeys(cell.column for _, cell in cells):
        own = [(row, fact) for (row, cell), fact in zip(cells, facts, strict=True) if cell.column == column]
        if len({id(row) for row, _ in own}) == len(own):
            yield [Figure(row.label, row.heading, fact) for row, fact in own]
    for row in table.rows:
        beside = [(cell.column.split(), fact) for (of, cell), fact in zip(cells, facts, strict=True) if of is row]
        common = set.intersection(*(set(words) for words, _ in beside)) if beside else set()
        names = [" ".join(word for word in words if word not in common) for words, _ in beside]
        if all(names) and len(set(names)) == len(names):
            yield [Figure(name, "", fact) for name, (_, fact) in zip(names, beside, strict=True)]


def _period(fact: Fact) -> tuple[date, date]:
    return fact.start or fact.end, fact.end


def _is_near(period: tuple[date, date], other: tuple[date, date]) -> bool:
    return all(abs(one - same) <= NEAR for one, same in zip(period, other, strict=True))


def _parts(line: Sequence[Figure]) -> list[Part]:
    """Figures as parts, by their labels, of which the same are told apart by the headings above them."""
    labels = Counter(normalise(one.label) for one in line)
    found = []
    for one in line:
        name = f"{one.heading}{HEADED}{one.label}" if labels[normalise(one.label)] > 1 and one.heading else one.label
        found.append(Part((one.fact,), name, reconciling=bool(_RECONCILING & roots(name))))
    return found


# --- of what the rows are ---


def _is_of(
    kind: str, table: StoredTable, rows: Sequence[Figure], document: "_Document", key: str, registry: Registry
) -> bool:
    """Whether rows are parts of one kind, and none is a measure of its own.

    Regions are called by places; segments as the document calls its segments; products by the nearest words above them
    that name a kind of parts, of several by their own labels.
    """
    if any(_is_measure(row.label, kind, key, registry) for row in rows):
        return False
    names = [name for row in rows if (name := frozenset(stems(row.label)) - _REST)]
    placed = bool(names) and all(any(place <= name for place in _places()) for name in names)
    headings = {row.heading for row in rows}
    above = [*(headings if len(headings) == 1 else ()), *reversed(table.lines)]
    nearest = next(filter(None, map(_kinds, above)), frozenset[str]())
    if kind == "segment":
        return document.has_segments(names, counted=nearest == {kind} and not placed)
    if kind == "region" or placed:
        return placed and kind == "region"
    if all(name <= _KINDS for name in names) or any(name & _OTHERWISE for name in names):
        return False  # all products, and all services; or a figure divided by customers, channels or time
    labels = _kinds(" ".join(row.label for row in rows))
    told = nearest & labels if len(nearest) > 1 else nearest
    return told == {kind}


@cache
def _places() -> frozenset[frozenset[str]]:
    """The names by which regions are called, as folded words: those of countries, and words for parts of the world."""
    named = (frozenset(stems(name)) - _REST for names in countries().values() for name in names)
    return frozenset(filter(None, named)) | {frozenset({word}) for word in stems(said("places"))}


@dataclass(frozen=True)
class _Document:
    """What a document says of its segments."""

    filing: Filing

    @cached_property
    def on_segments(self) -> list[tuple[str, ...]]:
        """The paragraphs that speak of segments, in folded words; no rows of tables."""
        texts = self.filing.sections.values_list("text", flat=True)
        lines = dict.fromkeys(line for text in texts for line in text.split("\n") if "\t" not in line)
        return [tuple(stems(line)) for line in lines if "egment" in line]

    def has_segments(self, names: Sequence[frozenset[str]], *, counted: bool) -> bool:
        """Whether all of these are called its segments: right behind or before the word, in one list or each alone.

        counted: whether it is enough that a paragraph on so many segments names them: "three segments".
        """
        if len(names) < LEAST or any(name <= _KINDS for name in names):
            return False
        alone, length = set[frozenset[str]](), sum(map(len, names)) + len(names)
        for words in self.on_segments:
            for at in (at for at, word in enumerate(words) if word == "segment"):
                before, behind = words[max(at - length, 0) : at], words[at : at + length + BETWEEN * len(names)]
                so_many = counted and _COUNTS.get(len(names)) in words[max(at - BETWEEN, 0) : at]
                told = (before, behind, words) if so_many else (before, behind)
                if any(all(name <= {*listed} for name in names) for listed in told):
                    return True
                alone |= {name for name in names if name <= {*before[-len(name) - 1 :]}}
        return alone >= {*names}


def _kinds(text: str) -> frozenset[str]:
    """The kinds of parts that words name."""
    words = frozenset(stems(text))
    return frozenset(kind for kind in AXES if words & frozenset(stems(said(f"of {kind}s"))))


def _is_measure(label: str, kind: str, key: str, registry: Registry) -> bool:
    """Whether a label is that of a measure, and of no part of this one."""
    words = normalise(label).split()
    sizes = range(2, min(MOST_WORDS, len(words)) + 1)
    spans = (" ".join(words[at : at + size]) for size in sizes for at in range(len(words) - size + 1))
    named = {one for span in spans for one in registry.aliases.get(span, ())}
    return bool(named - {key}) or (bool(named) and kind in _kinds(label))


# --- in a cell ---


def printed_together(fact: Fact, when: str) -> str:
    """A note on rows of one table, of which one has this figure. when: their period, in words."""
    page = f" on page {fact.page}" if fact.page else ""
    return f"{capitalized(when)}: as the {fact.filing.called} prints them{page}; they add up to the total."


@dataclass(frozen=True)
class PrintedPart:
    """Finds a part in the document that prints it, as its row has it for a period. fact: one of its row's figures."""

    label: str
    of: Concept | Line
    fact: Fact

    def __call__(self, company_filings: CompanyFilings, year: int, offset: int) -> tuple[str, Value]:
        """The label and the value, `offset` years back. Raises Unanswered."""
        selection = company_filings.selection(year)
        if selection is None:
            raise KeyError(f"No {company_filings.report(year)} is held of {company_filings.company.name}.")
        whole = divided(self.of, selection, company_filings, year, offset).whole
        for fact in self._row() if selection.filing_figures.filing.pk == self.fact.filing.pk else ():
            if _is_near(_period(fact), _period(whole)):
                return self.label, Value(fact)
        text = f"{company_filings.company.called} prints no {lower_first(self.label)} for {whole.end:%-d %b %Y}."
        raise Unanswered(lambda: Gap(code=Code.DIMENSIONAL_ONLY, text=text), absent=True)

    def _row(self) -> Iterator[Fact]:
        """The figures of its row with its unit, its own first."""
        yield self.fact
        at, filing = self.fact.text_start or 0, self.fact.filing
        for table in tables_of(filing.pk):
            for row in table.rows if table.section == self.fact.section and table.start <= at < table.end else ():
                if any(cell.start == at for cell in row.cells):
                    alike = [cell for cell in row.cells if cell.unit == self.fact.unit]
                    yield from (fact_of(filing, table.section, table.page, row, cell) for cell in alike)
