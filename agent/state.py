"""What a run knows: typed, frozen, append-only.

Nodes never replace a record: `add` and `refuse` return a new state with one record more. Every record carries the
target it speaks of and the iteration that made it, so that several targets and several rounds need no new shape.
"""

from typing import Any, Self

from agent.answered import Alternative, Answer, Block, Check, Draft, Nearby, Refusal, Versions
from agent.found import (
    Claim,
    Dropped,
    FactRef,
    FilingRef,
    Found,
    LaterValue,
    Location,
    Operand,
    Particular,
    Passage,
    Rejected,
    Remark,
    Retrieval,
)
from agent.planned import (
    CompanyRef,
    Period,
    PeriodForm,
    Plan,
    QuestionType,
    Reading,
    Record,
    Scale,
    Span,
    SubQuery,
    Target,
    Topic,
)

__all__ = [
    "AgentState",
    "Alternative",
    "Answer",
    "Block",
    "Check",
    "Claim",
    "CompanyRef",
    "Draft",
    "Dropped",
    "FactRef",
    "FilingRef",
    "Found",
    "LaterValue",
    "Location",
    "Nearby",
    "Operand",
    "Particular",
    "Passage",
    "Period",
    "PeriodForm",
    "Plan",
    "QuestionType",
    "Reading",
    "Record",
    "Refusal",
    "Rejected",
    "Remark",
    "Retrieval",
    "Scale",
    "Span",
    "SubQuery",
    "Target",
    "Topic",
    "Versions",
]


class AgentState(Record):
    """All that one run has found so far."""

    question: str
    iteration: int = 0
    plan: Plan | None = None
    filings: tuple[FilingRef, ...] = ()
    locations: tuple[Location, ...] = ()
    facts: tuple[Found, ...] = ()
    retrievals: tuple[Retrieval, ...] = ()
    drafts: tuple[Draft, ...] = ()
    claims: tuple[Claim, ...] = ()
    verified: tuple[Claim, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    remarks: tuple[Remark, ...] = ()
    particulars: tuple[Particular, ...] = ()
    checks: tuple[Check, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    blocks: tuple[Block, ...] = ()

    def add(self, **records: Any) -> Self:
        """A state with each given record appended to the tuple of that name."""
        update = {
            name: getattr(self, name) + (tuple(value) if isinstance(value, (tuple, list)) else (value,))
            for name, value in records.items()
        }
        return self.model_copy(update=update)

    def planned(self, plan: Plan) -> Self:
        """The state with its plan. Set once: a plan is never replaced."""
        if self.plan is not None:
            raise ValueError("The run is planned already.")
        return self.model_copy(update={"plan": plan})

    def open_targets(self) -> tuple[Target, ...]:
        """Targets that no refusal has closed."""
        closed = {refusal.target for refusal in self.refusals}
        return tuple(target for target in (self.plan.targets if self.plan else ()) if target.id not in closed)

    def of(self, records: tuple[Any, ...], target: Target) -> tuple[Any, ...]:
        """The records of one target."""
        return tuple(record for record in records if record.target == target.id)
