"""The derived goldens, and the plain arithmetic that recomputes them from the SEC's facts.

Shares nothing with the engine: facts are looked up in companyfacts files by accession, tag and period, and the golden's
own formula is evaluated in Decimal. Nothing of agent.numbers is imported, on purpose.
"""

import ast
import json
import lzma
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

from pydantic import Field

from evals.golden import FOLDER, Pointer, Row

PATH = FOLDER / "derived.jsonl"
SAMPLE = Path(__file__).parents[2] / "filings" / "sample"
# Goldens give a value in full, or to this many significant digits.
DIGITS = 12
# Named by the calendar year in which the fiscal year begins, though it ends in January or February.
NAMED_BY_START = {"LOW", "TGT"}
UNITS = {"USD": "USD", "shares": "shares", "USD/share": "USD/shares"}
# As AAPL_net_income_2023: with the company only where a formula has several.
OPERAND = re.compile(r"(?:(?P<company>[A-Z]+)_)?(?P<measure>[a-z][a-z_]*)_(?P<year>20\d\d)")

Outcome = Literal["answered", "refused", "not_meaningful"]
Unit = Literal["USD", "shares", "USD/share", "percent", "points", "ratio", "days"]
Operator = Callable[[Decimal, Decimal], Decimal]

OPERATORS: dict[type[ast.operator], Operator] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
Condition = Callable[[Decimal, Decimal], bool]
CONDITIONS: dict[str, Condition] = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}


class Due(Row):
    """One expected value: its subject, facts and formula."""

    company: str = Field(description="Ticker; two, as AAPL-MSFT, where the value compares them.")
    fiscal_year: int = Field(description="Of a span its last year, of a highest or lowest year that year.")
    since: int | None = Field(default=None, description="First year of a change, growth rate, average or sum.")
    measure: str = Field(description="Registry key, metric:variant, or words where the registry has none.")
    value: Decimal = Field(description="In full, or to 12 significant digits; a percent is in points: 46.2.")
    unit: Unit
    formula: str
    operands: dict[str, Pointer] = Field(min_length=1)

    @property
    def key(self) -> tuple[str, int, int | None, str]:
        return self.company, self.fiscal_year, self.since, self.measure


class DerivedGolden(Row):
    """One question and the expected table."""

    id: str
    half: Literal["tune", "check"]
    kind: str = Field(description="What it tries: the README lists them.")
    question: str
    companies: tuple[str, ...] = Field(description="Tickers, in the order of the question.")
    sample: bool = Field(description="Whether the bundled sample alone answers it.")
    expect: Outcome
    code: str = ""
    also: tuple[str, ...] = Field(default=(), description="Codes that are equally right.")
    truth: tuple[Due, ...] = Field(default=(), description="Each is due.")
    alternatives: tuple[Due, ...] = Field(default=(), description="Right beside the truth, never alone.")
    accepted: tuple[Due, ...] = Field(default=(), description="Right in place of a truth with the same key.")
    order: tuple[str, ...] = Field(default=(), description="Of a ranking: the tickers, the one asked for first.")
    direction: Literal["", "highest", "lowest"] = ""
    among: tuple[Due, ...] = Field(
        default=(), description="Of a highest or lowest year: all years it was picked from."
    )
    condition: str = Field(default="", description="Of a yes/no question, on its first truth: as > 100000000000.")
    verdict: bool | None = None
    why: str = ""

    @property
    def values(self) -> tuple[Due, ...]:
        return (*self.truth, *self.alternatives, *self.accepted, *self.among)


class NotRecomputed(ValueError):
    """A golden disagrees with the SEC's facts; the message says where."""


class Facts:
    """Companyfacts files of folders in SEC's layout, each compressed with xz."""

    def __init__(self, *roots: Path) -> None:
        self.roots = roots or (SAMPLE,)
        self._company = lru_cache(maxsize=None)(self._read)

    def holds(self, cik: int) -> bool:
        return self._file(cik) is not None

    def value(self, at: Pointer) -> Decimal:
        """The number of a pointer. Raises NotRecomputed where there is none, or more than one."""
        key = (at.accession, at.taxonomy, at.tag, at.unit, at.start, at.end)
        found = self._company(at.cik).get(key, set())
        if len(found) != 1:
            raise NotRecomputed(f"{len(found)} facts of {at.taxonomy}:{at.tag} {at.start} {at.end} in {at.accession}")
        return next(iter(found))

    def _file(self, cik: int) -> Path | None:
        paths = (root / "api" / "xbrl" / "companyfacts" / f"CIK{cik:010d}.json.xz" for root in self.roots)
        return next(filter(Path.is_file, paths), None)

    def _read(self, cik: int) -> dict[tuple[str, str, str, str, date | None, date], set[Decimal]]:
        path = self._file(cik)
        if path is None:
            raise NotRecomputed(f"no companyfacts of CIK {cik}")
        data = json.loads(lzma.decompress(path.read_bytes()), parse_float=Decimal)
        found: dict[tuple[str, str, str, str, date | None, date], set[Decimal]] = {}
        for taxonomy, tags in data["facts"].items():
            for tag, entry in tags.items():
                for unit, rows in entry["units"].items():
                    for row in rows:
                        start = date.fromisoformat(row["start"]) if row.get("start") else None
                        key = (row["accn"], taxonomy, tag, unit, start, date.fromisoformat(row["end"]))
                        found.setdefault(key, set()).add(Decimal(row["val"]))
        return found


