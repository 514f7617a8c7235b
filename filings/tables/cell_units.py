"""The unit and the scale of each cell of a table; none where these are not certain."""

import re
from collections import Counter
from decimal import Decimal
from functools import lru_cache

from filings.tables.column_periods import said_of
from filings.tables.counted_units import is_other, may_count, says_number_of
from filings.tables.printed_numbers import Figure, figure
from filings.tables.table import Cell, PrintedTable
from filings.tables.table_units import (
    CACHED,
    MONEY,
    PER_SHARE,
    PERCENT,
    SHARES,
    TableUnit,
    counted_in,
    kind_said,
    own_power,
    table_unit,
)

COUNT = "count"
_BRACKETS = re.compile(r"\([^()]*\)")
_AVERAGE = re.compile(r"\bweighted[\s-]+average\b", re.IGNORECASE)
_SHARES_LAST = re.compile(r"\bshares\W*$", re.IGNORECASE)
FULL_COUNT = Decimal(1_000_000)  # shares printed without a scale that are not in thousands
MOST_MONEY = Decimal(10) ** 13
# Labels that say nothing of what is counted: it is told above them.
_LEFT_OPEN = re.compile(
    r"\W*(?:assuming\s+)?(?:basic|dilut(?:ed|ion))(?:\s+and\s+(?:basic|diluted))?\W*", re.IGNORECASE
)
# The name of a class of stock, whose price, income or number the heading tells.
_STOCK = re.compile(r"\W*(?:(?:class|series)\s+[\w-]+\s+)?(?:common|preferred)\s+stock\W*", re.IGNORECASE)
_PERCENT_OF_NUMBER = re.compile(r"\d\s*%")
_CENTS = re.compile(r"\bcents\b", re.IGNORECASE)
_SIGN_OF_PERCENT = re.compile(r"%|\bpercent", re.IGNORECASE)


