"""The answer card: a part for each block, what was understood of the question, and how its words were used."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from django.utils.text import capfirst

from agent.numbers.cells.operation_results import OVER
from agent.numbers.facts.render import number
from agent.numbers.registry import concept
from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.concept import WHOLES
from agent.numbers.tables.table_text import COMPARISONS
from agent.query.wording.answer_form import with_choice
from agent.refusals import query_text
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first
from agent.refusals.nearest_question import NearestQuestion, nearest_question
from agent.runs.judgement_text import ShownJudgement, judgement_of
from agent.state import Answer, Block, Plan, Query, Table, Target
from agent.state.query import (
    Basis,
    Breakdown,
    Change,
    Combined,
    Concept,
    Formula,
    Line,
    Measure,
    Member,
    Metric,
    Operation,
    OverYears,
    Printed,
    Rank,
    Share,
    Statement,
    Threshold,
)
from agent.state.question_words import Display, Role
from agent.web.cards.citations import citations
from agent.web.cards.nearest_passages import near_passages
from agent.web.cards.prose_card import Prose, Shelf, is_prose, prose, shelf
from agent.web.cards.reading_chips import ReadingChip, reading_chips
from agent.web.tables.screens import of_query
from agent.web.tables.table_card import TableCard
from agent.web.tables.table_links import LABELS, other_choices, statement_links

# Names of word roles on the page.
ROLES = {Role.FRAME: "wording", Role.UNUSED: "not used"}
# The cover page has no title.
STATEMENTS = {kind: name.capitalize() for kind, name in concept.STATEMENTS.items() if kind != "cover"}


@dataclass(frozen=True)
class AnswerPart:
    """A block of the answer for the page."""

    block: Block
    target: Target | None
    table: TableCard | None = None
    prose: Prose | None = None
    shelf: Shelf | None = None
    nearest: NearestQuestion | None = None  # where it is the answer to another question
    chips: tuple[ReadingChip, ...] = ()  # of the figures: what a language model read the question as
    judgement: ShownJudgement | None = None  # what a language model takes the figures and passages to say
    others: tuple[tuple[str, str], ...] = ()  # the question with another choice, and what that shows, where it differs

    @property
    def verified(self) -> bool:
        """Whether every figure was read again and found equal."""
        return bool(self.block.checks) and all(check.ok for check in self.block.checks)


@dataclass(frozen=True)
class Asked:
    """What was understood of a question, for the lines below it."""

    query: Query
    measures: tuple[str, ...]
    operations: tuple[str, ...]

    @property
    def basis(self) -> str:
        """Which reports give the figures: As last reported; As first reported, unless noted, by 31 Mar 2024."""
        chosen = {Basis.FIRST: "As first reported", Basis.LAST: "As last reported"}
        said = chosen[self.query.basis] if self.query.basis else "As first reported, unless noted"
        return f"{said}, by {self.query.as_of:%-d %b %Y}" if self.query.as_of else said


def parts(answer: Answer, run: UUID, share: str = "", question: str = "") -> list[AnswerPart]:
    """The blocks of an answer, each with its target and the view of its table or claims.

    question: as it was read; empty where the answer is to a query that has only a name. share: the token of the link by which it is read, if any.
    """
    targets = {target.id: target for target in answer.plan.targets}
    names = distinct_names(answer)
    cited = iter(citations(answer, run, share))
    near = iter(near_passages(answer))
    shown_parts = []
    for place, block in enumerate(answer.blocks, 1):
        target = targets.get(block.target)
        of_block = list(islice(cited, len(block.claims)))
        passages = list(islice(near, len(block.passages)))
        shown_parts.append(
            AnswerPart(
                block=block,
                target=target,
                table=table_card(block.table, answer.plan, str(place)) if block.table else None,
                prose=prose(block, target, of_block, passages, answer.plan.axes, names.get(block.target, ""))
                if is_prose(block)
                else None,
                shelf=shelf(block, target),
                nearest=nearest_question(answer.plan) if block.outcome == "nearest" else None,
                chips=reading_chips(answer.plan) if target and target.figures else (),
                judgement=judgement_of(block, answer),
                others=others(question, answer.plan.query, block.table),
            )
        )
    return shown_parts


def others(question: str, query: Query | None, table: Table | None) -> tuple[tuple[str, str], ...]:
    """The question with each other choice in how its table is made, and what that shows; none where all are the same."""
    if not question or query is None or table is None:
        return ()
    return tuple((with_choice(question, query, one), LABELS[one]) for one in other_choices(table))


def distinct_names(answer: Answer) -> dict[int, str]:
    """Target -> whose filing it is asked of, where an answer quotes several: AMD, or fiscal 2025 of one company. A heading
    says it better.
    """
    quoting = [target for target in answer.plan.targets if not target.figures]
    companies = {target.company.cik for target in quoting}
    years = {filing.target: f"fiscal {filing.fiscal_year}" for block in answer.blocks for filing in block.filings}
    headed = {block.target for block in answer.blocks if block.heading}
    if len(quoting) < 2:
        return {}
    named = {}
    for target in quoting:
        name = target.company.called
        again = sum(other.company.cik == target.company.cik for other in quoting) > 1
        year = years.get(target.id, "") if again else ""
        named[target.id] = ", ".join(filter(None, (name if len(companies) > 1 else "", year)))
    return {number: name for number, name in named.items() if number not in headed}


def joined(shown: Sequence[AnswerPart]) -> bool:
    """Whether the parts share one card: those of a question for figures and text."""
    of_prose = [part.prose is not None or bool(part.target and part.target.topic) for part in shown]
    return len(shown) > 1 and any(of_prose)


def asked(answer: Answer) -> Asked | None:
    """What was understood of a question; None where nothing was."""
    query = answer.plan.query
    if query is None or not (query.companies or query.rows or query.topics):
        return None
    measures = [row.measure for row in query.rows if not row.mention]
    read_as = Counter(one.key for one in measures if isinstance(one, Metric))
    rows = dict.fromkeys(
        called(Metric(key=one.key) if isinstance(one, Metric) and read_as[one.key] > 1 else one) for one in measures
    )
    return Asked(query, tuple(rows), tuple(operation(one) for one in query.operations))


def read_as(answer: Answer) -> str:
    """What a question that goes on from another was read as, in one line; empty for a refused one."""
    query = answer.plan.query
    return query_text.heading(query, registry_file.load()) if query and not answer.refusal_code else ""


def tables(answer: Answer) -> list[TableCard]:
    """The tables of an answer."""
    return [
        table_card(block.table, answer.plan)
        for block in answer.blocks
        if block.table is not None and block.outcome in {"answered", "nearest"}
    ]


def table_card(table: Table, plan: Plan, id: str = "1") -> TableCard:
    symbols = {one.cik: one.symbol for one in plan.query.companies} if plan.query else {}
    several = plan.reads_in_several_ways(table)
    display = plan.query.display if plan.query else Display.TABLE
    found = of_query(plan.query) if plan.query else None
    return TableCard(
        table,
        plan.scale,
        statement(plan.query),
        several,
        divided(plan.query),
        id,
        symbols,
        links=statement_links(plan.query),
        display=display,
        screen=found.address() if found else "",
        basis=plan.query.basis if plan.query else None,
        as_of=plan.query.as_of if plan.query else None,
    )


def statement(query: Query | None) -> str:
    """The statement shown line by line, inside a sentence; empty for single measures."""
    whole = [row.measure for row in query.rows if isinstance(row.measure, Statement)] if query else []
    only = query is not None and len(whole) == len(query.rows)
    return listed([of_statement(one) for one in whole]) if only else ""


def of_statement(one: Statement) -> str:
    """A statement and the form of its rows, inside a sentence: income statement in % of total revenue."""
    name = concept.STATEMENTS[one.statement]
    if one.form == "growth":
        return f"{name}, growth"
    whole = lower_first(registry_file.load().concepts[WHOLES[one.statement]].label) if one.form else ""
    return f"{name} in % of {whole}" if whole else name


def divided(query: Query | None) -> str:
    """The measure and the kind of parts asked, inside a sentence; empty for anything else."""
    parts = [row.measure for row in query.rows if isinstance(row.measure, Breakdown)] if query else []
    only = query is not None and len(parts) == len(query.rows)
    return listed([lower_first(called(one)) for one in parts if not one.extreme]) if only else ""


def called(one: Measure) -> str:
    """A measure's label."""
    registry = registry_file.load()
    match one:
        case Concept(key=key):
            return registry.concepts[key].label if key in registry.concepts else key
        case Metric(key=key, variant=variant):
            if key not in registry.metrics:
                return key
            metric = registry.metrics[key]
            detail = metric.variants[variant].label if variant in metric.variants else ""
            return f"{metric.label} ({detail})" if detail else metric.label
        case Line(label=label) | Printed(words=label):
            return label
        case Formula(text=text, term=term):
            return f"{term}: {text}" if term else text
        case Breakdown(of=of, axis=axis, first=first):
            return f"{called(of)} of the {first}" if first else f"{called(of)} by {axis}"
        case Member(of=of, label=label):
            return f"{called(of)} of {label}"
        case Statement():
            return capfirst(of_statement(one))
        case Change(of=of, percent=percent, sequential=sequential):
            over = " over the quarter before" if sequential else ""
            return f"{'Growth' if percent else 'Change'} of {lower_first(called(of))}{over}"
        case Share(part=part, whole=whole):
            return f"{called(part)} as % of {lower_first(called(whole))}"
        case Combined(sign=sign, parts=parts):
            first, *others = map(called, parts)
            return first + "".join(f" {'plus' if sign == '+' else 'less'} {lower_first(other)}" for other in others)


