"""`manage.py ask`: answers one question, or a file of questions, on the command line."""

import json
import logging
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.core.checks import run_checks
from django.core.management.base import BaseCommand, CommandError, SystemCheckError

from agent.models import Run
from agent.runs import lifecycle
from agent.runs.claim import claim
from agent.state import Answer
from agent.state.modes import Mode
from agent.steps.precheck import problem_with

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """`ask "…" [--json]`, or `ask --batch questions.jsonl --output results.jsonl`."""

    help = "Answer a question, or a file of questions, from the filings that are loaded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question", nargs="?", help="The question to answer.")
        parser.add_argument("--json", action="store_true", help="Print the result as JSON.")
        parser.add_argument(
            "--explain",
            action="store_true",
            help="Print how the question is understood, and the table of figures that follows from it.",
        )
        parser.add_argument(
            "--save", action="store_true", help="Save each question and its answer as a run in the database."
        )
        parser.add_argument(
            "--batch", type=Path, help='File of questions: one JSON object with "id" and "question" on each line.'
        )
        parser.add_argument(
            "--output",
            type=Path,
            help="File for the results of --batch. Questions whose result is already in it are skipped.",
        )
        parser.add_argument(
            "--mode",
            choices=list(Mode),
            type=Mode,
            help="How many rounds language models may take; by default the model that plans decides.",
        )
        parser.add_argument(
            "--today",
            type=date.fromisoformat,
            help="Today's date, such as 2026-01-31: decides which fiscal years have ended. Default: the real date.",
        )

    def check(self, *args: Any, **options: Any) -> None:
        """Stop at wrong settings only: warnings concern who operates the site, and `manage.py check` prints them."""
        if serious := [one for one in run_checks() if one.is_serious() and not one.is_silenced()]:
            raise SystemCheckError("\n".join(map(str, serious)))

    def handle(self, *args: Any, **options: Any) -> None:
        if options["batch"]:
            if not options["output"]:
                raise CommandError("--batch needs --output: the file that results are written to.")
            self.batch(options["batch"], options["output"], options)
        elif options["question"] is None:
            raise CommandError("Give a question, or --batch with a file of them.")
        elif options["explain"]:
            self.explain(options["question"], options)
        else:
            self.one(options["question"], options)

    def explain(self, question: str, options: dict[str, Any]) -> None:
        """Print every match found in the question, the best readings with their scores, the query, and its table."""
        from agent.numbers.tables.table import tabulate
        from agent.numbers.tables.table_text import markdown
        from agent.numbers.verification.verify import verify
        from agent.query.companies.statement_names import printed
        from agent.query.explain import explain
        from agent.query.question import read
        from agent.query.words.refused_question import Misread
        from agent.steps.deps import Deps

        deps = Deps.current(options["today"])
        companies, registry, version = deps.companies, deps.registry, deps.companies.version
        self.stdout.write(explain(question, companies, registry, deps.today, lambda ciks: printed(ciks, version)))
        for query in read(question, companies, registry, deps.today, lambda ciks: printed(ciks, version)):
            if isinstance(query, Misread) or not query.rows:
                continue
            table = tabulate(query, deps)
            if problems := verify(table, query, registry):
                raise CommandError("\n".join(problems))
            self.stdout.write(markdown(table))

    def one(self, question: str, options: dict[str, Any]) -> None:
        from agent.runs.answer_json import as_text, row

        if code := problem_with(question):
            if options["json"]:
                self.stdout.write(json.dumps(error_row("", str(code), code.row.outright), ensure_ascii=False))
                return
            raise CommandError(f"{code}: {code.row.outright}")
        answer, ms = self.ask(question, options)
        self.stdout.write(
            json.dumps(row("", answer, ms), ensure_ascii=False, indent=2) if options["json"] else as_text(answer)
        )

    def batch(self, source: Path, output: Path, options: dict[str, Any]) -> None:
        """Answer every question that has no result yet. A result that was only partly written is computed again."""
        from agent.runs.answer_json import row

        asked = list(questions(source))
        if not output.parent.is_dir():
            raise CommandError(f"{output.parent} is not a folder: {output} cannot be written.")
        done = finished(output)
        with output.open("a", encoding="utf-8") as file:
            for identifier, question in asked:
                if identifier in done:
                    continue
                try:
                    if code := problem_with(question):
                        result = error_row(identifier, str(code), code.row.outright)
                    else:
                        answer, ms = self.ask(question, options)
                        result = row(identifier, answer, ms)
                except Exception:
                    # One failed question must not end the batch; the error is in the log.
                    logger.exception("Question %r of the batch failed", identifier)
                    result = error_row(identifier, "", "The question could not be answered because of an error.")
                file.write(json.dumps(result, ensure_ascii=False) + "\n")
                file.flush()

    def ask(self, question: str, options: dict[str, Any]) -> tuple[Answer, float]:
        """The answer and the milliseconds it took. Uses the configured models; with --save the run is stored."""
        from agent.runs.news_search import NewsSearch
        from agent.steps import pipeline
        from agent.steps.deps import Deps

        mode: Mode | None = options["mode"]
        started = time.perf_counter()
        if options["save"]:
            run = Run.objects.create(question=question, mode=mode or "")
            attempt = claim(run.pk)
            assert attempt is not None  # noqa: S101 - nobody else knows the run yet
            lifecycle.answer(run.pk, attempt)
            run.refresh_from_db()
            if run.answer is None:
                raise CommandError(f"The run {run.pk} failed; the log says why.")
            answer = Answer.model_validate(run.answer)
        else:
            deps = Deps.current(options["today"], models=True, mode=mode or Mode.STANDARD)
            deps = replace(deps, news=NewsSearch())
            answer = pipeline.answer(question, deps, mode=mode)
        return answer, (time.perf_counter() - started) * 1000


def error_row(identifier: object, code: str, text: str) -> dict[str, Any]:
    """The output row of a question that was rejected before it ran, or that failed (then `code` is empty)."""
    return {
        "id": identifier,
        "outcome": "error",
        "type": "REFUSE",
        "mode": "",
        "plan": None,
        "blocks": [],
        "values": [],
        "table": [],
        "claims": [],
        "passages": [],
        "data": [],
        "refusal_code": code,
        "judgement": [],
        "left_out": [],
        "reading": None,
        "text": text,
        "ms": 0.0,
    }


def questions(source: Path) -> Iterator[tuple[object, str]]:
    """The questions of a batch file. A malformed line raises CommandError with its line number."""
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{source} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            identifier, question = data["id"], data["question"]
        except (ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{source}, line {number}: a row needs an id and a question.") from error
        if not isinstance(question, str) or not isinstance(identifier, str | int):
            raise CommandError(f"{source}, line {number}: the id is no text or number, or the question is no text.")
        yield identifier, question


def finished(output: Path) -> set[object]:
    """The ids that have a complete result. A last line that was cut off is removed from the file."""
    if not output.exists():
        return set()
    done, whole = set(), []
    for line in output.read_text(encoding="utf-8").splitlines():
        try:
            done.add(json.loads(line)["id"])
        except (ValueError, KeyError, TypeError):
            sys.stderr.write("A row of the output that was cut off is asked again.\n")
            continue
        whole.append(line)
    partial = output.with_name(output.name + ".partial")
    partial.write_text("".join(f"{line}\n" for line in whole), encoding="utf-8")
    partial.replace(output)
    return done
