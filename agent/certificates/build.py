"""Builds the certificate of a run from its stored answer and the filings. Built twice, it is the same bytes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from typing import Any

from agent.certificates import signing
from agent.certificates.records import (
    Certificate,
    CertifiedVersions,
    CitedFact,
    Claim,
    Figure,
    FigureKind,
    FilingDetail,
    InsertedFigure,
    Operand,
    OperationResult,
    PrintedAt,
    Quotation,
    RankedFigure,
    SeriesBasis,
    ShownPassage,
    StatedJudgement,
    StatedRefusal,
    TextPlace,
)
from agent.certificates.stored import Stored
from agent.models import Run
from agent.numbers.facts.render import shown
from agent.numbers.tables import table_text
from agent.runs.stored_answer import read
from agent.state import Answer, Block, Cell, FactRef, NearPassage, Scale, Table
from agent.state import Claim as Quoted
from agent.state.query import Basis
from agent.state.tables import CellOperand, Result
from filings.models.section import chunk_pieces


def certificate_of(run: Run) -> dict[str, Any] | None:
    """The certificate of a run as JSON, signed where a key is set; None where no answer can be read."""
    answer = read(run.answer)
    if answer is None:
        return None
    programs = {call["program"]: call["version"] for step in run.steps.order_by("sequence") for call in step.calls}
    unsigned = Certificate(
        format="diligence-certificate-1",
        run=run.pk,
        question=run.question,
        query=answer.plan.query,
        scale=answer.plan.scale,
        outcome=answer.outcome,
        mode=answer.mode,
        answered_at=(run.finished or run.created).astimezone(UTC),
        versions=CertifiedVersions(**answer.versions.model_dump(), programs=programs),
        claims=claims_of(answer),
        digest="0" * 64,
    ).model_dump(mode="json")
    digest = signing.digest(unsigned)
    return {**unsigned, "digest": digest, "signature": signing.signature(digest)}


def claims_of(answer: Answer) -> tuple[Claim, ...]:
    """Everything that an answer asserts or shows, in its order, numbered by kind."""
    stored = Stored.of_answer(answer)
    counted: Counter[str] = Counter()
    found: list[Claim] = []
    ciks = {target.id: target.company.cik for target in answer.plan.targets}
    for part, block in enumerate(answer.blocks):
        for one in _of_block(block, part, ciks.get(block.target, 0), answer.plan.scale, stored):
            counted[one.kind] += 1
            found.append(one.model_copy(update={"id": f"{one.kind}-{counted[one.kind]}"}))
    return tuple(found)


def _of_block(block: Block, part: int, cik: int, scale: Scale | None, stored: Stored) -> Iterator[Claim]:
    asserted = block.outcome == "answered"
    if block.table is not None:
        yield from _of_table(block.table, part, scale, stored, asserted=asserted)
    if block.judgement is not None:
        said = block.judgement
        yield StatedJudgement(
            id="", part=part, asserted=False, kind="judgement", verdict=said.verdict, reasons=said.reasons
        )
    yield from (_quotation(one, part, stored) for one in block.shown_claims)
    yield from (_passage(one, part, stored) for one in block.passages)
    for one in block.particulars:
        kept = one.model_dump(exclude={"target", "iteration"})
        yield FilingDetail(id="", part=part, asserted=asserted, kind="data", cik=cik, **kept)
    if block.refusal is not None:
        refusal = block.refusal
        yield StatedRefusal(
            id="",
            part=part,
            asserted=True,
            kind="refusal",
            code=refusal.code,
            stage=refusal.stage,
            text=refusal.text,
            detail=refusal.detail,
            looked_for=refusal.looked_for,
            tags=refusal.tags,
            accessions=refusal.accessions,
            facts=tuple(_fact(one, stored) for one in refusal.candidates),
        )


def _of_table(table: Table, part: int, scale: Scale | None, stored: Stored, *, asserted: bool) -> Iterator[Claim]:
    for cell in table.cells:
        if cell.value is not None:
            yield _figure(cell, part, table, scale, stored, asserted=asserted and cell.asserted)
    for result in (*table.results, *table.moved):
        if result.gap is None:
            told = asserted and result in table.results
            yield _result(result, part, scale, stored, asserted=told)


def _figure(cell: Cell, part: int, table: Table, scale: Scale | None, stored: Stored, *, asserted: bool) -> Figure:
    assert cell.value is not None  # noqa: S101 - only cells with a value are figures
    kind: FigureKind = "derived" if cell.fact is None else "printed" if cell.fact.as_printed else "reported"
    return Figure(
        id="",
        part=part,
        asserted=asserted,
        kind=kind,
        company=stored.company(cell.cik),
        cik=cell.cik,
        row=cell.row,
        measure=cell.measure,
        label=cell.label,
        fiscal_year=cell.fiscal_year,
        fiscal_period=cell.fiscal_period,
        period_end=cell.period_end,
        value=cell.value,
        unit=cell.unit,
        shown=shown(cell.value, cell.unit, scale, reported=cell.fact is not None),
        fact=_fact(cell.fact, stored) if cell.fact else None,
        formula=cell.formula,
        operands=_operands(cell.operands, stored),
        breakdown=_operands(cell.breakdown, stored),
        basis=SeriesBasis(
            reports=table.basis or Basis.FIRST,
            aligned=table.aligned or "",
            recast_by=cell.recast.accession if cell.recast else "",
            definition=cell.reading,
            changed=cell.basis_break,
        ),
    )


def _result(one: Result, part: int, scale: Scale | None, stored: Stored, *, asserted: bool) -> OperationResult:
    kept = one.model_dump(exclude={"operands", "order", "gap", "notes"})
    return OperationResult(
        id="",
        part=part,
        asserted=asserted,
        kind="result",
        shown="" if one.value is None else table_text.figure(one, scale),
        operands=_operands(one.operands, stored),
        order=tuple(RankedFigure(**place.model_dump()) for place in one.order),
        **kept,
    )


def _operands(found: Iterable[CellOperand], stored: Stored) -> tuple[Operand, ...]:
    return tuple(Operand(name=one.name, fact=_fact(one.fact, stored)) for one in found)


def _fact(one: FactRef, stored: Stored) -> CitedFact:
    return CitedFact(
        cik=one.cik,
        accession=one.accession,
        form=one.form,
        filed=one.filed,
        source=one.source,
        element=one.name,
        unit=one.unit,
        start=one.start,
        end=one.end,
        dimensions=one.dimensions,
        decimals=one.decimals,
        raw=one.raw,
        value=one.value,
        negated=one.negated,
        source_sha256=one.sha256,
        printed=_printed_at(one, stored),
    )


def _printed_at(one: FactRef, stored: Stored) -> PrintedAt | None:
    """Where the document prints a figure; None where only SEC's data file is known to hold it."""
    if one.source == "companyfacts":
        return None
    document = stored.document_of(one.cik, one.accession, one.section, one.sha256)
    section = stored.section(one.cik, one.accession, one.section)
    return PrintedAt(
        document=document.filename if document else "",
        document_sha256=document.sha256 if document else "",
        anchor=stored.anchors.get(one.fact, ""),
        page=stored.page(section, one.text_start) or one.page,
        section=one.section,
        start=one.text_start,
        end=one.text_end,
        section_sha256=section.sha256 if section else "",
        text=one.printed,
        label=one.label,
    )


