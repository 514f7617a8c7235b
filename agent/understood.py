"""How a model helps to read a question: what code did not read or asks for text, as spans that code resolves."""

from collections.abc import Sequence

from django.conf import settings

from agent.answered import Alternative
from agent.codes import Code
from agent.deps import Deps
from agent.language.misread import Misread
from agent.language.parts import Read
from agent.modes import Mode
from agent.planned import Plan, QuestionType, SubQuery, Target
from agent.programs import calls, decompose, resolve, understand


class Understood:
    """One question as code and model read it together."""

    def __init__(self, question: str, read: Read, deps: Deps, wanted: Mode | None) -> None:
        """read: what the planner by rules made of the question. wanted: the mode that its asker chose."""
        self.read = read
        self.proposals: tuple[Alternative, ...] = ()
        self.failed = ""
        found, refused = read
        if isinstance(found, Plan) and wanted:
            self.read = found.model_copy(update={"mode": wanted}), refused
        if deps.session is not None and understand.is_wanted(found):
            try:
                self.ask(question, found, deps, deps.session, wanted)
            except calls.ModelFailed as failed:
                self.failed = str(failed)

    def ask(
        self, question: str, found: Plan | Misread, deps: Deps, session: calls.Session, wanted: Mode | None
    ) -> None:
        """Have the question understood, and its searches made."""
        said = understand.understand(session, question, found, deps.registry)
        resolution = resolve.resolve(question, said, found, deps.companies, deps.registry, deps.today)
        self.proposals = resolution.proposals
        if resolution.source:
            code = Code.TRANSCRIPT if said.source == "earnings call" else Code.EXTERNAL_DATA
            self.read = Misread(code=code, type=QuestionType.REFUSE, words=(resolution.source,)), ()
            return
        plan, refused = (resolution.plan, ()) if resolution.plan else (found, self.read[1])
        if not isinstance(plan, Plan):
            return
        axes = said.ambiguity.axes if said.ambiguity else ()
        mode = wanted or Mode(said.mode)
        session.budget.tokens = settings.MODEL_RUN_TOKENS[mode]
        told = {"mode": mode, "reasoning": said.reasoning, "axes": axes}
        self.read = plan.model_copy(update=told), refused
        if any(target.topic for target in plan.targets):
            self.read = self.searched(question, plan.model_copy(update=told), deps, session), refused

    def searched(self, question: str, plan: Plan, deps: Deps, session: calls.Session) -> Plan:
        """The plan with the searches a model makes of the question; as it was where these are of no use."""
        names = tuple(
            {name for target in plan.targets for name in (target.company.name, target.company.short) if name}
        )
        try:
            found = decompose.decompose(session, question, deps.today, names, plan.axes)
        except calls.ModelFailed as failed:
            self.failed = str(failed)
            return plan.model_copy(update={"axes": ()})
        searches = tuple(one.query.model_copy(update={"axis": one.axis}) for one in found)
        # Of readings, all of them or none: one alone would be taken for the question.
        axes = plan.axes if {one.axis for one in searches} == set(plan.axes) else ()
        targets = tuple(with_searches(target, searches) for target in plan.targets)
        return plan.model_copy(update={"targets": targets, "axes": axes})


def with_searches(target: Target, searches: Sequence[SubQuery]) -> Target:
    """A target for text with further searches; any other as it is."""
    if target.topic is None:
        return target
    return target.model_copy(update={"topic": target.topic.model_copy(update={"searches": tuple(searches)})})
