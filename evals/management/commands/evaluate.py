"""`manage.py evaluate`: answers the test questions (goldens) and fails if a quality limit (gate) is missed."""

import os
import statistics
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent.programs import model_settings
from diligence.statistics import Share
from evals import (
    columns,
    golden,
    mirror,
    model_evaluation,
    mutation_report,
    printed_parts,
    prose_golden,
    prose_harness,
    prose_report,
    rows,
    step_mutations,
    summary,
    table_harness,
)
from evals.harness import Result, Source, Tally, Verdict, run, tally
from evals.witness import SecFile, Witness
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
        halves = [options["half"]] if options["half"] else ["tune", "check"]
        failures: list[str] = []
        if options["rows"]:
            options["rows"].write_text("", encoding="utf-8")
        if options["mutate"]:
            self.finished(self.mutations(options))
            return
        if options["model"]:
            failures += self.model(halves, options)
        if not options["model"] and options["part"] in (None, "numbers"):
            failures += self.numbers(halves, options)
        if not options["model"] and options["part"] in (None, "prose"):
            failures += self.prose(halves, options)
        if not options["model"] and options["part"] in (None, "tables"):
            failures += table_harness.evaluate(halves, options["show"], options["one_in"], self.stdout.write)
        # Last: it loads further filings, and the others expect the filings loaded before.
        if not options["model"] and options["part"] in (None, "parts"):
            failures += self.parts(halves, options)
        self.finished(failures)

    def finished(self, failures: list[str]) -> None:
        """Raise CommandError if a gate failed."""
        if failures:
            raise CommandError("Gates failed on the check half: " + "; ".join(failures) + ".")

    def mutations(self, options: dict[str, Any]) -> list[str]:
        """Corrupt the pipeline between its steps; returns the failed gates."""
        killed, kept = step_mutations.check(options["one_in"])
        for title, found in (("Mutations not shown", killed), ("Benign variations shown", kept)):
            self.stdout.write(f"{title}: {str(found.whole).strip()}")
            self.stdout.write("\n".join(f"  {kind:32}{share}" for kind, share in sorted(found.shares.items())))
        if options["report"]:
            report = options["report"].with_name(mutation_report.REPORT.name)
            report.write_text(mutation_report.written(killed, kept), encoding="utf-8")
            measured = {"Mutations: not shown": killed.whole, "Mutations: benign variations shown": kept.whole}
            summary.keep(measured, "manage.py evaluate --mutate", options["report"].with_name(summary.PATH.name))
        return mutation_report.failures(killed, kept, whole=options["one_in"] == 1)

    def prose(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """Run the prose goldens on the sample and, if there is a mirror, on real filings; returns the failed gates."""
        sample, edgar = prose_report.SAMPLE_GATES, prose_report.EDGAR_GATES
        failures = self.prose_of("Prose, sample", prose_golden.read(prose_golden.SAMPLE), sample, halves, options)
        sources = prose_golden.read(prose_golden.SOURCES)
        failures += self.prose_of("Prose, other documents", sources, prose_report.SOURCE_GATES, halves, options)
        goldens = prose_golden.read(prose_golden.EDGAR)
        if self.skips("Prose, real filings", len(goldens)):
            return failures
        with mirror.edgar():
            mirror.ingest({row.accession for row in goldens if row.accession})
            return failures + self.prose_of("Prose, real filings", goldens, edgar, halves, options)

    def skips(self, title: str, count: int) -> bool:
        """Whether to skip goldens on real filings, which take minutes to load; prints a line if so."""
        if os.environ.get("GOLDENS") == "bundled":
            self.stdout.write(f"{title}: {count} questions skipped, as GOLDENS=bundled asks.")
            return True
        if not mirror.is_there():
            self.stdout.write(f"{title}: {count} questions skipped, ../shared/edgar is not there.")
            return True
        return False

    def model(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """Run all goldens with and without the configured models; returns the rules that the models broke."""
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
        """Run and report the prose goldens of one corpus; returns the gates that failed on the check half."""
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
        whole = prose_harness.ProseTally("", tuple(results))
        self.summarize({f"{title}: quotations": whole.claims, f"{title}: refusals": whole.unasserted}, options)
        if options["show"]:
            self.stdout.write("\n".join(prose_report.missed(results)))
        return failures

    def keep(self, measured: columns.Measured, options: dict[str, Any]) -> None:
        """Write the results into the report, if --report is given."""
        if options["report"]:
            columns.write(measured, columns.column(), options["report"])

    def summarize(self, measured: dict[str, Share], options: dict[str, Any]) -> None:
        """Keep results of all questions of a kind for the page that shows them, if --report is given."""
        if options["report"] and not options["half"] and not options["limit"] and options["one_in"] == 1:
            summary.keep(measured, "manage.py evaluate", options["report"].with_name(summary.PATH.name))

    def numbers(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """Run the goldens with figures and refusals; returns the failed gates."""
        if not Company.objects.covered().exists():
            raise CommandError("No company is covered. Load the sample first: manage.py load_sample")
        goldens = model_evaluation.first(golden.read(), halves, options["limit"], options["one_in"])
        sec = SecFile()
        self.agree(said for row in goldens if (said := sec.disagreement(row)))
        return self.figures("Numbers", goldens, sec, halves, options)

    def parts(self, halves: list[str], options: dict[str, Any]) -> list[str]:
        """Run the goldens about segments and other parts of companies, if there is a mirror; returns the failed gates."""
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
        """Raise CommandError if any golden disagrees with its source."""
        if said := "\n".join(odd):
            raise CommandError(f"Goldens disagree with their source:\n{said}")

    def figures(
        self, title: str, goldens: list[golden.Golden], source: Source, halves: list[str], options: dict[str, Any]
    ) -> list[str]:
        """Run and report goldens whose answers are figures; returns the gates that failed on the check half."""
        results = list(run(goldens))
        if options["rows"]:
            rows.write(options["rows"], results)
        tallies = [tally(half, results, source) for half in halves]
        for one in tallies:
            self.stdout.write(report(one, title))
            self.keep(columns.of_numbers(one, title), options)
        self.stdout.write(timing(results))
        every = tally("", (replace(one, golden=one.golden.model_copy(update={"half": ""})) for one in results), source)
        wrong = Share(len(every.of(Verdict.WRONG)), len(every.numeric))
        self.summarize(
            {
                f"{title}: wrong figures": wrong,
                f"{title}: exact": every.answered,
                f"{title}: refusals": every.right_codes,
            },
            options,
        )
        if options["show"]:
            self.stdout.write("\n".join(missed(results)))
        whole = options["one_in"] == 1
        return [f"{title}: {failure}" for one in tallies if one.half == "check" for failure in one.failures(whole)]


def report(one: Tally, title: str) -> str:
    """The results of one half as a table of text."""
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
    """A line with the median and 95th percentile of the time a question took."""
    times = sorted(result.ms for result in results)
    if len(times) < 2:
        return ""
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"time a question: median {statistics.median(times):.1f} ms, 95th percentile {p95:.1f} ms"


def missed(results: list[Result]) -> list[str]:
    """The wrong results of the tuning half. Those of the check half are never shown, so that nobody tunes to them."""
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
