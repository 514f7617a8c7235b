"""What is said where a model should have helped and did not."""

from agent.state import Refusal


def with_model(refusal: Refusal, failed: str) -> Refusal:
    """A refusal that also says why no model has helped; as it is where nothing failed."""
    rows = (*refusal.looked_for, ("Language model", failed)) if failed else refusal.looked_for
    return refusal.model_copy(update={"looked_for": rows, "without_model": failed})
