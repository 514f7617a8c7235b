"""understand, judged by the plan that code makes of its reply: the exact company, filing and measure, or nothing."""

import dspy

from agent.grounding import grounding
from agent.programs import program_inputs, scores, understand
from agent.programs.schemas import UnderstandReply
from agent.query.words.refused_question import Read
from agent.state import AgentState
from agent.state.plan import Plan
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.fetch import fetch
from agent.steps.model_reading import known_of, offered_with
from agent.steps.plan import read_by_rules
from agent.steps.retrieve import with_tables
from agent.steps.targets import planned_of
from evals import golden, prose_golden
from evals.programs.sets import Task, labels_of
from filings.models import Filing

# (CIK, accession, registry key; empty for text)
Asked = tuple[int, str, str]
# Codes of refusals that come before any filing is looked into; with these, to plan nothing is right too.
EARLY = {"concept_unknown", "not_understood", "ratio", "price", "external_data", "off_topic", "non_gaap"}
# Codes of refusals that do not lie in how a question is read: its filing is not held, or it has several readings, each given.
NOT_READ = {"section_not_available", "ambiguous_concept"}
# What a reply is worth whose plan is right and that has lost a company or a period, or mistaken the kind of answer.
LOST_NAME, OTHER_TYPE = 0.7, 0.8
# Candidates that a demonstration lists beside those it uses.
SHOWN = 3


def task() -> Task:
    """The tuning half of all goldens that a run would have a model read."""
    deps = Deps.current(golden.TODAY)
    held = set(Filing.objects.filter(is_primary=True).values_list("accession", flat=True))
    found = [*numbers(), *prose(held)]
    given = labels_of("understand")
    examples = []
    for id_, question, due, either in found:
        halves = read(question, deps)
        if not understand.is_wanted(halves):
            continue
        refs, offered = offered_with(question, halves, known_of(deps))
        outputs = given.get(id_, {})
        extra = {"place": outputs["place"], "understanding": reply(outputs)} if outputs else {}
        examples.append(
            dspy.Example(
                id=id_, golden=id_, due=due, either=either, halves=halves,
                question=program_inputs.question(question), first_reading=understand.first_reading(halves, deps.registry),
                candidates=understand.told(offered), offered=offered, refs=refs,
                **extra,
            )
        )  # fmt: skip
    return Task(understand.Understand, tuple(examples), lambda example, said: judge(example, said, deps), shorten)


def read(question: str, deps: Deps) -> Read:
    """What code makes of a question."""
    return read_by_rules(AgentState(question=question), deps)


def reply(label: dict[str, dict[str, dict[str, object]]]) -> UnderstandReply:
    return UnderstandReply.model_validate(label["outputs"]["understanding"])


def numbers() -> list[tuple[str, str, frozenset[Asked], bool]]:
    """(id, question, what is due, whether a refusal is right too) of the figures and the refusals."""
    return [
        (row.id, row.question, frozenset((one.pointer.cik, one.pointer.accession, one.concept) for one in row.values), False)
        for row in golden.read("tune")
        if row.outcome in {"answered", "refused"} and not NOT_READ & set(row.codes)
    ]  # fmt: skip


def prose(held: set[str]) -> list[tuple[str, str, frozenset[Asked], bool]]:
    """The same of the questions for text whose filing is held."""
    rows = [row for path in (prose_golden.SAMPLE, prose_golden.EDGAR) for row in prose_golden.read(path, "tune")]
    return [
        (row.id, row.question, frozenset({(row.cik, row.accession, "")}), bool(EARLY & set(row.codes)))
        for row in rows
        if row.accession in held and not row.data
    ]


def judge(example: dspy.Example, said: dspy.Prediction, deps: Deps) -> scores.Judged:
    """The plan of a reply against what is due."""
    question, halves = example.question, example.halves
    understood = understand.checked(question, said.understanding, example.offered)
    ciks = [one.cik for one in example.refs]
    found = grounding.ground(question, understood, halves, known_of(deps), ciks)
    plan = None if found.source else planned_of(found.halves or halves, deps)
    due = example.due
    if plan and not due:
        # A figure that no measure holds is looked for in the text, and refused where that does not tell it.
        plan = plan.model_copy(update={"targets": tuple(one for one in plan.targets if not one.otherwise)})
    asked = asked_of(question, plan, deps, text=all(not key for *_, key in due)) if plan else frozenset()
    if not asked and example.either:
        return scores.Judged(1.0, "Right: nothing of it is told.")
    judged = scores.plan(asked, due)
    if judged.score < 1 or not due or plan is None:
        return judged
    score, feedback = judged.score, judged.feedback
    if len(understood.companies) < len(plan.companies):
        score, feedback = score * LOST_NAME, "A company of the question is missing from the spans."
    if plan.targets and understood.type != plan.type:
        score, feedback = score * OTHER_TYPE, f"It is of type {plan.type}. {feedback}"
    return scores.Judged(score, feedback)


def asked_of(question: str, plan: Plan, deps: Deps, *, text: bool) -> frozenset[Asked]:
    """What a plan looks up: for text the filing alone, since a question for text may name figures beside it."""
    state = pipeline.advanced(AgentState(question=question).planned(plan), (fetch, with_tables), deps, None)
    companies = {target.id: target.company.cik for target in plan.targets}
    found = {(companies[one.target], one.accession, "") for one in state.filings}
    cells = [cell for one in state.tables for cell in one.table.asserted]
    return frozenset(found | {(cell.cik, cell.accession, "" if text else cell.measure) for cell in cells})


def shorten(example: dspy.Example) -> dspy.Example:
    """A demonstration with the candidates that it uses and a few others, not all that were offered."""
    used = {id_ for row in example.understanding.rows for id_ in (*row.ids, row.part)}
    kept = [one for place, one in enumerate(example.offered) if one.id in used or place < SHOWN]
    return example.copy(candidates=understand.told(kept))
