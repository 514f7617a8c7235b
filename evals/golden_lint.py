"""What the goldens lack, and where they contradict each other or hold what may not be in the project: `manage.py evals_lint`.

The modules of `evals.truths` tell whether literals agree with the SEC's file (`witness`), derived values with their facts
(`derived_truth`, `interim_truth`), and figures of parts with the filings' tables (`printed_parts`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial

from agent.numbers.parts.part_facts import AXES
from agent.numbers.registry import registry
from agent.programs.catalogue import programs
from agent.query.companies.statement_names import printed
from agent.query.question import read
from agent.refusals.codes import Code
from agent.state import Query
from agent.state.query import Over, OverYears
from agent.steps.deps import Deps
from evals import golden, mirror, prose_golden, traps
from evals.golden import TODAY
from evals.programs.sets import labels
from evals.truths import derived_truth, interim_truth, printed_parts
from evals.truths.witness import SecFile
from filings.edgar.registrant_names import is_fictional

# Codes that no question alone can cause: they depend on the asker, the quota, a search outage, or a model's draft.
# Their tests are in tests/agent.
NOT_BY_A_QUESTION = frozenset(
    {Code.SIGN_IN_REQUIRED, Code.TABLE_TOO_LARGE, Code.SEARCH_UNAVAILABLE, Code.UNVERIFIED, Code.OUT_OF_SCOPE}
)
# Codes of follow-ups, which need a table before them: the questions of docs/refusals.md have them.
OF_FOLLOW_UPS = frozenset({Code.NOT_IN_TABLE, Code.LAST_IN_TABLE, Code.PERCENTAGE_OF})

# No real company of the sample reports them.
NOT_REPORTED = frozenset({"premiums_earned", "inventory_wip_fg"})
# Judged on the whole runs that ask them, not by goldens of their own.
OF_WHOLE_RUNS = frozenset({"decompose", "draft_by_axis", "follow_up", "review_refusal", "rerank"})
OPERATIONS = frozenset({*(str(one) for one in Over), "rank", "difference", "threshold"})
# Programs that the goldens of judgements are of.
OF_JUDGEMENTS = frozenset({"compute", "judge_figures"})


def questions() -> Iterator[tuple[str, str]]:
    """(id, question) of every golden that is asked by itself."""
    rows: Iterable[golden.Golden | derived_truth.DerivedGolden | prose_golden.ProseGolden] = (
        *golden.read(),
        *golden.read(paths=golden.PARTS),
        *derived_truth.read(),
        *prose_golden.read(prose_golden.SAMPLE),
        *prose_golden.read(prose_golden.EDGAR),
        *prose_golden.read(prose_golden.SOURCES),
    )
    for row in rows:
        yield row.id, row.question
    for trap in traps.read_traps():
        yield trap.id, trap.trap
    for reworded in traps.read_harmless():
        yield reworded.id, reworded.same


def repeated() -> list[str]:
    """Duplicate ids, and questions asked twice apart from case, spaces and punctuation."""
    by_id: defaultdict[str, list[str]] = defaultdict(list)
    by_words: defaultdict[str, list[str]] = defaultdict(list)
    for identifier, question in questions():
        by_id[identifier].append(question)
        if words := " ".join(re.findall(r"[^\W_]+", question.casefold())):
            by_words[words].append(identifier)
    twice = [
        f"{identifier} stands for {len(asked)} questions" for identifier, asked in by_id.items() if len(asked) > 1
    ]
    return twice + [f"{' and '.join(ids)} ask the same" for ids in by_words.values() if len(ids) > 1]


def contradicting(rows: Iterable[golden.Golden]) -> list[str]:
    """Values whose literal, unit or concept disagrees with pointer and registry; unknown codes."""
    sec, known = SecFile(), registry.load()
    said = []
    for row in rows:
        # Figures of parts are in no file of the SEC's except the filing.
        whole = row.model_copy(update={"values": tuple(one for one in row.values if one.literal.source != "table")})
        said += [found] if (found := sec.disagreement(whole)) else []
        for value in row.values:
            if value.unit != value.pointer.unit:
                said.append(f"{row.id}: is in {value.unit}, its pointer in {value.pointer.unit}")
            if value.concept not in known.concepts:
                said.append(f"{row.id}: {value.concept} is no measure of the registry")
        if row.outcome == "refused" and (strays := {*row.codes} - {str(code) for code in Code}):
            said.append(f"{row.id}: {', '.join(sorted(strays))} is no code")
    return said


def untrue() -> list[str]:
    """Values that the facts of the sample do not give, and, where the filings are held, figures that they do not print."""
    facts = derived_truth.Facts(derived_truth.SAMPLE)
    said = [fault for row in derived_truth.read() if row.sample for fault in derived_truth.disagreements(row, facts)]
    said += [fault for row in interim_truth.read() for fault in interim_truth.disagreements(row, facts)]
    if mirror.is_there():
        said += printed_parts.disagreements(golden.read(paths=golden.PARTS), printed_parts.Documents())
    return said


def unfit() -> list[str]:
    """Goldens that hold words of a filing that is no fictional company's."""
    rows = (
        row
        for path in (prose_golden.SAMPLE, prose_golden.EDGAR, prose_golden.SOURCES)
        for row in prose_golden.read(path)
    )
    return [
        f"{row.id}: holds text of CIK {row.cik}"
        for row in rows
        if not is_fictional(row.cik) and (row.forbidden or any(truth.text for truth in row.truths))
    ]


