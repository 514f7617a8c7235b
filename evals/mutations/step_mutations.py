"""Corrupts what one step of the pipeline hands to the next, and counts what of it is shown: nothing false may be.

A question is asked once. The state behind a step is corrupted many times, and the steps behind it run each time. What is
false is told by the answer as it was: it agrees with its golden, and with the filing's own file; whatever else is shown is
false, as each corruption makes a label and a figure, or a text and its filing, disagree.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from agent.state import AgentState, Answer, Cell, Claim, FactRef, NearPassage, Passage
from agent.state.tables import Table
from agent.steps import pipeline
from agent.steps.blocks import conclude
from agent.steps.deps import Deps
from agent.steps.plan import plan
from diligence.statistics import Share
from evals import golden, harness, prose_golden, table_harness
from evals.golden import TODAY
from evals.mutations import figure_mutations, query_mutations, table_variations, text_mutations
from evals.truths import derived_truth
from evals.truths.witness import Witness
from filings.document.sentences import sentence_spans
from filings.models import Fact, Section
from filings.models.section import chunk_text

# What of a record is no statement to the reader: how it was found, and what was checked.
NOT_SAID = frozenset(
    {
        "notes",
        "rejected",
        "passed_checks",
        "failed_checks",
        "order_on_face",
        "sha256",
        "url",
        "score",
        "marked",
        "likely",
    }
)
SHOWN = ("answered", "nearest", "passages")
SEED = 7
# Mutations of one class for one question.
MOST = 3
# One golden in so many, so that it takes a minute.
EVERY = 5
# How figures may be asked to be printed, which changes none.
ROUNDED = ("in thousands", "in millions", "in billions", "to one decimal")
# Quotations of one question, and words of each.
QUOTED, WORDS = 3, range(8, 60)


def frozen(value: Any) -> Any:
    """A record as nested tuples; numbers are equal whatever zeros are behind them."""
    if isinstance(value, BaseModel):
        held = {name: getattr(value, name) for name in type(value).model_fields if name not in NOT_SAID}
        return type(value).__name__, *((name, frozen(one)) for name, one in held.items())
    return tuple(map(frozen, value)) if isinstance(value, (tuple, list)) else value


def said_by(answer: Answer) -> dict[Any, Any]:
    """Every record that an answer shows by what it says: cells, results, quotations, passages, data, filings."""
    found: list[Any] = []
    for block in (one for one in answer.blocks if one.outcome in SHOWN):
        found += [*block.claims, *block.passages, *block.particulars]
        found += block.filings if block.claims or block.passages else ()
        if block.table:
            cells = (one for one in block.table.cells if one.value is not None)
            results = (*block.table.results, *block.table.moved)
            found += [*cells, *(one for one in results if one.value is not None)]
    return {frozen(one): one for one in found}


@dataclass(frozen=True)
class Asked:
    """A question, the state behind each step, and its answer, which agrees with its golden.

    accessions: the filings that may answer; empty where figures do.
    """

    id: str
    cik: int
    accession: str
    deps: Deps
    behind: Mapping[str, AgentState]
    answer: Answer

    @cached_property
    def said(self) -> frozenset[Any]:
        return frozenset(said_by(self.answer))

    @property
    def table(self) -> Table | None:
        """The table of the answer; None where there is none."""
        return next((block.table for block in self.answer.blocks if block.table), None)

    def answered(self, step: str, state: AgentState) -> Answer:
        """The answer where a step handed on this state."""
        names = [node.__name__ for node in pipeline.NODES]
        state = pipeline.advanced(state, pipeline.NODES[names.index(step) + 1 :], self.deps, None)
        return conclude(state, self.deps, lambda near: False)


def ask(identifier: str, question: str, cik: int = 0, accession: str = "") -> Asked:
    """Ask a question, and keep the state behind each step."""
    deps, state = Deps.current(TODAY), AgentState(question=question)
    behind: dict[str, AgentState] = {}
    for node in pipeline.NODES:
        state = behind[node.__name__] = node(state, deps)
        if not state.open_targets():
            break
    return Asked(identifier, cik, accession, deps, behind, conclude(state, deps, lambda near: False))


# --- the questions, each with an answer that is known to be true ---


def of_figures(one_in: int = 1) -> Iterator[Asked]:
    """Questions for figures that are answered as their goldens say."""
    for row in golden.read()[::one_in]:
        if row.outcome == "answered":
            asked = ask(row.id, row.question)
            found = harness.asserted(asked.answer)
            if harness.judge(row, asked.answer.outcome, found) is harness.Verdict.EXACT:
                yield asked
    for due in derived_truth.read()[::one_in]:
        if due.sample and due.expect == "answered":
            asked = ask(due.id, due.question)
            plan = asked.answer.plan
            if (
                plan.query
                and asked.table
                and table_harness.graded(due, plan.query, asked.table) is table_harness.Grade.RIGHT
            ):
                yield asked


def of_texts(one_in: int = 1) -> Iterator[Asked]:
    """Questions for texts that show something, each of which the filing says."""
    for path in (prose_golden.SAMPLE, prose_golden.SOURCES):
        for row in prose_golden.read(path)[::one_in]:
            if row.outcome == "answered":
                asked = ask(row.id, row.question, row.cik, row.accession)
                if asked.said and len(asked.answer.plan.targets) == 1:
                    yield asked
                    yield from quoting(asked)


def quoting(asked: Asked) -> Iterator[Asked]:
    """The same question where sentences of the passages found are handed on as quotations, so that there are enough."""
    state = asked.behind.get("validate")
    if state is None or not state.retrievals or asked.behind["retrieve"].particulars:
        return
    claims = [one for passage in state.retrievals[0].passages for one in quotations(passage)][:QUOTED]
    state = state.model_copy(update={"claims": tuple(claims), "near": (), "remarks": ()})
    answer = asked.answered("validate", state)
    if claims and any(block.claims for block in answer.blocks):
        yield replace(asked, behind={"validate": state}, answer=answer)


def quotations(passage: Passage) -> Iterator[Claim]:
    """The first whole sentence of a passage of prose as a claim."""
    text = Section.objects.values_list("text", flat=True).get(pk=passage.section)
    start, end = passage.ranges[-1]
    spans = [span for span in sentence_spans(text, start, end) if len(text[slice(*span)].split()) in WORDS]
    for first, last in spans[:1] if passage.kind == "prose" else ():
        place = {
            name: getattr(passage, name) for name in ("chunk", "section", "sha256", "cik", "accession", "item", "page")
        }
        yield Claim(target=0, text=text[first:last], quote=text[first:last], start=first, end=last, **place)


# --- what is true ---


@dataclass(frozen=True)
class Truth:
    """Tells whether what an answer shows is true: it was shown before, or the document says it where it is cited."""

    asked: Asked
    witness: Witness

    def false_of(self, answer: Answer) -> list[Any]:
        """The records shown that are false."""
        return [one for said, one in said_by(answer).items() if said not in self.asked.said and not self.stands(one)]

    def is_cut(self, answer: Answer) -> bool:
        """Whether an answer to a question lacks some of what answers it, as without an operation."""
        return answer.outcome == "answered" and not self.asked.said <= said_by(answer).keys()

    def stands(self, one: Any) -> bool:
        """Whether a filing of the question holds a quotation or passage at the place it cites."""
        if not isinstance(one, (Claim, NearPassage)) or one.accession != self.asked.accession:
            return False
        section = Section.objects.select_related("filing__company").filter(pk=one.section).first()
        if section is None or (section.filing.accession, section.item) != (one.accession, one.item):
            return False
        pages = {page.label if page else "" for page in map(section.page, range(one.start, one.end, 100))}
        if one.page not in pages:
            return False
        if isinstance(one, NearPassage):
            return one.cik == section.filing.company.cik and chunk_text(section.text, one.ranges) == one.text
        headings = [about.text for about in one.about if about.kind == "heading"]
        stands = one.caption in (*headings, one.quote) or section.text[: one.start].rstrip().endswith(one.caption)
        return stands and not self.witness.doubt(one, self.asked.cik)


# --- the mutations ---


@dataclass(frozen=True, slots=True)
class Mutant:
    """A corrupted state behind a step."""

    kind: str
    step: str
    state: AgentState


def figure_mutants(asked: Asked, strangers: Sequence[Cell], chosen: random.Random) -> Iterator[Mutant]:
    """Corruptions of one asserted cell of the table, and of its results."""
    state = asked.behind["retrieve"]
    table = state.tables[0].table
    at = chosen.choice([place for place, one in enumerate(table.cells) if one.asserted])
    place = figure_mutations.Place(table, at, strangers, parts_of(table.cells[at]), chosen)
    for kind, corrupt in figure_mutations.CLASSES.items():
        for changed in some(corrupt(place), chosen):
            yield Mutant(kind, "retrieve", with_table(state, changed))


def query_mutants(asked: Asked, others: Sequence[Asked], chosen: random.Random) -> Iterator[Mutant]:
    """Corruptions of what the question is read as."""
    queries = [one.answer.plan.query for one in others if one.answer.plan.query]
    companies = list(dict.fromkeys(company for query in queries for company in query.companies))
    rows = list(dict.fromkeys(row for query in queries for row in query.rows))
    for query in filter(None, [asked.answer.plan.query] if "plan" in asked.behind else []):
        read = query_mutations.Read(query, chosen.sample(companies, len(companies)), chosen.sample(rows, len(rows)))
        for kind, corrupt in query_mutations.CLASSES.items():
            for changed in some(corrupt(read), chosen):
                planned = plan(AgentState(question=asked.behind["plan"].question, given=changed), asked.deps)
                yield Mutant(kind, "plan", asked.behind["plan"].model_copy(update={"plan": planned.plan}))


def with_table(state: AgentState, table: Table) -> AgentState:
    return state.model_copy(update={"tables": (state.tables[0].model_copy(update={"table": table}),)})


def some(states: Iterable[Any], chosen: random.Random) -> list[Any]:
    found = list(states)
    return found if len(found) <= MOST else chosen.sample(found, MOST)


def parts_of(cell: Cell) -> list[FactRef]:
    """The facts of parts of the company under the tag of a cell, as its own fact is cited."""
    if cell.fact is None:
        return []
    held = Fact.objects.filter(filing__company__cik=cell.fact.cik, tag=cell.fact.tag, end=cell.fact.end)
    fields = ("tag", "unit", "start", "end", "raw", "value", "dimensions", "label", "printed", "statement")
    return [
        cell.fact.model_copy(
            update={"fact": one.pk, "accession": one.filing.accession} | {name: getattr(one, name) for name in fields}
        )
        for one in held.exclude(dimensions="").select_related("filing").order_by("pk")
    ]


def text_mutants(asked: Asked, others: Sequence[Asked], chosen: random.Random) -> Iterator[Mutant]:
    """Corruptions of what each step found in texts."""
    claims = [claim for one in others for claim in one.behind["validate"].claims]
    filings = list(dict.fromkeys((one.cik, ref) for one in others for ref in one.behind["validate"].filings))
    for step in (one for one in text_mutations.CLASSES if one in asked.behind):
        found = text_mutations.Found(asked.behind[step], claims, filings, asked.cik, chosen)
        for kind, corrupt in text_mutations.CLASSES[step].items():
            for state in some(corrupt(found), chosen):
                yield Mutant(kind, step, state)


@dataclass
class Tally:
    """Mutations by class, of which so many were not shown, and unchanged answers that were lost; with those that failed."""

    counted: dict[str, list[int]] = field(default_factory=dict)
    survivors: list[str] = field(default_factory=list)

    def count(self, kind: str, ok: bool, said: str) -> None:
        found = self.counted.setdefault(kind, [0, 0])
        found[0] += ok
        found[1] += 1
        if not ok:
            self.survivors.append(f"{kind}: {said}")

    @property
    def shares(self) -> dict[str, Share]:
        return {kind: Share(*found) for kind, found in self.counted.items()}

    @property
    def whole(self) -> Share:
        return (
            Share(*(sum(found) for found in zip(*self.counted.values(), strict=True))) if self.counted else Share(0, 0)
        )


def core(answer: Answer) -> frozenset[Any]:
    """What an answer asserts: its figures, and the places of its quotations."""
    cells = ((one.cik, one.label, one.place, one.value, one.unit) for one in harness.asserted(answer))
    claims = ((one.section, one.start, one.end) for block in answer.blocks for one in block.claims)
    return frozenset((*cells, *claims))


def check(one_in: int = 1, seed: int = SEED) -> tuple[Tally, Tally]:
    """The mutations and the benign variations of answered questions, counted. one_in: only of so many of those used."""
    chosen = random.Random(seed)  # noqa: S311 - a sample, not a secret
    killed, kept, witness = Tally(), Tally(), Witness()
    figures, texts = list(of_figures(EVERY * one_in)), list(of_texts(EVERY * one_in))
    strangers = [cell for asked in figures for cell in harness.asserted(asked.answer)]
    for asked in (*figures, *texts):
        truth = Truth(asked, witness)
        is_text = asked in texts
        mutants = text_mutants(asked, texts, chosen) if is_text else figure_mutants(asked, strangers, chosen)
        for one in (*mutants, *query_mutants(asked, (*figures, *texts), chosen)):
            answer = asked.answered(one.step, one.state)
            false = truth.false_of(answer) or (one.step == "plan" and truth.is_cut(answer))
            killed.count(one.kind, not false, f"{asked.id} {one.step}" if false else "")
        step = "validate" if is_text else "retrieve"
        state = asked.behind[step]
        variations = (
            text_mutations.benign(state)
            if is_text
            else ((kind, with_table(state, table)) for kind, table in table_variations.benign(state.tables[0].table))
        )
        for words in ROUNDED if not is_text else ():
            question = f"{asked.behind['plan'].question.rstrip('?. ')}, {words}"
            kept.count(f"rounding as asked: {words}", core(ask("", question).answer) >= core(asked.answer), asked.id)
        for kind, varied in variations:
            kept.count(kind, core(asked.answered(step, varied)) >= core(asked.answer), asked.id)
    return killed, kept
