"""compute and judge_figures, judged on questions for a judgement about companies of the sample."""

import json
from collections.abc import Sequence
from decimal import Decimal
from functools import cache

import dspy
from pydantic import BaseModel, ConfigDict, Field

from agent.grounding.computed_figures import figures_of
from agent.grounding.operand_rows import told
from agent.grounding.slots import Understanding
from agent.numbers.registry.registry import Registry
from agent.numbers.tables.table import tabulate
from agent.programs import compute, judge_figures, program_inputs, scores
from agent.state.judgement import Verdict
from agent.state.query import Concept, Measure, Metric, Query, Row, Years
from agent.state.references import CompanyRef, Period, PeriodForm, QuestionType
from agent.state.tables import Table
from agent.steps.computing import Computing
from agent.steps.deps import Deps
from agent.steps.model_reading import known_of
from evals import golden
from evals.programs.sets import Task
from evals.programs.understanding import read

# What a reply is worth that computes other figures than those that decide, or that says nothing where something is due.
OTHER, NOTHING = 0.5, 0.3
NEAR = Decimal("1e-9")
# What is computed is judged without what understand would say.
NO_SLOTS = Understanding(type=QuestionType.BOTH)


class JudgementGolden(BaseModel):
    """A question for a judgement: the measures of which each decides it, over fiscal years, and the verdicts that are right."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    question: str
    ticker: str
    years: tuple[int, ...] = Field(min_length=1)
    measures: tuple[str, ...] = Field(min_length=1)
    verdicts: tuple[Verdict, ...] = Field(min_length=1)


@cache
def goldens() -> tuple[JudgementGolden, ...]:
    lines = (golden.FOLDER / "judgements.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(JudgementGolden.model_validate(json.loads(line)) for line in lines)


def company_of(row: JudgementGolden, deps: Deps) -> CompanyRef:
    refs = (deps.companies.get(cik) for cik in deps.companies.covered)
    return next(one for one in refs if one and one.symbol == row.ticker)


def table_of(row: JudgementGolden, measures: Sequence[Measure], deps: Deps) -> Table:
    """The figures of measures over a question's company and years."""
    periods = Years(periods=tuple(Period(form=PeriodForm.FISCAL, year=year, text=f"FY{year}") for year in row.years))
    rows = tuple(Row(measure=one) for one in measures)
    return tabulate(Query(companies=(company_of(row, deps),), periods=periods, rows=rows), deps)


def deciding(row: JudgementGolden, registry: Registry) -> list[Measure]:
    return [Concept(key=key) if key in registry.concepts else Metric(key=key) for key in row.measures]


# --- judge_figures ---


def judge_task() -> Task:
    """Verdicts on the figures that decide."""
    deps = Deps.current(golden.TODAY)
    examples = []
    for row in goldens():
        table = table_of(row, deciding(row, deps.registry), deps)
        examples.append(
            dspy.Example(
                id=row.id, golden=row.id, row=row, table=table, question=program_inputs.question(row.question),
                figures=judge_figures.figures_given(table, None), quotations=[],
            )
        )  # fmt: skip
    return Task(judge_figures.Judge, tuple(examples), judge_verdict, lambda example: example)


def judge_verdict(example: dspy.Example, said: dspy.Prediction) -> scores.Judged:
    """Whether a verdict is right, and how many of its reasons follow from the figures."""
    row: JudgementGolden = example.row
    cells = example.table.asserted[: judge_figures.MOST_FIGURES]
    found = judge_figures.checked(row.question, 0, said.judged, cells, (), example.table)
    if found is None:
        return scores.Judged(NOTHING, "No reason follows from the figures, so no verdict is shown.")
    if found.verdict not in row.verdicts:
        return scores.Judged(0.0, f"The figures say {' or '.join(row.verdicts)}, not {found.verdict}.")
    share = len(found.reasons) / len(said.judged.reasons)
    return scores.Judged((1 + share) / 2, f"{len(found.reasons)} of {len(said.judged.reasons)} reasons stand.")


# --- compute ---


def compute_task() -> Task:
    """Expressions over the rows that a run would offer."""
    deps = Deps.current(golden.TODAY)
    examples = []
    for row in goldens():
        ref = company_of(row, deps)
        computing = Computing(row.question, read(row.question, deps), NO_SLOTS, known_of(deps), deps, None)
        rows = computing.offered((ref,))
        examples.append(
            dspy.Example(
                id=row.id, golden=row.id, row=row, offered=rows, question=program_inputs.question(row.question),
                periods=program_inputs.name(computing.periods((ref,))),
                rows="\n".join(map(program_inputs.name, told(rows, deps.registry))), feedback=[],
            )
        )  # fmt: skip
    return Task(compute.Compute, tuple(examples), lambda example, said: judge_figures_of(example, said, deps), shorten)


def judge_figures_of(example: dspy.Example, said: dspy.Prediction, deps: Deps) -> scores.Judged:
    """Whether the figures that a reply makes have one that decides the question."""
    row: JudgementGolden = example.row
    found = figures_of(said.computed, row.question, example.offered, deps.registry)
    if not found.figures:
        return scores.Judged(NOTHING, f"Nothing can be computed. {' '.join(found.faults)}")
    if not said.computed.judgement:
        return scores.Judged(0.0, "An opinion is asked, and the reply takes it for a figure.")
    table = table_of(row, [measure for _, measure in found.figures], deps)
    due = table_of(row, deciding(row, deps.registry), deps)
    wanted = [one.value for one in due.asserted if one.value is not None]
    given = [one.value for one in table.asserted if one.value is not None]
    if not given:
        return scores.Judged(0.0, "None of its figures has a value.")
    decides = any(_equal(one, other) for one in given for other in wanted)
    said_so = "A figure that decides is among them." if decides else "None of the figures that decide is among them."
    return scores.Judged(1.0 if decides else OTHER, said_so)


def _equal(one: Decimal, other: Decimal) -> bool:
    """Whether two figures are one, a share written as a fraction or in percent."""
    return any(abs(one * scale - other) <= abs(other) * NEAR for scale in (1, 100, Decimal("0.01")))


def shorten(example: dspy.Example) -> dspy.Example:
    """A demonstration with the rows that it uses, not all that were offered."""
    used = " ".join(one.expression for one in example.computed.figures)
    lines = [line for line in example.rows.splitlines() if f"{line.split()[0]}" in used]
    return example.copy(rows="\n".join(lines))
