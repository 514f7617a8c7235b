"""Lets a model say how figures are computed that code reads in no question; what it says is tried before it is taken."""

from collections.abc import Iterator

from agent.grounding.candidates import Candidate
from agent.grounding.computed_figures import asked_figures, figures_of, judged_figures
from agent.grounding.named_slots import Known
from agent.grounding.operand_rows import operand_rows, told
from agent.grounding.printed_operands import filings_near, printed_operands
from agent.grounding.slots import Understanding
from agent.numbers.registry.registry import Registry
from agent.numbers.tables.table import tabulate
from agent.programs import calls, compute, decompose
from agent.programs.sanitize import is_showable, line
from agent.programs.schemas import ComputeReply
from agent.prose.questions.topics import topic_of
from agent.query.dates.years import asked
from agent.query.wording.answer_form import decimals_asked
from agent.query.words.lexicon import Called, lexicon_of
from agent.query.words.refused_question import Misread, Read
from agent.refusals.codes import Code
from agent.refusals.grammar import capitalized
from agent.refusals.query_text import measure, when
from agent.state import SubQuery
from agent.state.plan import Chip
from agent.state.query import Formula, Query, Row, Years
from agent.state.references import CompanyRef, QuestionType, Record
from agent.state.tables import Table
from agent.steps.deps import Deps
from agent.steps.scoped import LATEST, Scoped
from agent.words.stems import roots
from agent.words.tokens import stems
from filings.models import Filing

# Requests for one question: a reply that cannot be computed is told why, once.
MOST_ASKED = 2
# Refusals that a figure may lift: nothing is called as asked, or by several names.
OPEN = frozenset(
    {Code.NOT_UNDERSTOOD, Code.CONCEPT_UNKNOWN, Code.AMBIGUOUS_CONCEPT, Code.DIMENSIONAL_ONLY, Code.NON_GAAP}
)
# Gaps of a figure that code can read, and other rows may give.
LIFTED = frozenset({Code.CONCEPT_NOT_REPORTED, Code.CONCEPT_UNKNOWN, Code.DIMENSIONAL_ONLY})
# Kinds of documents whose figures are held.
REPORTS = frozenset({"10-K", "10-Q", "8-K", "20-F"})
MOST_TOLD = 6
# Companies of a table that is tried before it is asked for; larger ones stay as code reads them.
MOST_COMPANIES = 3


class Computed(Record):
    """A question for figures as a model says they are computed, or for a judgement over them with what the text is asked."""

    query: Query
    text: Query | None = None
    judgement: bool = False
    searches: tuple[SubQuery, ...] = ()

    @property
    def halves(self) -> Read:
        """The question in their place."""
        return (self.query, self.text) if self.text else (self.query,)

    def chips(self, registry: Registry) -> tuple[Chip, ...]:
        """How its slots were filled; what else they may be, nobody said."""
        measures = (
            Chip(slot="measure", label=capitalized(measure(one.measure, registry)), text=one.text)
            for one in self.query.rows
        )
        return (
            *(Chip(slot="company", label=one.called) for one in self.query.companies),
            *measures,
            Chip(slot="period", label=when(self.query.periods).removeprefix("in ")),
        )


def is_lacking(halves: Read, deps: Deps) -> bool:
    """Whether no half of a question gives a figure that is asserted, and one may be computed otherwise."""
    for half in halves:
        if isinstance(half, Misread):
            if half.code not in OPEN or half.table is not None:
                return False
        elif half.rows and not half.is_nearest:
            if len(half.companies) > MOST_COMPANIES:
                return False
            gaps = _gaps(half, tabulate(half, deps))
            if not gaps or any(code not in LIFTED for code in gaps):
                return False
        elif half.particulars or half.meta or any(topic.newest for topic in half.topics):
            return False
    return True


def _gaps(query: Query, table: Table) -> list[Code]:
    """Why a table answers nothing; empty for one that does."""
    if table.answered:
        return []
    return [one.gap.code for one in table.cells if one.asked and one.gap and not one.alternative]


