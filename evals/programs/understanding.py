"""understand, judged by the plan that code makes of its reply: the exact company, filing and measure, or nothing."""

import dspy

from agent.language.misread import Misread
from agent.language.parts import read_parts
from agent.programs import fence, metrics, resolve, understand
from agent.programs.grounded import Grounded
from agent.programs.schemas import MeasureGiven, UnderstandReply
from agent.state import AgentState
from agent.state.planned import Plan
from agent.steps.deps import Deps
from agent.steps.fetch import fetch
from evals import golden, prose_golden
from evals.programs.sets import Task, labels_of
from filings.models import Filing

# (CIK, accession, registry key; empty for text)
Asked = tuple[int, str, str]
# Codes of refusals that come before any filing is looked into; with these, to plan nothing is right too.
EARLY = {"concept_unknown", "not_understood", "ratio", "price", "external_data", "off_topic", "non_gaap"}
# What a reply is worth whose plan is right and that has lost a company or a period, or mistaken the kind of answer.
LOST_NAME, OTHER_TYPE = 0.7, 0.8
# Measures that a demonstration lists beside those it proposes.
SHOWN = ("revenue", "net_income", "inventory")


def task() -> Task:
    """The tuning half of all goldens that a run would have a model read."""
    deps = Deps.current(golden.TODAY)
    held = set(Filing.objects.filter(is_primary=True).values_list("accession", flat=True))
    found = [*numbers(), *prose(held)]
    given = labels_of("understand")
    examples = []
    for id_, question, due, either in found:
        read, _ = read_parts(question, deps.companies, deps.registry, deps.today)
        if not understand.is_wanted(read):
            continue
        outputs = given.get(id_, {})
        extra = {"place": outputs["place"], "understanding": reply(outputs)} if outputs else {}
        examples.append(
            dspy.Example(
                id=id_, golden=id_, due=due, either=either, read=read,
                question=fence.question(question), first_reading=understand.first_reading(read),
                measures=[MeasureGiven(key=key, label=one.label) for key, one in deps.registry.concepts.items()],
                **extra,
            )
        )  # fmt: skip
    return Task(understand.Understand, tuple(examples), lambda example, said: judge(example, said, deps), shorten)


def reply(label: dict[str, dict[str, dict[str, object]]]) -> UnderstandReply:
    return UnderstandReply.model_validate(label["outputs"]["understanding"])


def numbers() -> list[tuple[str, str, frozenset[Asked], bool]]:
    """(id, question, what is due, whether a refusal is right too) of the figures and the refusals."""
    return [
        (row.id, row.question, frozenset((one.pointer.cik, one.pointer.accession, one.concept) for one in row.values), False)
        for row in golden.read("tune")
        if row.outcome in {"answered", "refused"}
    ]  # fmt: skip


def prose(held: set[str]) -> list[tuple[str, str, frozenset[Asked], bool]]:
    """The same of the questions for text whose filing is held."""
    rows = [row for path in (prose_golden.SAMPLE, prose_golden.EDGAR) for row in prose_golden.read(path, "tune")]
    return [
        (row.id, row.question, frozenset({(row.cik, row.accession, "")}), bool(EARLY & set(row.codes)))
        for row in rows
        if row.accession in held and not row.data
    ]


def judge(example: dspy.Example, said: dspy.Prediction, deps: Deps) -> metrics.Judged:
    """The plan of a reply against what is due."""
    question, read = example.question, example.read
    understood = understand.checked(question, said.understanding, deps.registry)
    found = resolve.resolve(question, understood, read, deps.companies, deps.registry, deps.today)
    plan = None if found.source else found.plan or (read if isinstance(read, Plan) else None)
    due = example.due
    asked = asked_of(question, plan, deps, text=all(not key for *_, key in due)) if plan else frozenset()
    if not asked and example.either:
        return metrics.Judged(1.0, "Right: nothing of it is told.")
    judged = metrics.plan(asked, due)
    if judged.score < 1 or not due:
        return judged
    score, feedback = judged.score, judged.feedback
    if not Grounded(question, understood, deps.companies, deps.registry, deps.today).all_named():
        score, feedback = score * LOST_NAME, "A company or a period of the question is missing from the spans."
    if not isinstance(read, Misread) and understood.type != read.type:
        score, feedback = score * OTHER_TYPE, f"It is of type {read.type}. {feedback}"
    return metrics.Judged(score, feedback)


def asked_of(question: str, plan: Plan, deps: Deps, *, text: bool) -> frozenset[Asked]:
    """What a plan looks up: for text the filing alone, since a question for text may name figures beside it."""
    state = fetch(AgentState(question=question).planned(plan), deps)
    where = {target.id: target for target in state.open_targets()}
    return frozenset(
        (where[one.target].company.cik, one.accession, "" if text else key)
        for one in state.filings
        if one.target in where
        for key in [reading.concept for reading in where[one.target].readings] or [""]
    )


def shorten(example: dspy.Example) -> dspy.Example:
    """A demonstration with the measures that it proposes and a few others, not all of the registry."""
    proposed = {key for concept in example.understanding.concepts for key in concept.keys}
    measures = [one for one in example.measures if one.key in proposed | set(SHOWN)]
    return example.copy(measures=measures)
