"""Events of a run with a model: what each node did, as steps record it and the page shows it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent.refusals.grammar import lower_first
from agent.runs import step_records
from agent.state import AgentState, Plan, Refusal, Remark, Retrieval
from agent.state.model_rounds import STOPPED, Decision, Drafting, Evaluation
from agent.state.modes import LIMITS
from agent.steps.blocks import best_round

if TYPE_CHECKING:
    from agent.programs.calls import Call

# Programs whose failure changes how a question is read, and what is done instead.
UNREAD = {
    "understand": "The model did not help, so the question was read by rules alone.",
    "decompose": "The model suggested no searches, so the question's own words were searched.",
}
MOST_ISSUES = 3
BEFORE_DRAFTS = {"plan", "fetch", "locate", "retrieve"}


@dataclass(frozen=True)
class Event:
    """One event. `data` is stored with it; an event `of_node` has the node's records, calls and milliseconds instead."""

    name: str
    said: str
    iteration: int = 0
    of_node: bool = False
    refused: bool = False
    data: dict[str, Any] = field(default_factory=dict)


def events(node: str, before: AgentState, after: AgentState, calls: Sequence["Call"] = ()) -> list[Event]:
    """What a node of a run with a model did, in order; empty where it did nothing. calls: the node's own."""
    found = TELL[node](before, after, calls)
    refused = [
        Event("rejected", one.text, round_of(before), refused=True, data={"code": str(one.code), "target": one.target})
        for one in after.refusals[len(before.refusals) :]
    ]
    if refused and node in BEFORE_DRAFTS and not after.open_targets():
        # Every target ended here, so the node has nothing else to report.
        first = replace(refused[0], of_node=True, data={})
        return [*(one for one in found if one.name in {"reasoning", "fallback"}), first, *refused[1:]]
    return [*found, *refused]


def in_rounds(plan: Plan | None) -> bool:
    """Whether any part of the question is drafted, checked and judged in rounds."""
    return plan is not None and any(target.topic and not target.particular for target in plan.targets)


def round_of(state: AgentState) -> int:
    """The round of the nodes after `locate`, from 1; 0 where nothing is drafted."""
    return state.iteration + 1 if in_rounds(state.plan) and state.locations else 0


def new(before: AgentState, after: AgentState, name: str) -> tuple[Any, ...]:
    """The records of one kind that a node added."""
    added: tuple[Any, ...] = getattr(after, name)[len(getattr(before, name)) :]
    return added


Calls = Sequence["Call"]