def coverage() -> dict[str, Counter[str]]:
    """By kind the number of goldens for each code, concept, metric, operation, axis of parts, and program."""
    known, prose = registry.load(), [*prose_golden.read(prose_golden.SAMPLE), *prose_golden.read(prose_golden.EDGAR)]
    given = [row.code for row in (*golden.read(), *derived_truth.read(), *golden.read(paths=golden.PARTS))]
    asked = [value.concept for row in golden.read() for value in row.values]
    asked += [value.measure.partition(":")[0] for row in derived_truth.read() for value in row.values]
    axes = [axis for row in golden.read(paths=golden.PARTS) for value in row.values for axis in kinds(value.pointer)]
    return {
        "codes": Counter(filter(None, (*given, *(row.codes[0] for row in prose if row.codes)))),
        "concepts": Counter(key for key in asked if key in known.concepts),
        "metrics": Counter(key for key in asked if key in known.metrics),
        "operations": Counter(operations()),
        "axes": Counter(axes),
        "programs": Counter([*(label["program"] for label in labels()), *OF_JUDGEMENTS]),
    }


def kinds(at: golden.Pointer) -> list[str]:
    """The kinds of parts that a pointer is of: segment, product, region."""
    told = {one.partition("=")[0] for one in at.dimensions.split(";")}
    return [str(kind) for kind, axes in AXES.items() if told & set(axes)]


def operations() -> Iterator[str]:
    """The operations that the questions of the sample ask for, as they are read."""
    deps = Deps.current(TODAY)
    faces = partial(printed, version=deps.companies.version)
    rows = (*golden.read(), *(row for row in derived_truth.read() if row.sample), *interim_truth.read())
    for row in rows:
        for half in read(row.question, deps.companies, deps.registry, deps.today, faces):
            if isinstance(half, Query):
                yield from (str(one.over) if isinstance(one, OverYears) else one.kind for one in half.operations)


def due() -> dict[str, list[str]]:
    """By kind everything that needs a golden, except what no question of the sample can ask for."""
    known = registry.load()
    return {
        "codes": [str(code) for code in Code if code not in NOT_BY_A_QUESTION | OF_FOLLOW_UPS],
        "concepts": [key for key in known.concepts if key not in NOT_REPORTED],
        "metrics": [key for key, one in known.metrics.items() if not one.hidden],
        "operations": sorted(OPERATIONS),
        "axes": [str(kind) for kind in AXES],
        "programs": [name for name in programs() if name not in OF_WHOLE_RUNS],
    }


def lacking(covered: dict[str, Counter[str]]) -> list[str]:
    """What needs a golden and has none."""
    return [
        f"{kind}: no golden asks for {name}"
        for kind, names in due().items()
        for name in names
        if not covered[kind][name]
    ]


def faults(covered: dict[str, Counter[str]]) -> list[str]:
    """Every fault of the goldens, in words."""
    rows = (*golden.read(), *golden.read(paths=golden.PARTS))
    return [*repeated(), *contradicting(rows), *untrue(), *unfit(), *lacking(covered)]


def report(covered: dict[str, Counter[str]]) -> str:
    """The table of coverage: how many goldens ask for each."""
    lines = ["# Coverage of the goldens", "", "How many goldens ask for each, by `manage.py evals_lint --report`.", ""]
    for kind, names in due().items():
        lines += [f"## {kind.capitalize()}", "", "|  | goldens |", "|---|---:|"]
        lines += [*(f"| {name} | {covered[kind][name]} |" for name in sorted(names)), ""]
    return "\n".join(lines)
