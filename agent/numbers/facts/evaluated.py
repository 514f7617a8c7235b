"""An evaluated expression: every name a stored fact, with its value; and what an evaluator offers to those it asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, Self

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.selection_result import Choice
from agent.numbers.facts.statement_lines import LineOf
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Alternative, Binary, Call, Expr, Name, Negative
from agent.numbers.registry.metrics import POSITIVE
from agent.numbers.registry.registry import Concept
from filings.xbrl.facts import Value
from filings.xbrl.periods import FiscalPeriod


@dataclass(frozen=True)
class FactOperand:
    """One fact of an evaluated expression. year: fiscal year of the value; filed_for: that of the filing."""

    key: str
    label: str
    year: int
    filed_for: int
    held: Value
    selection: Selection
    company_filings: CompanyFilings
    concept: Concept | None = None
    face_held: bool = True


@dataclass(frozen=True)
class Evaluated:
    """An expression whose names are facts: Name(key, mark of the filing, fiscal year)."""

    tree: Expr
    parts: Mapping[Name, FactOperand]
    notes: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()

    @property
    def value(self) -> Decimal:
        """Raises formula.DivisionByZero."""
        return formula.evaluate(plain(self.tree), self.resolve)

    def resolve(self, name: Name, year: int) -> Decimal:
        """The value of a name, as `formula.evaluate` asks for it."""
        part = self.parts.get(Name(name.key, name.variant, year))
        if part is None:
            raise formula.Missing(name, year)
        return part.held.value

    @property
    def only(self) -> FactOperand | None:
        """The fact, where the whole expression is one; None for a formula."""
        return self.parts[self.tree] if isinstance(self.tree, Name) else None

    @property
    def filings(self) -> dict[str, tuple[CompanyFilings, int]]:
        """The filings it uses, by mark: company and fiscal year."""
        return {
            mark(one.company_filings, one.filed_for): (one.company_filings, one.filed_for)
            for one in self.parts.values()
        }


class Evaluation(Protocol):
    """An evaluator (`agent.numbers.cells.evaluation.Evaluator`), as the modules that combine reports see it."""

    @property
    def company_filings(self) -> CompanyFilings: ...
    @property
    def year(self) -> int: ...
    @property
    def lines(self) -> Mapping[str, LineOf]: ...
    @property
    def parts(self) -> dict[Name, FactOperand]: ...
    @property
    def notes(self) -> dict[str, None]: ...
    @property
    def failed(self) -> dict[str, None]: ...
    @property
    def passed(self) -> dict[str, None]: ...
    def within(self, company_filings: CompanyFilings, year: int) -> Self: ...
    def for_other_filing(self, company_filings: CompanyFilings, year: int) -> Self: ...
    def of_expression(self, expr: Expr) -> Expr: ...
    def of(self, key: str, offset: int) -> Expr: ...
    def printed(self, key: str, offset: int) -> Name: ...
    def value(self, tree: Expr) -> Decimal: ...
    def chosen(self, choice: Choice, offset: int, selection: Selection) -> Expr: ...


def mark(company_filings: CompanyFilings, year: int) -> str:
    """How names in an evaluated expression say which filing and which part of its year gives them."""
    return f"c{company_filings.company.cik}_{year}{'' if company_filings.period is FiscalPeriod.YEAR else company_filings.period.slug}"


def plain(tree: Expr) -> Expr:
    """An evaluated expression without internal marks."""
    return unwrapped(tree, lambda call: call.function == POSITIVE)


def needed(tree: Expr, parts: Mapping[Name, FactOperand]) -> Expr:
    """An expression that keeps `opt` only where something is missing."""
    return unwrapped(tree, lambda call: call.function == "opt" and call.argument in parts)


def unwrapped(tree: Expr, dropped: Callable[[Call], bool]) -> Expr:
    """An expression with some function calls replaced by their arguments."""
    match tree:
        case Call(function=function, argument=argument):
            inner = unwrapped(argument, dropped)
            return inner if dropped(tree) else Call(function, inner)
        case Negative(operand=operand):
            return Negative(unwrapped(operand, dropped))
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, unwrapped(left, dropped), unwrapped(right, dropped))
        case Alternative(options=options):
            return Alternative(tuple(unwrapped(option, dropped) for option in options))
    return tree


def on_shares(one: Evaluated) -> bool:
    """Whether a figure is per share or counts shares, and so changes with a split."""
    return any(
        (part.concept and part.concept.basis_sensitive) or "shares" in part.held.fact.unit
        for part in one.parts.values()
    )
