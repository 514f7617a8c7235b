"""Questions for figures turned into tables and compared: derived goldens, traps and harmless rewordings."""

import operator
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal
from enum import StrEnum

from agent.numbers.tables.table import tabulate
from agent.numbers.tables.table_text import rows
from agent.numbers.verification.verify import verify
from agent.query.companies.statement_names import printed
from agent.query.question import read
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Query
from agent.state.tables import Table
from agent.steps.deps import Deps
from diligence.statistics import Share
from evals.gates import Gate, Tally
from evals.traps import Fault, Reply, check, read_harmless, read_traps
from evals.truths.derived_truth import DIGITS, UNITS, DerivedGolden, Due
from evals.truths.interim_truth import InterimGolden

# "Has not ended yet" depends on this day.
TODAY = date(2026, 7, 1)
_TWELVE = Context(prec=DIGITS)
_HOLDS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "==": operator.eq,
}  # fmt: skip


class Grade(StrEnum):
    """How one question went."""

    RIGHT = "right"
    WRONG = "wrong"  # figures are asserted that are not expected, or where none are
    REFUSED = "refused"  # though a table is expected
    CODE = "other code"  # rightly refused, for another reason


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: its result, and the time to read and answer it."""

    golden: DerivedGolden | InterimGolden
    grade: Grade
    code: str
    ms: float

    @property
    def missed(self) -> str:
        return "" if self.grade is Grade.RIGHT else f"{self.grade} {self.code}: {self.golden.question}"


def ask(question: str, deps: Deps) -> tuple[Query | Misread, Table | None]:
    """A question turned into a table, None where it asks no figures. No model is asked. Raises ValueError where the
    table differs from the database.
    """
    companies = deps.companies
    halves = read(question, companies, deps.registry, deps.today, lambda ciks: printed(ciks, companies.version))
    query = next((half for half in halves if isinstance(half, Query) and half.rows), halves[0])
    if isinstance(query, Misread) or not query.rows or query.is_nearest:
        return query, None
    table = tabulate(query, deps)
    if problems := verify(table, query, deps.registry):
        raise ValueError(f"{question!r}: {problems}")
    return query, table


def reply(question: str, deps: Deps) -> Reply:
    """The answer in the form that traps compare: its cells and results, or its refusal code."""
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
    """A question's refusal code; `text` for one that asks for text, `nearest` where nothing is asserted."""
    if isinstance(query, Misread):
        return str(query.code)
    if table is None:
        return "nearest" if query.is_nearest else "text"
    gaps = [one.gap for one in (*table.results, *table.cells) if one.gap]
    return str(gaps[0].code) if gaps else ""


def run(goldens: Iterable[DerivedGolden | InterimGolden]) -> Iterator[Outcome]:
    """Ask every golden about stored companies."""
    for golden in goldens:
        deps = Deps.current(today=TODAY)
        started = time.perf_counter()
        query, table = ask(golden.question, deps)
        ms = (time.perf_counter() - started) * 1000
        if isinstance(golden, DerivedGolden):
            grade = graded(golden, query, table)
        else:
            grade = interim_graded(golden, query, table)
        yield Outcome(golden, grade, code_of(query, table), ms)


def graded(golden: DerivedGolden, query: Query | Misread, table: Table | None) -> Grade:
    """Whether a table is the expected one, to the twelfth digit; or the refusal."""
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
    if table.results and all(one.gap for one in table.results):
        return Grade.REFUSED  # the figures are shown, and why nothing is computed of them
    held = _asserted(table)
    given = all(any(_key(one) in held for one in _fitting(due, golden)) for due in golden.truth)
    return Grade.RIGHT if given and _ordered(golden, table) and _judged(golden, table) else Grade.WRONG


Key = tuple[Decimal, str]


def _fitting(due: Due, golden: DerivedGolden) -> list[Due]:
    return [due, *(one for one in golden.accepted if one.key == due.key)]


def _key(due: Due) -> Key:
    return _rounded(due.value), UNITS.get(due.unit, due.unit)


