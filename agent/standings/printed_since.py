"""The figures of saved answers that only a text prints, in the documents that came since."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cached_property

from agent.models import CitedFact
from agent.numbers.basis.moved_figures import repeats
from agent.numbers.printed.printed_rows import StoredTable, folded, tables_of
from filings.models import Company, Fact, Filing
from filings.tables.column_periods import NEAR
from filings.tables.printed_cells import TAXONOMY, fact_of, period_ends, tag_of
from filings.xbrl.later_filings import Later

# What a table is called, and a figure of it.
Called = tuple[frozenset[str], Fact]


class PrintedSince:
    """What the documents of some companies print of cited figures: in a row of the same name, in a table that is called the
    same, for the same period and in the same unit. Guidance is no result, and is compared with none.
    """

    def __init__(self, cited: Collection[CitedFact]) -> None:
        self.cited = [one for one in cited if one.taxonomy == TAXONOMY]

    @cached_property
    def documents(self) -> dict[int, list[Filing]]:
        """The reports and releases that print anything, by CIK, the oldest first."""
        found: dict[int, list[Filing]] = defaultdict(list)
        companies = Company.objects.filter(cik__in={one.cik for one in self.cited})
        first = min(one.filed for one in self.cited)
        held = Filing.objects.filter(company__in=companies, withdrawn=None, printed_tables__isnull=False)
        for one in held.filter(filed__gte=first).select_related("company").distinct().order_by("filed", "pk"):
            if one.kind.prints_statements:
                found[one.company.cik].append(one)
        return found

    @cached_property
    def printed(self) -> dict[int, dict[str, list[Called]]]:
        """By filing and name, what its rows of the names of the cited figures print."""
        wanted: dict[int, set[str]] = defaultdict(set)
        for one in self.cited:
            wanted[one.cik].add(one.tag)
        found: dict[int, dict[str, list[Called]]] = {}
        for cik, tags in wanted.items():
            for filing in self.documents[cik]:
                found[filing.pk] = defaultdict(list)
                for called, fact in printed_by(filing, tags):
                    found[filing.pk][fact.tag].append((called, fact))
        return found

    def later(self) -> dict[int, list[Later]]:
        """By primary key of the cited figure, the values of later documents, the oldest first; where a document prints
        several that differ, none of it.
        """
        found: dict[int, list[Later]] = defaultdict(list)
        for one in self.cited:
            for filing in self.documents[one.cik]:
                same = [fact for fact in self.of(one, filing) if is_of_period(fact, one)]
                if filing.filed > one.filed and same and all(repeats(fact, same[0]) for fact in same):
                    found[one.pk].append(Later(0, filing.pk, filing.filed, same[0].value, same[0].decimals))
        return found

    def of(self, cited: CitedFact, filing: Filing) -> Iterator[Fact]:
        """The figures of a document under the name and in the unit of a cited one, of any period."""
        documents = self.documents[cited.cik] if cited.taxonomy == TAXONOMY else ()
        own = next((one for one in documents if one.accession == cited.accession), None)
        if own is None or filing.pk not in self.printed:
            return
        tables = {
            called
            for called, fact in self.printed[own.pk][cited.tag]
            if is_of_period(fact, cited) and repeats(fact, cited)
        }
        for called, fact in self.printed[filing.pk][cited.tag]:
            if called in tables and fact.unit == cited.unit:
                yield fact


def printed_by(filing: Filing, tags: Collection[str]) -> Iterator[Called]:
    """The results that a document prints in rows of these names."""
    ends = period_ends(filing)
    for table in tables_of(filing.pk):
        for row in table.rows:
            if not row.guidance and tag_of(row) in tags:
                for cell in row.cells:
                    yield called(table), fact_of(filing, table.section, table.page, row, cell, ends)


def called(table: StoredTable) -> frozenset[str]:
    """The words of the line that names a table, without those of its period."""
    return frozenset(word for word in folded(table.nearest) if word.isalpha())


def is_of_period(fact: Fact, cited: CitedFact) -> bool:
    """Whether a printed figure is of the period of a cited one."""
    return abs(fact.start - cited.start) <= NEAR and abs(fact.end - cited.end) <= NEAR
