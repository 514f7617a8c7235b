"""Which rows of a document are balances of a day under any heading: by what its XBRL has under their labels."""

from collections.abc import Iterable
from datetime import date
from typing import Protocol

from filings.models import Fact, Filing
from filings.tables.cell_meanings import plain_label
from filings.tables.column_periods import Balances
from filings.tables.counted_units import says_nothing

LONGEST_LABEL = 500


class Labelled(Protocol):
    """A fact with the label of its row."""

    @property
    def label(self) -> str: ...
    @property
    def dimensions(self) -> str: ...
    @property
    def start(self) -> date: ...
    @property
    def end(self) -> date: ...


def balances_of(facts: Iterable[Labelled]) -> Balances:
    """The labels under which a document's facts are all of days."""
    whole, parts, flows = set[str](), set[str](), set[str]()
    for fact in facts:
        label = plain_label(fact.label[:LONGEST_LABEL]).casefold()
        if fact.start != fact.end:
            flows.add(label)
        elif not says_nothing(label):
            (parts if fact.dimensions else whole).add(label)
    return Balances(frozenset(whole - flows), frozenset(parts - flows - whole))


def balances_in(filing: Filing) -> Balances:
    """The same of the facts that are stored of a filing's document."""
    facts = filing.facts.filter(source=Fact.Source.DOCUMENT).exclude(label="")
    return balances_of(facts.only("label", "dimensions", "start", "end"))
