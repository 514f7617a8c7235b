"""Says how an answer was made: without a language model, or by which one, in which mode, and who checked it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.state import AgentState, Decision
from agent.state.answer import WITHOUT_MODEL, Block

if TYPE_CHECKING:
    from agent.programs.calls import Session


def mode(state: AgentState, blocks: Sequence[Block], session: "Session | None") -> str:
    """The answer mode of the answer shown, and who read, drafted and checked it.

    The mode is the one that the budget allowed; of several rounds shown, the last one's.
    """
    told = [call for call in session.calls if call.outcome == "ok"] if session else []
    if session is None or not told or state.plan is None:
        return WITHOUT_MODEL
    drafted = {one.iteration: one.mode or state.plan.mode for one in state.draftings}
    shown = {claim.iteration for block in blocks for claim in block.claims} & drafted.keys()
    if shown:
        return f"{drafted[max(shown)].label.lower()}, drafted by {session.models.draft.name}, checked by code"
    return f"{state.plan.mode.label.lower()}, read with {session.models.plan.name}, no draft of a model"


def judged(state: AgentState) -> Decision | None:
    """The last judgement of the rounds."""
    return next((one for one in reversed(state.decisions) if one.score is not None), None)
