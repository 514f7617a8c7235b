"""`manage.py compile_programs`: tunes the model programs on test questions and keeps a result that scores better."""

from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from agent.programs import model_settings
from filings.models import Company

if TYPE_CHECKING:
    from agent.programs.compile import Endpoints, Optimizer
    from agent.programs.models import Models
    from evals.programs.sets import Task

PROGRAMS = ("understand", "draft", "evaluate")
OPTIMIZERS = ("LabeledFewShot", "BootstrapFewShot", "GEPA")


class Command(BaseCommand):
    """Demonstrations are kept only where they are certainly better, and no reply broke a rule. Their scores always are."""

    help = "Tune the model programs with DSPy. The results are JSON files that runs load."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--program", choices=PROGRAMS, action="append", help="Compile only this program; may be repeated."
        )
        parser.add_argument("--optimizer", choices=OPTIMIZERS, default="BootstrapFewShot")
        parser.add_argument("--limit", type=int, help="Use at most this many examples of each set.")
        parser.add_argument("--effort", type=int, help="How many replies GEPA may evaluate.")
        parser.add_argument(
            "--replies", type=Path, help="File of replies: those in it are not asked for again, others are added."
        )
        parser.add_argument("--threads", type=int, default=1, help="How many questions are asked at once.")
        parser.add_argument(
            "--folder", type=Path, help="Folder for the JSON files; by default agent/programs/compiled."
        )
        parser.add_argument(
            "--check", action="store_true", help="Only check whether the stored JSON files match the programs."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            self.check_artefacts()
            return
        if not Company.objects.covered().exists():
            raise CommandError("No company is covered. Load the sample first: manage.py load_sample")
        from agent.programs.compile import NotCompiled

        models = configured()
        for name in options["program"] or PROGRAMS:
            try:
                self.compile(name, models, options)
            except NotCompiled as error:
                raise CommandError(str(error)) from None

    def check_artefacts(self) -> None:
        from agent.programs.catalogue import misfits, programs

        if said := misfits():
            raise CommandError("\n".join(said))
        loaded = [f"{name} ({one.artefact})" for name, one in programs().items() if one.artefact]
        self.stdout.write(f"Loaded: {', '.join(loaded) or 'none'}.")

    def compile(self, name: str, models: "Models", options: dict[str, Any]) -> None:
        """Compile one program and measure it. Raises NotCompiled."""
        from agent.programs import compiled_programs
        from agent.programs.compile import Endpoints, Replies, compiled, gained, measured
        from evals.programs.sets import set_of

        task, folder = task_of(name), options["folder"] or compiled_programs.COMPILED
        training, development = task.training[: options["limit"]], task.development[: options["limit"]]
        endpoints = Endpoints.of(task.program(), models, Replies(options["replies"]) if options["replies"] else None)
        optimizer: Optimizer = options["optimizer"]
        found = compiled(
            task.program(), optimizer, training, development, task.judge, endpoints,
            shorten=task.shorten, effort=options["effort"], threads=options["threads"],
        )  # fmt: skip
        written = task.program()
        before = measured(written, development, task.judge, endpoints, options["threads"])
        after = measured(found, development, task.judge, endpoints, options["threads"])
        scores = compiled_programs.Scores(
            before=round(before.score, 4), after=round(after.score, 4),
            gain=tuple(round(one, 4) for one in gained(before, after)), tokens=(before.tokens, after.tokens),
            models=tuple(dict.fromkeys((endpoints.task.model.name, endpoints.teacher.model.name))),
        )  # fmt: skip
        self.say(name, scores, after.tripwires, len(development), endpoints)
        if endpoints.scripted:
            self.stdout.write(f"{name}: not kept, since a scripted server was asked.")
            return
        kept = found if scores.pays and not after.tripwires else written
        artefact = compiled_programs.Artefact(
            program=name,
            signature=compiled_programs.of_signature(written.signature),
            optimizer=optimizer,
            packages=compiled_programs.packages(),
            training=set_of(training),
            development=set_of(development),
            scores=scores,
            state=compiled_programs.state_of(kept.predict),
        )
        path = compiled_programs.write(artefact, folder)
        self.stdout.write(f"{name}: {len(kept.predict.demos)} demonstrations, kept in {path.name}.")

    def say(self, name: str, scores: Any, tripwires: tuple[str, ...], size: int, endpoints: "Endpoints") -> None:
        """What was measured and spent."""
        low, high = scores.gain
        requests = endpoints.task.requests + endpoints.teacher.requests
        self.stdout.write(
            f"{name}: {scores.before:.3f} before, {scores.after:.3f} after, on {size} examples; gain {low:+.3f} to"
            f" {high:+.3f}; {scores.tokens[0]} and {scores.tokens[1]} tokens a prompt; {requests} requests,"
            f" ${endpoints.task.cost + endpoints.teacher.cost:.4f}"
        )
        for tripwire in dict.fromkeys(tripwires):
            self.stdout.write(f"  Tripwire, {tripwires.count(tripwire)} times: {tripwire}.")


def configured() -> "Models":
    """The configured models. Raises CommandError if there are none, or the settings have errors."""
    if problems := model_settings.problems():
        raise CommandError("\n".join(f"{problem.message} {problem.hint}" for problem in problems))
    from agent.programs import models

    found = models.configured()
    if found is None:
        raise CommandError("Programs are measured on a model, and none is configured: set PLAN_MODEL and DRAFT_MODEL.")
    return found


def task_of(name: str) -> "Task":
    from evals.programs import drafting, understanding

    return {"understand": understanding.task, "draft": drafting.draft_task, "evaluate": drafting.evaluate_task}[name]()