def _place(one: Quoted | NearPassage, words: Sequence[str], stored: Stored) -> TextPlace:
    section = stored.text(one.cik, one.accession, one.sha256)
    if section is None and (found := stored.read_anew(one.cik, one.accession, one.item, words, one.start)):
        section = found[0].section
    document = section.document if section else None
    return TextPlace(
        cik=one.cik,
        accession=one.accession,
        document=document.filename if document else "",
        document_sha256=document.sha256 if document else "",
        section=section.number if section else 0,
        section_sha256=one.sha256,
        item=one.item,
        page=one.page,
    )


def _quotation(one: Quoted, part: int, stored: Stored) -> Quotation:
    return Quotation(
        id="",
        part=part,
        asserted=True,
        kind="quotation",
        place=_place(one, [one.quote], stored),
        start=one.start,
        end=one.end,
        quote=one.quote,
        text=one.text,
        relation=one.verdict if one.verdict in ("edited", "paraphrase") else "verbatim",
        about=one.about,
        columns=one.row,
        figures=tuple(InsertedFigure(position=at, text=text) for at, text in one.figures),
    )


def _passage(one: NearPassage, part: int, stored: Stored) -> ShownPassage:
    return ShownPassage(
        id="",
        part=part,
        asserted=False,
        kind="passage",
        place=_place(one, chunk_pieces(one.text, one.ranges), stored),
        headings=one.headings,
        ranges=one.ranges,
        text=one.text,
        marked=one.marked,
    )
