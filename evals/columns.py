"""The goldens' report: a table for each corpus and half, with a column for each index.

Each run measures one index and writes its column; the other stays. Questions are named by ids, never by their words.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from django.conf import settings

from diligence.statistics import Share
from evals.harness import Tally, Verdict
from evals.prose_harness import ProseResult, ProseTally
from evals.prose_report import SAMPLE_GATES, Gate

REPORT = Path(__file__).parent / "reports" / "prose.md"
EMBEDDED, ELASTICSEARCH = COLUMNS = ("embedded", "Elasticsearch")
TITLE = """# Goldens by index

Every golden through the real pipeline, on SQLite with the embedded index (`make evaluate`), and on PostgreSQL, Redis and
Elasticsearch (`make test-services`). Shares with their Wilson 95 % interval; gates are read on the check half. What was
lost names the node that lost it and the ids of the questions.
"""
LOST = ("plan", "fetch", "locate", "section", "retrieval", "selection", "guard", "answered undue")

# Heading -> measure -> (goal, result).
Measured = Mapping[str, Mapping[str, tuple[str, str]]]
# Heading -> measure -> goal and the columns' cells.
Table = dict[str, dict[str, list[str]]]


def column() -> str:
    """The name of the index that the settings ask."""
    return ELASTICSEARCH if settings.ELASTICSEARCH_URL else EMBEDDED


def written(share: Share) -> str:
    return " ".join(str(share).split())


def named(results: Iterable[ProseResult]) -> str:
    """How many, and the ids of their questions."""
    ids = [result.golden.id for result in results]
    return f"{len(ids)}: {' '.join(ids)}" if ids else "0"


def of_prose(title: str, tally: ProseTally, gates: Sequence[Gate] = SAMPLE_GATES) -> Measured:
    """The results of one half of a text corpus."""
    rows = {gate.name: (f"{gate.goal:.0%}", written(gate.measure(tally))) for gate in gates}
    rows |= {
        "every half of the question shown": ("", written(tally.whole)),
        "called answers": ("", written(tally.said_answered)),
        "refusal code right, of refusals": ("", written(tally.codes)),
    }
    for node in LOST:
        rows[f"lost: {node}"] = ("", named(result for result in tally.results if result.lost_by == node))
    rows["a claim that the filing does not say"] = ("0", named(one for one in tally.results if one.unsupported))
    return {f"{title}, {tally.half} half: {len(tally.results)} questions": rows}


def of_numbers(tally: Tally, title: str = "Numbers") -> Measured:
    """The results of one half of the numbers, or of parts."""
    rows = {
        "exact": ("97%", written(tally.answered)),
        "wrong numbers": ("0", str(len(tally.of(Verdict.WRONG)))),
        "answered where a refusal was due": ("0", str(len(tally.of(Verdict.ANSWERED_UNDUE)))),
        "refusal code right": ("95%", written(tally.right_codes)),
        "numbers that SEC's file does not hold": ("0", str(len(tally.broken))),
    }
    return {f"{title}, {tally.half} half: {len(tally.results)} questions": rows}


def write(measured: Measured, name: str, path: Path = REPORT) -> None:
    """Write a run's results into its column of the report."""
    table = read(path.read_text(encoding="utf-8")) if path.is_file() else {}
    merge(table, measured, COLUMNS.index(name))
    path.write_text(rendered(table), encoding="utf-8")


def merge(table: Table, measured: Measured, place: int) -> None:
    """Replace a column's results; a heading with other questions than before starts over."""
    for heading, rows in measured.items():
        of = heading.rpartition(":")[0]
        for other in [one for one in table if one.rpartition(":")[0] == of and one != heading]:
            del table[other]
        before = table.get(heading, {})
        table[heading] = {}
        for measure, (goal, found) in rows.items():
            cells = before.get(measure, ["", *[""] * len(COLUMNS)])
            cells[0], cells[place + 1] = goal, found
            table[heading][measure] = cells


def read(text: str) -> Table:
    """The tables of a report; anything else is ignored."""
    table: Table = {}
    rows: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("## "):
            rows = table.setdefault(line.removeprefix("## "), {})
        elif (
            line.startswith("| ") and len(cells := [cell.strip() for cell in line.strip().strip("|").split("|")]) == 4
        ):
            rows[cells[0]] = cells[1:]
    for rows in table.values():
        rows.pop("", None)
    return table


def rendered(table: Table) -> str:
    """The whole report."""
    lines = [TITLE]
    for heading in sorted(table):
        lines += [f"## {heading}", "", f"|  | goal | {' | '.join(COLUMNS)} |", "|---|---|---|---|"]
        lines += [f"| {measure} | {' | '.join(cells)} |" for measure, cells in table[heading].items()]
        lines.append("")
    return "\n".join(lines)