def plan(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    made = after.plan
    last = {one.program: one.outcome for one in calls}
    told: tuple[Remark, ...] = new(before, after, "remarks")
    found = [
        Event("fallback", told[0].text if told else UNREAD[program], data={"outcome": outcome})
        for program, outcome in last.items()
        if outcome != "ok" and program in UNREAD
    ]
    if made is None:
        return [*found, Event("plan", step_records.said("plan", before, after), of_node=True)]
    if made.reasoning:
        found.append(Event("reasoning", made.reasoning))
    said = [step_records.said("plan", before, after)]
    if made.axes:
        said.append(f"It can be read in {len(made.axes)} ways: {'; '.join(made.axes)}.")
    if in_rounds(made):
        said.append(f"Mode: {lower_first(made.mode.label)}.")
    return [*found, Event("plan", " ".join(said), of_node=True)]


def fetch(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    return [Event("fetch", step_records.said("fetch", before, after), of_node=True)]


def locate(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    found = [Event("locate", step_records.said("locate", before, after), of_node=True)]
    return [*found, started(after)] if in_rounds(after.plan) and after.open_targets() else found


def started(state: AgentState) -> Event:
    """The beginning of a round."""
    mode = state.mode
    number, most = state.iteration + 1, LIMITS[mode].iterations
    said = f"Round {number} of at most {most}"
    data = {"iteration": number, "of": most, "mode": str(mode), "threshold": LIMITS[mode].threshold}
    return Event("iteration_start", said, number, data=data)


def retrieve(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    again = before.iteration > 0
    phrases = searched_for(before)
    found: tuple[Retrieval, ...] = new(before, after, "retrievals")
    if not again:
        # The question's own search comes first for each target.
        seen = len(before.retrievals) + len({one.target for one in found})
        said = [
            step_records.said("retrieve", before, after.model_copy(update={"retrievals": after.retrievals[:seen]}))
        ]
        said += [
            f"Searching {quoted(phrases)}: {step_records.found(one)}" for one in after.retrievals[seen:] if phrases
        ]
    elif any(one.passages for one in found):
        said = [f"New: {step_records.found(one)}" for one in found if one.passages]
    else:
        said = ["No new passage was found." if phrases else "Nothing new was searched."]
    return [Event("iteration_search" if again else "search", " ".join(said), round_of(before), of_node=True)]


def searched_for(state: AgentState) -> list[str]:
    """What a round searches besides the question itself, in the model's words."""
    if state.iteration:
        return [
            phrase.text for again in state.agains if again.iteration == state.iteration for phrase in again.phrases
        ]
    topics = [target.topic for target in (state.plan.targets if state.plan else ()) if target.topic]
    return list(dict.fromkeys(search.label for topic in topics for search in topic.searches))


def validate(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    made: tuple[Drafting, ...] = new(before, after, "draftings")
    number = round_of(before)
    figures = step_records.said("validate", before, after) if new(before, after, "checks") else ""
    known = {one.text for one in before.remarks}
    remarks = [one for one in new(before, after, "remarks") if one.text not in known]
    if made:
        kept = len(new(before, after, "claims"))
        said = [f"{counted(made[0].made, 'claim')} drafted from {counted(made[0].passages, 'passage')}."]
        if left := made[0].made - kept:
            said.append(f"{left} rejected at once: the model quoted no passage or typed a figure.")
        if made[0].not_found:
            said.append(f"Not found: {quoted(made[0].not_found)}.")
        # Only the use of a cheaper mode is new to the reader at this point.
        found = [Event("fallback", remark.text, number) for remark in remarks[:1]]
        found.append(Event("draft", " ".join(filter(None, (*said, figures))), number, of_node=True))
        if made[0].reviewed:
            said = ["The first draft found no answer, so passages that it was not given were looked at."]
            if made[0].direction:
                said.append(f"Direction of the answer: {made[0].direction}.")
            found.append(Event("review", " ".join(said), number))
        return found
    stopped: tuple[Decision, ...] = new(before, after, "decisions")
    if stopped:
        said = [STOPPED[stopped[-1].why], "Claims verified in earlier rounds are kept."]
        return [Event("fallback", " ".join(filter(None, said)), number, of_node=True)]
    if in_rounds(before.plan) and (remarks or calls):
        said = [undrafted(before, after, remarks)]
        return [Event("fallback", " ".join(filter(None, (*said, figures))), number, of_node=True)]
    return [Event("validate", figures or step_records.said("validate", before, after), number, of_node=True)]


def undrafted(before: AgentState, after: AgentState, remarks: Sequence[Remark]) -> str:
    """Why nothing was drafted and what was done instead; shown beside sentences only where some were found."""
    refused: tuple[Refusal, ...] = new(before, after, "refusals")
    failed = next((one.without_model for one in refused if one.without_model), "")
    if failed and not new(before, after, "claims"):
        return f"{failed} The passages were read without a language model."
    return remarks[-1].text if remarks else "No draft was made."


def cite_check(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    kept, dropped = new(before, after, "verified"), new(before, after, "dropped")
    why = list(dict.fromkeys(one.why for one in dropped))
    said = []
    if made := len(kept) + len(dropped):
        said.append(f"{len(kept)} of {counted(made, 'claim')} verified against the filing.")
    if why:
        said.append(f"{len(dropped)} dropped: {' '.join(why)}")
    if after.tables and not before.iteration:
        said.append(step_records.said("cite_check", before, after))
    return [Event("cite_check", " ".join(said) or "There was nothing to check.", round_of(before), of_node=True)]


def reflect(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    number = round_of(before)
    if not number:
        return []
    found = [decided(before, after)] if new(before, after, "decisions") else []
    goes_on = after.iteration > before.iteration
    if goes_on:
        phrases = searched_for(after)
        found.append(Event("iteration_followup", next_search(after, phrases), number, data={"phrases": phrases}))
    verified = sum(claim.iteration == before.iteration for claim in before.verified)
    best = best_so_far(before)
    said = f"{counted(verified, 'claim')} verified in this round."
    if before.iteration and best:
        said += f" The best so far is round {best}."
    data = {"verified": verified, "best": best}
    # Without a draft there is no judgement, and the end of the round is all there is to report.
    found.append(Event("iteration_complete", said, number, of_node=not found, data=data))
    return [*found, started(after)] if goes_on else found


def judge(before: AgentState, after: AgentState, calls: Calls) -> list[Event]:
    return [Event("judgement", step_records.said("judge", before, after), of_node=True)]


def next_search(state: AgentState, phrases: Sequence[str]) -> str:
    """What the next round looks for."""
    if phrases:
        return f"{quoted(phrases)}."
    if any(one.extract for one in state.agains if one.iteration == state.iteration):
        return "No new search: nothing the model drafted was verified, so the passages are read without it."
    return "No new search: the draft is rewritten."


def decided(before: AgentState, after: AgentState) -> Event:
    """The judgement of a round, and whether another follows."""
    decision: Decision = after.decisions[-1]
    judged: tuple[Evaluation, ...] = new(before, after, "evaluations")
    if decision.score is None:
        said = [STOPPED.get(decision.why, "")]
    else:
        said = [f"Score {decision.score:.2f}; {decision.threshold:.2f} is enough."]
        issues = (judged[0].issues or judged[0].missing_info)[:MOST_ISSUES] if judged and decision.again else ()
        # Unverified, so always attributed to the model.
        said += (f"In the model's words: {' '.join(issues)}",) if issues else ()
        said.append("Another round follows." if decision.again else STOPPED.get(decision.why, ""))
    return Event("agent_decision", " ".join(filter(None, said)), round_of(before), of_node=True)


def best_so_far(state: AgentState) -> int:
    """The round whose claims would be shown, from 1; 0 where there is none."""
    targets = [target for target in (state.plan.targets if state.plan else ()) if target.topic]
    rounds = [made for target in targets if (made := best_round(state, target)) is not None]
    return max(rounds) + 1 if rounds else 0


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def quoted(words: Sequence[str]) -> str:
    return "; ".join(f"\u201c{one}\u201d" for one in words)


TELL: dict[str, Callable[[AgentState, AgentState, Calls], list[Event]]] = {
    "plan": plan,
    "fetch": fetch,
    "locate": locate,
    "retrieve": retrieve,
    "validate": validate,
    "cite_check": cite_check,
    "reflect": reflect,
    "judge": judge,
}
