"""plan: what the question asks, or why it cannot be asked."""

from agent.language.misread import Misread
from agent.language.parts import read_parts
from agent.language.wording import concierge, sentences
from agent.prose.passages import widened
from agent.refusals.codes import Code
from agent.refusals.sentences import with_model
from agent.state import AgentState, Alternative, Block, Plan, QuestionType, Refusal, Remark, RemarkCode
from agent.steps.deps import Deps
from agent.steps.question import problem_with


def plan(state: AgentState, deps: Deps) -> AgentState:
    """Read the question into a typed plan, every word accounted for.

    Reads   question
    Adds    plan (a target for each part of the question, or none); for META the words of the concierge as a block;
            remarks, where a model should have helped and did not
    Refuses empty, too_long, no_company, unknown_company, ambiguous_company, interim_period, concept_unknown,
            ambiguous_concept, dimensional_only, non_gaap, year_over_year, cross_company, ratio, prediction,
            advice, external_data, price, transcript, not_understood, off_topic;
            target 0 where no target was planned
    """
    if problem_with(state.question) is Code.TOO_LONG:
        # Forms take none; whatever else asks is not read for minutes.
        misread = Misread(code=Code.TOO_LONG, type=QuestionType.REFUSE)
        return state.planned(Plan(type=misread.type)).add(refusals=refusal(misread))
    read = read_parts(state.question, deps.companies, deps.registry, deps.today)
    proposals: tuple[Alternative, ...] = ()
    remarks: list[Remark] = []
    note = deps.note
    if deps.session is not None:
        from agent.steps.understood import Understood

        understood = Understood(state.question, read, deps, state.wanted)
        read, proposals, remarks, note = understood.read, understood.proposals, understood.remarks, understood.failed
    found, refused = read
    if isinstance(found, Misread):
        refused_as = with_model(refusal(found), note).model_copy(update={"proposals": proposals})
        return state.planned(Plan(type=found.type, scale=found.scale, spans=found.spans)).add(refusals=refused_as)
    if deps.note:
        remarks = [
            Remark(target=target.id, code=RemarkCode.QUOTA, text=deps.note) for target in found.targets if target.topic
        ]
    state = state.planned(widened(found)).add(
        refusals=[refusal(part, number) for number, part in refused], remarks=remarks
    )
    if found.type is not QuestionType.META:
        return state
    names = tuple(company.short for company in deps.examples())
    text = concierge(found.meta, len(deps.companies.covered), names)
    return state.add(blocks=Block(target=0, type=QuestionType.META, outcome="meta", text=text))


def refusal(misread: Misread, target: int = 0) -> Refusal:
    """The refusal of a question, or of one part of it, that was not planned."""
    text, detail = sentences(misread)
    about = misread.about
    rows = [
        ("Company", about.company.name if about else ", ".join(misread.names)),
        ("Measure", ", ".join(misread.labels)),
        ("Period", about.period.text if about else ""),
        ("Words", ", ".join(misread.words)),
    ]
    return Refusal(
        target=target,
        code=misread.code,
        stage="plan",
        text=text,
        detail=detail,
        looked_for=tuple((what, value) for what, value in rows if value),
        about=about,
        concepts=misread.concepts,
        companies=misread.companies,
    )
