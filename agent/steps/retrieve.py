"""retrieve: builds the table of figures, finds passages, and reads data about the filing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.numbers.tables.table import tabulate
from agent.prose.search import passages
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import (
    AgentState,
    Decision,
    FilingDatum,
    FilingRef,
    Phrase,
    Refusal,
    Remark,
    RemarkCode,
    Retrieval,
    SubQuery,
    Target,
    TargetTable,
)
from agent.state.measure_operands import is_guided, is_printed
from agent.state.modes import LIMITS
from agent.state.tables import Cell, Gap, Result, Table
from agent.steps import locate
from agent.steps.deps import Deps
from agent.steps.guided_table import guided_table
from agent.steps.printed_figures import as_documents_print, printed_first, printed_table
from filings.xbrl.periods import QUARTERS

# Cells whose reasons are listed one by one.
MOST_TOLD = 6


def retrieve(state: AgentState, deps: Deps) -> AgentState:
    """Build the table of the query; search passages for each topic.

    Reads plan, filings, locations

    Adds tables (target, table: each cell a value with its facts, or a gap); retrievals (target, passages, index, model);
    particulars

    Refuses a table without a value in any asked cell, by the code of the first gap; table_too_large;
    search_unavailable, not_found_in_filing; per target
    """
    if state.iteration:
        return again(state, deps)
    state = with_tables(state, deps)
    unfound: list[Refusal] = []
    for target, text in texts_of([target for target in state.open_targets() if not target.figures], state, deps):
        state = state.add(particulars=text.particulars, retrievals=text.retrieval or ())
        searches = target.topic.searches if target.topic else ()
        if text.refusal and searches and text.refusal.code is Code.NOT_FOUND_IN_FILING:
            # A model's searches may still find it.
            unfound.append(text.refusal)
        else:
            state = state.add(refusals=text.refusal or ())
    wanted = {target.id: target.topic.searches for target in state.open_targets() if target.topic}
    state = searched(state, wanted, deps)
    found = {one.target for one in state.retrievals if one.passages}
    return state.add(refusals=[one for one in unfound if one.target not in found])


def with_tables(state: AgentState, deps: Deps) -> AgentState:
    """The state with each open target's table, or with the refusal of a table without a value."""
    query = state.plan.query if state.plan else None
    for target in state.open_targets():
        if not target.figures or query is None:
            continue
        if is_guided(query):
            table = guided_table(query)
        else:
            table = (printed_table(query, deps) if is_printed(query) else None) or tabulate(query, deps)
            table = printed_first(query, table) if table.answered else as_documents_print(query, deps) or table
        if short := deps.grant.hold(sum(one.asked for one in table.cells)):
            state = state.add(refusals=refuse(target, Code.TABLE_TOO_LARGE, text=short))
            continue
        if table.answered:
            state = state.add(tables=TargetTable(target=target.id, table=table))
        else:
            state = state.add(refusals=unanswered(target, table))
    return state


def again(state: AgentState, deps: Deps) -> AgentState:
    """A later round: searches the new phrases; without a new passage there is nothing to draft from."""
    now = [one for one in state.agains if one.iteration == state.iteration]
    if any(one.extract for one in now) or (state.claims and not any(one.phrases for one in now)):
        return state
    before = len(state.retrievals)
    phrases = {one.target: tuple(phrase_query(phrase) for phrase in one.phrases) for one in now}
    state = searched(state, phrases, deps)
    # Passages that an empty draft was not given may answer.
    if any(one.passages for one in state.retrievals[before:]) or (not state.claims and state.unread):
        return state
    return state.add(decisions=Decision(again=False, threshold=LIMITS[state.mode].threshold, why="no_passages"))


def phrase_query(phrase: Phrase) -> SubQuery:
    from agent.programs.decompose import content

    return SubQuery(label=phrase.words, words=content(phrase.words), axis=phrase.axis)


