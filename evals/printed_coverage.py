"""How many figures of the tables of stored documents are read, and how many of these are as XBRL has them.

    python -m evals.printed_coverage [--list]

Of each form the share of the figures whose unit and period are read as certain. Where a document has inline XBRL, the read
figures of three digits and more are compared with its facts that are printed so under the same label: value, unit and
period must be those of one of them. `year` counts figures under a year alone that XBRL has as balances at its end,
`stretch` other balances under a stretch of time. --list prints those that differ otherwise.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

import django

django.setup()

from filings.models import Fact, Filing  # noqa: E402
from filings.tables.column_periods import NEAR, said_of  # noqa: E402
from filings.tables.every_table import every_table  # noqa: E402
from filings.tables.figures import YEAR, figure  # noqa: E402
from filings.tables.read_again import StoredText, subject_of  # noqa: E402
from filings.tables.reading import ReadCell, ReadRow  # noqa: E402
from filings.tables.table import PrintedTable  # noqa: E402

FEWEST_DIGITS = 3
BEST_FIRST = ("equal", "year", "stretch", "period", "unit", "value")
_NOTE = re.compile(r"\([a-z0-9]{1,2}\)")

Key = tuple[str, str]


def key_of(label: str, printed: str) -> Key:
    """A label and a figure without what is printed around them."""
    return re.sub(r"\W+", "", _NOTE.sub("", label.casefold())).rstrip("0123456789"), re.sub(r"[^\d.]", "", printed)


def printed_figures(texts: Sequence[StoredText]) -> int:
    """How many figures the rows of tables have behind their labels."""
    tables = (PrintedTable(text.text, block) for text in texts for block in text.blocks if block.rows)
    return sum(
        bool(cell.first and figure(cell.text) and not YEAR.fullmatch(cell.text))
        for one in tables
        for row in one.rows[one.header :]
        for cell in row
    )


def compared(cell: ReadCell, facts: Sequence[Fact]) -> str:
    """How near a read figure comes to one of the facts that are printed as it is."""
    return min((_compared(cell, fact) for fact in facts), key=BEST_FIRST.index)


def _compared(cell: ReadCell, fact: Fact) -> str:
    percent = fact.unit == "pure" and cell.unit == "percent"
    if abs(fact.value * 100 if percent else fact.value) != abs(cell.value):
        return "value"
    if not (percent or fact.unit == cell.unit or (cell.unit == "count" and fact.unit != "USD")):
        return "unit"
    if abs(fact.end - cell.period.end) > NEAR:
        return "period"
    if abs(fact.start - cell.period.start) <= NEAR:
        return "equal"
    alone = said_of(cell.column).year and not said_of(cell.column).day
    return ("year" if alone else "stretch") if fact.start == fact.end else "period"


def read_cells(filing: Filing, texts: Sequence[StoredText]) -> Iterator[tuple[ReadRow, ReadCell]]:
    for one in every_table(texts, subject_of(filing)):
        for row in one.rows:
            for cell in row.cells:
                yield row, cell


def main(show: bool) -> None:
    shares: dict[str, Counter[str]] = defaultdict(Counter)
    agreement: Counter[str] = Counter()
    for filing in Filing.objects.filter(sections__isnull=False).distinct().select_related("company"):
        texts = [
            StoredText(one.text, one.parsed_blocks, one.parsed_pages) for one in filing.sections.order_by("number")
        ]
        facts: dict[Key, list[Fact]] = defaultdict(list)
        for fact in filing.facts.filter(source=Fact.Source.DOCUMENT).exclude(label=""):
            facts[key_of(fact.label, fact.printed)].append(fact)
        share = shares[filing.form or "imported"]
        share["printed"] += printed_figures(texts)
        for row, cell in read_cells(filing, texts):
            share["read"] += bool(figure(cell.text))
            key = key_of(row.label, cell.text)
            # Of what a schedule says of years to come the period is not XBRL's.
            to_come = cell.period.end > (filing.period_end or date.max)
            if key not in facts or len(key[1].replace(".", "").strip("0")) < FEWEST_DIGITS or to_come:
                continue
            agreement[told := compared(cell, facts[key])] += 1
            if show and told in BEST_FIRST[3:]:
                print(told, filing, row.label, cell, sep=" | ")
    for form, share in sorted(shares.items()):
        print(
            f"{form}: {share['read']:,} of {share['printed']:,} figures read ({share['read'] / share['printed']:.1%})"
        )
    print("beside XBRL:", ", ".join(f"{told} {agreement[told]:,}" for told in BEST_FIRST))


if __name__ == "__main__":
    main("--list" in sys.argv)