def evaluate(formula: str, operands: dict[str, Decimal]) -> Decimal:
    """The value of + - * / ** over named operands and whole numbers. Raises NotRecomputed for anything else."""

    def value(node: ast.expr) -> Decimal:
        match node:
            case ast.BinOp(left, sign, right) if type(sign) in OPERATORS:
                return OPERATORS[type(sign)](value(left), value(right))
            case ast.UnaryOp(ast.USub(), operand):
                return -value(operand)
            case ast.Constant(int(number)):
                return Decimal(number)
            case ast.Name(name) if name in operands:
                return operands[name]
        raise NotRecomputed(f"not a formula over its operands: {ast.unparse(node)}")

    with localcontext(Context(prec=40)):
        return value(ast.parse(formula, mode="eval").body)


class Recomputed(Protocol):
    """A value with its formula and facts."""

    @property
    def formula(self) -> str: ...
    @property
    def operands(self) -> Mapping[str, Pointer]: ...
    @property
    def value(self) -> Decimal: ...


def recompute(due: Recomputed, facts: Facts) -> Decimal:
    """A value from the facts of its pointers. Raises NotRecomputed."""
    return evaluate(due.formula, {name: facts.value(at) for name, at in due.operands.items()})


def same(one: Decimal, other: Decimal) -> bool:
    """Equal, or equal to twelve significant digits."""
    short = Context(prec=DIGITS)
    return one == other or short.plus(one) == short.plus(other)


def value_faults(due: Recomputed, facts: Facts, others: Iterable[str]) -> Iterator[str]:
    """What is wrong with a value by the facts, in words, and its other faults; of what cannot be recomputed why, alone."""
    try:
        found = recompute(due, facts)
    except (NotRecomputed, ArithmeticError) as error:
        yield str(error)
        return
    if not same(found, due.value):
        yield f"is {found}, not {due.value}"
    yield from others


def fiscal_year(company: str, end: date) -> int:
    """The name of the fiscal year that ends on a day: some 52-53 week years end in the first days of the next."""
    return (end - timedelta(days=10)).year - (company in NAMED_BY_START)


def disagreements(golden: DerivedGolden, facts: Facts) -> Iterator[str]:
    """The faults of a golden, in words: values, operand names, years, order, verdict."""
    for due in golden.values:
        where = f"{golden.id} {due.company} {due.fiscal_year} {due.measure}"
        yield from (f"{where}: {fault}" for fault in value_faults(due, facts, _operand_faults(due)))
    yield from (f"{golden.id}: {fault}" for fault in _golden_faults(golden))


def _operand_faults(due: Due) -> Iterator[str]:
    years: set[int] = set()
    used = {node.id for node in ast.walk(ast.parse(due.formula)) if isinstance(node, ast.Name)}
    if used != set(due.operands):
        yield f"the formula uses {sorted(used)}, pointers are of {sorted(due.operands)}"
    for name, at in due.operands.items():
        named = OPERAND.fullmatch(name)
        if named is None:
            yield f"{name} does not name a measure and a year"
            continue
        years.add(int(named["year"]))
        if fiscal_year(named["company"] or due.company, at.end) != int(named["year"]):
            yield f"{name} points to {at.end}"
    if not years:
        return
    if max(years) != due.fiscal_year:
        yield f"its operands end in {max(years)}"
    # An average of two balances, or the change of one, needs the year before.
    first = due.since or due.fiscal_year
    if min(years) not in (first, first - 1):
        yield f"its operands begin in {min(years)}"
    units = {at.unit for at in due.operands.values()}
    if due.unit in UNITS and due.formula in due.operands and units != {UNITS[due.unit]}:
        yield f"is in {due.unit}, the fact in {units}"


def _golden_faults(golden: DerivedGolden) -> Iterator[str]:
    tickers = {ticker for due in golden.values for ticker in due.company.split("-")}
    if golden.truth and tickers != set(golden.companies):
        yield f"asks about {golden.companies}, its values are of {sorted(tickers)}"
    keys = [due.key for due in golden.truth]
    if len(keys) != len(set(keys)):
        yield "two truths with one key"
    if not {due.key for due in golden.accepted} <= set(keys):
        yield "accepts a value that nothing asks for"
    if (golden.expect == "answered") != bool(golden.truth) or (golden.expect == "refused") != bool(golden.code):
        yield f"{golden.expect} does not go with its truths and code"
    falling = golden.direction == "highest"
    if (
        golden.order
        and [*golden.order] != [due.company for due in _sorted(golden.truth, falling)][: len(golden.order)]
    ):
        yield f"the order is not {golden.order}"
    if golden.among and [due.key for due in _sorted(golden.among, falling)][:1] != keys[:1]:
        yield "another year is further out"
    if golden.condition:
        sign, bound = golden.condition.split()
        if golden.verdict is not CONDITIONS[sign](golden.truth[0].value, Decimal(bound)):
            yield f"{golden.truth[0].value} {golden.condition} is not {golden.verdict}"


def _sorted(values: Iterable[Due], falling: bool) -> list[Due]:
    return sorted(values, key=lambda due: due.value, reverse=falling)


def read(path: Path = PATH) -> list[DerivedGolden]:
    """All derived goldens. Raises ValueError with the faulty line."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(DerivedGolden.model_validate_json(line))
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
    return found
