"""draft and evaluate, judged on the fictional sample alone: what becomes a demonstration is no real filing's text."""

from dataclasses import dataclass
from itertools import count

import dspy

from agent.programs import draft, evaluate, program_inputs, scores
from agent.programs.draft import Source, fenced
from agent.programs.evaluate import ClaimGiven
from agent.programs.schemas import ClaimReply, DraftReply, EvaluateReply
from agent.prose.verification.verify_quotations import verify
from agent.query.words.lexicon import lexicon_of
from agent.state import AgentState, Claim, Target
from agent.state.modes import LIMITS, Mode
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.drafting import sources_of
from agent.steps.retrieve import retrieve
from evals import golden, prose_golden
from evals.programs.sets import Task, labels_of
from evals.prose_golden import ProseGolden
from evals.prose_harness import overlaps, places

# The nodes that find passages.
UP_TO_SEARCH = pipeline.NODES[: pipeline.NODES.index(retrieve) + 1]
# Passages of a demonstration.
FEW = 2


@dataclass(frozen=True)
class Case:
    """A golden with what a run found for it before anything was drafted."""

    golden: ProseGolden
    state: AgentState
    target: Target
    sources: tuple[Source, ...]


def cases() -> list[Case]:
    """The tuning half of the sample's goldens that are one question for text."""
    deps = Deps.current(golden.TODAY)
    found = []
    for row in prose_golden.read(prose_golden.SAMPLE, "tune"):
        if row.data or any(part.outcome == "number" for part in row.parts):
            continue
        state = pipeline.advanced(AgentState(question=row.question), UP_TO_SEARCH, deps, None)
        targets = [one for one in (state.plan.targets if state.plan else ()) if one.topic and not one.particular]
        if len(targets) == 1 and (sources := sources_of(state, targets, ())):
            found.append(Case(row, state, targets[0], tuple(sources)))
    return found


# --- draft ---


def draft_task() -> Task:
    """Drafts from the passages that the search has found."""
    deps = Deps.current(golden.TODAY)
    given, examples = labels_of("draft"), []
    for case in cases():
        label = given.get(case.golden.id)
        extra = (
            {"place": label["place"], "drafted": drafted(case, label["quotes"], label["not_found"])} if label else {}
        )
        examples.append(
            dspy.Example(
                id=case.golden.id, golden=case.golden.id, case=case, question=program_inputs.question(case.golden.question),
                passages=fenced(case.sources), facts=[], feedback=[], **extra,
            )
        )  # fmt: skip
    return Task(draft.DraftProgram, tuple(examples), lambda example, said: judge_draft(example, said, deps), shorten)


def drafted(case: Case, quotes: list[str], not_found: list[str]) -> DraftReply:
    """Quotations as a draft that says them. Raises ValueError where no passage has one."""
    passages = fenced(case.sources)
    claims = []
    for quote in quotes:
        holding = next((one.id for one in passages if quote in one.text), None)
        if holding is None:
            raise ValueError(f"No passage of {case.golden.id} says: {quote}")
        claims.append(ClaimReply(text=quote, quote=quote, passage=holding))
    return DraftReply(claims=claims, not_found=not_found)


def judge_draft(example: dspy.Example, said: dspy.Prediction, deps: Deps) -> scores.Judged:
    """The claims of a draft as cite_check finds them, and the evidence that those that stand show."""
    case: Case = example.case
    reader = draft.Reader(
        case.golden.question, case.sources, (), lexicon_of(deps.registry), 0, draft.DraftClaims.instructions
    )
    read = reader.read(said.drafted)
    standing = standing_of(case, read)
    due = [part for part in case.golden.parts if part.truths]
    shown = [any(overlaps(one, range_of(part)) for one in standing) for part in due]
    undue = sum(words.casefold() in claim.text.casefold() for claim in standing for words in case.golden.forbidden)
    return scores.draft(len(standing), read.drafted, shown, undue)


def standing_of(case: Case, read: draft.Drafted) -> tuple[Claim, ...]:
    """The claims of a draft that stand, as cite_check finds them."""
    state, target = case.state, case.target
    return verify(read.claims, target, state.of(state.filings, target), state.of(state.retrievals, target)).standing


