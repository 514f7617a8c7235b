"""Ask each configured model once, and say what it did."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from agent.programs import model_settings

if TYPE_CHECKING:
    from agent.programs.calls import ModelFailed
    from agent.programs.models import Model
    from agent.programs.probe import Seen

FORMS = {
    "alone": "JSON mode works.",
    "around": "JSON mode is not kept: there are words around the JSON. They are skipped.",
    "none": "The reply is not JSON.",
}


class Command(BaseCommand):
    """`models check`: one small call a role. Fails where a role cannot be used."""

    help = "Ask each configured model once: does it answer, in JSON, and say what it used?"
    # It tells what is wrong with the models itself.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["check"], help="check: one small call to each model.")

    def handle(self, *args: Any, **options: Any) -> None:
        if problems := model_settings.problems():
            told = "\n".join(f"{problem.message} {problem.hint}" for problem in problems)
            raise CommandError(f"The models are not configured rightly, so none is asked:\n{told}")
        if not model_settings.named():
            raise CommandError("No model is configured. Set PLAN_MODEL and DRAFT_MODEL, each with its base URL.")
        from agent.programs import catalogue, models
        from agent.programs.probe import probe

        configured = models.configured()
        assert configured is not None  # noqa: S101 - named, and without problems
        failed = []
        for role in models.ROLES:
            model = configured.of(role)
            seen = probe(model)
            self.tell(model, seen)
            if seen.failed is not None:
                failed.append(role)
        misfits = catalogue.misfits()
        for said in misfits:
            self.stdout.write(f"{said} Runs go on without it.")
        if failed:
            raise CommandError(f"Cannot be used: {' and '.join(f'the {role} model' for role in failed)}.")

    def tell(self, model: "Model", seen: "Seen") -> None:
        """What was seen of one model, in lines of its own."""
        self.stdout.write(f"{model.role}: {model.name} at {model.host}")
        if seen.failed is not None:
            self.stdout.write(f"  Failed after {seen.ms} ms. {seen.failed} {advice(model, seen.failed)}".rstrip())
            return
        self.stdout.write(f"  Answered in {seen.ms} ms. {FORMS[seen.json]}")
        usage = seen.usage
        if usage.estimated:
            self.stdout.write("  Usage is not reported: tokens are estimated by the characters, a token for every 4.")
        else:
            price = f", ${usage.cost:.6f}" if model.price_in or model.price_out else ", no price set"
            self.stdout.write(f"  Usage is reported: {usage.tokens_in} tokens in, {usage.tokens_out} out{price}.")


def advice(model: "Model", failed: "ModelFailed") -> str:
    """Which setting to look at."""
    name = f"{model.role.upper()}_MODEL"
    if failed.reason == "rejected" and failed.status is not None and 300 <= failed.status < 400:
        return f"It redirects ({failed.status}), and a key is not sent on: write the final address in {name}_BASE_URL."
    by_status = {
        401: f"It answers 401: check {name}_API_KEY.",
        402: "It answers 402: the account has no credit left.",
        403: f"It answers 403: {name}_API_KEY may not use this model.",
        404: f"It answers 404: check {name} and {name}_BASE_URL, the part before /chat/completions.",
        429: "It answers 429: the quota of the account is used up, or too much is asked at once.",
    }
    if failed.status is not None:
        return by_status.get(failed.status, f"It answers {failed.status}.")
    return {
        "timeout": f"{name}_TIMEOUT is {model.timeout:g} s.",
        "unavailable": f"Check {name}_BASE_URL, and that something that speaks the protocol listens there.",
        "truncated": f"{name}_MAX_TOKENS is {model.max_tokens}: a model that reasons may need more.",
        "unparsable": "Programs need a model that can reply in JSON.",
    }.get(failed.reason, "")
