"""The stored statements of a filing: which lines stand on which, in the order printed. Knows no concepts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from filings.models import Filing, Statement, StatementKind


@dataclass(frozen=True, slots=True)
class FaceLine:
    """One line of a statement.

    `name` is prefixed; `heading` is the nearest line above without figures; `aside` marks a figure inside the row's
    label, such as a par value; `adds` how a printed row counts towards its total, as of `filings.xbrl.parsed_xbrl.Line`.
    """

    order: int
    name: str
    label: str = ""
    heading: str = ""
    aside: bool = False
    adds: int = 0


@dataclass(frozen=True)
class Face:
    """A statement of a filing.

    `basis`: its source, linkbase or inline. `dimensional`: lines printed by class, segment or product only, never for
    the whole company; `lines` has none of them.
    """

    kind: StatementKind
    title: str
    basis: str
    lines: tuple[FaceLine, ...]
    dimensional: tuple[FaceLine, ...] = ()

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def is_printed(self) -> bool:
        """Whether it is read from a document without XBRL."""
        return self.basis == Statement.Basis.PRINTED

    @property
    def names(self) -> tuple[str, ...]:
        """Tags in order, each once."""
        return tuple(self._by_name)

    def lines_of(self, name: str) -> tuple[FaceLine, ...]:
        """The lines of a tag: two for an opening and a closing balance."""
        return self._by_name.get(name, ())

    @cached_property
    def _by_name(self) -> dict[str, tuple[FaceLine, ...]]:
        found: dict[str, tuple[FaceLine, ...]] = {}
        for line in self.lines:
            found[line.name] = (*found.get(line.name, ()), line)
        return found


def faces(filing: Filing) -> dict[StatementKind, Face]:
    """The stored statements of a filing, by kind."""
    if "_faces" not in filing.__dict__:
        prefetch_faces([filing])
    found: dict[StatementKind, Face] = filing.__dict__["_faces"]
    return found


def prefetch_faces(filings: Collection[Filing]) -> None:
    """Read the statements of many filings in one query, kept on each filing object."""
    found: dict[int, dict[StatementKind, Face]] = {one.pk: {} for one in filings if "_faces" not in one.__dict__}
    for statement in Statement.objects.filter(filing__in=list(found)):
        found[statement.filing_id][StatementKind(statement.kind)] = Face(
            StatementKind(statement.kind),
            statement.title,
            statement.basis,
            tuple(_line(line) for line in statement.lines if not line.get("dimensional")),
            tuple(_line(line) for line in statement.lines if line.get("dimensional")),
        )
    for one in filings:
        if one.pk in found:
            one.__dict__["_faces"] = found[one.pk]


def face(filing: Filing, kind: StatementKind | str) -> Face | None:
    """One statement of a filing; None where it is not stored."""
    return faces(filing).get(StatementKind(kind))


def _line(line: Mapping[str, Any]) -> FaceLine:
    return FaceLine(
        line["order"],
        line["tag"],
        line.get("label", ""),
        line.get("heading", ""),
        line.get("aside", False),
        line.get("adds", 0),
    )
