"""`manage.py evaluate --model`: every golden with and without the configured models, in one report."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeVar
from zlib import crc32

from django.core.management.base import CommandError

from evals import columns, golden, mirror, model_harness, model_report, prose_golden, prose_report
from evals.witness import SecFile, Witness
from filings.models import Company

# Servers that reply by a script: they measure no model.
SCRIPTED = "scripted"


class Halved(Protocol):
    """A golden, of one half."""

    @property
    def id(self) -> str: ...

    @property
    def half(self) -> Literal["tune", "check"]: ...


Row = TypeVar("Row", bound=Halved)


def first(rows: Sequence[Row], halves: Sequence[str], limit: int | None, one_in: int = 1) -> list[Row]:
    """The first goldens of these halves; or one in so many, the same each time."""
    rows = [row for row in rows if crc32(row.id.encode()) % one_in == 0]
    return [row for half in halves for row in [one for one in rows if one.half == half][:limit]]


def evaluate(
    halves: Sequence[str], part: str | None, limit: int | None, report: Path | None, say: Callable[[str], object]
) -> list[str]:
    """Ask, print, and write the report; returns the failures on the check half.

    report: where to write; without it, a complete run of real models is written to evals/reports/model.md. Raises
    CommandError where nothing is covered.
    """
    if not Company.objects.covered().exists():
        raise CommandError("No company is covered. Load the sample first: manage.py load_sample")
    # It imports the models' code.
    from agent.programs import models

    configured = models.configured()
    if configured is None:
        raise CommandError("No model is configured. Set PLAN_MODEL and DRAFT_MODEL, each with its base URL.")
    parts: list[tuple[str, model_report.Rows]] = []
    pairs: list[model_harness.NumberPair | model_harness.ProsePair] = []
    if part in (None, "numbers"):
        sec = SecFile()
        numbers = list(model_harness.numbers(first(golden.read(), halves, limit)))
        parts += [model_report.numbers(half, numbers, sec) for half in halves]
        pairs += numbers
    if part in (None, "prose"):
        witness = Witness()
        rows = first(prose_golden.read(prose_golden.SAMPLE), halves, limit)
        sample = list(model_harness.prose(rows, witness))
        parts += [model_report.prose("Prose, sample", half, sample, prose_report.SAMPLE_GATES) for half in halves]
        pairs += sample
        rows = first(prose_golden.read(prose_golden.EDGAR), halves, limit)
        if os.environ.get("GOLDENS") == "bundled" or not mirror.is_there():
            say(f"Prose, real filings: {len(rows)} questions skipped, their filings are not at hand or not asked for.")
        else:
            with mirror.edgar():
                mirror.ingest({row.accession for row in rows if row.accession})
                real = list(model_harness.prose(rows, witness))
            parts += [
                model_report.prose("Prose, real filings", half, real, prose_report.EDGAR_GATES) for half in halves
            ]
            pairs += real
    parts.append(("What the model did", model_report.used([pair.used for pair in pairs if pair.used])))
    names = f"{configured.plan.name} plans and judges, {configured.draft.name} drafts"
    text = model_report.rendered(names, parts)
    say(text)
    scripted = SCRIPTED in (configured.plan.name, configured.draft.name)
    given = report if report not in (None, columns.REPORT) else None
    if path := given or (None if scripted or limit or part or len(halves) < 2 else model_report.REPORT):
        path.write_text(text, encoding="utf-8")
        say(f"Written to {path.name}.")
    else:
        say("Not written: only a run of all goldens with real models is a report; --report PATH writes any.")
    return model_report.failures("check", pairs) if "check" in halves else []
