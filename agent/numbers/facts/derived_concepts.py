"""Concepts computed from other facts of the same filing by the registry's expressions. Every operand is a cited fact."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import product
from typing import Protocol

from agent.numbers.facts.filing_figures import Candidate, FilingFigures
from agent.numbers.facts.selection_result import Choice, ChosenOperand, NoChoice
from agent.numbers.registry import formula
from agent.numbers.registry.formula import Expr, Name
from agent.numbers.registry.registry import Concept, Condition, Statement
from agent.numbers.registry.row_labels import Fit
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first


class Decided(Protocol):
    """The filing and its selected concepts, which give the operands."""

    filing_figures: FilingFigures

    def annual(self, key: str, offset: int = 0) -> Choice | NoChoice: ...

    def names(self, concept: Concept, offset: int) -> Iterable[tuple[str, Condition | None]]: ...


class UndecidedError(Exception):
    """An operand is reported, but no single value of it can be selected."""


def derived(concept: Concept, decided: Decided, offset: int) -> Choice | None:
    """The first of the registry's expressions whose operands are all available facts; None where there is none."""
    if concept.derive_if == "single_cost_line" and not single_cost_line(decided, offset):
        return None
    for expression in concept.derivations:
        operands = Operands(decided, offset)
        try:
            value = formula.evaluate(expression, operands.resolve)
        except (formula.Missing, formula.FormulaError, UndecidedError):
            continue
        if whole(concept, operands.parts, decided.filing_figures):
            return Choice(concept.key, value, formula=str(expression), parts=operands.parts, notes=operands.notes)
    return None


class Operands:
    """Resolves the names of one expression and records what was found and what was missing."""

    def __init__(self, decided: Decided, offset: int) -> None:
        self.decided, self.offset = decided, offset
        self.found: dict[tuple[str, int], Choice] = {}
        self.absent: list[str] = []

    def resolve(self, name: Name, shift: int) -> Decimal:
        """The value of an operand. `opt(x)` is 0 where x is missing; a reported operand without a single value is not
        missing.
        """
        choice = self.decided.annual(name.key, self.offset + shift)
        derived_itself = isinstance(choice, Choice) and choice.candidate is None
        if derived_itself or (isinstance(choice, NoChoice) and choice.code is not Code.CONCEPT_NOT_REPORTED):
            raise UndecidedError(name.key)
        if not isinstance(choice, Choice):
            if self.decided.filing_figures.may_print(self.decided.filing_figures.registry.concepts[name.key]):
                raise UndecidedError(name.key)
            self.absent.append(lower_first(self.decided.filing_figures.registry.concepts[name.key].label))
            raise formula.Missing(name, shift)
        self.found[name.key, shift] = choice
        return choice.value

    @property
    def parts(self) -> tuple[ChosenOperand, ...]:
        return tuple(
            ChosenOperand(key, choice.candidate, shift)
            for (key, shift), choice in self.found.items()
            if choice.candidate
        )

    @property
    def notes(self) -> tuple[str, ...]:
        assumed = [f"No {name} reported; taken as zero." for name in self.absent]
        said = [note for choice in self.found.values() for note in choice.notes]
        return tuple(dict.fromkeys(assumed + said))


def whole(concept: Concept, parts: tuple[ChosenOperand, ...], filing_figures: FilingFigures) -> bool:
    """Whether the operands make up the whole measure: each is on its statement, and no further line belongs to it."""
    if not all(stands_with(concept, part, filing_figures) for part in parts):
        return False
    used = [part.candidate.name for part in parts]
    return concept.derive_unless is None or not filing_figures.other_lines(concept, concept.derive_unless, used)


def stands_with(concept: Concept, part: ChosenOperand, filing_figures: FilingFigures) -> bool:
    """Whether an operand is on the measure's statement under a fitting label; a partial amount from a note is not.

    Where the statement is not loaded, the operand is accepted.
    """
    if filing_figures.face_of(concept) is None:
        return True
    if part.candidate.label and part.candidate.fit is not Fit.ACCEPTED:
        return False
    return filing_figures.lines(part.candidate.name, concept.statements)[0] is not None


def single_cost_line(decided: Decided, offset: int) -> bool:
    """Whether cost of revenue is the only cost-of-sales line on the income statement (UNH has two, MCD none)."""
    cost = decided.annual("cost_of_revenue", offset)
    if not isinstance(cost, Choice) or cost.candidate is None or cost.candidate.face != Statement.INCOME:
        return False
    return not decided.filing_figures.other_cost_lines(cost.candidate)


def corroborated(concept: Concept, candidate: Candidate, decided: Decided, offset: int) -> bool:
    """Whether the operands of a registry expression confirm a candidate as the statement line rather than a part of it."""
    return any(
        abs(value - candidate.value) <= 3 * candidate.half_unit
        for expression in concept.derivations
        for value in combinations(expression, decided, offset)
    )


def combinations(expression: Expr, decided: Decided, offset: int) -> Iterator[Decimal]:
    """An expression over every choice of tagged values of its operands."""
    keys = list(dict.fromkeys(operand.name.key for operand in formula.operands(expression)))
    concepts = [decided.filing_figures.registry.concepts[key] for key in keys]
    held = [
        [one.value for one in decided.filing_figures.candidates(concept, decided.names(concept, offset), offset)]
        for concept in concepts
    ]
    for values in product(*held):
        at = dict(zip(keys, values, strict=True))

        def resolve(name: Name, _: int, at: dict[str, Decimal] = at) -> Decimal:
            return at[name.key]

        yield formula.evaluate(expression, resolve)


def breakdown(choice: Choice, decided: Decided) -> tuple[ChosenOperand, ...]:
    """The parts that add up to a fact by the registry's expression, where they do."""
    if choice.candidate is None:
        return ()
    made = derived(decided.filing_figures.registry.concepts[choice.key], decided, 0)
    if made is None or len(made.parts) < 2:
        return ()
    return made.parts if abs(made.value - choice.value) <= made.half_unit + choice.half_unit else ()