class CellUnits:
    """The units of a table's cells. unit: what stands above it says. usual: what its section says of all tables.

    currency: its own, else the document's. parts: whether columns may name other things than the company's periods; a
    figure is then one of money only where the table shows it. unsigned: whether a table needs no currency's sign for that:
    it goes on from another page, or its document prints none.
    """

    def __init__(
        self,
        table: PrintedTable,
        unit: TableUnit,
        currency: str,
        *,
        usual: TableUnit,
        parts: bool,
        unsigned: bool,
    ) -> None:
        self.table, self.unit, self.currency, self.parts = table, unit if unit.known else usual, currency, parts
        self.is_told, self.unsigned = unit.known, unsigned and unit.known
        self.told = {
            cell.start: told
            for place in range(table.header, len(table.rows))
            for cell in table.figures(place)
            if (told := figure(cell.text))
        }
        digits = Counter(one.digits for one in self.told.values() if not one.percent)
        self.digits = digits.most_common(1)[0][0] if digits else 0
        self.signed = {
            (cell.first, cell.last)
            for place in range(table.header, len(table.rows))
            for cell in table.figures(place)
            if (told := self.told.get(cell.start)) and told.sign
        }
        self.of_money = self._of_money()

    def _of_money(self) -> set[int]:
        """The rows that are of money unless they say otherwise: not those from a row of shares or things,
        or from new headings, to the next sign."""
        found: set[int] = set()
        shown, heads = True, self.table.header
        for place in range(self.table.header, len(self.table.rows)):
            cells = self.table.figures(place)
            if self.signed and len(self.table.heads(place)) != heads:
                # Columns that are named anew may be of other things.
                shown, heads = False, len(self.table.heads(place))
            if self._has_sign(place):
                shown = True
            elif self.signed and cells and self._is_other_kind(self.table.label(place)):
                shown = False
            if shown:
                found.add(place)
        return found

    def _has_sign(self, place: int) -> bool:
        return any(told.sign for cell in self.table.figures(place) if (told := self.told.get(cell.start)))

    def _is_other_kind(self, label: str) -> bool:
        return kind_said(label) == SHARES or says_number_of(label)

    def of(
        self, told: Figure, cell: Cell, place: int, label: str, heading: str, column: str
    ) -> tuple[str, int] | None:
        """Unit and power of ten of a figure; None where they are not certain. column: the words of its column."""
        if told.percent:
            return PERCENT, 0
        if _CENTS.search(" ".join((label, heading, column))):
            return None
        if not self.parts:
            kind = counted_in(label, heading)
            if not kind or (_LEFT_OPEN.fullmatch(label) and counted_in(heading, "") == MONEY):
                return None
            return self._scaled(told, kind, label, heading, "")
        kind = self._kind(told, cell, place, label, heading, column)
        return self._scaled(told, kind, label, heading, column) if kind else None

    def _kind(self, told: Figure, cell: Cell, place: int, label: str, heading: str, column: str) -> str:
        """What a figure beside parts is of; "" where that is not certain."""
        by_column = kind_of_column(column)
        if by_column == PER_SHARE:
            return by_column if told.digits else ""
        if by_column in (PERCENT, SHARES):
            return "" if told.sign else by_column
        if by_column == "?" or (_LEFT_OPEN.fullmatch(label) and counted_in(heading, "") == MONEY):
            return ""
        names = (label, said_of(_BRACKETS.sub(" ", column)).words)
        if any(says_number_of(one) for one in names):
            return "" if told.sign else COUNT
        by_label = "" if _PERCENT_OF_NUMBER.search(label) else kind_said(label)
        by_heading = kind_said(heading)
        named = by_heading in (SHARES, PER_SHARE) and _STOCK.fullmatch(label)
        kind = by_heading if named else by_label or counted_in("", heading)
        if kind == PERCENT:
            printed = [one for cell in self.table.figures(place) if (one := self.told.get(cell.start))]
            is_said = _SIGN_OF_PERCENT.search(label) or _SIGN_OF_PERCENT.search(heading)
            return PERCENT if (is_said or any(one.percent for one in printed)) and not told.sign else ""
        if kind == PER_SHARE:
            return kind if told.digits else ""
        if kind != MONEY:
            return "" if kind == "?" else kind
        if any(is_other(one) for one in names) and (told.digits or not told.sign):
            return ""
        if any(may_count(one) for one in names) and not self.signed and (self.unit.currency or not self.is_told):
            return COUNT
        if may_count(label) and self.signed and not self._has_sign(place):
            return ""  # "Stores" among amounts: their revenue, or how many
        own = own_power(label)
        if own not in (None, self.unit.money) and not told.sign:
            return ""  # a scale of its own, of money or of things
        shown = place in self.of_money and (self.signed or self.unsigned or self.unit.signed)
        # A column of a part or a kind may be of other things than that beside it.
        if names[1] and self.signed and (cell.first, cell.last) not in self.signed:
            return ""
        return MONEY if shown and not (may_count(label) and not self.signed) else ""

    def _scaled(self, told: Figure, kind: str, label: str, heading: str, column: str) -> tuple[str, int] | None:
        if kind == PERCENT:
            return ("percent", 0) if self.parts else None
        if kind == PER_SHARE:
            certain = self.currency and (told.digits or (told.sign and not self.parts))
            return (f"{self.currency}/shares", 0) if certain else None
        of_column = table_unit(column) if column else TableUnit()
        own = next((power for one in (label, heading) if (power := own_power(one)) is not None), None)
        if kind == COUNT:
            return self._counted(told, own if own is not None else own_power(column))
        if kind == SHARES:
            power = own if own is not None else of_column.shares if of_column.known else self.unit.shares
            if power is None and told.value >= FULL_COUNT and not told.digits:
                power = 0
            return ("shares", power) if power is not None and not told.sign else None
        power = own if own is not None else of_column.money if of_column.known else self.unit.money
        if not self.currency or power is None or (told.digits > self.digits and power):
            return None
        # A count printed in full among thousands or millions is no amount of these.
        return (self.currency, power) if told.sign or abs(told.value.scaleb(power)) < MOST_MONEY else None

    def _counted(self, told: Figure, own: int | None) -> tuple[str, int] | None:
        """A count of things: its scale is its own, or none where the table's is of money alone or not told."""
        if own is not None:
            return COUNT, own
        of_money = not self.unit.known or bool(self.unit.currency) or not self.is_told
        return (COUNT, 0) if of_money and not told.digits else None


@lru_cache(maxsize=CACHED)
def kind_of_column(words: str) -> str:
    """What the headings of a column say that its figures are of; "" where they say nothing."""
    plain = said_of(_BRACKETS.sub(" ", words)).words
    if _SHARES_LAST.search(plain):
        return SHARES
    return kind_said(plain) or ("?" if _AVERAGE.search(plain) else "")
