"""`manage.py evaluate --model`: every golden with and without the configured models, in one report."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.core.management.base import CommandError

from evals import columns, golden, harness, mirror, model_report, prose_golden, prose_harness
from evals.gates import Gate
from evals.model_report import Judged, Pair
from evals.runner import Chosen
from evals.truths.witness import SecFile, Witness
from filings.models import Company

# Servers that reply by a script: they measure no model.
SCRIPTED = "scripted"


def evaluate(chosen: Chosen, part: str | None, say: Callable[[str], object]) -> list[str]:
    """Ask, print, and write the report; returns the failures on the check half.

    chosen.report: where to write; without it, a complete run of real models is written to evals/reports/model.md. Raises
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
    pairs: list[Pair] = []

    def asked(title: str, rows: Sequence[Any], ask: Callable[..., Judged], tally: Any, gates: Sequence[Gate]) -> None:
        found = [Pair(ask(row), ask(row, models=True)) for row in rows]
        parts.extend(model_report.half(title, half, found, tally, gates) for half in chosen.halves)
        pairs.extend(found)

    if part in (None, "numbers"):
        numbers = partial(harness.NumberTally, source=SecFile())
        asked("Numbers", chosen.of(golden.read()), harness.asked, numbers, harness.GATES)
    if part in (None, "prose"):
        ask = partial(prose_harness.asked, witness=Witness())
        rows = chosen.of(prose_golden.read(prose_golden.SAMPLE))
        asked("Prose, sample", rows, ask, prose_harness.ProseTally, prose_harness.SAMPLE_GATES)
        rows = chosen.of(prose_golden.read(prose_golden.EDGAR))
        if os.environ.get("GOLDENS") == "bundled" or not mirror.is_there():
            say(f"Prose, real filings: {len(rows)} questions skipped, their filings are not at hand or not asked for.")
        else:
            with mirror.edgar():
                mirror.ingest({row.accession for row in rows if row.accession})
                asked("Prose, real filings", rows, ask, prose_harness.ProseTally, prose_harness.EDGAR_GATES)
    parts.append(("What the model did", model_report.used([pair.used for pair in pairs if pair.used])))
    names = f"{configured.plan.name} plans and judges, {configured.draft.name} drafts"
    text = model_report.rendered(names, parts)
    say(text)
    scripted = SCRIPTED in (configured.plan.name, configured.draft.name)
    given = chosen.report if chosen.report not in (None, columns.REPORT) else None
    if path := given or (None if scripted or part or not chosen.is_all else model_report.REPORT):
        path.write_text(text, encoding="utf-8")
        say(f"Written to {path.name}.")
    else:
        say("Not written: only a run of all goldens with real models is a report; --report PATH writes any.")
    return model_report.failures("check", pairs) if "check" in chosen.halves else []
