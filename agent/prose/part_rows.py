"""Rows of tables that print a figure of a part of a company which no fact holds: quoted as printed, never computed with."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.numbers.labels import Fit
from agent.numbers.registry import Concept, PeriodType, Registry
from agent.numbers.schema import normalise
from agent.prose.about import about, printed_row
from agent.prose.claims import claim
from agent.prose.rows import NOTE, PLAIN, Row, named_rows, picked
from agent.prose.section_text import SectionText
from agent.prose.units import texts
from agent.prose.weights import asked
from agent.query.dates import MONTHS
from agent.refusals.codes import Code
from agent.state import Claim, FilingRef, Remark, RemarkCode, Target
from agent.state.planned import SubQuery
from agent.state.query import Concept as OfConcept
from agent.state.query import Member, Query
from agent.state.tables import Cell, Table
from agent.words.roots import roots
from filings.models import Filing, Section
from filings.xbrl.periods import FiscalPeriod

# Of so many cells rows are looked for.
MOST = 5
# Of the name of a measure in what stands above a table.
MOST_WORDS = 6
# The unit of a table, and years.
_ASIDE = re.compile(r"\([^()]*\)|\d+|\boperating (?=segment|division|unit)")
_WORD = re.compile(r"[^\W_]+")
# Names of a part that say nothing of it.
_VAGUE = roots("other all rest corporate")
# What companies divide their figures by, and what says above a table that it does.
_DIVIDED = roots(
    "by segment product category region geography geographic area line reportable business division of "
    "from and the in company information data following table presents shows sets forth summarizes summary compares "
    f"details below our for with dollars millions thousands years fiscal ended months weeks change {' '.join(MONTHS)}"
)


@dataclass(frozen=True, slots=True)
class Printed:
    """What the filings of a target print of a part: the filings, the rows as claims, and what is to be said of them."""

    filings: tuple[FilingRef, ...]
    claims: tuple[Claim, ...]
    remarks: tuple[Remark, ...]


def printed(target: Target, query: Query, table: Table, registry: Registry) -> Printed | None:
    """The rows in which 10-Ks print what no fact holds: of a table of one company without a value.

    None where no row is surely that of the part, of the measure and of the year.
    """
    cells = [one for one in table.cells if one.asked and not one.alternative]
    if len(query.companies) > 1 or len(cells) > MOST:
        return None
    filings: dict[str, FilingRef] = {}
    claims: list[Claim] = []
    said: list[str] = []
    for cell in cells:
        filing = reference(target, cell) if _is_of_part(cell, query, registry) else None
        if filing is None or (found := _claim(target, query, cell, filing, registry, len(claims))) is None:
            said += [cell.gap.text] if cell.gap else []
            continue
        filings[filing.accession] = filing
        claims.append(found)
        said += [f"{cell.gap.text} Its 10-K prints this row."] if cell.gap else []
    remarks = tuple(Remark(target=target.id, code=RemarkCode.PRINTED, text=one) for one in dict.fromkeys(said))
    return Printed(tuple(filings.values()), tuple(claims), remarks) if claims else None


def _is_of_part(cell: Cell, query: Query, registry: Registry) -> bool:
    measure = query.rows[cell.row].measure
    return (
        cell.gap is not None
        and cell.gap.code is Code.DIMENSIONAL_ONLY
        and cell.fiscal_period is FiscalPeriod.YEAR
        and isinstance(measure, Member)
        and isinstance(measure.of, OfConcept)
        and registry.concepts[measure.of.key].period is PeriodType.DURATION
    )


def reference(target: Target, cell: Cell) -> FilingRef | None:
    """The 10-K of a cell; None where its text is not held."""
    filing = Filing.objects.filter(accession=cell.accession).first()
    if filing is None or not filing.chunks_stored or cell.fiscal_year is None or filing.period_end is None:
        return None
    return FilingRef(
        target=target.id,
        filing=filing.pk,
        accession=filing.accession,
        form=filing.form,
        filed=filing.filed,
        fiscal_year=cell.fiscal_year,
        period_end=filing.period_end,
        url=filing.url,
    )


def _claim(
    target: Target, query: Query, cell: Cell, filing: FilingRef, registry: Registry, place: int
) -> Claim | None:
    measure = query.rows[cell.row].measure
    if not isinstance(measure, Member) or not isinstance(measure.of, OfConcept):
        return None
    read = texts(Section.objects.filter(filing=filing.filing).values_list("pk", flat=True))
    for row in PartRows(measure.label, measure.of.key, registry, filing).found(read.values()):
        if found := picked(row, target, filing, place):
            return claim(target, found, row.text.section)
    return None


@dataclass(frozen=True, slots=True)
class PartRows:
    """The rows in which the tables of a filing print a measure of a part for its own year.

    part: as the company calls it. key: of a concept.
    """

    part: str
    key: str
    registry: Registry
    filing: FilingRef

    @property
    def measure(self) -> Concept:
        """What is asked for of the part."""
        return self.registry.concepts[self.key]

    def found(self, read: Iterable[SectionText]) -> list[Row]:
        """Of all sections of the filing, the best first; none where two differ."""
        if not roots(self.part) - PLAIN - _VAGUE:
            return []
        found = [row for text in read for row in self._of(text)]
        figures = {
            _digits(one.figure) for row in found if (one := printed_row(row.text, row.start, row.end, self.filing))
        }
        return sorted(found, key=lambda row: -row.worth) if len(figures) == 1 else []

    def names(self) -> list[str]:
        """What the measure is called, each time by other words: revenue, sales; not by all words of another and more."""
        found: dict[frozenset[str], str] = {}
        for name in sorted((self.measure.label, *self.measure.aliases), key=len):
            found.setdefault(roots(name) - PLAIN, name)
        return [name for words, name in found.items() if words and not any(other < words for other in found if other)]

    def _of(self, text: SectionText) -> Iterator[Row]:
        seen: set[tuple[int, int]] = set()
        stands = text.text.lower()
        for name in self.names():
            asked_for = f"{self.part} {name}"
            if not all(word[:4] in stands for word in asked_for.lower().split()):
                continue
            query = SubQuery(label=asked_for, words=tuple(asked_for.split()))
            terms = asked(query, self.filing.filing).terms
            for row in named_rows(text, terms, roots(asked_for), "money", self.filing):
                if row.certain and (row.start, row.end) not in seen and self._is_it(row, asked_for):
                    seen.add((row.start, row.end))
                    yield row

    def _is_it(self, row: Row, asked_for: str) -> bool:
        """Whether a row is of all the words that are asked for, and nothing in its name makes it another figure: "Unit
        sales by product", "Non-operating income".

        Nor in what stands above the table, where the part or the measure stands there alone: it may name several.
        """
        told = about(row.text, row.start, row.end)
        label, own = NOTE.sub("", row.label), roots(asked_for)
        heads = " ".join(one.text for one in told if one.kind in {"group", "header"})
        above = " ".join(one.text for one in told if one.kind == "caption")
        more = f"{label} {heads}" if own - PLAIN <= roots(f"{label} {heads}") else f"{label} {heads} {above}"
        words, all_roots = set(_WORD.findall(f"{label} {heads} {above}".lower())), roots(f"{label} {heads} {above}")
        if not all(
            word in words or frozenset() < roots(word) <= all_roots for word in _WORD.findall(asked_for.lower())
        ):
            return False
        if roots(_ASIDE.sub(" ", more.lower())) - PLAIN - own - _DIVIDED:
            return False
        # "Cost of products sold" is of the whole company.
        of_whole = self.measure.fit(label) is Fit.ACCEPTED and not roots(self.part) - PLAIN <= roots(
            f"{heads} {above}"
        )
        return not of_whole

    def _is_of_another(self, row: Row) -> bool:
        """Whether its table is of another measure: costs of which it tells the share-based compensation."""
        told = about(row.text, row.start, row.end)
        headings = [one.text for one in told if one.kind == "heading"]
        named = self._named(" ".join((*(one.text for one in told if one.kind == "caption"), *headings[-1:])))
        return bool(named) and self.key not in named

    def _named(self, said: str) -> set[str]:
        """The measures that a text names by two words or more."""
        words = normalise(said).split()
        spans = (" ".join(words[at : at + size]) for size in range(2, MOST_WORDS + 1) for at in range(len(words)))
        return {key for span in spans for key in self.registry.aliases.get(span, ())}


def _digits(figure: str) -> str:
    return "".join(letter for letter in figure if letter.isdigit() or letter in "(-.")
