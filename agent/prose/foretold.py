"""Sentences of guidance: what a company expects of a period to come answers no question for one that is over."""

from bisect import bisect_left

from agent.state import FilingRef, Period, Topic
from agent.words.printed_words import said
from agent.words.tokens import tokenise
from filings.models import PrintedTable
from filings.models.source_kinds import CALL, CURRENT
from filings.tables.outlook_tables import OUTLOOK
from filings.xbrl.periods import FiscalPeriod

_LAST_QUARTER = 4


def asks_of_past(topic: Topic, period: Period, filing: FilingRef) -> bool:
    """Whether a period that a document reports is named, and nothing that a company expects of it."""
    if not period.text or not {*said("guided").split(), *said("to_come").split()}.isdisjoint(
        token.base for token in tokenise(topic.text)
    ):
        return False
    if period.end:
        return period.end <= filing.period_end
    part = period.part.quarter if isinstance(period.part, FiscalPeriod) else None
    if period.year is None and part is None:
        return True
    asked = (period.year or filing.fiscal_year, part or _LAST_QUARTER)
    return asked <= (filing.fiscal_year, filing.fiscal_quarter or _LAST_QUARTER)


class Foretold:
    """Where a document guides: by the figures that were read of it, and in a release or a call by the heading above."""

    def __init__(self, filing: FilingRef) -> None:
        self.is_headed = filing.source in {CURRENT.key, CALL.key}
        self.places: dict[int, list[int]] = {}
        for table in PrintedTable.objects.filter(filing=filing.filing, kind=PrintedTable.Kind.SENTENCES):
            for _, _, cells, *guidance in table.content["rows"]:
                if guidance:
                    self.places.setdefault(table.section, []).extend(table.start + cell[1] for cell in cells)
        for places in self.places.values():
            places.sort()

    def holds(self, section: int, start: int, end: int, heading: str) -> bool:
        """Whether a stretch of a section, by number, states guidance, or stands under its heading."""
        places = self.places.get(section, [])
        place = bisect_left(places, start)
        return (place < len(places) and places[place] < end) or bool(self.is_headed and OUTLOOK.search(heading))
