"""Evaluates an expression over concepts in the filings of one company: every name becomes a stored fact.

Operands come from one filing, prior years included. Where it lacks a prior year, that year's own 10-K gives it, and a
note says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from agent.numbers.cells.computed_quarters import interim_expression, interim_line_expression
from agent.numbers.cells.multi_report import of_quarter_before
from agent.numbers.facts.accounting_identities import Outcome, in_words
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.evaluated import Evaluated, Evaluation, FactOperand, mark, needed
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.gaps import Unanswered, broken, of_industry, unchosen
from agent.numbers.facts.selection_result import Choice, NoChoice
from agent.numbers.facts.statement_lines import LineOf
from agent.numbers.parts.part_figures import MemberFinder
from agent.numbers.registry import formula
from agent.numbers.registry.expressions import Alternative, Binary, Call, Expr, Name, Negative, Number, mapped, shifted
from agent.numbers.registry.metrics import AT_LEAST_ONE, POSITIVE, QUARTER_BEFORE
from agent.numbers.registry.registry import Registry
from agent.refusals.grammar import lower_first
from filings.xbrl.facts import Value
from filings.xbrl.periods import FiscalPeriod, Place

Kept = tuple[dict[Name, FactOperand], dict[str, None], dict[str, None]]


@dataclass
class Evaluator:
    """Evaluates expressions in the filing of fiscal year `year`. alone: uses no other filing."""

    company_filings: CompanyFilings
    year: int
    lines: Mapping[str, LineOf] = field(default_factory=dict)
    alone: bool = False
    parts: dict[Name, FactOperand] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    failed: dict[str, None] = field(default_factory=dict)
    passed: dict[str, None] = field(default_factory=dict)

    def work(self, expr: Expr, year: int) -> Evaluated:
        """The evaluated expression in a fiscal year, by default the filing's own. Raises Unanswered."""
        tree = self._tree(expr, year - self.year)
        return Evaluated(tree, dict(self.parts), tuple(self.notes), tuple(self.failed), tuple(self.passed))

    def _tree(self, expr: Expr, offset: int) -> Expr:
        match expr:
            case Number():
                return expr
            case Name():
                return self._leaf(expr, offset + expr.offset)
            case Negative(operand=operand):
                return Negative(self._tree(operand, offset))
            case Binary(operator=operator, left=left, right=right):
                return Binary(operator, self._tree(left, offset), self._tree(right, offset))
            case Alternative(options=options):
                return self._first(options, offset)
            case Call(function=function, argument=argument):
                return self._call(function, argument, offset)
        raise formula.FormulaError(f"{expr} is true or false, not a number")

    def _first(self, options: tuple[Expr, ...], offset: int) -> Expr:
        """The first alternative that has a value. Where its line is tagged as another alternative's, that one may
        follow.
        """
        taken: frozenset[int] | None = None
        for option in options:
            kept = self.kept()
            try:
                tree = self._tree(option, offset)
            except Unanswered as error:
                self.back(kept)
                if option is options[-1] or not (error.absent or error.facts):
                    raise
                failed, taken = error, None if error.absent else error.facts
                continue
            if taken is None or (isinstance(tree, Name) and self.parts[tree].held.fact.pk in taken):
                return tree
            raise failed
        raise formula.FormulaError("An expression without options has no value.")

    def kept(self) -> Kept:
        """A snapshot of what was found, to return to where an alternative fails halfway."""
        return dict(self.parts), dict(self.notes), dict(self.failed)

    def back(self, kept: Kept) -> None:
        """Return to a snapshot."""
        self.parts, self.notes, self.failed = kept

    def _call(self, function: str, argument: Expr, offset: int) -> Expr:
        match function:
            case "opt":
                return self._optional(argument, offset)
            case "prev":
                return self._before(argument, offset - 1)
            case marked if marked == QUARTER_BEFORE:
                return self._taken(*of_quarter_before(self, argument, offset))
            case "abs":
                return Call("abs", self._tree(argument, offset))
            case marked if marked == POSITIVE:
                return Call(POSITIVE, self._tree(argument, offset))
            case marked if marked == AT_LEAST_ONE:
                before = len(self.parts)
                tree = self._tree(argument, offset)
                if len(self.parts) == before:
                    first = next(iter(formula.operands(argument)))
                    self._tree(first.name, offset)  # says why it has none
                    raise self._unanswered(first.name.key, offset)
                return tree
        now, prior = self._tree(argument, offset), self._before(argument, offset - 1)
        if prior == shifted(now, -1):
            return Call(function, now)
        if function == "avg":
            return Binary("/", Binary("+", now, prior), Number(Decimal(2)))
        return Binary("-", now, prior)

    def _before(self, argument: Expr, offset: int) -> Expr:
        """An expression in an earlier year: wholly from this filing, or wholly from that year's own."""
        alone = Evaluator(self.company_filings, self.year, self.lines, alone=True)
        try:
            tree = alone._tree(argument, offset)
        except Unanswered as error:
            year = self.year + offset
            if self.alone or error.meaningless or self.company_filings.selection(year) is None:
                raise
            if not self.company_filings.aligned(year, self.year) or self.company_filings.splits(year, self.year):
                raise  # of another period, or before a share split
            own = self.for_other_filing(self.company_filings, year)
            tree = own._tree(argument, 0)
            when = Place(year, self.company_filings.period).called
            own.notes[
                f"The {self.company_filings.report(self.year)} lacks figures for {when}; the "
                f"{self.company_filings.report(year)} is used."
            ] = None
            alone = own
        return self._taken(alone, tree)

    def _taken(self, other: Evaluation, tree: Expr) -> Expr:
        """Adds what another evaluator found to this one."""
        self.parts |= other.parts
        self.notes |= other.notes
        self.failed |= other.failed
        self.passed |= other.passed
        return tree

    def _optional(self, argument: Expr, offset: int) -> Expr:
        kept = self.kept()
        try:
            return self._tree(argument, offset)
        except Unanswered as error:
            self.back(kept)
            names = [one.name for one in formula.operands(argument)]
            if not error.absent or (offset < 0 and any(self._elsewhere(name.key, offset) for name in names)):
                raise
            registry = self.company_filings.registry
            selection = self.company_filings.selection(self.year)
            if selection and any(selection.filing_figures.may_print(registry.concepts[one.key]) for one in names):
                raise  # what is not found under its usual words is not nothing
            for name in names:
                label = lower_first(registry.concepts[name.key].label)
                self.notes[f"No {label} reported; taken as zero."] = None
            return Call("opt", mapped(argument, lambda name: self._named(name.key, offset + name.offset)))

    def _elsewhere(self, key: str, offset: int) -> bool:
        """Whether the prior year's own filing has what this filing's comparatives leave out."""
        own = self.company_filings.selection(self.year + offset)
        return own is not None and bool(own.value(key))

    def _named(self, key: str, offset: int) -> Name:
        return Name(key, mark(self.company_filings, self.year), self.year + offset)

    def _leaf(self, name: Name, offset: int) -> Expr:
        if self.company_filings.period is not FiscalPeriod.YEAR:
            of_part = interim_line_expression if name.key in self.lines else interim_expression
            return of_part(self, name.key, offset)
        if name.key in self.lines:
            return self.printed(name.key, offset)
        selection = self._selection(name.key)
        concept = self.company_filings.registry.concepts[name.key]
        if industry := selection.filing_figures.industries.intersection(concept.not_meaningful_for):
            raise of_industry(concept.label, min(industry), self.company_filings.company)
        choice = selection.annual(name.key, offset)
        if isinstance(choice, NoChoice):
            raise unchosen(choice, self.company_filings, self.year + offset, selection)
        self._check(name.key, offset, selection)
        return self._chosen(choice, offset, selection)

    def _selection(self, key: str) -> Selection:
        selection = self.company_filings.selection(self.year)
        if selection is None:
            raise KeyError(
                f"No {self.company_filings.report(self.year)} is held of {self.company_filings.company.name} for {key}."
            )
        return selection

    def within(self, company_filings: CompanyFilings, year: int) -> "Evaluator":
        """An evaluator for another part of the fiscal year, which adds what it finds to this one."""
        return replace(self, company_filings=company_filings, year=year)

    def for_other_filing(self, company_filings: CompanyFilings, year: int) -> "Evaluator":
        """An evaluator for another filing, which keeps its findings to itself."""
        return Evaluator(company_filings, year, self.lines)

    def of_expression(self, expr: Expr) -> Expr:
        """The evaluated expression in this evaluator's year. Raises Unanswered."""
        return self._tree(expr, 0)

    def of(self, key: str, offset: int) -> Expr:
        """The figure of a concept or a statement line. Raises Unanswered."""
        return self._leaf(Name(key), offset)

    def printed(self, key: str, offset: int) -> Name:
        """The fact of a statement line in this filing. Raises Unanswered."""
        line = self.lines[key]
        label, held = line(self.company_filings, self.year, offset)
        selection = self._selection(key)
        if isinstance(line, MemberFinder) and (said := line.renamed(held.fact, selection.filing_figures.filing)):
            self.notes[said] = None
        named = self._named(key, offset)
        self.parts[named] = FactOperand(
            key, label, self.year + offset, self.year, held, selection, self.company_filings
        )
        return named

    def value(self, tree: Expr) -> Decimal:
        """The value of a part of the evaluated expression."""
        return Evaluated(tree, self.parts).value

    def chosen(self, choice: Choice, offset: int, selection: Selection) -> Expr:
        """A selected number that passes the filing's checks. Raises Unanswered."""
        self._check(choice.key, offset, selection)
        return self._chosen(choice, offset, selection)

    def _unanswered(self, key: str, offset: int) -> Unanswered:
        selection = self._selection(key)
        choice = selection.annual(key, offset)
        if isinstance(choice, Choice):
            raise TypeError(f"{key} is answered.")
        return unchosen(choice, self.company_filings, self.year + offset, selection)

    def _check(self, key: str, offset: int, selection: Selection) -> None:
        """Checks the filing's identities: a failed hard one blocks, a failed soft one becomes a note."""
        registry = self.company_filings.registry
        outcomes = self.company_filings.outcomes(self.year, key, offset)
        failed = [one for one in outcomes if not one.ok]
        if hard := [one for one in failed if one.hard]:
            label = registry.concepts[key].label
            values = [one.held for one in selection.annual(key, offset).candidates]
            raise broken(
                label, [f"This check fails: {said(one, registry)}" for one in hard], values, selection.filing_figures
            )
        self.failed |= dict.fromkeys(said(one, registry) for one in failed)
        self.passed |= dict.fromkeys(one.id for one in outcomes if one.ok)
        for one in outcomes:
            if one.note and one.ok and (not one.about or key in one.about):
                self.notes[one.note] = None

    def _chosen(self, choice: Choice, offset: int, selection: Selection) -> Expr:
        """A selected number: its fact, or its derivation with its facts."""
        self.notes |= dict.fromkeys(choice.notes)
        if choice.candidate is not None:
            return self._fact(choice.key, choice.candidate.held, offset, selection)
        shifts = {(part.key, part.offset): part for part in choice.parts}
        marked = mark(self.company_filings, self.year)

        def put(name: Name) -> Expr:
            part = shifts.get((name.key, name.offset))
            if part is None:  # inside opt
                return Name(name.key, marked, self.year + offset + name.offset)
            self._check(part.key, offset + part.offset, selection)
            return self._fact(part.key, part.candidate.held, offset + part.offset, selection)

        return needed(mapped(formula.parse(choice.formula), put), self.parts)

    def _fact(self, key: str, held: Value, offset: int, selection: Selection) -> Name:
        concept = self.company_filings.registry.concepts[key]
        named = self._named(key, offset)
        self.parts[named] = FactOperand(
            key,
            concept.label,
            self.year + offset,
            self.year,
            held,
            selection,
            self.company_filings,
            concept,
            selection.filing_figures.face_of(concept) is not None,
        )
        return named


def said(outcome: Outcome, registry: Registry) -> str:
    """A check with its values, in words."""
    return " ".join(filter(None, (f"{in_words(outcome.detail, registry)}.", outcome.note)))
