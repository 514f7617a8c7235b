"""Sentences one word apart: traps, whose table must differ from their base's, and rewordings, whose table must be
equal.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Literal, TypedDict

from pydantic import Field

from evals.golden import FOLDER, Row

TRAPS, HARMLESS = FOLDER / "traps.jsonl", FOLDER / "harmless.jsonl"

Fault = Literal["same_table", "answered", "refused", "other_table", "base_refused"]


class Trap(Row):
    """A base question, and one that a word turns into another."""

    id: str
    base: str
    trap: str
    kind: str = Field(description="What the word is: goldens/README.md lists them.")
    expect: Literal["differs", "refused", "either"] = Field(description="Either: another table, or none.")
    why: str = Field(description="What the word changes.")


class Harmless(Row):
    """A base question, and the same one in other words."""

    id: str
    base: str
    same: str
    kind: str


class TableRow(TypedDict):
    """One line of an answer's table; `asked` is False for context such as operands."""

    company: str
    fiscal_year: int | None
    measure: str
    value: Decimal | str | None
    unit: str
    asked: bool


class Finding(Row):
    """A faulty pair.

    `same_table`: a trap got its base's table. `answered`: figures where none are expected. `refused`: none where some
    are expected. `other_table`: a rewording got other figures. `base_refused`: the pair shows nothing, because its base
    has no table.
    """

    id: str
    kind: str
    fault: Fault
    base: str
    other: str


# A table, or the code of a refusal. An answer without figures is an empty table.
Reply = list[TableRow] | str
Asked = frozenset[tuple[str, int | None, str, Decimal | None, str]]


def read_traps() -> list[Trap]:
    return [Trap.model_validate(row) for row in _rows(TRAPS)]


def read_harmless() -> list[Harmless]:
    return [Harmless.model_validate(row) for row in _rows(HARMLESS)]


def asked_rows(reply: Reply) -> Asked:
    """The asked rows in any order; none for a refusal."""
    if isinstance(reply, str):
        return frozenset()
    return frozenset(
        (
            row["company"],
            row["fiscal_year"],
            row["measure"],
            None if row["value"] is None else Decimal(row["value"]),
            row["unit"],
        )
        for row in reply
        if row["asked"]
    )


def check(answer: Callable[[str], Reply], traps: Iterable[Trap], harmless: Iterable[Harmless]) -> list[Finding]:
    """Every faulty pair. Each sentence is asked once."""
    table = cache(lambda question: asked_rows(answer(question)))
    found = [
        (pair.id, pair.kind, _trap_fault(pair.expect, table(pair.base), table(pair.trap)), pair.base, pair.trap)
        for pair in traps
    ]
    found += [
        (pair.id, pair.kind, _harmless_fault(table(pair.base), table(pair.same)), pair.base, pair.same)
        for pair in harmless
    ]
    return [
        Finding(id=identifier, kind=kind, fault=fault, base=base, other=other)
        for identifier, kind, fault, base, other in found
        if fault
    ]


def words_apart(one: str, other: str) -> int:
    """How many words must be added, dropped or swapped; case and punctuation around words do not count."""
    first, second = (
        [word for word in (word.strip(".,?!:;()") for word in text.lower().split()) if word] for text in (one, other)
    )
    changes = [
        code[1:] for code in SequenceMatcher(None, first, second, autojunk=False).get_opcodes() if code[0] != "equal"
    ]
    return max(sum(b - a for a, b, _, _ in changes), sum(d - c for _, _, c, d in changes))


def _trap_fault(expect: str, base: Asked, trap: Asked) -> Fault | None:
    if base and trap == base:
        return "same_table"
    if expect == "refused" and trap:
        return "answered"
    if not base:
        return "base_refused"
    return "refused" if expect == "differs" and not trap else None


def _harmless_fault(base: Asked, same: Asked) -> Fault | None:
    if not base:
        return "base_refused"
    if not same:
        return "refused"
    return None if same == base else "other_table"


def _rows(path: Path) -> Iterator[object]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