class Computing:
    """One question, computed with a model."""

    def __init__(
        self, question: str, halves: Read, said: Understanding, known: Known, deps: Deps, within: Scoped | None
    ) -> None:
        self.question, self.halves, self.said, self.known, self.deps = question, halves, said, known, deps
        self.within = within
        self.chosen = within.company if within and within.filing else None

    def is_wanted(self) -> bool:
        """Whether figures, or a judgement over them, are asked that nothing asserts."""
        figures = self.said.type in {QuestionType.NUMERIC, QuestionType.BOTH} and self.said.source in REPORTS
        return figures and is_lacking(self.halves, self.deps)

    def ask(self, session: calls.Session, refs: tuple[CompanyRef, ...], previous: Query | None) -> Computed | None:
        """The question as a model says it is computed, once all of it is checked and has figures. Raises ModelFailed."""
        companies = (self.chosen,) if self.chosen else refs
        if not companies:
            return None
        ciks = [one.cik for one in companies]
        reading = self.known.reading(self.question, (), companies)
        rows = self.offered(companies)
        feedback: list[str] = []
        best: Computed | None = None
        for _ in range(MOST_ASKED):
            reply = compute.compute(
                session, self.question, self.periods(companies), list(told(rows, self.deps.registry)), feedback
            )
            if not reply.figures:
                break
            found, faults = self._taken(reply, rows, ciks, previous, decimals_asked(reading.sentence))
            best = found or best
            if found and not faults:
                break
            feedback = faults[:MOST_TOLD]
        return best

    def offered(self, companies: tuple[CompanyRef, ...]) -> tuple[Candidate, ...]:
        """The rows over which a model may compute, for companies."""
        ciks = [one.cik for one in companies]
        called = self.known.lines(ciks) if self.known.lines else Called()
        names = roots(" ".join(f"{one.name} {one.short}" for one in companies))
        words = " ".join(word for word in self.question.split() if not roots(word) & names)
        printed = printed_operands(self._documents(ciks), words, [label for label, _ in called.rows])
        lexicon = self.known.reading(self.question, (), companies).lexicon
        return operand_rows(self.question, self.deps.registry, lexicon, called, printed)

    def _taken(
        self,
        reply: ComputeReply,
        rows: tuple[Candidate, ...],
        ciks: list[int],
        previous: Query | None,
        decimals: int | None,
    ) -> tuple[Computed | None, list[str]]:
        """What a reply makes, and what of it cannot be computed."""
        found = figures_of(reply, self.question, rows, self.deps.registry)
        faults = list(found.faults)
        if not found.figures:
            return None, faults
        given = (self.known, ciks, previous, self.chosen)
        query = (
            judged_figures(self.question, self.said, found, *given, reply.years)
            if reply.judgement
            else asked_figures(self.question, self.said, found, self.halves[0], *given)
        )
        scoped = self.within.of(query) if query and self.within else query
        if not isinstance(scoped, Query):
            return None, [*faults, "It leaves words of the question out that ask for another figure."]
        scoped = scoped.model_copy(update={"decimals": decimals})
        if own := [row.text for row in scoped.rows if self._has_its_own(row, scoped)]:
            return None, [*faults, f"\u201c{own[0]}\u201d has a row of its own that gives it."]
        table = tabulate(scoped, self.deps)
        lost = {one.row for one in table.cells if one.asked} - {one.row for one in table.asserted}
        faults += [
            f"No figures are held for {measure(scoped.rows[row].measure, self.deps.registry)}." for row in sorted(lost)
        ]
        if reply.judgement and lost:
            kept = tuple(row for place, row in enumerate(scoped.rows) if place not in lost)
            scoped = scoped.model_copy(update={"rows": kept})
        if not scoped.rows or not table.answered or (lost and not reply.judgement):
            return None, faults
        return self._computed(scoped, reply), faults

    def _has_its_own(self, row: Row, query: Query) -> bool:
        """Whether the registry has what the words of a computed row name, and the company a figure of it."""
        named = lexicon_of(self.deps.registry).named(stems(row.text)) if isinstance(row.measure, Formula) else None
        if named is None or not named.asserted:
            return False
        return tabulate(query.model_copy(update={"rows": named.asserted, "operations": ()}), self.deps).answered

    def _computed(self, query: Query, reply: ComputeReply) -> Computed:
        text = self._text(query) if reply.judgement or self.said.type is QuestionType.BOTH else None
        return Computed(
            query=query,
            text=text,
            judgement=reply.judgement,
            searches=tuple(self._searches(reply, query)) if text else (),
        )

    def _text(self, query: Query) -> Query | None:
        """What the text is asked beside the figures: as code reads it, or the words of the question."""
        for half in self.halves:
            if isinstance(half, Query) and half.topics:
                return half.model_copy(update={"rows": (), "unheld": (), "left_out": ()})
            if isinstance(half, Misread) and half.told:
                return half.told
        topic = topic_of(" and ".join(piece.text for piece in self.said.topics) or self.question)
        if topic is None or len(query.companies) > 1:
            return None
        periods = query.periods if isinstance(query.periods, Years) else LATEST
        update = {"rows": (), "operations": (), "by_model": "", "topics": (topic,), "periods": periods}
        return query.model_copy(update=update)

    def _searches(self, reply: ComputeReply, query: Query) -> Iterator[SubQuery]:
        names = [name for one in query.companies for name in (one.name, one.short) if name]
        for said in reply.searches:
            label = decompose.bare(line(said), self.deps.today, names)
            words = decompose.content(label)
            if words and is_showable(label, [self.question], calls.instructions(compute.ComputeFigures)):
                yield SubQuery(label=label, words=words)

    def _documents(self, ciks: list[int]) -> list[Filing]:
        """The documents whose printed rows are offered: the one chosen, or those of the years asked."""
        if self.within and self.within.filing:
            return [self.within.filing]
        asked = [half.query.periods if isinstance(half, Misread) else half.periods for half in self.halves]
        periods = [one for told in asked if isinstance(told, Years) for one in told.periods]
        return filings_near(ciks, sorted({one.year for one in periods if one.year}))

    def periods(self, companies: tuple[CompanyRef, ...]) -> str:
        """The periods that code reads in the question, in words: all that stand in it, for text too."""
        reading = self.known.reading(self.question, (), companies)
        if reading.stretches:
            return when(asked(reading.stretches).periods).removeprefix("in ")
        for half in self.halves:
            if isinstance(half, Query) and half.rows:
                return when(half.periods).removeprefix("in ")
        return "none named: the latest year"
