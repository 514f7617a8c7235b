"""The page of a run, for its owner and readers of its link, and how often it polls."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.request_types import Request
from agent.models import Run, Share, Step
from agent.query.tables.table_forms import display_of
from agent.refusals.grammar import capitalized, listed
from agent.runs.stored_answer import read
from agent.state import Answer
from agent.state.modes import LIMITS, Mode
from agent.state.question_words import Display
from agent.templatetags.figures import item_names
from agent.web.admin import usage
from agent.web.cards import answer_card
from agent.web.forms import models_usable
from agent.web.history import compare_answers
from agent.web.pages import home
from agent.web.pages.ask_page import before
from agent.web.pages.feedback import feedback_form
from agent.web.pages.progress import offers_deeper, progress, status_line
from agent.web.pages.suggested_changes import suggested_changes
from agent.words.tokens import tokenise

# Until this many seconds after the question the page polls this often; later it polls less.
PACES = ((1, "200ms"), (3, "700ms"), (10, "1s"), (60, "2s"))
SLOWEST = "3s"


def pace(seconds: float) -> str:
    """The time until the next poll, as htmx writes it. seconds: since the question."""
    return next((every for until, every in PACES if seconds < until), SLOWEST)


def patience(found: Run) -> float:
    """Seconds that a run's page still waits for its answer: none for an older question."""
    waited = (now() - found.created).total_seconds()
    return float(settings.PAGE_WAIT_SECONDS) - max(0.0, waited)


def mark(status: str, attempt: int, done: int, seconds: float) -> str:
    """A mark of an open run's page without its seconds. done: finished steps of the attempt."""
    return f"{status}-{attempt}-{done}-{pace(seconds)}"


def unchanged(identity: Identity, pk: UUID, seen: str) -> float | None:
    """Seconds since the question, where a page with the mark `seen` is otherwise up to date; else None.

    One query, because most polls find nothing new; and one that does not count, which would take Django three times as
    long to build.
    """
    if not seen:
        # The first poll of a page: everything is new.
        return None
    rows = Run.objects.visible_to(identity).filter(pk=pk).order_by()
    found = list(rows.values_list("status", "attempt", "created", "steps__attempt", "steps__event"))
    if not found:
        return None
    status, attempt, created = found[0][:3]
    done = sum(of == attempt and event != Step.FAILED for *_, of, event in found)
    seconds = (now() - created).total_seconds()
    return seconds if mark(status, attempt, done, seconds) == seen else None


def of_owner(request: Request, found: Run) -> dict[str, Any]:
    """A run for its owner, or its progress."""
    shown = progress(found)
    context = {
        **answered(found),
        "progress": shown,
        "status": status_line(found, shown),
        "mark": mark(found.status, found.attempt, shown.done, shown.seconds),
        "pace": pace(shown.seconds),
        "examples": home.examples() if found.outcome == Run.Outcome.META else [],
        "deeper": LIMITS[Mode.DEEP_SEARCH] if models_usable() and offers_deeper(found) else None,
    }
    if found.is_open:
        return context
    return {
        **context,
        "usage": usage.of_run(found) if request.user.is_staff else None,
        "share": Share.objects.filter(run=found).first(),
        "feedback": feedback_form(found),
        "before": before(found, context["answer"]) if context["asked"] else None,
        "changes": suggested_changes(context["answer"]) if context["answer"] else [],
        "again": compare_answers.of_run(found),
    }


def shared(share: Share) -> dict[str, Any]:
    """An answer for readers of its link: without anything of an account."""
    return {**answered(share.run, share.token), "progress": progress(share.run), "shared": True}


def grid_asked(question: str, before: Run) -> str:
    """The address of the grid with an answer's table, where a follow-up asks for nothing else; else empty."""
    if display_of(tokenise(question)) is not Display.GRID or (answer := read(before.answer)) is None:
        return ""
    grids = [table.grid for table in answer_card.tables(answer) if table.grid]
    return f"{reverse('grid')}?{grids[0]}" if len(grids) == 1 else ""


def answered(found: Run, share: str = "") -> dict[str, Any]:
    """The answer of a run; `answer` is None while there is none, and where its format is no longer read."""
    answer = read(found.answer)
    question = "" if found.given else found.composed or found.question
    parts = answer_card.parts(answer, found.pk, share, question) if answer else []
    page = reverse("shared", args=[share]) if share else found.get_absolute_url()
    return {
        "run": found,
        "answer": answer,
        "asked": answer_card.asked(answer) if answer else None,
        "topics": asked_topics(answer) if answer else [],
        "words": answer_card.words(answer) if answer else [],
        "read_as": answer_card.read_as(answer) if answer and (found.continues_id or found.before) else "",
        "parts": parts,
        "joined": answer_card.joined(parts),
        "exports": f"{page}/table" if answer and answer_card.tables(answer) else "",
        "certificate": f"{page}/certificate.json" if answer else "",
        "text_file": f"{page}/table.md" if answer and not answer_card.tables(answer) else "",
        "asks_figures": any(target.figures for target in answer.plan.targets) if answer else False,
        "cites": any(part.prose and (part.prose.claims or part.prose.near) for part in parts),
        "models": models_usable(),
    }


@dataclass(frozen=True, slots=True)
class AskedTopic:
    """A topic as the page's head shows it: its parts, and what was searched for it."""

    labels: tuple[str, ...]
    searched: str


def asked_topics(answer: Answer) -> list[AskedTopic]:
    """Each topic once, with the Items of the 10-K that were searched first, or the other documents that were."""
    shown = {block.target: block.filings for block in answer.blocks}
    found: dict[tuple[str, ...], list[str]] = {}
    for target in answer.plan.targets:
        if target.topic is None or target.after is not None:
            continue
        names = found.setdefault(tuple(query.label for query in target.topic.queries), [])
        if target.document is None:
            names.append(item_names(target.topic.items))
        else:
            names += [capitalized(filing.called) for filing in shown.get(target.id, ())]
    return [AskedTopic(labels, listed(list(dict.fromkeys(names)))) for labels, names in found.items()]
