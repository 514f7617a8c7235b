"""What a model's expressions make of a question: a query for figures, as far as every slot of it is grounded."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from agent.grounding.candidates import Candidate
from agent.grounding.grounding import Grounded
from agent.grounding.model_formulas import Unusable, is_safe_term, measure_of
from agent.grounding.named_slots import Known
from agent.grounding.slots import OperationPiece, Piece, RowPiece, Understanding, pieces
from agent.grounding.two_readings import compared
from agent.grounding.words_held import WordsHeld
from agent.numbers.registry.formula import FormulaSyntaxError, operands, parse
from agent.numbers.registry.registry import Registry
from agent.programs.schemas import ComputeReply, FigureReply
from agent.query.reading.named_periods import named_periods
from agent.query.words.refused_question import Misread, Refused
from agent.refusals.query_text import heading
from agent.state.measure_operands import leaves
from agent.state.query import Change, Formula, Last, Measure, Member, Periods, Query, Row, Share, Years
from agent.state.references import CompanyRef, QuestionType, Record

# Years of a judgement that names none and does not say how many it needs.
COURSE = 3


class Slots(Grounded):
    """The slots of one question. chosen: the company of the document that it is limited to, if it is."""

    chosen: CompanyRef | None = None

    def companies(self) -> tuple[CompanyRef, ...]:
        """The companies of the slots; where none of its words names one, that of the document chosen."""
        found = super().companies()
        if found or self.chosen is None or self.named(self.tokens):
            return found
        return (self.chosen,)


class Figures(Record):
    """The figures of a reply that can be computed, each with the words that it answers, and why others cannot."""

    figures: tuple[tuple[Piece | None, Measure], ...] = ()
    candidates: tuple[tuple[Candidate, ...], ...] = Field(default=(), description="Of each figure, the rows in it.")
    faults: tuple[str, ...] = ()


def figures_of(reply: ComputeReply, question: str, rows: Sequence[Candidate], registry: Registry) -> Figures:
    """The figures of a reply over the rows that were offered."""
    offered = {one.id: one for one in rows}
    spans = Counter(one.span for one in reply.figures)
    made: list[tuple[Piece | None, Measure]] = []
    used: list[tuple[Candidate, ...]] = []
    faults: list[str] = []
    for one in reply.figures:
        piece = next(iter(pieces(question, [one.span])), None) if one.span else None
        try:
            # Words that several figures answer name none of them, nor do those of a judgement.
            term = piece.text if piece and spans[one.span] == 1 and not reply.judgement else ""
            made.append((piece, _measure(one, term, question, offered, registry)))
            used.append(tuple(_rows_in(one.expression, offered)))
        except Unusable as why:
            faults.append(f"{one.expression}: {why}")
            continue
        if piece is None and not reply.judgement:
            made.pop(), used.pop()
            faults.append(f"{one.expression}: its span does not stand in the question.")
    return Figures(figures=tuple(made), candidates=tuple(used), faults=tuple(faults))


def _measure(
    said: FigureReply, term: str, question: str, offered: Mapping[str, Candidate], registry: Registry
) -> Measure:
    part = offered.get(said.part)
    if said.part and (part is None or not part.part):
        raise Unusable(f"{said.part} is no part that was offered.")
    named = term if is_safe_term(term.split()) else ""
    return measure_of(said.expression, offered, part, question, named, said.unit, registry)


def _rows_in(expression: str, offered: Mapping[str, Candidate]) -> Iterator[Candidate]:
    try:
        yield from (offered[key] for key in dict.fromkeys(one.name.key for one in operands(parse(expression.strip()))))
    except (FormulaSyntaxError, KeyError):
        return


def asked_figures(
    question: str,
    said: Understanding,
    found: Figures,
    first: Query | Misread,
    known: Known,
    offered: Sequence[int],
    previous: Query | None,
    chosen: CompanyRef | None,
) -> Query | None:
    """The query for the figures that a question asks; None where a slot is not grounded, or a word would change them.

    first: the code's reading, with which it is compared. offered: the companies whose rows were offered. chosen: the
    company of the document that the question is limited to.
    """
    rows: list[RowPiece] = []
    for (piece, measure), candidates in zip(found.figures, found.candidates, strict=True):
        if piece is not None:
            rows = list(_with(rows, RowPiece(piece=piece, candidates=candidates, made=(measure,))))
    plain = not any(isinstance(measure, Formula | Change | Share) for _, measure in found.figures)
    operations = (*said.operations, *_orders(said, rows)) if plain else ()
    update = {"rows": tuple(rows), "complete": True, "operations": operations}
    one = Slots(question, said.model_copy(update=update), known, offered, previous)
    one.chosen = chosen
    query = None if one.is_refused(first) else one.figures()
    return compared(query, first) if query else None


def _orders(said: Understanding, rows: Sequence[RowPiece]) -> Iterator[OperationPiece]:
    """The order of several figures that the same words ask for, where only the largest or smallest is wanted."""
    asked = next((one for one in said.rows if one.first), None)
    if asked and any(len(one.made) > 1 for one in rows) and not any("rank" in one.kind for one in said.operations):
        yield OperationPiece(piece=asked.piece, kind="rank highest" if asked.first == "largest" else "rank lowest")


def _with(rows: Sequence[RowPiece], new: RowPiece) -> Iterator[RowPiece]:
    """Rows with one more; those whose words overlap are one piece with several figures."""
    for one in rows:
        if one.piece.start < new.piece.end and new.piece.start < one.piece.end:
            wider = max(one.piece, new.piece, key=lambda piece: piece.end - piece.start)
            candidates = tuple(dict.fromkeys((*one.candidates, *new.candidates)))
            new = RowPiece(piece=wider, candidates=candidates, made=(*one.made, *new.made))
        else:
            yield one
    yield new


def judged_figures(
    question: str,
    said: Understanding,
    found: Figures,
    known: Known,
    offered: Sequence[int],
    previous: Query | None,
    chosen: CompanyRef | None,
    years: int,
) -> Query | None:
    """The query for the figures by which a question can be judged; None where a company or a period is not grounded.

    Its words ask for no figure, so they need not be held by one; what names another company or no period still counts.
    """
    whole = Piece(start=0, end=len(question), text=question)
    update = {"type": QuestionType.BOTH, "rows": (), "operations": (), "topics": (whole,)}
    one = Slots(question, said.model_copy(update=update), known, offered, previous)
    one.chosen = chosen
    companies = one.companies()
    if not companies or not one.has_all_named(companies) or not all(company.covered for company in companies):
        return None
    if {company.cik for company in companies} != set(offered):
        return None
    reading = one.reading(companies)
    held = WordsHeld(question, one.said, (), reading, known.owners)
    names = [name for told in found.candidates for each in told for name in (each.label, *each.names)]
    parts = [leaf for _, measure in found.figures for leaf in leaves(measure) if isinstance(leaf, Member)]
    of_parts = [member for one in parts for member in (*one.members, *(m for own in one.own for m in own.members))]
    if held.left_out() is None or held.narrows_to_another([*names, *(one.label for one in parts)], of_parts):
        return None
    undated = not reading.stretches
    try:
        periods = named_periods(reading, [(piece.start, piece.end) for piece in said.periods], instant=False)
    except Refused:
        return None
    query = Query(
        companies=companies,
        owned=one.owned,
        periods=_over(periods.asked.periods, years, undated=undated),
        own=periods.own,
        align=periods.align,
        basis=periods.basis,
        rows=tuple(Row(measure=measure) for measure in dict.fromkeys(measure for _, measure in found.figures)),
        scale=periods.scale,
        words=held.words,
    )
    return query.model_copy(update={"by_model": heading(query, known.registry)})


def _over(asked: Periods, years: int, *, undated: bool) -> Periods:
    """The periods of a judgement: as asked; where one year is, or none, the years to it that the judgement compares."""
    if undated:
        return Last(count=years or COURSE)
    match asked:
        case Years(periods=(one,)) if years > 1 and one.part is None and one.year:
            return Last(count=years, until=one)
    return asked
