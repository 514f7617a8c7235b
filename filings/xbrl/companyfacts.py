"""Reads a companyfacts file: the rows of annual and quarterly reports, by accession, numbers as written.

`fy` describes the filing of a row: it is kept only as the filing's vote for the company's fiscal label; `fp` and
`frame` are not read.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from filings.models import Measured

ANNUAL_FORMS = frozenset({"10-K", "10-K405", "10-K/A", "10-K405/A", "10-KT", "10-KT/A"})
INTERIM_FORMS = frozenset({"10-Q", "10-Q/A"})
FORMS = ANNUAL_FORMS | INTERIM_FORMS
# Taxonomies for funds, pay-versus-performance and fee tables, and IFRS, which no 10-K uses.
DROPPED_TAXONOMIES = frozenset({"invest", "ecd", "ffd", "ifrs-full"})

# Taxonomies shared by all companies; a company's own elements are its alone.
STANDARD_TAXONOMIES = ("us-gaap", "dei", "srt")
DEPRECATED = re.compile(r"[\s,]*[(\[]\s*deprecated\b[^)\]]*[)\]]", re.IGNORECASE)
# Labels of elements without a figure, such as "Assets [Abstract]", or that are no measure.
NO_MEASURE = re.compile(r"\[[^\]]+\]\s*$|^\s*deprecated\b", re.IGNORECASE)

LONGEST_NUMBER = 60  # characters: no amount of a report has half as many

Key = tuple[str, str, str, date, date]


class UnreadableFacts(ValueError):
    """Raised if the bytes are not a companyfacts file."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One row of companyfacts. `raw` is the number exactly as written there; instants have start == end."""

    taxonomy: str
    tag: str
    unit: str
    start: date
    end: date
    raw: str
    value: Decimal


@dataclass(frozen=True, slots=True)
class RowConflict:
    """Two values of one tag, unit and period in one accession; `kept` has more significant digits."""

    kept: FactRow
    dropped: FactRow


@dataclass(slots=True)
class FilingFacts:
    """The rows of one 10-K or 10-Q."""

    accession: str
    form: str
    filed: date
    # How often each `fy` stands in the accession's rows: the vote for the fiscal label.
    votes: Counter[int] = field(default_factory=Counter)
    rows: list[FactRow] = field(default_factory=list)
    conflicts: list[RowConflict] = field(default_factory=list)

    @property
    def fiscal_year_focus(self) -> int | None:
        return self.votes.most_common(1)[0][0] if self.votes else None


@dataclass(frozen=True, slots=True)
class LabelledElement:
    """A taxonomy element with its standard label, and the unit and kind of period of its annual rows."""

    taxonomy: str
    tag: str
    label: str
    measured: str
    instant: bool


@dataclass(frozen=True, slots=True)
class CompanyFacts:
    """A companyfacts file: annual and quarterly reports, by accession, and the elements of standard taxonomies in the
    annual ones.
    """

    cik: int
    has_ifrs: bool
    filings: Mapping[str, FilingFacts]
    elements: tuple[LabelledElement, ...] = ()
    interim: Mapping[str, FilingFacts] = field(default_factory=dict)


def parse_companyfacts(raw: bytes) -> CompanyFacts:
    """Read a companyfacts file, numbers as written. Raises UnreadableFacts.

    Rows of other forms and rows without a number are left out. `has_ifrs` considers all forms.
    """
    try:
        content = json.loads(raw, parse_int=str, parse_float=str)
        facts = content["facts"]
        filings = _filings((taxonomy, facts[taxonomy]) for taxonomy in facts if taxonomy not in DROPPED_TAXONOMIES)
        elements = tuple(_elements(facts))
        annual = {accession: one for accession, one in filings.items() if one.form in ANNUAL_FORMS}
        interim = {accession: one for accession, one in filings.items() if one.form in INTERIM_FORMS}
        return CompanyFacts(int(content["cik"]), "ifrs-full" in facts, annual, elements, interim)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableFacts(f"Not a companyfacts file: {error!r}") from error


def _filings(taxonomies: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, FilingFacts]:
    filings: dict[str, FilingFacts] = {}
    held: dict[str, dict[Key, FactRow]] = defaultdict(dict)
    # A hundred thousand rows share some thousand dates.
    day = lru_cache(maxsize=None)(date.fromisoformat)
    for taxonomy, tags in taxonomies:
        for tag, concept in tags.items():
            for unit, rows in concept.get("units", {}).items():
                for entry in rows:
                    if entry.get("form") not in FORMS:
                        continue
                    row = _row(taxonomy, tag, unit, entry, day)
                    if row is None:
                        continue
                    accession = entry["accn"]
                    filing = filings.get(accession)
                    if filing is None:
                        filing = filings[accession] = FilingFacts(accession, entry["form"], day(entry["filed"]))
                    if str(entry.get("fy") or "").isdigit():
                        filing.votes[int(entry["fy"])] += 1
                    _keep(filing, held[accession], row)
    for accession, filing in filings.items():
        filing.rows.extend(held[accession].values())
    return filings


def _elements(facts: Mapping[str, Any]) -> Iterator[LabelledElement]:
    """The labelled elements that annual reports have figures of, each once for each unit and kind of period."""
    for taxonomy in STANDARD_TAXONOMIES:
        for tag, concept in facts.get(taxonomy, {}).items():
            label = standard_label(concept.get("label"))
            if not label:
                continue
            kinds = {
                (measured_by(unit), "start" not in row)
                for unit, rows in concept.get("units", {}).items()
                for row in rows
                if row.get("form") in ANNUAL_FORMS
            }
            for measured, instant in sorted(kinds):
                yield LabelledElement(taxonomy, tag, label, measured, instant)


def standard_label(label: object) -> str:
    """A label in the taxonomy's words, without the mark of a deprecated element; empty where it names no measure."""
    text = " ".join(DEPRECATED.sub("", label).split()) if isinstance(label, str) else ""
    return "" if NO_MEASURE.search(text) else text


def measured_by(unit: str) -> Measured:
    """The kind of value of a companyfacts unit: USD, shares, USD/shares, pure."""
    if unit.endswith("/shares"):
        return Measured.PER_SHARE
    if re.fullmatch("[A-Z]{3}", unit):
        return Measured.MONEY
    return {"shares": Measured.SHARES, "pure": Measured.PURE}.get(unit, Measured.OTHER)


def _row(taxonomy: str, tag: str, unit: str, entry: Mapping[str, Any], day: Callable[[str], date]) -> FactRow | None:
    raw = entry.get("val")
    if isinstance(raw, str) and len(raw) > LONGEST_NUMBER:
        return None
    try:
        start, end = day(entry.get("start") or entry["end"]), day(entry["end"])
        value = Decimal(raw) if isinstance(raw, str) else Decimal("NaN")
    except (KeyError, TypeError, ValueError, InvalidOperation):
        return None
    return FactRow(taxonomy, tag, unit, start, end, str(raw), value) if value.is_finite() else None


def _keep(filing: FilingFacts, held: dict[Key, FactRow], row: FactRow) -> None:
    key = (row.taxonomy, row.tag, row.unit, row.start, row.end)
    other = held.setdefault(key, row)
    if other.value == row.value:
        return
    kept, dropped = (row, other) if _digits(row.value) > _digits(other.value) else (other, row)
    held[key] = kept
    filing.conflicts.append(RowConflict(kept, dropped))


def _digits(value: Decimal) -> int:
    """Significant digits: 31,370 million has 4."""
    return len(value.normalize().as_tuple().digits)