def operation(one: Operation) -> str:
    """An operation, in words."""
    match one:
        case OverYears(over=over):
            return OVER[over.value]
        case Rank(highest=highest, top=top):
            best = "Highest" if highest else "Lowest"
            return best if top == 1 else f"{best} first" + (f", {top} of them" if top else "")
        case Threshold(comparison=comparison, bound=bound):
            return f"{COMPARISONS[comparison].capitalize()} {number(bound)}"
    return "Difference in percent" if one.percent else "Difference"


def words(answer: Answer) -> list[tuple[str, str, str]]:
    """The words of the question in pieces, each with its role and what it was read as."""
    told = answer.plan.query.words if answer.plan.query else ()
    refusals = [
        block.refusal for block in answer.blocks if block.refusal and block.refusal.code == Code.NOT_UNDERSTOOD
    ]
    roles = ROLES | ({Role.UNUSED: "not understood"} if refusals else {})
    return [
        (word.text, roles.get(word.role, word.role.value), meaning(word.meaning, typed=word.typed)) for word in told
    ]


def meaning(said: str, *, typed: bool) -> str:
    """What words were read as, with keys, statements and operations by their labels."""
    registry = registry_file.load()
    keys = [key.strip() for key in said.split(",")] if said else []
    names = (OVER.get(key) or STATEMENTS.get(key) or registry.label(key).replace("_", " ") for key in keys)
    text = ", ".join(dict.fromkeys(names))
    return text if typed else f"read as {text}"