def _asserted(table: Table) -> set[Key]:
    """Values of asserted cells and results."""
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
    """Whether a ranking begins in the expected order, and an extreme has the expected year."""
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
    # The asked one is enough; the cells have the rest.
    return any(values[: len(wanted)] == wanted[: max(1, len(values))] for values in placed)


def _judged(golden: DerivedGolden, table: Table) -> bool:
    """Whether the yes or no is the expected one for the bound."""
    if golden.verdict is None:
        return True
    said = [one for one in table.results if one.holds is not None]
    # Of a metric with two definitions, each is compared with the bound.
    return bool(said) and all(one.holds is golden.verdict for one in said)


# --- parts of years ---


def interim_graded(golden: InterimGolden, query: Query | Misread, table: Table | None) -> Grade:
    """Whether a table asserts exactly the expected figures and results for parts of years; or the refusal."""
    if table is None or not table.answered:
        if golden.expect == "answered":
            return Grade.REFUSED
        return Grade.RIGHT if code_of(query, table) in {golden.code, *golden.also} else Grade.CODE
    given = {
        (
            cell.fiscal_year,
            str(cell.fiscal_period),
            _rounded(cell.value),
            "ratio" if cell.unit == "pure" else cell.unit,
        )
        for cell in table.asserted
        if cell.value is not None
    }
    made = {
        (one.operation, one.place_of(one.order[0]) if one.order else one.places[-1], _rounded(one.value), one.unit)
        for one in table.results
        if one.value is not None
    }
    wanted = {(one.measure.split()[0], one.place, *one.key[2:]) for one in golden.made}
    due = {one.key for one in golden.truth} == given and wanted == made
    return Grade.RIGHT if golden.truth and due else Grade.WRONG


# --- gates ---


@dataclass(frozen=True)
class TableTally(Tally[Outcome]):
    """The results of one half."""

    def of(self, grade: Grade) -> Share:
        return Share(sum(one.grade is grade for one in self.results), len(self.results))

    @property
    def named(self) -> dict[str, list[Outcome]]:
        return {"wrong": [one for one in self.results if one.grade is Grade.WRONG]}


def gates(right: float | None = None) -> tuple[Gate, ...]:
    """right: the value at which the goal is held."""
    return (
        Gate("right", lambda tally: tally.of(Grade.RIGHT), 0.9, held=right),
        Gate("wrong figures", lambda tally: tally.of(Grade.WRONG), 0, is_most=True),
        Gate("refused where figures are due", lambda tally: tally.of(Grade.REFUSED)),
        Gate("rightly refused, for another reason", lambda tally: tally.of(Grade.CODE)),
    )


DERIVED_GATES, INTERIM_GATES = gates(0.8), gates()
MOST_REWORDED = 0.06
_TRAPPED: tuple[Fault, ...] = ("same_table", "answered", "other_table")


def trapped(one_in: int, write: Callable[[str], object]) -> list[str]:
    """Ask the traps and rewordings, print their faults, and return those that fail the command.

    one_in: only one in so many, the same each time; then only what no question may break is a gate.
    """
    deps = Deps.current(today=TODAY)
    rewordings = read_harmless()[::one_in]
    findings = check(lambda question: reply(question, deps), read_traps()[::one_in], rewordings)
    known = {one.id for one in rewordings}
    for title, among in (("Traps", False), ("Harmless rewordings", True)):
        faults = Counter(one.fault for one in findings if (one.id in known) is among)
        said = ", ".join(f"{fault.replace('_', ' ')} {count}" for fault, count in sorted(faults.items()))
        write(f"{title}: {said or 'all as due'}")
    failures = [f"{one.id} {one.fault}" for one in findings if one.fault in _TRAPPED]
    refused = sum(one.id in known and one.fault == "refused" for one in findings)
    if one_in == 1 and refused > MOST_REWORDED * len(rewordings):
        failures.append(f"{refused} of {len(rewordings)} harmless rewordings refused")
    return failures
