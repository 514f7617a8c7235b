"""The state of a run: typed, frozen, append-only.

Nodes never replace a record: `add` and `refuse` return a new state with one record more. Every record carries its
target and the iteration that made it, so that several targets and several rounds need no new shape.
"""

from collections.abc import Sequence
from typing import Any, Self

from agent.state.answer import Answer, Block, Check, Refusal, Versions
from agent.state.fact_findings import FactRef, LaterValue, Rejected
from agent.state.findings import (
    About,
    Claim,
    Dropped,
    Excerpt,
    FilingDatum,
    FilingRef,
    Location,
    NearPassage,
    Passage,
    PrintedRow,
    Remark,
    RemarkCode,
    Retrieval,
)
from agent.state.judgement import Judgement
from agent.state.model_rounds import Again, Decision, Drafting, Evaluation, Phrase
from agent.state.modes import Mode
from agent.state.plan import FallbackRefusal, FallbackSearch, Plan, Target
from agent.state.query import Query
from agent.state.references import (
    Alternative,
    CompanyRef,
    Period,
    PeriodForm,
    QuestionType,
    Record,
    Scale,
    SubQuery,
    Topic,
)
from agent.state.scope import Scope
from agent.state.tables import Cell, Table, TargetTable

__all__ = [
    "About",
    "Again",
    "AgentState",
    "Alternative",
    "Answer",
    "Block",
    "Cell",
    "Check",
    "Claim",
    "CompanyRef",
    "Decision",
    "Drafting",
    "Dropped",
    "Evaluation",
    "Excerpt",
    "FactRef",
    "FallbackRefusal",
    "FallbackSearch",
    "FilingDatum",
    "FilingRef",
    "Judgement",
    "LaterValue",
    "Location",
    "NearPassage",
    "Passage",
    "Period",
    "PeriodForm",
    "Phrase",
    "Plan",
    "PrintedRow",
    "Query",
    "QuestionType",
    "Record",
    "Refusal",
    "Rejected",
    "Remark",
    "RemarkCode",
    "Retrieval",
    "Scale",
    "Scope",
    "SubQuery",
    "Table",
    "Target",
    "TargetTable",
    "Topic",
    "Versions",
]


class AgentState(Record):
    """Everything that one run has found so far."""

    question: str
    wanted: Mode | None = None
    previous: Query | None = None  # of the question that this one follows up on
    scope: Scope | None = None  # set beside the question
    given: Query | None = None  # in place of a question's words, as for a grid
    iteration: int = 0
    plan: Plan | None = None
    asked: str = ""  # Plan.digest of the plan as it was made
    told: tuple[FallbackSearch, ...] = ()
    filings: tuple[FilingRef, ...] = ()
    locations: tuple[Location, ...] = ()
    tables: tuple[TargetTable, ...] = ()
    retrievals: tuple[Retrieval, ...] = ()
    claims: tuple[Claim, ...] = ()
    verified: tuple[Claim, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    remarks: tuple[Remark, ...] = ()
    near: tuple[NearPassage, ...] = ()
    near_verified: tuple[NearPassage, ...] = ()
    particulars: tuple[FilingDatum, ...] = ()
    checks: tuple[Check, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    decisions: tuple[Decision, ...] = ()
    agains: tuple[Again, ...] = ()
    draftings: tuple[Drafting, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    blocks: tuple[Block, ...] = ()

    def add(self, **records: Any) -> Self:
        """Returns a new state with the records appended to the named tuples and marked with the current round."""
        update = {
            name: getattr(self, name)
            + tuple(map(self._marked, value if isinstance(value, (tuple, list)) else (value,)))
            for name, value in records.items()
        }
        return self.model_copy(update=update)

    def _marked(self, record: Record) -> Record:
        in_rounds = self.iteration and "iteration" in type(record).model_fields
        return record.model_copy(update={"iteration": self.iteration}) if in_rounds else record

    def apart(self, target: Target) -> Self:
        """A state of its own for one more target of the plan."""
        if self.plan is None:
            raise ValueError("Nothing is planned.")
        said = Remark(target=target.id, code=RemarkCode.SOURCE, text=target.remark)
        news = (one for one in self.remarks if one.code is RemarkCode.NEWS and one.target == target.after)
        return type(self)(
            question=self.question,
            wanted=self.wanted,
            plan=self.plan.model_copy(update={"targets": (target,)}),
            asked=self.asked,
            remarks=(
                *((said,) if target.remark else ()),
                *(one.model_copy(update={"target": target.id}) for one in news),
            ),
        )

    def joined(self, other: Self) -> Self:
        """The state with the targets and records of another, made apart from it."""
        if self.plan is None or other.plan is None:
            raise ValueError("Nothing is planned.")
        plan = self.plan.model_copy(update={"targets": (*self.plan.targets, *other.plan.targets)})
        records = {
            name: (*value, *getattr(other, name))
            for name in type(self).model_fields
            if isinstance(value := getattr(self, name), tuple)
        }
        return self.model_copy(update={"plan": plan, **records})

    def next_round(self, agains: Sequence[Again]) -> Self:
        """The state at the beginning of the next round, which works only on these targets."""
        return self.model_copy(update={"iteration": self.iteration + 1}).add(agains=list(agains))

    def planned(self, plan: Plan) -> Self:
        """The state with its plan, which can be set only once."""
        if self.plan is not None:
            raise ValueError("The run is planned already.")
        return self.model_copy(update={"plan": plan, "asked": plan.digest})

    @property
    def mode(self) -> Mode:
        """The current mode: as planned, or as the budget allowed at the last draft."""
        planned = self.plan.mode if self.plan else Mode.STANDARD
        return next((one.mode for one in reversed(self.draftings) if one.mode), planned)

    def open_targets(self) -> tuple[Target, ...]:
        """This round's targets that no refusal has closed; the first round has all targets."""
        if any(one.iteration == self.iteration and not one.again for one in self.decisions):
            return ()
        closed = {refusal.target for refusal in self.refusals if refusal.iteration == self.iteration}
        again = {one.target for one in self.agains if one.iteration == self.iteration}
        return tuple(
            target
            for target in (self.plan.targets if self.plan else ())
            if target.id not in closed and (not self.iteration or target.id in again)
        )

    @property
    def unread(self) -> frozenset[int]:
        """Chunks of passages that were found but not given to any draft."""
        found = {passage.chunk for one in self.retrievals for passage in one.passages}
        return frozenset(found.difference(*(one.read for one in self.draftings)))

    def of(self, records: tuple[Any, ...], target: Target) -> tuple[Any, ...]:
        """The records of one target."""
        return tuple(record for record in records if record.target == target.id)

    def now(self, records: tuple[Any, ...], target: Target) -> tuple[Any, ...]:
        """The records of one target from this round."""
        return tuple(record for record in self.of(records, target) if record.iteration == self.iteration)
