"""`manage.py models check`: calls each configured language model once and reports whether it can be used."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from agent.programs import model_settings

if TYPE_CHECKING:
    from agent.programs.calls import ModelFailed
    from agent.programs.endpoint_probe import Seen
    from agent.programs.models import Model

FORMS = {
    "alone": "JSON mode works.",
    "around": "JSON mode does not work fully: the reply has text around the JSON, which is ignored.",
    "none": "The reply is not JSON.",
}


class Command(BaseCommand):
    """Makes one small call for each role. Fails if a role's model cannot be used."""

    help = "Call each configured language model once: does it reply, is the reply JSON, and does it report the tokens used?"
    # The command itself reports what is wrong with the models.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["check"], help="check: make one small call to each model.")

    def handle(self, *args: Any, **options: Any) -> None:
        if problems := model_settings.problems():
            told = "\n".join(f"{problem.message} {problem.hint}" for problem in problems)
            raise CommandError(f"The model settings have errors, so no model was called:\n{told}")
        if not model_settings.named():
            raise CommandError("No model is configured. Set PLAN_MODEL and DRAFT_MODEL, each with its base URL.")
        from agent.programs import catalogue, models
        from agent.programs.endpoint_probe import probe

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
            self.stdout.write(f"{said} Runs work without it.")
        if failed:
            raise CommandError(f"Cannot be used: {' and '.join(f'the {role} model' for role in failed)}.")

    def tell(self, model: "Model", seen: "Seen") -> None:
        """Print the result of one model's call."""
        self.stdout.write(f"{model.role}: {model.name} at {model.host}")
        if seen.failed is not None:
            self.stdout.write(f"  Failed after {seen.ms} ms. {seen.failed} {advice(model, seen.failed)}".rstrip())
            return
        self.stdout.write(f"  Answered in {seen.ms} ms. {FORMS[seen.json]}")
        usage = seen.usage
        if usage.estimated:
            self.stdout.write("  Usage is not reported: tokens are estimated, one for every 4 characters.")
        else:
            price = f", ${usage.cost:.6f}" if model.price_in or model.price_out else ", no price set"
            self.stdout.write(f"  Usage is reported: {usage.tokens_in} tokens in, {usage.tokens_out} out{price}.")


def advice(model: "Model", failed: "ModelFailed") -> str:
    """A sentence that names the setting to check after this failure."""
    name = f"{model.role.upper()}_MODEL"
    if failed.reason == "rejected" and failed.status is not None and 300 <= failed.status < 400:
        return f"It redirects ({failed.status}), and the API key is not sent to another address: set {name}_BASE_URL to the final one."
    by_status = {
        401: f"It answers 401: check {name}_API_KEY.",
        402: "It answers 402: the account has no credit left.",
        403: f"It answers 403: {name}_API_KEY may not use this model.",
        404: f"It answers 404: check {name} and {name}_BASE_URL, the part before /chat/completions.",
        429: "It answers 429: the account's quota is used up, or there are too many requests at once.",
    }
    if failed.status is not None:
        return by_status.get(failed.status, f"It answers {failed.status}.")
    return {
        "timeout": f"timeout in {name}_OPTIONS is {model.timeout:g} s.",
        "unavailable": f"Check {name}_BASE_URL, and that an OpenAI-compatible server listens there.",
        "truncated": f"max_tokens in {name}_OPTIONS is {model.max_tokens}: a model that reasons may need more.",
        "unparsable": "Use a model that can reply in JSON.",
    }.get(failed.reason, "")
