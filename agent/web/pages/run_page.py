"""What the page of an answer shows: to whoever asked, and to whoever has the link by which it is shared."""

from typing import Any

from accounts.requests import Request
from agent.follow_ups.follow_on import offered
from agent.models import Run, Share
from agent.runs.stored import read
from agent.state.modes import LIMITS, Mode
from agent.web.admin import usage
from agent.web.history import compare
from agent.web.pages import card, polling, welcome
from agent.web.pages.feedback import feedback_form
from agent.web.pages.forms import models_usable
from agent.web.pages.progress import offers_deeper, progress, status_line


def of_owner(request: Request, found: Run) -> dict[str, Any]:
    """A run as whoever asked sees it, or how far it is."""
    shown = progress(found)
    context = {
        **answered(found),
        "progress": shown,
        "status": status_line(found, shown),
        "mark": polling.mark(found.status, found.attempt, shown.done, shown.seconds),
        "pace": polling.pace(shown.seconds),
        "examples": welcome.examples() if found.outcome == Run.Outcome.META else [],
        "deeper": LIMITS[Mode.DEEP_SEARCH] if models_usable() and offers_deeper(found) else None,
    }
    if found.is_open:
        return context
    answer = context["answer"]
    return {
        **context,
        "usage": usage.of_run(found) if request.user.is_staff else None,
        "share": Share.objects.filter(run=found).first(),
        "feedback": feedback_form(found),
        "follow": offered(answer) if answer else None,
        "again": compare.of_run(found),
    }


def shared(share: Share) -> dict[str, Any]:
    """An answer as whoever has its link sees it: nothing on it belongs to an account."""
    return {**answered(share.run, share.token), "progress": progress(share.run), "shared": True}


def answered(found: Run, share: str = "") -> dict[str, Any]:
    """The answer of a run; `answer` is None while there is none, and where its form is read no more."""
    answer = read(found.answer)
    parts = card.parts(answer, found.pk, share) if answer else []
    return {
        "run": found,
        "answer": answer,
        "targets": card.understood(answer) if answer else (),
        "words": card.words(answer) if answer else [],
        "parts": parts,
        "joined": card.joined(parts),
        "asks_figures": any(target.readings for target in answer.plan.targets) if answer else False,
        "cites": any(part.prose and part.prose.claims for part in parts),
    }
