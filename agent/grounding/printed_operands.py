"""The rows of printed tables and sentences that a formula may be made of: named by label, table, unit and dates, without
figures.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from agent.grounding.candidates import Candidate
from agent.numbers.printed.printed_rows import FoundRow, rows_near
from agent.numbers.registry.registry import load
from agent.numbers.registry.units import in_formulas
from agent.query.words.lexicon import lexicon_of
from agent.refusals.grammar import listed
from agent.state.query import Printed
from agent.words.stems import roots
from agent.words.tokens import tokenise
from filings.models import Filing
from filings.models.source_kinds import ANNUAL

# Printed rows of one question, the filings that they are looked for in, and how many of them are compared for that.
MOST_PRINTED, MOST_FILINGS, MOST_COMPARED = 30, 6, 120
# Dates and characters of a name and a title that are told.
MOST_DATES, LONGEST_NAME, LONGEST_TITLE = 3, 90, 40
# Kinds of words of a title that are true of some of its rows alone: "adjusted", "change in", "excluding".
OF_SOME_ROWS = ("non_gaap", "operation", "guard", "qualifier", "currency", "interim", "comparator")


def printed_operands(filings: Sequence[Filing], words: str, known: Collection[str]) -> tuple[Candidate, ...]:
    """The printed rows nearest to the words of a question, but for those that known labels name."""
    held_otherwise = {roots(one) for one in known}
    held = {one.pk: one for one in filings[:MOST_FILINGS]}
    found: dict[str, Candidate] = {}
    rows = rows_near(list(held), words, MOST_COMPARED)
    for row in (one for one in rows if roots(one.label) not in held_otherwise):
        for one in _operands(row, held):
            found.setdefault(one.label, one)
    return tuple(found.values())[:MOST_PRINTED]


def _operands(row: FoundRow, held: Mapping[int, Filing]) -> Iterator[Candidate]:
    name = f"{row.heading}: {row.label}" if row.heading else row.label
    if not roots(name):
        return
    for unit in dict.fromkeys(cell.unit for cell in row.cells):
        cells = [cell for cell in row.cells if cell.unit == unit]
        dates = dict.fromkeys(f"{cell.period.end:%b %Y}" for cell in cells)
        kind = held[row.filing].kind
        title = row.title.rpartition("\u203a")[2].strip()
        table = ", ".join(filter(None, (title[:LONGEST_TITLE], "" if kind is ANNUAL else kind.called)))
        measure = Printed(
            words=name,
            accession=held[row.filing].accession,
            section=row.section,
            start=cells[0].start,
            unit=in_formulas(unit),
        )
        told = f"{name[:LONGEST_NAME]} | printed in: {table or 'a table'}, {listed(list(dates)[:MOST_DATES])}"
        yield Candidate(id="", label=told, measure=measure, names=(name, f"{_plain(row.title)} {name}"))


def _plain(title: str) -> str:
    """The words of a table's title that are true of each of its rows: "debt investments" of "adjusted debt investments"."""
    tokens = tokenise(title)
    apart = {one for part in lexicon_of(load()).matches(tokens) if part.has(*OF_SOME_ROWS) for one in part.places}
    return " ".join(one.text for place, one in enumerate(tokens) if place not in apart)


def filings_near(ciks: Sequence[int], years: Sequence[int]) -> list[Filing]:
    """The documents of companies that may print what is asked: of these fiscal years, the newest first; without years
    the newest of all.
    """
    found = Filing.objects.searched().filter(company__cik__in=ciks).select_related("company")
    found = found.filter(fiscal_year__in=years) if years else found
    return list(found.order_by("-filed", "pk")[:MOST_FILINGS])
