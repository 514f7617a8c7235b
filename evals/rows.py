"""What every golden was answered, as rows that two runs can be compared by: to the digit, without the wording.

`manage.py evaluate --rows FILE` writes them; `python -m evals.rows BEFORE AFTER` prints what differs, and exits with 1.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.state import Block, Cell
    from evals.harness import Result
    from evals.prose_harness import ProseResult


def write(path: Path, results: "Iterable[Result | ProseResult]") -> None:
    """Append a JSON line for each result to a file."""
    with path.open("a", encoding="utf-8") as file:
        for result in results:
            row = {"id": result.golden.id, "question": result.golden.question, **shown(result)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def shown(result: "Result | ProseResult") -> dict[str, Any]:
    """Outcome, code and blocks of a result; for a question that was not asked, only its error."""
    answer = result.answer
    if answer is None:
        return {"outcome": result.outcome, "code": result.code}
    return {"outcome": answer.outcome, "code": answer.refusal_code, "blocks": [block(one) for one in answer.blocks]}


def block(one: "Block") -> dict[str, Any]:
    """What a block asserts, quotes or refuses, identified as in the SEC's files, without our keys and sentences."""
    refusal = one.refusal
    cells = [cell for cell in one.table.cells if cell.asked and cell.value is not None] if one.table else []
    return {
        "type": str(one.type),
        "outcome": one.outcome,
        "code": str(refusal.code) if refusal else "",
        "stage": refusal.stage if refusal else "",
        "figures": [figure(cell) for cell in cells if cell.asserted],
        "mentions": [figure(cell) for cell in cells if cell.alternative],
        "claims": [[claim.accession, claim.item, claim.start, claim.end] for claim in one.claims],
        "data": [particular.value for particular in one.particulars],
        "offers": [offer.question for offer in one.alternatives],
        "passages": [[near.accession, near.item, near.start, near.end] for near in one.passages],
    }


def figure(cell: "Cell") -> list[Any]:
    """A number: measure, accession, unit, value, and the tag and text of each of its facts."""
    facts = [[fact.accession, fact.taxonomy, fact.tag, str(fact.end), fact.raw] for fact in cell.facts]
    return [cell.measure, cell.accession, cell.unit, str(cell.value), facts]


def differences(before: Path, after: Path) -> Iterator[str]:
    """The goldens whose rows differ between two files, or are in only one."""
    first, second = (
        {row["id"]: row for row in map(json.loads, path.open(encoding="utf-8"))} for path in (before, after)
    )
    for key in sorted(first.keys() | second.keys()):
        if first.get(key) != second.get(key):
            yield f"{key}: {json.dumps(first.get(key))} -> {json.dumps(second.get(key))}"


if __name__ == "__main__":
    found = list(differences(*map(Path, sys.argv[1:3])))
    print(*found, f"{len(found)} goldens differ", sep="\n")
    raise SystemExit(bool(found))
