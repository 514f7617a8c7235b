"""The parsed form of documents and linkbases, before anything is stored."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a statement face. `tag` is prefixed: us-gaap:Revenues; `label` is the printed row label.

    `heading`: the line without figures above the row ("Earnings per share:" over "Basic"). `aside`: a figure inside the
    row's label, such as a par value. A tag stands twice for an opening and a closing balance. `adds`: of
    a printed row, 1 where the total below has its figures added as printed, -1 where taken off, 0 where that is not known.
    """

    order: int
    tag: str
    label: str = ""
    heading: str = ""
    aside: bool = False
    adds: int = 0


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """A statement face.

    `kind` is a StatementKind value; `title` as printed above the table, or empty. `dimensional`: lines whose tag stands
    there by class, segment or product only, never for the whole company.
    """

    kind: str
    title: str
    lines: tuple[Line, ...]
    dimensional: tuple[Line, ...] = ()

    def stored_lines(self) -> list[dict[str, str | int | bool]]:
        """The lines as Statement.lines keeps them: dimensional ones last and marked, empty marks left out."""
        stored: list[dict[str, str | int | bool]] = []
        for dimensional, lines in ((False, self.lines), (True, self.dimensional)):
            for line in lines:
                row: dict[str, str | int | bool] = {"order": line.order, "tag": line.tag, "label": line.label[:500]}
                if line.heading:
                    row["heading"] = line.heading[:200]
                if line.aside:
                    row["aside"] = True
                if line.adds:
                    row["adds"] = line.adds
                if dimensional:
                    row["dimensional"] = True
                stored.append(row)
        return stored


@dataclass(frozen=True, slots=True)
class ParsedFact:
    """One numeric fact: of the whole company on a statement or the cover, or of a member anywhere in the document.

    `dimensions` as "Axis=Member", empty for the whole company; of a member's fact `order` is its place in the document
    and `column` the heads of its column. `unit` as companyfacts writes it (USD, shares, USD/shares, pure); instants have start == end; `raw` is the full
    number as plain digits after scale and sign; `decimals` is None for INF. `place`: of a printed figure the number
    of its section in the filing, from 1, and its range there, with the `page`.
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
    dimensions: str = ""
    column: str = ""
    place: tuple[int, int, int] | None = None
    page: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """The fields that identify a fact inside a filing and source."""
        return self.taxonomy, self.tag, self.unit, self.start, self.end, self.dimensions


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an axis by local names, with both labels: "ProductOrServiceAxis", "IPhoneMember", "iPhone"."""

    axis: str
    axis_label: str
    member: str
    label: str


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The content of an inline XBRL document: facts of the whole company on statements and cover, and of members
    anywhere.

    `typed`: how many facts have a typed member, and are left out.
    """

    facts: tuple[ParsedFact, ...] = ()
    of_members: tuple[ParsedFact, ...] = ()
    members: tuple[Member, ...] = ()
    typed: int = 0
    statements: tuple[ParsedStatement, ...] = ()
    # Text facts of the cover by tag: {"EntityRegistrantName": "...", "AuditorName": "...", ...}.
    cover: dict[str, str] = field(default_factory=dict)
    fiscal_year_focus: int | None = None
    period_end: date | None = None
