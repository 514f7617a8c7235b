"""A run that goes on from another, or asks it again: which whole question it asks, kept with what was taken."""

from agent.follow_ups.follow_on import follow, refused
from agent.models import Run
from agent.runs.stored import read
from agent.state import Answer
from agent.steps.deps import Deps


def whole_question(run: Run, attempt: int, deps: Deps) -> tuple[str, Answer | None]:
    """The question that a run asks in the end, and its refusal where it is not clear what it takes from the one before.

    What is taken is written to the run, so that another attempt, and whoever asks it again, ask the same.
    """
    before = None if run.composed else answer_before(run)
    if before is None:
        return run.composed or run.question, None
    followed = follow(run.question, before, deps)
    if followed.unclear:
        return run.question, refused(run.question, followed, before, deps)
    if followed.taken:
        taken = [one.model_dump() for one in followed.taken]
        Run.objects.of_attempt(run.pk, attempt).update(composed=followed.question, taken=taken)
        run.composed = followed.question
    return followed.question, None


def answer_before(run: Run) -> Answer | None:
    """The answer that a run goes on from; None where there is none, or none that is read any more."""
    if run.continues_id is None:
        return None
    before = Run.objects.only("answer").filter(pk=run.continues_id).first()
    return read(before.answer) if before else None
