"""Lists what the goldens lack, and where they contradict each other: `python -m evals.golden_lint`.

`evals.witness`, `evals.derived_truth` and `evals.printed_parts` check that literals agree with the SEC's file, derived
values with their facts, and figures of parts with the filings' tables.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.numbers import registry
from agent.programs.catalogue import programs
from agent.refusals.codes import Code
from evals import derived_truth, golden, prose_golden, traps
from evals.programs.sets import labels
from evals.witness import SecFile

# Codes that no question alone can cause: they depend on the asker, the quota, a search outage, or a model's draft.
# Their tests are in tests/agent.
NOT_BY_A_QUESTION = frozenset(
    {Code.SIGN_IN_REQUIRED, Code.TABLE_TOO_LARGE, Code.SEARCH_UNAVAILABLE, Code.UNVERIFIED, Code.OUT_OF_SCOPE}
)
# Codes of follow-ups, which need a table before them: the questions of docs/refusals.md have them.
OF_FOLLOW_UPS = frozenset({Code.NOT_IN_TABLE, Code.LAST_IN_TABLE, Code.PERCENTAGE_OF})

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


def codes() -> set[str]:
    """The codes that goldens expect."""
    return {
        *(row.code for row in golden.read()),
        *(row.code for row in derived_truth.read()),
        *(
            row.codes[0]
            for path in (prose_golden.SAMPLE, prose_golden.EDGAR)
            for row in prose_golden.read(path)
            if row.codes
        ),
    }


def measures() -> set[str]:
    """The concepts and metrics of goldens' values."""
    return {
        *(value.concept for row in golden.read() for value in row.values),
        *(value.measure.partition(":")[0] for row in derived_truth.read() for value in row.values),
    }


def lacking() -> dict[str, list[str]]:
    """By kind: codes, concepts, metrics and programs without a golden, except those that no question can ask for."""
    known, asked = registry.load(), measures()
    labelled = {label["program"] for label in labels()}
    return {
        "codes": [str(code) for code in Code if code not in NOT_BY_A_QUESTION | OF_FOLLOW_UPS | codes()],
        "concepts": [key for key in known.concepts if key not in asked],
        "metrics": [key for key, one in known.metrics.items() if key not in asked and not one.hidden],
        "programs": [name for name in programs() if name not in labelled | OF_JUDGEMENTS],
    }


if __name__ == "__main__":
    found = [*repeated(), *contradicting(golden.read()), *contradicting(golden.read(paths=golden.PARTS))]
    print(*found, f"{len(found)} faults", sep="\n")
    for kind, names in lacking().items():
        print(f"{len(names)} {kind} without a golden: {', '.join(names)}")
    raise SystemExit(bool(found))
