"""Keeps a typed question for the ask page's form, for example while its author signs in."""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from accounts.identity import Identity
from accounts.identity_middleware import visitor_of
from accounts.request_types import Request
from agent.models import Run
from agent.numbers.registry import registry
from agent.refusals import query_text
from agent.runs import scope_checks, stored_answer

# A nested address is escaped twice, and a server accepts about 4,000 characters.
LONGEST = 1500
SESSION_KEY = "typed"


def address(
    request: Request, question: str, continues: UUID | None = None, scope: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The ask page's address with a question in its form; a long one is kept in the author's session.

    continues: the run that the question follows up on. scope: the form fields that limit it. No more of a question is kept than can
    be asked.
    """
    kept = {**({"q": question[: settings.QUESTION_MAX_LENGTH]} if question else {}), **scope}
    if continues:
        kept["continues"] = str(continues)
    found = reverse("ask", query=kept)
    if len(quote(found)) <= LONGEST:
        return found
    request.session[SESSION_KEY] = kept
    return reverse("ask", query={"kept": "typed"})


def of(request: Request) -> dict[str, str]:
    """The question in an ask page's address: `q`, `continues` for a follow-up, and what limits it. ?run= names the
    asker's run, which has them all.
    """
    if request.GET.get("kept") == "typed":
        return dict(request.session.get(SESSION_KEY, {}))
    if named := request.GET.get("run"):
        return of_run(request, named)
    return {name: request.GET.get(name, "") for name in ("q", "continues", *scope_checks.FIELDS)}


def of_run(request: Request, pk: str) -> dict[str, str]:
    """Like `of`, with the question of a run; nothing if the run is missing or belongs to another person.

    It follows up on the same answer as the run did. A person who signs in to an existing account leaves the visitor's
    runs behind, and can still ask the question, completed with what was taken for it.
    """
    mine = Run.objects.visible_to(request.identity)
    before = Run.objects.visible_to(Identity(visitor=visitor_of(request)))
    run = None
    with suppress(ValueError):
        run = (
            (mine | before)
            .only("question", "composed", "continues", "taken", "answer", "scope")
            .filter(pk=UUID(pk))
            .first()
        )
    if run is None:
        return {}
    scope = run.scoped.fields if run.scoped else {}
    if run.composed:
        return {"q": run.composed}
    if Run.objects.to_continue(request.identity).filter(followed_by=run).exists():
        return {"q": run.question, "continues": str(run.continues_id), **scope}
    return {**(left_behind(run) if run.taken else {"q": run.question}), **scope}


def left_behind(run: Run) -> dict[str, str]:
    """A follow-up that took something over, without the answer it took that from."""
    answer = stored_answer.read(run.answer)
    query = answer.plan.query if answer else None
    if query and query.companies and query.rows:
        return {"q": query_text.question(query, registry.load())}
    return {"q": run.question, "continues": str(run.continues_id)}
