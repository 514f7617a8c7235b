"""Several quarters that a question for text asks of: which they are, and which document tells of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from agent.refusals.grammar import capitalized
from agent.state import Period
from agent.state.query import Last, Periods, Span, Years
from filings.models import Filing
from filings.models.source_kinds import ANNUAL, SourceKind
from filings.xbrl.periods import FiscalPeriod

# Documents that one question may ask the text of.
MOST = 6
_PARTS: dict[FiscalPeriod, frozenset[int]] = {
    FiscalPeriod.H1: frozenset({1, 2}),
    FiscalPeriod.H2: frozenset({3, 4}),
    FiscalPeriod.NINE_MONTHS: frozenset({1, 2, 3}),
}


def quarters_of(period: Period) -> frozenset[int]:
    """The fiscal quarters of a part of a year; empty for a whole year, or a part that the newest document decides."""
    if not isinstance(period.part, FiscalPeriod) or period.part.whole:
        return frozenset()
    return _PARTS.get(period.part) or frozenset({period.part.quarter})


def place_of(filing: Filing) -> int | None:
    """The quarter of a document as a number that counts on from year to year; None where it is of none."""
    if filing.fiscal_year is None or filing.fiscal_quarter is None:
        return None
    return filing.fiscal_year * 4 + filing.fiscal_quarter - 1


def unheld(place: int, kind: SourceKind | None = None) -> str:
    """That no document, of a kind, is held of a quarter, in a sentence."""
    year, quarter = divmod(place, 4)
    if kind and quarter + 1 > kind.quarters and kind.span == "quarter":
        return f"Q{quarter + 1} FY{year}: the 10-K tells of it, as no {kind.called} is filed."
    return f"Q{quarter + 1} FY{year}: no {kind.called if kind else 'document of it'} is in our data."


@dataclass(frozen=True, slots=True)
class ByQuarter:
    """The documents of the quarters asked, the oldest first; for each the quarters asked before it of which none is held,
    and those asked before and behind all of them, in sentences.
    """

    filings: tuple[Filing, ...] = ()
    missing: tuple[tuple[str, ...], ...] = ()
    outside: str = ""

    @classmethod
    def of(cls, asked: Sequence[int], told: Mapping[int, Filing], kind: SourceKind | None = None) -> Self:
        """asked: the quarters, the oldest first. told: the document of each that is held. kind: the only one asked."""
        found = [place for place in asked if place in told]
        between = [
            tuple(unheld(place, kind) for place in asked if earlier < place < later)
            for earlier, later in pairwise([found[0], *found])
        ]
        outside = (unheld(place, kind) for place in asked if not found[0] <= place <= found[-1])
        return cls(tuple(told[place] for place in found), tuple(between), " ".join(outside))


def by_quarter(
    periods: Periods, kinds: Sequence[SourceKind], held: Callable[[SourceKind], Sequence[Filing]]
) -> ByQuarter:
    """Where several quarters are asked, for each the document of the first kind that has one; else nothing.

    kinds: the likeliest first. A 10-K stands for the fourth quarter of its year.
    """
    told: dict[int, Filing] = {}
    for kind in kinds:
        for filing in held(kind):
            place = (filing.fiscal_year or 0) * 4 + 3 if kind is ANNUAL else place_of(filing)
            if place is not None:
                told.setdefault(place, filing)
    asked = _places(periods, max(told, default=0))[-MOST:]
    return ByQuarter.of(asked, told) if len(asked) > 1 and told.keys() & {*asked} else ByQuarter()


def of_one_kind(kind: SourceKind, found: Sequence[Filing], periods: Periods) -> ByQuarter:
    """The documents found of a kind that a question names, the oldest first, with the quarters that are missing.

    Where documents are counted back, those between the first and the last of them.
    """
    told = {place: filing for filing in found if (place := place_of(filing)) is not None}
    shown = found[-MOST:]
    if len(told) < len(found):
        return ByQuarter(tuple(shown))  # several of one quarter, or of none
    counted = isinstance(periods, Last) and periods.quarters
    asked = list(range(min(told), max(told) + 1)) if counted else _places(periods, max(told))
    by = ByQuarter.of(asked, told, kind) if {*told} <= {*asked} and len(asked) > 1 else ByQuarter(tuple(shown))
    count = periods.count if isinstance(periods, Last) and counted else 0
    said = f"{capitalized(kind.plural)} asked: {count}; in our data: {len(found)}." if len(found) < count else ""
    return ByQuarter(by.filings[-MOST:], by.missing[-MOST:], " ".join(filter(None, (by.outside, said))))


def _places(periods: Periods, newest: int) -> list[int]:
    """The quarters asked, the oldest first. newest: the last one of which a document is held."""
    match periods:
        case Years(periods=named):
            return sorted({place for period in named for place in _places_of(period)})
        case Span(first=first, last=last):
            begun, ended = _places_of(first), _places_of(last) if last else [newest]
            return list(range(begun[0], ended[-1] + 1)) if begun and ended else []
        case Last(count=count, until=until, quarters=True):
            ended = _places_of(until) if until else [newest]
            return list(range(ended[-1] - count + 1, ended[-1] + 1)) if ended else []
    return []


def _places_of(period: Period) -> list[int]:
    return sorted(period.year * 4 + quarter - 1 for quarter in quarters_of(period)) if period.year else []
