"""Questions for figures read and made tables, beside what is due: derived goldens, traps and harmless rewordings."""

import operator
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal
from enum import StrEnum
from typing import Literal

from agent.numbers.table import tabulate
from agent.numbers.table_text import rows
from agent.numbers.verify import verify
from agent.query.faces import printed
from agent.query.misread import Misread
from agent.query.query import Query
from agent.query.reading import read
from agent.refusals.codes import Code
from agent.state.tables import Table
from agent.steps.deps import Deps
from evals.derived_truth import DIGITS, UNITS, DerivedGolden, Due
from evals.traps import Reply

# What "has not ended yet" is measured against.
TODAY = date(2026, 7, 1)
_TWELVE = Context(prec=DIGITS)
_HOLDS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "==": operator.eq,
}  # fmt: skip


class Grade(StrEnum):
    """How one question went."""

    RIGHT = "right"
    WRONG = "wrong"  # figures are asserted that are not those due, or where none are
    REFUSED = "refused"  # though a table is due
    CODE = "other code"  # rightly refused, for another reason


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: what came of it, and how long it took to read and to answer."""

    golden: DerivedGolden
    grade: Grade
    code: str
    ms: float


def ask(question: str, deps: Deps) -> tuple[Query | Misread, Table | None]:
    """A question read and made a table, None where it asks no figures. No model is asked.

    Raises ValueError where the table does not say what is stored.
    """
    companies = deps.companies
    query = read(
        question, companies, deps.registry, deps.today, lines=lambda ciks: printed(ciks, companies.version)
    )  # fmt: skip
    if isinstance(query, Misread) or not query.rows:
        return query, None
    table = tabulate(query, deps)
    if problems := verify(table):
        raise ValueError(f"{question!r}: {problems}")
    return query, table


def reply(question: str, deps: Deps) -> Reply:
    """The answer as traps compare it: its cells and results, or the code of its refusal."""
    query, table = ask(question, deps)
    if table is None or not table.answered:
        return code_of(query, table)
    names = {one.cik: one.company for one in table.cells}
    found = [*rows(table)]  # type: ignore[list-item]
    for one in table.results:
        order = " ".join(f"{place.rank}:{place.cik}:{place.row}:{place.fiscal_year}" for place in one.order)
        bound = f"{one.comparison} {one.bound} {one.holds}" if one.comparison else ""
        found.append(
            {
                "company": names.get(one.cik or 0, ""),
                "fiscal_year": one.fiscal_years[-1] if one.fiscal_years else None,
                "measure": f"{one.operation} {one.label} {one.fiscal_years[:1]} {order} {bound}",
                "value": None if one.value is None else format(one.value, "f"),
                "unit": one.unit,
                "asked": True,
            }
        )
    return found  # type: ignore[return-value]


def code_of(query: Query | Misread, table: Table | None) -> str:
    """The code that a question is refused with; of one that asks for text, `text`."""
    if isinstance(query, Misread):
        return str(query.code)
    if table is None:
        return "text"
    gaps = [one.gap for one in (*table.results, *table.cells) if one.gap]
    return str(gaps[0].code) if gaps else ""


def run(goldens: Iterable[DerivedGolden]) -> Iterator[Outcome]:
    """Every golden asked of the stored companies."""
    for golden in goldens:
        deps = Deps.current(today=TODAY)
        started = time.perf_counter()
        query, table = ask(golden.question, deps)
        ms = (time.perf_counter() - started) * 1000
        yield Outcome(golden, graded(golden, query, table), code_of(query, table), ms)


def graded(golden: DerivedGolden, query: Query | Misread, table: Table | None) -> Grade:
    """Whether a table is the one due, down to the twelfth digit; or the refusal."""
    if table is not None and golden.expect == "not_meaningful":
        gaps = [one.gap for one in (*table.results, *table.cells) if one.gap]
        if any(one.code is Code.NOT_MEANINGFUL for one in gaps):
            return Grade.RIGHT
    if table is None or not table.answered:
        if golden.expect == "answered":
            return Grade.REFUSED
        due = {golden.code or golden.expect, *golden.also}
        return Grade.RIGHT if code_of(query, table) in due else Grade.CODE
    if golden.expect != "answered":
        return Grade.WRONG
    held = _asserted(table)
    given = all(any(_key(one) in held for one in _fitting(due, golden)) for due in golden.truth)
    return Grade.RIGHT if given and _ordered(golden, table) and _judged(golden, table) else Grade.WRONG


Key = tuple[Decimal, str]


def _fitting(due: Due, golden: DerivedGolden) -> list[Due]:
    return [due, *(one for one in golden.accepted if one.key == due.key)]


def _key(due: Due) -> Key:
    return _rounded(due.value), UNITS.get(due.unit, due.unit)


def _asserted(table: Table) -> set[Key]:
    """Values of the cells and results that the answer stands for."""
    cells = [(one.value, one.unit) for one in table.cells if one.asserted]
    results = [(one.value, one.unit) for one in table.results]
    placed = [(place.value, one.unit) for one in table.results for place in one.order]
    return {
        (_rounded(value), "ratio" if unit == "pure" else unit)
        for value, unit in (*cells, *results, *placed)
        if value is not None
    }


def _rounded(value: Decimal) -> Decimal:
    return _TWELVE.plus(value).normalize()


def _ordered(golden: DerivedGolden, table: Table) -> bool:
    """Whether the order of a ranking begins as it is due, and an extreme is of the year due."""
    ranks = [one for one in table.results if one.order and one.operation in ("rank", "highest", "lowest")]
    if golden.kind == "extreme":
        year = golden.truth[0].fiscal_year
        return any(
            year in [place.fiscal_year for place in one.order if place.rank == 1] for one in ranks
        )  # fmt: skip
    if not golden.order or not ranks:
        return not golden.order or golden.kind == "compare"
    values = {due.company: _rounded(due.value) for due in golden.truth}
    wanted = [values[company] for company in golden.order]
    placed = ([_rounded(place.value) for place in one.order] for one in ranks)
    # The one asked for alone is enough; the cells are the rest.
    return any(values[: len(wanted)] == wanted[: max(1, len(values))] for values in placed)


def _judged(golden: DerivedGolden, table: Table) -> bool:
    """Whether yes or no is said, by the bound due."""
    if golden.verdict is None:
        return True
    said = [one for one in table.results if one.holds is not None]
    # Of a metric with two definitions, each is held against the bound.
    return bool(said) and all(one.holds is golden.verdict for one in said)


# --- report ---

Half = Literal["tune", "check"]
# What the check half guards: as measured, with room for one question.
LEAST_RIGHT = 0.9


def report(half: str, outcomes: Iterable[Outcome]) -> str:
    """One half in a line, and what of the tuning half went wrong."""
    held = [one for one in outcomes if one.golden.half == half]
    counted = {grade: sum(one.grade is grade for one in held) for grade in Grade}
    said = ", ".join(f"{grade} {count}" for grade, count in counted.items())
    lines = [f"Derived figures, {half} half: {len(held)} questions: {said}"]
    if half == "tune":
        lines += [
            f"  {one.golden.id} {one.grade} {one.code}: {one.golden.question}"
            for one in held
            if one.grade is not Grade.RIGHT
        ]
    return "\n".join(lines)
