"""cite_check: nothing ships that the database does not say again."""

from collections.abc import Sequence
from decimal import Decimal

from agent.prose.company_wide import Whole
from agent.language.concepts import measures_of
from agent.numbers import formula
from agent.numbers.render import MINUS
from agent.numbers.render import draft as rendered
from agent.numbers.verify import difference
from agent.prose.guards import MeaningUnknown, cosine, verify
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import AgentState, Check, Claim, Draft, Target
from agent.steps.deps import Deps
from filings.models import Fact


def cite_check(state: AgentState, deps: Deps) -> AgentState:
    """Read all that is cited again, and compare it with what will be shown.

    Reads   drafts; claims, retrievals, filings
    Adds    checks (one a draft, one a claim), verified (claims as they may be shown), dropped
    Refuses conflict, when a figure that would be shown is not the figure that is stored;
            unverified, when more than a third of a target's claims fail, or all
    """
    for target in state.open_targets():
        state = figures(state, target)
    # Sentences may hold figures, so all of these come first.
    for target in state.open_targets():
        state = quoted(state, target, deps)
    return state


def figures(state: AgentState, target: Target) -> AgentState:
    """Read every cited fact again, compute every derived number again."""
    checks = [check(draft, target, state) for draft in state.now(state.drafts, target)]
    state = state.add(checks=checks)
    failed = next((one for one in checks if not one.ok), None)
    if failed:
        text = "A figure of this answer does not match the stored filing."
        state = state.add(refusals=refuse(target, Code.CONFLICT, "cite_check", text=text, detail=failed.detail))
    return state


def quoted(state: AgentState, target: Target, deps: Deps) -> AgentState:
    """Verify every claim against the filing's stored text, and drop those that do not stand."""
    claims = state.now(state.claims, target)
    if not claims:
        return state
    filings = state.of(state.filings, target)

    def compare(text: str, quote: str) -> float:
        try:
            return cosine(text, quote)
        except MeaningUnknown:
            # What could not be compared is dropped, and might stand another time.
            deps.degrade()
            raise

    def bears(headings: Sequence[str], opening: str) -> bool:
        measures = measures_of(deps.registry)
        wholes = (Whole(target.company, one.fiscal_year, one.period_end, measures) for one in filings)
        return all(whole.stands_under(headings, opening) for whole in wholes)

    result = verify(claims, target, filings, state.of(state.retrievals, target), compare, bears)
    state = state.add(checks=result.checks, dropped=result.dropped)
    if result.ok:
        return state.add(verified=[with_stored_figures(claim, state) for claim in result.standing])
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
    """A verified claim with those figures only that are of this answer."""
    refused = {refusal.target for refusal in state.refusals}
    known = {draft.inline for draft in state.drafts if draft.target not in refused}
    figures = tuple(one for one in claim.figures if one[1] in known)
    return claim if figures == claim.figures else claim.model_copy(update={"figures": figures})


def counted(count: int, noun: str) -> str:
    """A count with its noun: 1 sentence, 4 sentences."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def check(draft: Draft, target: Target, state: AgentState) -> Check:
    """Compare one draft with the database, to the digit."""
    found = draft.found
    cited = found.facts + tuple(part.fact for part in found.breakdown)
    stored = Fact.objects.select_related("filing").in_bulk([fact.fact for fact in cited])
    problem = next((said for fact in cited if (said := difference(fact, stored.get(fact.fact)))), "")
    if any(fact.cik != target.company.cik or fact.accession != found.accession for fact in cited):
        problem = "The answer cites a fact from another company or filing."
    if not problem:
        value = recomputed(draft, stored)
        scale = state.plan.scale if state.plan else None
        if value != found.value or digits(draft.exact) != value or rendered(found, scale) != draft:
            problem = f"{draft.exact} is shown where {value} is stored."
    return Check(
        target=target.id,
        name="cite_check",
        ok=not problem,
        detail=problem or f"{found.label}: {draft.exact}, re-read and identical.",
    )


def digits(exact: str) -> Decimal:
    """The number that a reader reads in a figure given in full."""
    return Decimal(exact.partition(" ")[0].replace(",", "").replace(MINUS, "-"))


def recomputed(draft: Draft, stored: dict[int, Fact]) -> Decimal:
    """The number again, from stored values alone."""
    found = draft.found
    if found.fact is not None:
        return Decimal(stored[found.fact.fact].value)
    values = {(one.concept, one.offset): Decimal(stored[one.fact.fact].value) for one in found.operands}

    def resolve(name: formula.Name, offset: int) -> Decimal:
        if (name.key, offset) not in values:
            raise formula.Missing(name, offset)
        return values[name.key, offset]

    return formula.evaluate(formula.parse(found.formula), resolve)
