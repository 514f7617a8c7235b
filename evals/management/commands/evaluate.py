"""`manage.py evaluate`: answers the test questions (goldens) and fails if a quality limit (gate) is missed."""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent.programs import model_settings
from diligence.statistics import Share
from evals import (
    columns,
    gates,
    golden,
    harness,
    mirror,
    model_evaluation,
    prose_golden,
    prose_harness,
    rows,
    summary,
    table_harness,
)
from evals.mutations import mutation_report, step_mutations
from evals.runner import Chosen
from evals.truths import derived_truth, interim_truth, printed_parts
from evals.truths.witness import SecFile, Witness
from filings.models import Company


class Command(BaseCommand):
    """Prints the results of both halves of the goldens; only the check half can fail a gate."""

    help = "Answer every test question (golden) and compare the results with the correct ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--half", choices=["tune", "check"], help="Run only one half. Gates apply to the check half only."
        )
        parser.add_argument(
            "--part", choices=["numbers", "prose", "tables", "parts"], help="Run only the goldens of this kind."
        )
        parser.add_argument(
            "--show", action="store_true", help="Print every question of the tuning half with a wrong result."
        )
        parser.add_argument("--limit", type=int, help="Run only the first LIMIT goldens of each kind and half.")
        parser.add_argument(
            "--one-in",
            type=int,
            default=1,
            help="Run only every ONE_IN-th golden, the same ones each time; then only gates that allow no miss apply.",
        )
        parser.add_argument(
            "--model",
            action="store_true",
            help="Answer also with the configured models, and write the differences into evals/reports/model.md.",
        )
        parser.add_argument(
            "--mutate",
            action="store_true",
            help="Instead, corrupt what each step of the pipeline hands on, and fail if anything false is shown.",
        )
        parser.add_argument(
            "--report",
            type=Path,
            nargs="?",
            const=columns.REPORT,
            help="Write the results into this report (default evals/reports/prose.md), in the column of the search index used.",
        )
        parser.add_argument(
            "--rows",
            type=Path,
            help="Write every golden's answer into this file, to compare two versions.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        halves = (options["half"],) if options["half"] else ("tune", "check")
        self.chosen = Chosen(halves, **{name: options[name] for name in ("limit", "one_in", "show", "report", "rows")})
        if self.chosen.rows:
            self.chosen.rows.write_text("", encoding="utf-8")
        if options["mutate"]:
            failures = self.mutations()
        elif options["model"]:
            failures = self.model(options["part"])
        else:
            # Parts last: they load further filings, and the others expect the filings loaded before.
            parts = {"numbers": self.numbers, "prose": self.prose, "tables": self.tables, "parts": self.parts}
            asked = [part for name, part in parts.items() if options["part"] in (None, name)]
            failures = [failure for part in asked for failure in part()]
        if failures:
            raise CommandError("Gates failed on the check half: " + "; ".join(failures) + ".")

    def mutations(self) -> list[str]:
        """Corrupt the pipeline between its steps; returns the failed gates."""
        killed, kept = step_mutations.check(self.chosen.one_in)
        for title, found in (("Mutations not shown", killed), ("Benign variations shown", kept)):
            self.stdout.write(f"{title}: {str(found.whole).strip()}")
            self.stdout.write("\n".join(f"  {kind:32}{share}" for kind, share in sorted(found.shares.items())))
        if path := self.chosen.report:
            path.with_name(mutation_report.REPORT.name).write_text(
                mutation_report.written(killed, kept), encoding="utf-8"
            )
            measured = {"Mutations: not shown": killed.whole, "Mutations: benign variations shown": kept.whole}
            summary.keep(measured, "manage.py evaluate --mutate", path.with_name(summary.PATH.name))
        return mutation_report.failures(killed, kept, whole=self.chosen.is_whole)

    def model(self, part: str | None) -> list[str]:
        """Run all goldens with and without the configured models; returns the rules that the models broke."""
        if problems := model_settings.problems():
            raise CommandError("\n".join(f"{problem.message} {problem.hint}" for problem in problems))
        if not model_settings.named():
            raise CommandError(
                "No model is configured. Set PLAN_MODEL and DRAFT_MODEL, each with its base URL; manage.py models check asks them."
            )
        return model_evaluation.evaluate(self.chosen, part, self.stdout.write)

    def numbers(self) -> list[str]:
        """Run the goldens with figures and refusals; returns the failed gates."""
        if not Company.objects.covered().exists():
            raise CommandError("No company is covered. Load the sample first: manage.py load_sample")
        goldens, sec = self.chosen.of(golden.read()), SecFile()
        self.agree(said for row in goldens if (said := sec.disagreement(row)))
        return self.figures("Numbers", goldens, sec)

    def prose(self) -> list[str]:
        """Run the prose goldens on the sample and, if there is a mirror, on real filings; returns the failed gates."""
        failures = self.texts("Prose, sample", prose_golden.SAMPLE, prose_harness.SAMPLE_GATES)
        failures += self.texts("Prose, other documents", prose_golden.SOURCES, prose_harness.SOURCE_GATES)
        goldens = prose_golden.read(prose_golden.EDGAR)
        if self.skips("Prose, real filings", len(goldens)):
            return failures
        with mirror.edgar():
            mirror.ingest({row.accession for row in goldens if row.accession})
            return failures + self.texts("Prose, real filings", prose_golden.EDGAR, prose_harness.EDGAR_GATES)

    def tables(self) -> list[str]:
        """Run the derived goldens that the sample answers, parts of years, and traps; returns the failed gates."""
        goldens = self.chosen.of([row for row in derived_truth.read() if row.sample])
        tally, failures = table_harness.TableTally, []
        failures += self.told("Derived figures", table_harness.run(goldens), tally, table_harness.DERIVED_GATES)
        interim = table_harness.run(self.chosen.of(interim_truth.read()))
        failures += self.told("Parts of years", interim, tally, table_harness.INTERIM_GATES, gated=("tune", "check"))
        if "check" in self.chosen.halves:
            failures += table_harness.trapped(self.chosen.one_in, self.stdout.write)
        return failures

    def parts(self) -> list[str]:
        """Run the goldens about segments and other parts of companies, if there is a mirror; returns the failed gates."""
        goldens = golden.read(paths=golden.PARTS)
        if self.skips("Parts, real filings", len(goldens)):
            return []
        goldens = self.chosen.of(goldens)
        documents = printed_parts.Documents()
        self.agree(printed_parts.disagreements(goldens, documents))
        with mirror.edgar():
            mirror.ingest({accession for row in goldens for accession in row.accessions})
            return self.figures("Parts, real filings", goldens, documents)

    def agree(self, odd: Iterable[str]) -> None:
        """Raise CommandError if any golden disagrees with its source."""
        if said := "\n".join(odd):
            raise CommandError(f"Goldens disagree with their source:\n{said}")

    def skips(self, title: str, count: int) -> bool:
        """Whether to skip goldens on real filings, which take minutes to load; prints a line if so."""
        bundled = os.environ.get("GOLDENS") == "bundled"
        if bundled or not mirror.is_there():
            why = "as GOLDENS=bundled asks" if bundled else "../shared/edgar is not there"
            self.stdout.write(f"{title}: {count} questions skipped, {why}.")
            return True
        return False

    def figures(self, title: str, goldens: Iterable[golden.Golden], source: harness.Source) -> list[str]:
        """Ask goldens whose answers are figures, and tell; returns the failed gates."""
        kept = {"wrong figures": "wrong", "exact": "exact", "refusals": "right_codes"}
        results = list(harness.run(goldens))
        self.write_rows(results)
        return self.told(title, results, partial(harness.NumberTally, source=source), harness.GATES, kept)

    def texts(self, title: str, path: Path, due: Sequence[gates.Gate]) -> list[str]:
        """Ask the prose goldens of a file, and tell; returns the failed gates."""
        results = list(prose_harness.run(self.chosen.of(prose_golden.read(path)), Witness()))
        self.write_rows(results)
        kept = {"quotations": "claims", "refusals": "unasserted"}
        return self.told(title, results, prose_harness.ProseTally, due, kept)

    def write_rows(self, results: Iterable[harness.Result | prose_harness.ProseResult]) -> None:
        if self.chosen.rows:
            rows.write(self.chosen.rows, results)

    def told(
        self,
        title: str,
        results: Iterable[Any],
        tally: Callable[..., gates.Tally[Any]],
        due: Sequence[gates.Gate],
        kept: Mapping[str, str] | None = None,
        gated: Sequence[str] = ("check",),
    ) -> list[str]:
        """Print the results of each half and write them into the report; returns the failed gates of the gated halves.

        kept: names and properties of the shares of both halves that the page of the evaluation shows.
        """
        results, failures = tuple(results), []
        for half in self.chosen.halves:
            one = tally(half, tuple(result for result in results if result.golden.half == half))
            self.stdout.write(gates.report(title, one, due, self.chosen.is_whole))
            if self.chosen.report:
                columns.write(columns.measured(title, one, due), columns.column(), self.chosen.report)
            failures += gates.failures(title, one, due, self.chosen.is_whole) if half in gated else []
        if self.chosen.report and self.chosen.is_all and kept:
            every = tally("", results)
            shares: dict[str, Share] = {f"{title}: {name}": getattr(every, key) for name, key in kept.items()}
            summary.keep(shares, "manage.py evaluate", self.chosen.report.with_name(summary.PATH.name))
        if self.chosen.show:
            self.stdout.write("\n".join(gates.missed(results)))
        return failures
