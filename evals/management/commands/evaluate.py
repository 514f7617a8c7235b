"""Run the goldens and fail when a gate fails."""

import os
import statistics
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent.programs import model_settings
from evals import (
    columns,
    financebench,
    financebench_report,
    golden,
    mirror,
    model_evaluation,
    printed_parts,
    prose_golden,
    prose_harness,
    prose_report,
    rows,
    table_harness,
)
from evals.harness import Result, Source, Tally, Verdict, run, tally
from evals.witness import SecFile, Witness
from filings.models import Company


class Command(BaseCommand):
    """Both halves are printed; gates are read on the check half."""

    help = "Ask every golden of the real pipeline and compare with what is due."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--half", choices=["tune", "check"], help="Only one half; without check there is no gate.")
        parser.add_argument("--part", choices=["numbers", "prose", "tables", "parts"], help="Only one part.")
        parser.add_argument("--show", action="store_true", help="Print every question of the tuning half that missed.")
        parser.add_argument("--limit", type=int, help="Only the first so many goldens of each kind and half.")
        parser.add_argument(
            "--one-in",
            type=int,
            default=1,
            help="Only one in so many goldens, the same ones each time; of the gates, those that no question may break.",
        )
        parser.add_argument(
            "--model",
            action="store_true",
            help="Ask with the configured models too, and write what they change into evals/reports/model.md.",
        )
        parser.add_argument(
            "--report",
            type=Path,
            nargs="?",
            const=columns.REPORT,
            help="Write the shares into this report (evals/reports/prose.md), in the column of the index asked.",
        )
        parser.add_argument(
            "--financebench",
            type=Path,
            metavar="PATH",
            help="Ask the questions of this file, in FinanceBench's form, and nothing else; --report writes evals/reports/financebench.md.",
        )
        parser.add_argument(
            "--rows",
            type=Path,
            help="Write what every golden was answered into this file, to compare two versions by.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if path := options["financebench"]:
            given = options["report"]
            report = financebench_report.REPORT if given == columns.REPORT else given
            financebench.evaluate(path, report, self.stdout.write)
            return
        halves = [options["half"]] if options["half"] else ["tune", "check"]
        failures: list[str] = []
        if options["rows"]:
            options["rows"].write_text("", encoding="utf-8")
        if options["model"]:
            failures += self.model(halves, options)
        if not options["model"] and options["part"] in (None, "numbers"):
            failures += self.numbers(halves, options)
        if not options["model"] and options["part"] in (None, "prose"):
            failures += self.prose(halves, options)
        if not options["model"] and options["part"] in (None, "tables"):
            failures += table_harness.evaluate(halves, options["show"], options["one_in"], self.stdout.write)
        # Behind the others, which know what is held.
        if not options["model"] and options["part"] in (None, "parts"):
            failures += self.parts(halves, options)
        if failures:
            raise CommandError("Gates failed on the check half: " + "; ".join(failures) + ".")

    def prose(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """The prose goldens on the sample, then on real filings where they are at hand; the gates that fail."""
        sample, edgar = prose_report.SAMPLE_GATES, prose_report.EDGAR_GATES
        failures = self.prose_of("Prose, sample", prose_golden.read(prose_golden.SAMPLE), sample, halves, options)
        goldens = prose_golden.read(prose_golden.EDGAR)
        if self.skips("Prose, real filings", len(goldens)):
            return failures
        with mirror.edgar():
            mirror.ingest({row.accession for row in goldens if row.accession})
            return failures + self.prose_of("Prose, real filings", goldens, edgar, halves, options)

    def skips(self, title: str, count: int) -> bool:
        """Whether goldens of real filings are left out, which is said: to read and embed those takes minutes."""
        if os.environ.get("GOLDENS") == "bundled":
            self.stdout.write(f"{title}: {count} questions skipped, as GOLDENS=bundled asks.")
            return True
        if not mirror.is_there():
            self.stdout.write(f"{title}: {count} questions skipped, ../shared/edgar is not there.")
            return True
        return False

    def model(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """All goldens with the configured models, beside the same without; what the models may not do, and did."""
        if problems := model_settings.problems():
            raise CommandError("\n".join(f"{problem.message} {problem.hint}" for problem in problems))
        if not model_settings.named():
            raise CommandError(
                "No model is configured. Set PLAN_MODEL and DRAFT_MODEL, each with its base URL; manage.py models check asks them."
            )
        return model_evaluation.evaluate(
            halves, options["part"], options["limit"], options["report"], self.stdout.write
        )

    def prose_of(
        self,
        title: str,
        goldens: list[prose_golden.ProseGolden],
        gates: tuple[prose_report.Gate, ...],
        halves: list[str],
        options: dict[str, Any],
    ) -> list[str]:
        """One corpus: its report, and the gates that fail on the check half."""
        results = list(
            prose_harness.run(model_evaluation.first(goldens, halves, options["limit"], options["one_in"]), Witness())
        )
        if options["rows"]:
            rows.write(options["rows"], results)
        failures = []
        for half in halves:
            tally = prose_harness.ProseTally(half, tuple(one for one in results if one.golden.half == half))
            self.stdout.write(prose_report.report(title, tally, gates, options["one_in"] == 1))
            self.keep(columns.of_prose(title, tally, gates), options)
            failures += prose_report.failures(title, tally, gates, options["one_in"] == 1) if half == "check" else []
        if options["show"]:
            self.stdout.write("\n".join(prose_report.missed(results)))
        return failures

    def keep(self, measured: columns.Measured, options: dict[str, Any]) -> None:
        """Put what was measured into the report, where one is wanted."""
        if options["report"]:
            columns.write(measured, columns.column(), options["report"])

    def numbers(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """The numeric goldens and the refusals; the gates that fail."""
        if not Company.objects.covered().exists():
            raise CommandError("No company is covered. Load the sample first: manage.py load_sample")
        goldens = model_evaluation.first(golden.read(), halves, options["limit"], options["one_in"])
        sec = SecFile()
        self.agree(said for row in goldens if (said := sec.disagreement(row)))
        return self.figures("Numbers", goldens, sec, halves, options)

    def parts(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """The goldens about parts of companies, on real filings where they are at hand; the gates that fail."""
        goldens = golden.read(paths=golden.PARTS)
        if self.skips("Parts, real filings", len(goldens)):
            return []
        goldens = model_evaluation.first(goldens, halves, options["limit"], options["one_in"])
        documents = printed_parts.Documents()
        self.agree(printed_parts.disagreements(goldens, documents))
        with mirror.edgar():
            mirror.ingest({accession for row in goldens for accession in row.accessions})
            return self.figures("Parts, real filings", goldens, documents, halves, options)

    def agree(self, odd: Iterable[str]) -> None:
        """Raise CommandError with what goldens say and their sources do not."""
        if said := "\n".join(odd):
            raise CommandError(f"Goldens disagree with their source:\n{said}")

    def figures(
        self, title: str, goldens: list[golden.Golden], source: Source, halves: list[str], options: dict[str, Any]
    ) -> list[str]:
        """One body of goldens whose answers are figures: its report, and the gates that fail on the check half."""
        results = list(run(goldens))
        if options["rows"]:
            rows.write(options["rows"], results)
        tallies = [tally(half, results, source) for half in halves]
        for one in tallies:
            self.stdout.write(report(one, title))
            self.keep(columns.of_numbers(one, title), options)
        self.stdout.write(timing(results))
        if options["show"]:
            self.stdout.write("\n".join(missed(results)))
        whole = options["one_in"] == 1
        return [f"{title}: {failure}" for one in tallies if one.half == "check" for failure in one.failures(whole)]


def report(one: Tally, title: str) -> str:
    """One half as a table."""
    lines = [
        f"{title}, {one.half} half: {len(one.results)} questions",
        f"  exact               {one.answered}",
        f"  wrong numbers       {len(one.of(Verdict.WRONG)):>4}",
        f"  wrong refusals      {len(one.of(Verdict.WRONG_REFUSAL)):>4}",
        f"  right refusals      {len(one.of(Verdict.RIGHT_REFUSAL)):>4} of {len(one.refusals)}",
        f"  answered undue      {len(one.of(Verdict.ANSWERED_UNDUE)):>4}",
        f"  refusal code right  {one.right_codes}",
        f"  two readings        {one.two_readings}",
        f"  tripwire            {len(one.broken):>4} numbers that SEC's file does not hold",
    ]
    return "\n".join(lines)


def timing(results: list[Result]) -> str:
    """Median and 95th percentile of what a question took, all of it."""
    times = sorted(result.ms for result in results)
    if len(times) < 2:
        return ""
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"time a question: median {statistics.median(times):.1f} ms, 95th percentile {p95:.1f} ms"


def missed(results: list[Result]) -> list[str]:
    """What missed in the tuning half. The check half stays unseen, or it would be tuned to."""
    return [
        f"{result.golden.id} {result.verdict}: {result.golden.question!r} -> {result.outcome} {result.code} "
        f"{[str(one.value) for one in result.found]}, due {result.golden.outcome} {result.golden.codes}"
        for result in results
        if result.golden.half == "tune"
        and (
            result.verdict in (Verdict.WRONG, Verdict.WRONG_REFUSAL, Verdict.ANSWERED_UNDUE)
            or (result.golden.outcome != "answered" and not result.code_right)
        )
    ]
