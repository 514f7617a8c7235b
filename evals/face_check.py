"""The fact that answers each measure, beside the rows that the statements print.

    python -m evals.face_check [FOLDER]

Ingests figures and faces of the filings of ../shared/edgar, without their text, into a database in FOLDER, where they
stay, or in a folder that is deleted afterwards. A row is a measure's when the registry accepts its label for it, when
it is called exactly as the measure or an alias, or, beside a figure of a note, when it has such a name in it. Why a
difference is right stands in `face_settled.yaml`; what it does not settle fails. The tables are written into
`reports/faces.md`, below the words there.
"""

import os
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import django
import yaml

if __name__ == "__main__":
    folder = tempfile.TemporaryDirectory(prefix="diligence-faces-")
    kept = sys.argv[1] if len(sys.argv) > 1 else folder.name
    os.environ |= {
        "DATA_DIR": kept,
        "DATABASE_URL": f"sqlite:///{kept}/faces.sqlite3",
        "DEBUG": "0",
        "SECRET_KEY": "faces",
        "DJANGO_SETTINGS_MODULE": "diligence.settings",
    }
    django.setup()

from django.core.management import call_command

from agent.numbers import registry
from agent.numbers.fact_selection import Selection
from agent.numbers.filing_figures import PERIODS, FilingFigures
from agent.numbers.registry import Concept, normalise
from agent.numbers.rounding import same_after_rounding
from agent.numbers.row_labels import Fit, label_words
from agent.numbers.selection_result import Choice, NoChoice
from evals import mirror, mirror_figures
from filings.models import Filing
from filings.xbrl import facts
from filings.xbrl.facts import Value
from filings.xbrl.stored_faces import FaceLine

FACES = ("income", "balance", "cashflow", "comprehensive")
SETTLED = Path(__file__).with_name("face_settled.yaml")
REPORT = Path(__file__).with_name("reports") / "faces.md"
MARK = "## Rows that are not what answers"


class Kind(StrEnum):
    """How a row and the selected fact differ."""

    NOTE = "chosen from a note"
    OTHER = "another row chosen"
    DERIVED = "derived"
    REFUSED = "refused"


class Row(NamedTuple):
    """A statement row with a value for the measure's period and unit."""

    line: FaceLine
    value: Value


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that is the measure's by its words, and whose figure was not selected."""

    concept: str
    kind: Kind
    accession: str
    label: str
    tag: str


@dataclass(frozen=True, slots=True)
class Settled:
    """Why a measure's rows under some tags are rightly not selected."""

    concept: str
    tags: tuple[str, ...]
    why: str

    def covers(self, one: Difference) -> bool:
        return self.concept == one.concept and any(re.fullmatch(tag, one.tag.partition(":")[2]) for tag in self.tags)


def rows(filing_figures: FilingFigures, concept: Concept) -> Iterator[Row]:
    """The rows of the statements that a measure may stand on, of any for a measure of the notes."""
    period = PERIODS[concept.period, 0]
    for kind in concept.statements or FACES:
        lines = (
            [line for line in filing_figures.faces[kind].lines if not line.aside]
            if kind in filing_figures.faces
            else []
        )
        held = facts.held(
            filing_figures.filing, {line.name for line in lines}, unit=filing_figures.unit(concept), period=period
        )
        yield from (Row(line, value) for line in lines for value in held if value.name == line.name)


def is_called(concept: Concept, label: str) -> bool:
    """Whether a row's whole label is the measure's."""
    words = label_words(label)[1]
    return concept.fit(label) is Fit.ACCEPTED or words in {normalise(one) for one in (concept.label, *concept.aliases)}


def has_name(concept: Concept, label: str) -> bool:
    """Whether the measure's name is part of a row's label, and no word makes it another measure."""
    words = f" {label_words(label)[0]} "
    return not concept.rejects(label) and any(
        f" {normalise(one)} " in words for one in (concept.label, *concept.aliases)
    )


def differences(filing: Filing) -> Iterator[Difference]:
    """A filing's rows for a measure whose value was not selected."""
    filing_figures = FilingFigures(filing, registry.load())
    selection = Selection(filing_figures)
    for key, concept in filing_figures.registry.concepts.items():
        if (concept.period, 0) not in PERIODS or concept.statement == "cover":
            continue
        choice = selection.annual(key)
        kind = kind_of(choice)
        found = [row for row in rows(filing_figures, concept) if row.line.label]
        meant = [row for row in found if is_called(concept, row.line.label)]
        if kind is Kind.NOTE:
            meant = meant or [row for row in found if has_name(concept, row.line.label)]
        for row in meant:
            if not answers(choice, row):
                yield Difference(key, kind, filing.accession, row.line.label, row.line.name)


def kind_of(choice: Choice | NoChoice) -> Kind:
    if isinstance(choice, NoChoice):
        return Kind.REFUSED
    if choice.candidate is None:
        return Kind.DERIVED
    return Kind.OTHER if choice.candidate.face else Kind.NOTE


def answers(choice: Choice | NoChoice, row: Row) -> bool:
    """Whether a row's figure is the selected one, under whatever tag."""
    if isinstance(choice, NoChoice):
        return False
    decimals = choice.candidate.decimals if choice.candidate else None
    return same_after_rounding(abs(choice.value), decimals, abs(row.value.value), row.value.fact.decimals)


def settled() -> list[Settled]:
    """Differences that were reviewed and are right."""
    entries = yaml.safe_load(SETTLED.read_text(encoding="utf-8"))
    return [Settled(one["concept"], tuple(one["tags"]), one["why"]) for one in entries]


def report(found: Iterable[Difference], filings: int, known: list[Settled]) -> tuple[str, int]:
    """The tables as Markdown, and how many differences are unsettled."""
    groups: dict[tuple[str, str, str], list[Difference]] = defaultdict(list)
    for one in found:
        why = next((entry.why for entry in known if entry.covers(one)), "")
        groups[one.concept, one.kind, why].append(one)
    lines = ["| Measure | What is done | Rows | Filings | As | Why it is right |", "|---|---|---|---|---|---|"]
    for (concept, kind, why), rows in sorted(groups.items()):
        label, count = rows[0].label.replace("|", "/")[:60], len({one.accession for one in rows})
        lines.append(f"| {concept} | {kind} | {len(rows)} | {count} | {label} | {why or 'NOT SETTLED'} |")
    total, open_ = sum(map(len, groups.values())), sum(len(rows) for (*_, why), rows in groups.items() if not why)
    lines.insert(0, f"{filings} filings with a face: {total} rows differ, {open_} of them are not settled.\n")
    return "\n".join(lines) + "\n", open_


def main() -> int:
    """Write the report; returns how many differences are unsettled."""
    call_command("migrate", verbosity=0)
    with mirror.edgar():
        mirror_figures.ingest()
    filings = Filing.objects.primary().filter(statements__isnull=False).select_related("company").distinct()
    found = [one for filing in filings.order_by("accession") for one in differences(filing)]
    text, open_ = report(found, len(filings), settled())
    words = REPORT.read_text(encoding="utf-8").partition(MARK)[0]
    REPORT.write_text(f"{words}{MARK}\n\n{text}", encoding="utf-8")
    print(text.partition("\n")[0])
    return open_


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
