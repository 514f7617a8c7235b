"""`manage.py financebench`: asks a file of questions in FinanceBench's form about documents of a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent.programs import model_settings
from evals.financebench import financebench, financebench_report
from evals.financebench.financebench_documents import Documents


class Command(BaseCommand):
    help = (
        "Ask the questions of a file in FinanceBench's form, each about its document, and judge the answers. Documents"
        " are imported from a folder of files called as the questions call them; a 10-K that is not there is ingested."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--questions", type=Path, required=True, help="Questions: a JSON object on each line.")
        parser.add_argument("--documents", type=Path, help="Folder with the documents, such as 3M_2018_10K.pdf.")
        parser.add_argument(
            "--scope",
            choices=["document", "company"],
            default="document",
            help="Whether the document is chosen beforehand, or found by the question's words alone.",
        )
        parser.add_argument(
            "--without-model", action="store_true", help="Answer without the configured models; they only judge words."
        )
        parser.add_argument("--processes", type=int, default=1, help="How many questions to ask at once.")
        parser.add_argument(
            "--report",
            type=Path,
            nargs="?",
            const=financebench_report.REPORT,
            help="Write the figures into this file (default evals/reports/financebench.md).",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if problems := model_settings.problems():
            raise CommandError("\n".join(f"{problem.message} {problem.hint}" for problem in problems))
        path, folder = options["questions"], options["documents"]
        if folder and not folder.is_dir():
            raise CommandError(f"--documents: {folder} is no folder.")
        if options["processes"] < 1:
            raise CommandError("--processes is a number from 1.")
        rows, documents = financebench.read(path), Documents(folder)
        named = model_settings.named()
        bench = financebench.Bench(options["scope"], answering=named and not options["without_model"], judging=named)
        results = []
        for one in bench.run(rows, documents, options["processes"]):
            results.append(one)
            self.stdout.write(financebench_report.line(one))
        for name, why in documents.missing.items():
            self.stdout.write(f"{name}: {why}")
        text = financebench_report.rendered(path.name, results, bench)
        self.stdout.write(text)
        if options["report"]:
            options["report"].write_text(text, encoding="utf-8")
            self.stdout.write(f"Written to {options['report'].name}.")
