"""The shapes a document or a linkbase is read into, before anything is stored."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a statement face. `tag` is prefixed: us-gaap:Revenues; `label` is the printed row label."""

    order: int
    tag: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """A statement face. `kind` is a StatementKind value; `title` as printed above the table, or empty."""

    kind: str
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class ParsedFact:
    """One non-dimensional numeric fact of a statement or the cover.

    `unit` as companyfacts writes it (USD, shares, USD/shares, pure); instants have start == end; `raw` is the full
    number as plain digits after scale and sign; `decimals` is None for INF.
    """

    taxonomy: str
    tag: str
    unit: str
    start: date
    end: date
    raw: str
    value: Decimal
    decimals: int | None
    anchor: str = ""
    statement: str = ""
    order: int | None = None
    label: str = ""
    printed: str = ""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What an inline XBRL document says, without dimensions."""

    facts: tuple[ParsedFact, ...] = ()
    statements: tuple[ParsedStatement, ...] = ()
    # Text facts of the cover by tag: {"EntityRegistrantName": "...", "AuditorName": "...", ...}.
    cover: dict[str, str] = field(default_factory=dict)
    fiscal_year_focus: int | None = None
    period_end: date | None = None
