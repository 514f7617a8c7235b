"""What the opening of a document says of its kind, period and day. What it does not say, or says twice, is not known."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeVar

from filings.document.layout import Layout
from filings.models.source_kinds import CALL, kind_of_form
from filings.sections.call_header import read_call_header

T = TypeVar("T")

# Characters of a first page; what stands later is said in passing.
OPENING = 4_000
# Of these its headline.
HEADLINE = 200
LONGEST_TITLE = 300

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DAY = rf"(?P<month>{MONTHS})\s+(?P<day>\d{{1,2}}),?\s+(?P<year>(?:19|20)\d\d)"
# Of the SEC's cover pages: 17 CFR 249.
FORM = re.compile(r"\b(?:form|schedule)\s+(10-[KQ]T?(?:/A)?|8-K(?:/A)?|20-F(?:/A)?|40-F(?:/A)?|14A)\b", re.IGNORECASE)
PERIOD_ENDED = re.compile(
    rf"\bfor\s+the\s+(?:quarterly|fiscal|transition)\s+(?:period|year|quarter)\s+(?:ended|ending):?\s+{DAY}",
    re.IGNORECASE,
)
REPORTED = re.compile(rf"\bdate\s+of\s+report[^:]{{0,60}}:?\s+{DAY}", re.IGNORECASE)
DATED = re.compile(rf"\b{DAY}", re.IGNORECASE)
# "PURCHASE, N.Y. - April 25, 2023 -": a release's own day, behind the place that it comes from.
DATELINE = re.compile(rf"[-\u2013\u2014]\s*{DAY}\s*[-\u2013\u2014/]", re.IGNORECASE)
NOT_ITS_DAY = re.compile(r"\b(?:ended|ending|through|since|until|as\s+of)\s+$", re.IGNORECASE)
NAMED = {"first": 1, "second": 2, "third": 3, "fourth": 4}
QUARTER = re.compile(
    rf"\b(?:Q(?P<digit>[1-4])|(?P<name>{'|'.join(NAMED)})[\s-]+quarter)\s+(?:of\s+)?(?:fiscal\s+|FY\s*)?(?:year\s+)?"
    r"(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
# "... reports fiscal 2023 results": of a year's last quarter, where the headline names no other part of the year.
OF_YEAR = re.compile(
    r"\b(?:fiscal|full[- ]year|FY)\s*(?:year\s+)?(?P<year>(?:19|20)\d\d)\s+(?:\w+\s+){0,3}results\b", re.IGNORECASE
)
OTHER_PART = re.compile(r"\b(?:first|second|third|Q[1-3]|half|months)\b", re.IGNORECASE)
OF_CALL = re.compile(r"\b(?:earnings|conference)\s+call\b|\btranscript\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a document says of itself. `kind` is a key of the kinds, "" where it is not known.

    opening: the text of its first page, in which companies are looked for. fiscal_year, fiscal_quarter: as the document
    names them. period_end: the last day of its period. day: of filing, publication or the call.
    """

    opening: str = ""
    kind: str = ""
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    period_end: date | None = None
    day: date | None = None
    title: str = ""


def stated(layout: Layout) -> Stated:
    """What a document says of itself in its opening."""
    opening = layout.text[:OPENING]
    form = FORM.search(opening)
    written = form[1].upper().replace("14A", "DEF 14A") if form else ""
    kind = kind_of_form(written) if form else CALL if OF_CALL.search(opening) else None
    quarter, year = _only(_quarters(opening)) or _of_year(opening[:HEADLINE]) or (None, None)
    patterns = (REPORTED, DATELINE) if form else (DATELINE, DATED)
    day = next(filter(None, (_only(_days(pattern, opening)) for pattern in patterns)), None)
    if kind is CALL:
        call = read_call_header(layout)
        quarter, year, day = call.quarter or quarter, call.year or year, call.date or day
    head = next((layout.of(block) for block in layout.blocks if block.kind == "heading"), "")
    return Stated(
        opening=opening,
        kind=kind.key if kind else "",
        fiscal_year=year,
        fiscal_quarter=quarter,
        period_end=_only(_days(PERIOD_ENDED, opening)),
        day=day,
        title=" ".join(head.split())[:LONGEST_TITLE],
    )


def dateline(text: str) -> date | None:
    """The day in the dateline of a release, by the opening of its text; None where it has none, or several."""
    return _only(_days(DATELINE, text[:OPENING]))


def _only(found: Iterable[T]) -> T | None:
    """What all say alike; None where nothing is said, or two different things are."""
    values = set(found)
    return values.pop() if len(values) == 1 else None


def _quarters(opening: str) -> Iterable[tuple[int, int]]:
    for match in QUARTER.finditer(opening):
        yield int(match["digit"] or NAMED[match["name"].lower()]), int(match["year"])


def _of_year(headline: str) -> tuple[int, int] | None:
    """The last quarter of the year whose results a headline announces; None where it names none, or another part of it."""
    year = None if OTHER_PART.search(headline) else _only(int(match["year"]) for match in OF_YEAR.finditer(headline))
    return (len(NAMED), year) if year else None


def _days(pattern: re.Pattern[str], opening: str) -> Iterable[date]:
    for match in pattern.finditer(opening):
        if pattern is DATED and NOT_ITS_DAY.search(opening[: match.start()]):
            continue
        written = f"{match['month'].title()} {int(match['day'])} {match['year']}"
        try:
            yield datetime.strptime(written, "%B %d %Y").date()  # noqa: DTZ007 - a day has no time zone
        except ValueError:
            continue
