"""The figures that sentences give with certainty: number, unit, what is counted, of whom or where, and of which period.

They are read like the rows of a table: once, when a document is, and again at their place before an answer shows one.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from filings.document.blocks import Block
from filings.document.sentences import sentence_spans
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import NEAR, QUARTER, Period, Subject
from filings.tables.every_table import ReadTable
from filings.tables.failures import Failures
from filings.tables.outlook_tables import HIGH, LOW, OUTLOOK, PREVIOUS, outlook_rows, to_come
from filings.tables.printed_facts import Text, currency_of
from filings.tables.printed_numbers import CURRENCIES
from filings.tables.sentence_dates import Calendar, Dated, dates_in, earlier
from filings.tables.sentence_grammar import Clauses
from filings.tables.sentence_labels import led_by, limits, signed
from filings.tables.sentence_patterns import EARLIER, Given
from filings.tables.sentence_tokens import TAGS, THINGS, WORDS, tags_of, tokens_of
from filings.tables.table_units import SHARES

SENTENCES = "sentences"
LONGEST_SENTENCE = 700
LONGEST_HEADING = 120
# Days behind the document's period within which a count is still of it: shares outstanding on the cover.
SOON = timedelta(days=120)
# What a sentence with a figure has: a sign, a percent, a scale, or a number before or behind a word.
_HAS_FIGURE = re.compile(r"[$€£%]|\d\s(?:thousand|million|billion|trillion|percent|cents)\b|\d,\d{3}|\s\d{2,3}\s[a-z]")
_COMPARED = re.compile(r"\b(?:versus|vs|compared)\b", re.IGNORECASE)


# A name that opens the paragraph above a list: "Northwind One (a sensor), ..."; the list is of it.
_NAME = re.compile(r"(?P<name>[A-Z][\w\u00ae\u2122-]*(?:\s+[A-Z&][\w\u00ae\u2122-]*){0,4})\s*[(\u2014\u2013:]")
BULLETS = frozenset("\u2022\u25cf\u25aa\u25a0\u25e6\u25cb")
_PREVIOUS = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['previous'], key=len, reverse=True))})\b", re.IGNORECASE)
_OF_RESULTS = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['outlook verbs']))})\b", re.IGNORECASE)


def every_sentence(
    sections: Sequence[Text], subject: Subject, failures: Failures | None = None
) -> Iterator[ReadTable]:
    """The figures of the sentences of a document's sections: of each section that has some, one table without a title.
    failures: takes the sections that could not be read.
    """
    currency, failures = currency_of(sections), failures or Failures()
    for number, section in enumerate(sections, 1):
        with failures.at(f"section {number}"):
            if rows := sentence_figures(section.text, section.blocks, subject, currency):
                cells = [cell for row in rows for cell in row.cells]
                start, end = min(cell.start for cell in cells), max(cell.end for cell in cells)
                yield ReadTable(number, SENTENCES, start, end, "", "", rows)


def sentence_figures(
    text: str, blocks: Sequence[Block], subject: Subject, currency: str, at: Collection[int] | None = None
) -> tuple[ReadRow, ...]:
    """The figures of a section's sentences, and of its tables of guidance, as rows, in order.

    currency: of the document's sign of dollars. at: offsets of figures that are read again, of whose sentences and tables
    alone rows are wanted; None for all.
    """
    return tuple(_Reader(text, blocks, subject, currency, at).rows())


class _Reader:
    """Reads the sentences of one section, with the headings above them."""

    def __init__(
        self, text: str, blocks: Sequence[Block], subject: Subject, currency: str, at: Collection[int] | None
    ) -> None:
        self.text, self.blocks, self.subject, self.at = text, blocks, subject, at
        self.documents = currency
        self.currency = currency if currency.endswith("D") else CURRENCIES["$"]
        self.calendar = Calendar.of(subject)
        # The headings above by their level, the last two of them, and the name that opens the paragraph above a list.
        self.headings: dict[int, str] = {}
        self.heading, self.opening = "", ""
        # Whether what stands below is guidance, and what dates it; the period of results below.
        self.outlook = False
        self.ahead: Dated | None = None
        self.told: Period | None = None
        # The level of the heading that dates what stands below it; whether what is not dated is of a certain period.
        self.dated, self.is_told = 0, True

    def rows(self) -> Iterator[ReadRow]:
        for number, block in enumerate(self.blocks):
            if block.kind == "heading":
                self._under(block)
            elif block.rows and self._asked(block.start, block.end):
                place = (self.text, self.blocks, number, self.subject, self.documents)
                yield from outlook_rows(*place, outlook=self.outlook, ahead=self.ahead)
            elif not block.rows:
                yield from self._of_block(block)

    def _asked(self, start: int, end: int) -> bool:
        """Whether rows of a part of the text are wanted."""
        return self.at is None or any(start <= one < end for one in self.at)

    def _under(self, block: Block) -> None:
        """Take what a heading says of the figures below it."""
        said = " ".join(self.text[block.start : block.end].split())
        self.opening = ""
        self.headings = {level: one for level, one in self.headings.items() if level < block.level}
        if block.level > 1 and len(said) <= LONGEST_HEADING:
            self.headings[block.level] = said
        self.heading = ", ".join(list(self.headings.values())[-2:])
        self.outlook = bool(OUTLOOK.search(said)) and not _OF_RESULTS.search(said) and len(said) <= LONGEST_HEADING
        dates = dates_in(said, self.calendar)
        self.ahead = to_come([one for one in dates if self.outlook or not one.ahead], self.subject)
        if dates:
            self.dated = block.level
            self.told = self._headed(said, dates)
            self.is_told = self.told is not None
        elif block.level <= self.dated:
            # Beside a heading of another period stands more of that than the document's own.
            certain = block.level < self.dated or self._is_own(self.told)
            self.dated, self.told, self.is_told = 0 if certain else self.dated, None, certain

    def _headed(self, said: str, dates: Sequence[Dated]) -> Period | None:
        """The one period that a heading tells; of "2024 compared with 2023" the first."""
        compared = len(dates) == 2 and _COMPARED.search(said, dates[0].end, dates[1].start)
        found = dates[0].periods if len(dates) == 1 or compared else ()
        ends, starts = [0, *(one.end for one in dates)], [*(one.start for one in dates), len(said)]
        rest = " ".join(said[first:last] for first, last in zip(ends, starts, strict=True)).lower().split()
        certain = len(found) == 1 and found[0].months >= QUARTER and not WORDS["unread times"].intersection(rest)
        return found[0] if certain else None

    def _is_own(self, period: Period | None) -> bool:
        """Whether a period ends with the document's."""
        end = self.subject.end
        return bool(period and end and abs(period.end - end) <= NEAR)

    def _introduced(self, block: Block) -> None:
        """Take what a line says of the list below it: "Our outlook for fiscal 2025 is as follows:", "Full year 2025"."""
        said = self.text[block.start : block.end].rstrip()
        if len(said) > LONGEST_HEADING and not said.endswith(":"):
            return
        if OUTLOOK.search(said) and not _OF_RESULTS.search(said) and (said.endswith(":") or not said.endswith(".")):
            self.outlook, self.ahead = True, to_come(dates_in(said, self.calendar), self.subject) or self.ahead
        elif self.outlook and not _HAS_FIGURE.search(said):
            self.ahead = to_come(dates_in(said, self.calendar), self.subject) or self.ahead

    def _of_block(self, block: Block) -> Iterator[ReadRow]:
        if block.start >= block.end:
            return
        self._introduced(block)
        listed = block.kind == "bullet" or self.text[block.start] in BULLETS
        if not listed:
            name = _NAME.match(self.text, block.start, block.end)
            self.opening = (
                name["name"]
                if name and not name["name"].isupper() and not dates_in(name["name"], self.calendar)
                else ""
            )
        if not self._asked(block.start, block.end) or not _HAS_FIGURE.search(self.text, block.start, block.end):
            return
        lead: str | None = ""
        for start, end in sentence_spans(self.text, block.start, block.end):
            if start == block.start and end < block.end and end - start <= LONGEST_HEADING:
                lead = self._lead(start, end)
            if (
                end - start <= LONGEST_SENTENCE
                and lead is not None
                and self._asked(start, end)
                and self.text[end - 1] != "?"
                and _HAS_FIGURE.search(self.text, start, end)
            ):
                yield from self._of_sentence(start, end, (self.opening if listed else "", lead))

    def _lead(self, start: int, end: int) -> str | None:
        """What a block begins with before its first sentence: "Americas. Net sales grew 4%."; "" where that is one itself."""
        if _HAS_FIGURE.search(self.text, start, end):
            return ""
        words = tokens_of(self.text, start, end, self.calendar, self.currency)
        while words and words[-1].tag == TAGS["boundary"]:
            words.pop()
        return led_by(words)

    def _of_sentence(self, start: int, end: int, leads: Sequence[str]) -> Iterator[ReadRow]:
        tokens = tokens_of(self.text, start, end, self.calendar, self.currency)
        found: dict[tuple[str, str, bool], list[ReadCell]] = {}
        own = self.told or (self.calendar.own if self.subject.annual and self.is_told else None)
        told = Dated(0, 0, (own,)) if own else None
        read = Clauses(tokens, outlook=self.outlook, ahead=self.ahead, told=told).read()
        for given in (*read, *self._before(read, end)):
            period, one = self._period(given), given.quantity
            if period:
                said = self.text[given.start : given.end]
                unit = SHARES if one.unit == THINGS and SHARES in given.label.split()[:3] else one.unit
                cell = ReadCell(
                    given.start, given.end, said, one.value, unit, one.power, one.digits, period, given.limit
                )
                found.setdefault((given.label, given.scope, given.guidance), []).append(cell)
        for (label, scope, guidance), cells in found.items():
            yield ReadRow(label, ", ".join(filter(None, (self.heading, *leads, scope))), tuple(cells), guidance)

    def _before(self, read: Sequence[Given], end: int) -> Iterator[Given]:
        """What was guided before, behind what is guided now: "9 percent (previously 8 percent)"."""
        starts = [one.start for one in read]
        for given in read:
            last = min((start for start in starts if start > given.start), default=end)
            said = _PREVIOUS.search(self.text, given.end, last) if given.guidance and given.limit != LOW else None
            tokens = tokens_of(self.text, said.end(), last, self.calendar, self.currency) if said else []
            match = EARLIER.match(tags_of(tokens))
            if said is None or match is None:
                continue
            if said[0].lower() not in WORDS["previously"] and TAGS["outlook"] not in match[0]:
                continue  # "an initial $5 million"
            figure, other = tokens[match.start("figure")], tokens[match.start("other")] if match["other"] else None
            found = limits(figure, other) if other else [figure]
            names = [f"{PREVIOUS} {LOW}", f"{PREVIOUS} {HIGH}"] if other else [PREVIOUS]
            for one, limit in zip(found, names, strict=False):
                quantity = signed(one, "d" if given.quantity.value < 0 else None)
                if quantity.unit == given.quantity.unit:
                    yield replace(given, quantity=quantity, start=one.start, end=one.end, limit=limit)

    def _period(self, given: Given) -> Period | None:
        """The period of a figure; None where it is not certain, or not of the time that its words speak of."""
        end = self.subject.end
        if end is None:
            return None
        if given.guidance:
            told = given.dated or self.ahead
            found = told and (told.ahead or (told.periods[0] if len(told.periods) == 1 else None))
            return found if found and found.end > end else None
        found = self._dated(given, given.dated) if given.dated else self._undated(given)
        return found if found and found.end <= end + SOON else None

    def _dated(self, given: Given, told: Dated) -> Period | None:
        if told.periods:
            return told.periods[given.place] if given.place < len(told.periods) else None
        base = given.base.periods[0] if given.base and given.base.periods else None
        if not given.base or not told.before:
            return told.behind
        return earlier(base, told.before, quarters=told.quarters) if base else None

    def _undated(self, given: Given) -> Period | None:
        """The period of a figure without a date: the document's, where its verb or a heading tells that it is of this."""
        own = self.calendar.own if self.is_told else None
        if own and given.present and not given.moves:
            return Period(own.end, own.end)
        return self.told or (own if given.moves and self.subject.annual else None)
