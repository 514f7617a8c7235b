"""Verifies the figures of a certificate: facts, formulas, results of operations, and the judgement made of them."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial

from agent.certificates.records import (
    CitedFact,
    Claim,
    Figure,
    Operand,
    OperationResult,
    Quotation,
    StatedJudgement,
    StatedRefusal,
)
from agent.certificates.report import Problem, different
from agent.certificates.stored import Stored
from agent.certificates.verify_facts import HeldFacts
from agent.numbers.facts.render import shown
from agent.numbers.tables import table_text
from agent.numbers.tables.reasons import is_so
from agent.numbers.verification.possible_values import computed
from agent.numbers.verification.verify import of_cell, of_result, values_of
from agent.numbers.verification.verify_labels import stored_value
from agent.refusals.codes import Code
from agent.state import Cell, Scale, Table
from agent.state.findings import with_figures
from agent.state.tables import CellOperand, Placed, Result


class FigureCheck:
    """The figures of one certificate against the stored facts."""

    def __init__(self, claims: Iterable[Claim], scale: Scale | None, stored: Stored) -> None:
        self.claims, self.scale, self.stored = list(claims), scale, stored
        self.facts = HeldFacts((fact for one in self.claims for _, fact in cited(one)), stored)
        self.cells = {one.id: self.cell(one) for one in self.claims if isinstance(one, Figure)}
        self.results = {one.id: self.result(one) for one in self.claims if isinstance(one, OperationResult)}

    def problems(self, claim: Claim) -> Iterator[Problem]:
        """What differs in a claim of figures."""
        for path, fact in cited(claim):
            yield from self.facts.problems(fact, path)
        match claim:
            case Figure():
                yield from self._figure(claim)
            case OperationResult():
                yield from self._result(claim)
            case StatedJudgement():
                yield from self._judgement(claim)
            case StatedRefusal():
                yield from self._refusal(claim)

    def _figure(self, claim: Figure) -> Iterator[Problem]:
        facts = [fact for _, fact in cited(claim)]
        printed = "printed" if claim.fact and claim.fact.source == "printed" else "reported"
        yield from different("kind", claim.kind, printed if claim.fact else "derived")
        # Companies are renamed.
        yield from different("company", claim.company, self.stored.company(claim.cik), unheld=True)
        if claim.basis.recast_by and claim.basis.recast_by not in {one.accession for one in facts}:
            yield Problem(field="basis.recast_by", certificate=claim.basis.recast_by, stored="")
        # Shares of the cover are of a day after the period.
        filings = [self.stored.filings.get((one.cik, one.accession)) for one in facts]
        ends = [one.end for one in facts] + [one.period_end for one in filings if one and one.period_end]
        if claim.kind != "printed" and claim.period_end and claim.period_end not in ends:
            yield Problem(field="period_end", certificate=str(claim.period_end), stored=str(max(ends, default="")))
        yield from self._period(claim)
        cell = self.cells[claim.id]
        value = self._value(cell)
        yield from different("value", claim.value, value)
        if claim.fact:
            yield from different("unit", claim.unit, claim.fact.unit)
            yield from different("formula", claim.formula, "")
        text = shown(claim.value, claim.unit, self.scale, reported=claim.fact is not None)
        yield from different("shown", claim.shown, text)
        for sentence in of_cell(cell, self.facts.by_key):
            yield Problem(field="value", certificate=str(claim.value), stored=str(value), detail=sentence)

    def _period(self, claim: Figure) -> Iterator[Problem]:
        """The fiscal year, where a filing of the figure reports on just that period."""
        for _, fact in cited(claim):
            filing = self.stored.filings.get((fact.cik, fact.accession))
            whole = filing and filing.period_end == claim.period_end == fact.end
            if filing and whole and filing.kind.span == "year" and filing.is_primary:
                yield from different("fiscal_year", claim.fiscal_year, filing.fiscal_year)
                return

    def _value(self, cell: Cell) -> Decimal | None:
        if cell.fact is None:
            return computed(cell.formula, cell.operands, partial(stored_value, self.facts.by_key))
        return stored_value(self.facts.by_key, cell.fact)

    def _result(self, claim: OperationResult) -> Iterator[Problem]:
        part = {one.id for one in self.claims if one.part == claim.part}
        cells = [one for name, one in self.cells.items() if name in part]
        results = [one for name, one in self.results.items() if name in part]
        result = self.results[claim.id]
        for sentence in of_result(result, self.facts.by_key, values_of(cells, results)):
            yield Problem(field="value", certificate=str(claim.value), stored="", detail=sentence)
        text = "" if claim.value is None else table_text.figure(result, self.scale)
        yield from different("shown", claim.shown, text)

    def _judgement(self, claim: StatedJudgement) -> Iterator[Problem]:
        figures = [one for one in self.claims if isinstance(one, Figure) and one.part == claim.part]
        told = [one for one in figures if one.asserted] or figures
        table = Table(cells=tuple(self.cells[one.id] for one in told))
        texts = {
            (with_figures(one.text, [(put.position, put.text) for put in one.figures]), one.place.accession)
            for one in self.claims
            if isinstance(one, Quotation)
        }
        for number, one in enumerate(claim.reasons):
            follows = is_so(one, table) if one.figure else (one.quote, one.accession) in texts
            if not follows:
                said = "A reason of the model\u2019s reading does not follow from the figures and quotations."
                yield Problem(
                    field=f"reasons[{number}]", certificate=one.relation or one.quote, stored="", detail=said
                )

    def _refusal(self, claim: StatedRefusal) -> Iterator[Problem]:
        known = claim.code in {str(one) for one in Code}
        yield from different("code", claim.code, claim.code if known else "")
        for number, accession in enumerate(claim.accessions):
            if not any(accession == held for _, held in self.stored.filings):
                yield Problem(field=f"accessions[{number}]", certificate=accession, stored="")

    def cell(self, claim: Figure) -> Cell:
        """A figure as the state of a run has it."""
        kept = ("row", "cik", "company", "measure", "label", "fiscal_year", "fiscal_period", "period_end", "value", "unit", "formula")  # fmt: skip
        return Cell(
            **{name: getattr(claim, name) for name in kept},
            reading=claim.basis.definition,
            fact=self.facts.restored(claim.fact) if claim.fact else None,
            operands=self._operands(claim.operands),
            breakdown=self._operands(claim.breakdown),
            seams=tuple(fact.accession for _, fact in cited(claim)),
        )

    def result(self, claim: OperationResult) -> Result:
        """A result as the state of a run has it."""
        kept = claim.model_dump(exclude={"id", "part", "asserted", "kind", "shown", "operands", "order"})
        order = tuple(Placed(**one.model_dump()) for one in claim.order)
        kept |= {"value": claim.value, "bound": claim.bound}
        return Result(**kept, operands=self._operands(claim.operands), order=order)

    def _operands(self, found: Iterable[Operand]) -> tuple[CellOperand, ...]:
        return tuple(
            CellOperand(
                name=one.name,
                concept=one.name,
                label="",
                cik=one.fact.cik,
                fiscal_year=one.fact.end.year,
                fact=self.facts.restored(one.fact),
            )
            for one in found
        )


def cited(claim: Claim) -> Iterator[tuple[str, CitedFact]]:
    """Every fact of a claim with its path."""
    match claim:
        case Figure(fact=fact, operands=operands, breakdown=breakdown):
            yield from ((("fact", fact),) if fact else ())
            yield from ((f"operands[{at}].fact", one.fact) for at, one in enumerate(operands))
            yield from ((f"breakdown[{at}].fact", one.fact) for at, one in enumerate(breakdown))
        case OperationResult(operands=operands):
            yield from ((f"operands[{at}].fact", one.fact) for at, one in enumerate(operands))
        case StatedRefusal(facts=facts):
            yield from ((f"facts[{at}]", one) for at, one in enumerate(facts))
