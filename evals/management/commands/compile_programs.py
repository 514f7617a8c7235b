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
    from agent.programs.program import Program
    from evals.programs.sets import Task

PROGRAMS = ("understand", "draft", "evaluate")
OPTIMIZERS = ("LabeledFewShot", "BootstrapFewShot", "MIPROv2", "GEPA")
UNMEASURED = "No model was configured when this was compiled, so it was not measured."
SCRIPTED = "This was compiled with a scripted server, so its scores tell nothing about a real model."


class Command(BaseCommand):
    """A measured artefact is kept only if it scores better than the one before and no reply broke a rule."""

    help = "Tune the model programs with DSPy. The results are JSON files that runs load."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--program", choices=PROGRAMS, action="append", help="Compile only this program; may be repeated."
        )
        parser.add_argument("--optimizer", choices=OPTIMIZERS, default="LabeledFewShot")
        parser.add_argument("--limit", type=int, help="Use at most this many examples of each set.")
        parser.add_argument("--effort", type=int, help="How many replies GEPA and MIPROv2 may evaluate.")
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

    def compile(self, name: str, models: "Models | None", options: dict[str, Any]) -> None:
        """Compile one program, measure it if a model is configured, and keep it if it is better. Raises NotCompiled."""
        from agent.programs import compiled_programs
        from agent.programs.compile import Endpoints, compiled
        from evals.programs.sets import set_of

        task, folder = task_of(name), options["folder"] or compiled_programs.COMPILED
        training, development = task.training[: options["limit"]], task.development[: options["limit"]]
        endpoints = Endpoints.of(task.program(), models) if models else None
        optimizer: Optimizer = options["optimizer"]
        found = compiled(
            task.program(), optimizer, training, development, task.judge, endpoints,
            shorten=task.shorten, effort=options["effort"],
        )  # fmt: skip
        scores, reason, kept = None, UNMEASURED, not is_measured(compiled_programs.path_of(name, folder))
        if endpoints:
            scores, reason, kept = self.measured(task, found, development, folder, endpoints)
        artefact = compiled_programs.Artefact(
            program=name,
            signature=compiled_programs.of_signature(found.signature),
            optimizer=optimizer,
            packages=compiled_programs.packages(),
            training=set_of(training),
            development=set_of(development),
            scores=scores,
            reason=reason,
            state=compiled_programs.state_of(found.predict),
        )
        if not kept:
            self.stdout.write(f"{name}: not kept.")
            return
        path = compiled_programs.write(artefact, folder)
        self.stdout.write(f"{name}: {len(found.predict.demos)} demonstrations, kept in {path.name}.")

    def measured(
        self,
        task: "Task",
        found: "Program",
        development: list[Any],
        folder: Path,
        endpoints: "Endpoints",
    ) -> tuple[Any, str, bool]:
        """The scores, the reason if there are none, and whether to keep the program."""
        from agent.programs.compile import measured
        from agent.programs.compiled_programs import Scores

        before = measured(task.program().load_compiled(folder), development, task.judge, endpoints)
        after = measured(found, development, task.judge, endpoints)
        spent = f"{endpoints.task.requests + endpoints.teacher.requests} requests, ${endpoints.task.cost + endpoints.teacher.cost:.4f}"
        self.stdout.write(
            f"{found.name}: {before.score:.3f} before, {after.score:.3f} after, on {len(development)} examples; {spent}."
        )
        for tripwire in dict.fromkeys(after.tripwires):
            self.stdout.write(f"  Tripwire, {after.tripwires.count(tripwire)} times: {tripwire}.")
        kept = after.score > before.score and not after.tripwires
        if endpoints.scripted:
            return None, SCRIPTED, False
        asked = tuple(dict.fromkeys((endpoints.task.model.name, endpoints.teacher.model.name)))
        return Scores(before=round(before.score, 4), after=round(after.score, 4), models=asked), "", kept


def configured() -> "Models | None":
    """The configured models, or None. Raises CommandError if the settings have errors."""
    if problems := model_settings.problems():
        raise CommandError("\n".join(f"{problem.message} {problem.hint}" for problem in problems))
    if not model_settings.named():
        return None
    from agent.programs import models

    return models.configured()


def is_measured(path: Path) -> bool:
    """Whether the stored artefact was measured on a real model: then only another measured one may replace it."""
    from agent.programs.compiled_programs import Refused, read

    try:
        return read(path).scores is not None
    except Refused:
        return False


def task_of(name: str) -> "Task":
    from evals.programs import drafting, understanding

    return {"understand": understanding.task, "draft": drafting.draft_task, "evaluate": drafting.evaluate_task}[name]()