def range_of(part: prose_golden.AskedPart) -> list[tuple[int, int, int]]:
    return [place for truth in part.truths for place in places(truth)]


def shorten(example: dspy.Example) -> dspy.Example:
    """A demonstration with the passages that it quotes, and as many of the others as make it two."""
    quoted = {claim.passage for claim in example.drafted.claims}
    others = [one.id for one in sorted(example.passages, key=lambda one: len(one.text)) if one.id not in quoted]
    kept = quoted | set(others[: max(0, FEW - len(quoted))])
    return example.copy(passages=[one for one in example.passages if one.id in kept])


# --- evaluate ---

# Of no filing: a claim of it never stands.
INVENTED = "Every product of the company was withdrawn from sale after a fire at its only warehouse."


def evaluate_task() -> Task:
    """Judgements of drafts that cover a question wholly, in part or not at all, as far as cite_check lets them stand."""
    rows = prose_golden.read(prose_golden.SAMPLE, "tune")
    whole = [one for one in cases() if one.golden.parts and all(part.truths for part in one.golden.parts)]
    examples = [example for place, case in enumerate(whole) for example in covering(case, whole[place - 1])]
    return Task(evaluate.Evaluate, (*labelled(rows), *examples), judge_evaluation, lambda example: example)


def covering(case: Case, other: Case) -> list[dspy.Example]:
    """Drafts of the truths of all parts; of the first alone, where there are several; of another question's; and of the
    first beside an invention."""
    first = [part.truths[0].text for part in case.golden.parts]
    told = {"whole": first, "none": [other.golden.parts[0].truths[0].text], "invented": [first[0], INVENTED]}
    if len(first) > 1:
        told["part"] = first[:1]
    return [checked(case, name, quotes) for name, quotes in told.items()]


def checked(case: Case, name: str, quotes: list[str]) -> dspy.Example:
    """A draft of these sentences as evaluate is given it: what cite_check lets stand, and the share of parts it shows."""
    passages = fenced(case.sources)
    claims = [
        ClaimReply(text=quote, quote=quote, passage=next((one.id for one in passages if quote in one.text), passages[0].id))
        for quote in quotes
    ]  # fmt: skip
    read = draft.Reader(case.golden.question, case.sources).read(DraftReply(claims=claims, not_found=[]))
    standing = standing_of(case, read)
    shown = [any(overlaps(one, range_of(part)) for one in standing) for part in case.golden.parts]
    return judged(case.golden, name, [one.text for one in standing], len(quotes), sum(shown) / len(shown))


def judged(
    row: ProseGolden, name: str, claims: list[str], drafted: int, coverage: float, **extra: object
) -> dspy.Example:
    company = "Northwind Instruments"
    return dspy.Example(
        id=f"{row.id}/{name}", golden=row.id, coverage=coverage, drafted=drafted, question=program_inputs.question(row.question),
        claims=[ClaimGiven(company=company, text=program_inputs.passage(one)) for one in claims],
        **{"reasoning": "", **extra},
    )  # fmt: skip


def labelled(rows: list[ProseGolden]) -> list[dspy.Example]:
    """Judgements written by hand, of sentences of the filing."""
    by_id, number = {row.id: row for row in rows}, count()
    return [
        judged(
            by_id[id_], f"label {next(number)}", label["quotes"], len(label["quotes"]), label["coverage"],
            reasoning=label["reasoning"], place=label["place"],
            evaluation=EvaluateReply.model_validate(label["outputs"]["evaluation"]),
        )
        for id_, label in labels_of("evaluate").items()
    ]  # fmt: skip


def judge_evaluation(example: dspy.Example, said: dspy.Prediction) -> scores.Judged:
    """A judgement with the accuracy that cite_check measured, as a run takes it."""
    found = evaluate.checked(example.question, said.evaluation, len(example.claims), example.drafted)
    enough = LIMITS[Mode.STANDARD].threshold
    return scores.judgement(found, said.evaluation.is_sufficient, example.coverage, enough)
