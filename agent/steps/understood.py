"""How a model helps to read a question: what code did not read or asks for text, as spans that code resolves."""

from collections.abc import Sequence

from agent.language.misread import Misread
from agent.language.parts import Read
from agent.programs import calls, decompose, resolve, understand
from agent.refusals.codes import Code
from agent.state.answered import Alternative
from agent.state.found import Remark, RemarkCode
from agent.state.modes import Mode
from agent.state.planned import Plan, QuestionType, SubQuery, Target
from agent.steps.deps import Deps


class Understood:
    """One question as code and model read it together."""

    def __init__(self, question: str, read: Read, deps: Deps, wanted: Mode | None) -> None:
        """read: what the planner by rules made of the question. wanted: the mode that its asker chose."""
        self.read = read
        self.proposals: tuple[Alternative, ...] = ()
        self.told: dict[RemarkCode, str] = {}
        found, refused = read
        if isinstance(found, Plan) and wanted:
            found = found.model_copy(update={"mode": wanted})
            self.read = found, refused
        if deps.session is None:
            return
        if isinstance(found, Plan):
            found = self.within(found, deps, deps.session)
            self.read = found, refused
        if understand.is_wanted(found):
            try:
                self.ask(question, found, deps, deps.session, wanted)
            except calls.ModelFailed as failed:
                self.told[RemarkCode.READ_BY_RULES] = f"The question was read without a language model. {failed}"

    def within(self, plan: Plan, deps: Deps, session: calls.Session) -> Plan:
        """The plan in its mode, or in the next cheaper one that the quota leaves enough for; the run may spend that."""
        mode = deps.grant.mode(plan.mode) or Mode.DIRECT
        self.told[RemarkCode.QUOTA] = deps.grant.note(plan.mode)
        session.degraded |= mode is not plan.mode
        session.allow(mode)
        return plan.model_copy(update={"mode": mode})

    @property
    def remarks(self) -> list[Remark]:
        """What the reader of each part that is answered with text must know."""
        plan = self.read[0]
        targets = [target for target in plan.targets if target.topic] if isinstance(plan, Plan) else []
        told = sorted(self.told.items(), key=lambda one: one[0] is RemarkCode.QUOTA)
        return [Remark(target=target.id, code=code, text=text) for target in targets for code, text in told if text]

    @property
    def failed(self) -> str:
        """Why the model did not read the question, or did not search; empty where it did, or was not asked."""
        return self.told.get(RemarkCode.OWN_WORDS) or self.told.get(RemarkCode.READ_BY_RULES, "")

    def ask(
        self, question: str, found: Plan | Misread, deps: Deps, session: calls.Session, wanted: Mode | None
    ) -> None:
        """Have the question understood, and its searches made."""
        said = understand.understand(session, question, found, deps.registry)
        resolution = resolve.resolve(question, said, found, deps.companies, deps.registry, deps.today)
        self.proposals = resolution.proposals
        # What rules planned is not refused for a word like "website", nor a figure for a document beside it.
        figures = isinstance(found, Plan) and any(target.readings for target in found.targets)
        if resolution.source and not figures and not (isinstance(found, Plan) and said.source == "other"):
            code = Code.TRANSCRIPT if said.source == "earnings call" else Code.EXTERNAL_DATA
            self.read = Misread(code=code, type=QuestionType.REFUSE, words=(resolution.source,)), ()
            return
        plan, refused = (resolution.plan, ()) if resolution.plan else (found, self.read[1])
        if not isinstance(plan, Plan):
            return
        of_text = any(target.topic for target in plan.targets)
        axes = said.ambiguity.axes if said.ambiguity and of_text else ()
        plan = plan.model_copy(update={"mode": wanted or Mode(said.mode), "reasoning": said.reasoning, "axes": axes})
        plan = self.within(plan, deps, session)
        self.read = plan, refused
        if of_text:
            self.read = self.searched(question, plan, deps, session), refused

    def searched(self, question: str, plan: Plan, deps: Deps, session: calls.Session) -> Plan:
        """The plan with the searches a model makes of the question; as it was where these are of no use."""
        names = tuple(
            {name for target in plan.targets for name in (target.company.name, target.company.short) if name}
        )
        try:
            found = decompose.decompose(session, question, deps.today, names, plan.axes)
        except calls.ModelFailed as failed:
            self.told[RemarkCode.OWN_WORDS] = f"Only the question\u2019s own words were searched for. {failed}"
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
