"""The figures that sentences give with certainty: number, unit, what is counted, of whom or where, and of which period.

They are read like the rows of a table: once, when a document is, and again at their place before an answer shows one.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from filings.document.blocks import Block
from filings.document.sentences import sentence_spans
from filings.tables.column_periods import Period, Subject, years_later
from filings.tables.figures import CURRENCIES
from filings.tables.reading import ReadCell, ReadRow
from filings.tables.sentence_dates import Calendar, dates_in, shifted
from filings.tables.sentence_grammar import Given, figures_given
from filings.tables.sentence_tokens import WORDS, tokens_of

LONGEST_SENTENCE = 700
LONGEST_HEADING = 120
# Days behind the document's period within which a count is still of it: shares outstanding on the cover.
SOON = timedelta(days=120)
# What a sentence with a figure has: a sign, a percent, a scale, or a number before or behind a word.
_HAS_FIGURE = re.compile(r"[$€£%]|\d\s(?:thousand|million|billion|trillion|percent|cents)\b|\d,\d{3}|\s\d{2,3}\s[a-z]")
_OUTLOOK = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['outlook headings']))})\b", re.IGNORECASE)


def sentence_figures(text: str, blocks: Sequence[Block], subject: Subject, currency: str) -> tuple[ReadRow, ...]:
    """The figures of a section's sentences as rows, in order. currency: of the document's sign of dollars."""
    return tuple(_Reader(text, blocks, subject, currency).rows())


class _Reader:
    """Reads the sentences of one section, with the headings above them."""

    def __init__(self, text: str, blocks: Sequence[Block], subject: Subject, currency: str) -> None:
        self.text, self.blocks, self.subject = text, blocks, subject
        self.currency = currency if currency.endswith("D") else CURRENCIES["$"]
        self.calendar = Calendar.of(subject)
        self.heading, self.heads_outlook, self.heads_period = "", False, None

    def rows(self) -> Iterator[ReadRow]:
        for block in self.blocks:
            if block.kind == "heading":
                self._under(block)
            elif not block.rows:
                yield from self._of_block(block)

    def _under(self, block: Block) -> None:
        said = " ".join(self.text[block.start : block.end].split())
        self.heading = "" if block.level == 1 or len(said) > LONGEST_HEADING else said
        self.heads_outlook = bool(_OUTLOOK.search(said)) and len(said) <= LONGEST_HEADING

    def _of_block(self, block: Block) -> Iterator[ReadRow]:
        if not _HAS_FIGURE.search(self.text, block.start, block.end):
            return
        for start, end in sentence_spans(self.text, block.start, block.end):
            if end - start > LONGEST_SENTENCE or not _HAS_FIGURE.search(self.text, start, end):
                continue
            if self.text[end - 1] == "?":
                continue
            tokens = tokens_of(self.text, start, end, self.calendar, self.currency)
            found: dict[tuple[str, str, bool], list[ReadCell]] = {}
            for given in figures_given(tokens, outlook=self.heads_outlook):
                period = self._period(given)
                if period is None:
                    continue
                one = given.quantity
                cell = ReadCell(
                    given.start,
                    given.end,
                    self.text[given.start : given.end],
                    one.value,
                    one.unit,
                    one.power,
                    one.digits,
                    period,
                    given.limit,
                )
                found.setdefault((given.label, given.scope, given.guidance), []).append(cell)
            for (label, scope, guidance), cells in found.items():
                heading = ", ".join(filter(None, (self.heading, scope)))
                yield ReadRow(label, heading, tuple(cells), guidance)

    def _period(self, given: Given) -> Period | None:
        """The period of a figure; None where it is not certain, or not of the time that its words speak of."""
        end = self.subject.end
        if end is None:
            return None
        if given.guidance:
            told = given.dated
            if told is None:
                return None
            found = told.ahead or (told.periods[0] if len(told.periods) == 1 else None)
            return found if found and found.end > end else None
        found = self._told(given)
        return found if found and found.end <= end + SOON else None

    def _told(self, given: Given) -> Period | None:
        told = given.dated
        if told is None:
            own = self.calendar.own
            if own is None:
                return None
            if given.present and not given.moves:
                return Period(own.end, own.end)
            return own if given.moves and self.subject.annual else None
        if told.periods:
            return told.periods[given.place] if given.place < len(told.periods) else None
        base = given.base.periods[0] if given.base and given.base.periods else None
        if told.before and base:
            return _before(base, told.before, quarters=told.quarters)
        return None


def _before(period: Period, number: int, *, quarters: bool) -> Period:
    """The period a number of years or quarters before another."""
    if quarters:
        return Period(
            shifted(period.start - timedelta(days=1), -number) + timedelta(days=1), shifted(period.end, -number)
        )
    instant = period.start == period.end
    end = years_later(period.end, -number)
    return Period(end if instant else years_later(period.start - timedelta(days=1), -number) + timedelta(days=1), end)


__all__ = ["dates_in", "sentence_figures"]
