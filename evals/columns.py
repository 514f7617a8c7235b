"""The goldens' report: a table for each corpus and half, with a column for each index.

Each run measures one index and writes its column; the other stays. Questions are named by ids, never by their words.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from evals import markdown
from evals.gates import Gate, Tally

REPORT = Path(__file__).parent / "reports" / "prose.md"
EMBEDDED, ELASTICSEARCH = COLUMNS = ("embedded", "Elasticsearch")
TITLE = """# Goldens by index

Every golden through the real pipeline, on SQLite with the embedded index (`make evaluate`), and on PostgreSQL, Redis and
Elasticsearch (`make test-services`). Shares with their Wilson 95 % interval; gates are read on the check half. What was
lost names the node that lost it and the ids of the questions.
"""

# Heading -> measure -> (goal, result).
Measured = Mapping[str, Mapping[str, tuple[str, str]]]
# Heading -> measure -> goal and the columns' cells.
Table = dict[str, dict[str, list[str]]]


def column() -> str:
    """The name of the index that the settings ask."""
    return ELASTICSEARCH if settings.ELASTICSEARCH_URL else EMBEDDED


def measured(title: str, tally: Tally[Any], gates: Sequence[Gate]) -> Measured:
    """The results of one half: shares, then how many and which questions have what is named."""
    rows = {gate.name: (gate.goal_text, markdown.share(gate.measure(tally))) for gate in gates}
    for name, results in tally.named.items():
        rows[name] = ("", f"{len(results)}: {' '.join(one.golden.id for one in results)}" if results else "0")
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
        rows = ([measure, *cells] for measure, cells in table[heading].items())
        lines += [f"## {heading}", "", *markdown.table(["", "goal", *COLUMNS], rows), ""]
    return "\n".join(lines)
