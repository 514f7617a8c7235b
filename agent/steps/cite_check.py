"""cite_check: compares everything that is cited with the database before it is shown."""

from collections.abc import Sequence

from agent.numbers.facts.render import inline
from agent.numbers.registry.registry import Registry
from agent.numbers.verification.verify import verify as verify_table
from agent.prose.answers.company_wide import Whole
from agent.prose.search.near_passages import stored
from agent.prose.verification.verify_quotations import MeaningUnknown, cosine, verify
from agent.query.words.lexicon import lexicon_of
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import AgentState, Cell, Check, Claim, Query, Scale, Table, Target
from agent.steps.cited_filings import problems
from agent.steps.deps import Deps


def cite_check(state: AgentState, deps: Deps) -> AgentState:
    """Read everything cited again, and compare it with what will be shown.

    Reads tables; claims, near, retrievals, filings

    Adds checks (one a table, one a claim), verified (claims as they may be shown), dropped; near_verified

    Refuses conflict, when a figure, or a filing named, differs from the stored one, or the query is not the one that was
    read; unverified, when no claim of a target is verified
    """
    if state.asked and state.plan and state.plan.digest != state.asked:
        text = "What was looked up is not what the question was read as."
        return state.add(
            refusals=[refuse(one, Code.CONFLICT, "cite_check", text=text) for one in state.open_targets()]
        )
    for target in state.open_targets():
        state = sources(figures(state, target, deps), target)
    # Sentences may contain figures, so all figures come first.
    for target in state.open_targets():
        state = quoted(state, target, deps)
        state = state.add(near_verified=stored(state.now(state.near, target)))
    return state


def figures(state: AgentState, target: Target, deps: Deps) -> AgentState:
    """Read every cited fact of a table again, compute every formula again, and compare what is said with the question.

    What shows that a question takes something for granted that is not so is of other measures than it asks.
    """
    query = state.plan.query if state.plan and target.figures else None
    for tabled in state.now(state.tables, target):
        found = check(tabled.table, target, query, deps.registry)
        state = state.add(checks=found)
        if not found.ok:
            text = "A figure of this answer does not match the stored filing."
            state = state.add(refusals=refuse(target, Code.CONFLICT, "cite_check", text=text, detail=found.detail))
    return state


def sources(state: AgentState, target: Target) -> AgentState:
    """Read the filings that a text names, and the data of them, again."""
    said = list(problems(target, state.of(state.filings, target), state.now(state.particulars, target)))
    if not said:
        return state
    text = "A filing of this answer does not match the stored one."
    return state.add(refusals=refuse(target, Code.CONFLICT, "cite_check", text=text, detail=said[0]))


def quoted(state: AgentState, target: Target, deps: Deps) -> AgentState:
    """Verify every claim against the filing's stored text, and drop those that fail."""
    claims = state.now(state.claims, target)
    if not claims:
        return state
    filings = state.of(state.filings, target)

    def compare(text: str, quote: str) -> float:
        try:
            return cosine(text, quote)
        except MeaningUnknown:
            # A claim that could not be compared is dropped; another try may verify it.
            deps.degrade()
            raise

    def bears(headings: Sequence[str], opening: str) -> bool:
        names = lexicon_of(deps.registry)
        wholes = (Whole(target.company, one.fiscal_year, one.period_end, names) for one in filings)
        return all(whole.stands_under(headings, opening) for whole in wholes)

    drafted = any(one.iteration == state.iteration for one in state.draftings)
    result = verify(claims, target, filings, state.of(state.retrievals, target), compare, bears, drafted=drafted)
    state = state.add(checks=result.checks, dropped=result.dropped)
    if result.ok:
        return state.add(verified=[with_stored_figures(claim, state) for claim in result.standing])
    if state.of(state.tables, target):
        return state  # the figures beside them are unaffected
    reasons = dict.fromkeys(one.why for one in result.dropped)
    return state.add(
        refusals=refuse(
            target,
            Code.UNVERIFIED,
            claims=counted(len(claims), "sentence"),
            failed=len(result.dropped),
            filings=filings,
            looked_for=[("Check", reason) for reason in reasons],
        )
    )


def with_stored_figures(claim: Claim, state: AgentState) -> Claim:
    """A verified claim with only those of its figures that are part of this answer."""
    known = {inline(cell, scale_of(state)) for cell in asserted(state)}
    figures = tuple(one for one in claim.figures if one[1] in known)
    return claim if figures == claim.figures else claim.model_copy(update={"figures": figures})


def asserted(state: AgentState) -> list[Cell]:
    """The cells that the tables of this run assert, except those of a refused target."""
    refused = {refusal.target for refusal in state.refusals}
    return [cell for one in state.tables if one.target not in refused for cell in one.table.asserted]


def scale_of(state: AgentState) -> Scale | None:
    return state.plan.scale if state.plan else None


def counted(count: int, noun: str) -> str:
    """A count with its noun: 1 sentence, 4 sentences."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def check(table: Table, target: Target, query: Query | None, registry: Registry) -> Check:
    """Compare the cells and results of a table with the database, to the digit, and with the question where it is given."""
    problems = verify_table(table, query, registry)
    count = len(table.asserted) + sum(one.value is not None for one in table.results)
    said = f"{counted(count, 'figure')} re-read and identical."
    return Check(target=target.id, ok=not problems, detail=problems[0] if problems else said)
