"""Finds the passages shown beside a refusal: the filing's text nearest to the question."""

from dataclasses import dataclass

from agent.prose import extract
from agent.prose.search.near_passages import stored
from agent.prose.text.wording import notes
from agent.refusals.codes import Code
from agent.state import AgentState, FilingRef, NearPassage, Plan, QuestionType, Refusal, Retrieval
from agent.steps.cited_filings import problems
from agent.steps.deps import Deps
from agent.steps.fetch import fetch
from agent.steps.locate import locate
from agent.steps.plan import plan
from agent.steps.retrieve import retrieve


@dataclass(frozen=True, slots=True)
class RelatedPassages:
    """The passages nearest to a figure question that was not understood; empty where nothing is near."""

    near: tuple[NearPassage, ...] = ()
    filings: tuple[FilingRef, ...] = ()
    retrieval: Retrieval | None = None
    notes: tuple[str, ...] = ()


def nearest_to_figure_question(refusal: Refusal, state: AgentState, deps: Deps) -> RelatedPassages:
    """The nearest passages for a part that was not understood as a question for a figure."""
    text = asked(refusal, state, deps)
    if text is None:
        return RelatedPassages()
    text = retrieve(text, deps)
    retrieval = next(iter(text.retrievals), None)
    found = {target: nearest(text, target.id) for target in text.open_targets()}
    near = tuple(one.model_copy(update={"target": refusal.target}) for of in found.values() for one in of)
    if not near or retrieval is None:
        return RelatedPassages(retrieval=retrieval)
    said = (
        one
        for target in found
        for one in notes(
            target, text.of(text.filings, target), (), text.of(text.retrievals, target), text.of(text.remarks, target)
        )
    )
    return RelatedPassages(near, text.filings, retrieval, tuple(dict.fromkeys(said)))


def asked(refusal: Refusal, state: AgentState, deps: Deps) -> AgentState | None:
    """What is searched for a refused part: its text topic, if it has one."""
    if query := next((one.query for one in state.told if one.target == refusal.target), None):
        text = AgentState(question=state.question, given=query)
        for node in (plan, fetch, locate):
            text = node(text, deps)
        return text
    planned = state.plan or Plan(type=QuestionType.REFUSE)
    target = next((one for one in planned.targets if one.id == refusal.target), None)
    if refusal.stage != "locate" or target is None or target.topic is None or target.topic.named:
        return None
    # These passages are not handed on to cite_check.
    if any(problems(target, state.of(state.filings, target), ())):
        return None
    return AgentState(
        question=state.question,
        plan=planned.model_copy(update={"targets": (target,)}),
        filings=state.of(state.filings, target),
        locations=state.of(state.locations, target),
    )


def searched(refusal: Refusal, state: AgentState) -> tuple[NearPassage, ...]:
    """The passages nearest to a part that no sentence answers; none where nothing is near."""
    return nearest(state, refusal.target) if refusal.code is Code.NOT_FOUND_IN_FILING else ()


def nearest(state: AgentState, number: int) -> tuple[NearPassage, ...]:
    """The stored passages of the first search that are nearest to a target."""
    target = next((one for one in state.plan.targets if one.id == number), None) if state.plan else None
    searches = state.of(state.retrievals, target) if target else ()
    if target is None or target.topic is None or not searches:
        return ()
    return stored(extract.near(target, target.topic, state.of(state.filings, target)[0], searches[0]))