def searched(state: AgentState, searches: Mapping[int, tuple[SubQuery, ...]], deps: Deps) -> AgentState:
    """The state with the results of further searches for its open targets; unchanged where search is down."""
    if not any(searches.values()):
        return state
    from agent.prose.search.passages import Wanted, further
    from filings.search.index import IndexMismatch, SearchUnavailable

    wanted = [
        Wanted(
            target,
            state.of(state.filings, target)[0],
            searches[target.id],
            tuple(one for made in state.of(state.retrievals, target) for one in made.passages),
        )
        for target in state.open_targets()
        if searches.get(target.id) and not state.of(state.particulars, target)
    ]
    try:
        found = further(wanted)
    except (SearchUnavailable, IndexMismatch) as error:
        deps.degrade()
        note = f"The searches a model proposed could not be run: {error}"
        return state.add(
            remarks=[Remark(target=one.target.id, code=RemarkCode.NOT_SEARCHED, text=note) for one in wanted]
        )
    if not all(map(passages.is_complete, found)):
        deps.degrade()
    return state.add(retrievals=found)


@dataclass(frozen=True, slots=True)
class TargetText:
    """The text result of a target: data of its filing, passages, or a refusal."""

    particulars: tuple[FilingDatum, ...] = ()
    retrieval: Retrieval | None = None
    refusal: Refusal | None = None


def texts_of(targets: Sequence[Target], state: AgentState, deps: Deps) -> list[tuple[Target, TargetText]]:
    """The text results of these targets, all searched in parallel."""
    found: dict[int, TargetText] = {}
    asked: list[passages.Asked] = []
    for target in targets:
        filings: tuple[FilingRef, ...] = state.of(state.filings, target)
        filing = filings[0]
        if particulars := tuple(locate.particulars(target, filings)):
            found[target.id] = TargetText(particulars=particulars)
        elif target.topic is None:
            found[target.id] = TargetText(refusal=locate.refusal(target, filing))
        else:
            asked.append(passages.Asked(target, target.topic, filing, state.of(state.locations, target)))
    for one, outcome in zip(asked, passages.found(asked), strict=True):
        found[one.target.id] = TargetText(retrieval=outcome.retrieval, refusal=outcome.refusal)
        if not outcome.complete:
            deps.degrade()
    return [(target, found[target.id]) for target in targets]


def unanswered(target: Target, table: Table) -> Refusal:
    """The refusal of a table without a value asked for, in the words of the first gap; what else was looked for is listed.

    An operation's own reason comes before those of its cells only where all cells have values.
    """
    cells = [one for one in table.cells if one.asked and one.gap and not one.alternative]
    results = [one for one in table.results if one.gap]
    found: list[Cell | Result] = [*cells, *results] if cells else [*results]
    if not found:
        raise ValueError("A table without a gap is answered.")
    gaps = [one.gap for one in found if one.gap]
    first = gaps[0]
    return Refusal(
        target=target.id,
        code=first.code,
        stage=first.code.row.stage,
        text=first.text,
        detail=first.detail,
        looked_for=tuple(dict.fromkeys((*_filings(cells), *first.looked_for, *_others(cells, first)))),
        tags=tuple(dict.fromkeys(tag for gap in gaps for tag in gap.tags)),
        accessions=tuple(dict.fromkeys(one.accession for one in cells if one.accession)),
        candidates=first.candidates,
    )


def _filings(cells: list[Cell]) -> list[tuple[str, str]]:
    return [
        ("Filing", f"{_report(one)} ended {one.period_end:%-d %b %Y}, {one.accession}")
        for one in cells[:MOST_TOLD]
        if one.accession and one.period_end
    ]


def _report(cell: Cell) -> str:
    """The filing that closes the period: a 10-Q, or the 10-K."""
    return "10-K for the year" if cell.fiscal_period.quarter == len(QUARTERS) else "10-Q for the quarter"


def _others(cells: list[Cell], first: Gap) -> list[tuple[str, str]]:
    """The reasons of the other cells, where they differ."""
    rows = []
    for one in cells:
        if one.gap and one.gap.text != first.text:
            year = f", {one.place.called}" if one.fiscal_year else ""
            rows.append((f"{one.company}, {one.label}{year}", one.gap.text))
    return rows[:MOST_TOLD]
