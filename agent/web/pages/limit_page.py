"""The page for a reached limit: the ask page with the typed question and the reason."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django_htmx.http import HttpResponseClientRedirect

from accounts import limit_errors, quotas
from accounts.identity_middleware import forget_new
from accounts.limit_errors import LimitReached, TooLong
from accounts.request_types import Request
from agent.web.api.problems import too_large
from agent.web.forms import AskForm
from agent.web.pages import pending_question
from agent.web.pages.ask_page import ask_page


class LimitMiddleware:
    """Answers any view's request over a limit with 429 or 413 and the ask page.

    A body over the size limit is answered before anything reads it: the CSRF check would be first, and Django answers
    that with 400.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        reached = too_large(request)
        if reached is None:
            return self.get_response(request)
        if request.path_info.startswith("/api/"):
            return limit_errors.response(reached)
        request.POST = QueryDict()
        return refused(request, reached)

    def process_exception(self, request: Request, exception: Exception) -> HttpResponse | None:
        return refused(request, exception) if isinstance(exception, LimitReached) else None


def refused(request: Request, reached: LimitReached) -> HttpResponse:
    """The limit page with its headers; a first request gets no session from it."""
    response = limit_page(request, reached)
    for name, value in quotas.refusal_headers(reached, request.identity).items():
        response[name] = value
    forget_new(request)
    return response


def limit_page(request: Request, reached: LimitReached) -> HttpResponse:
    """The ask page with the question in its form, and a sign-in dialog or a toast."""
    question, mode = reached.question, request.POST.get("mode", "")
    if request.htmx and not isinstance(reached, TooLong):
        messages.warning(request, str(reached))
        response = HttpResponseClientRedirect(
            pending_question.address(request, question, reached.continues, reached.scope)
        )
        response.status_code = reached.status
        return response
    asked = {"question": question, "mode": mode, "continues": reached.continues, **reached.scope}
    form = AskForm(initial=asked, identity=request.identity)
    if isinstance(reached, TooLong) and question:
        # The question itself is wrong: its field says so too.
        form = AskForm(asked, identity=request.identity)
        if form.is_valid():
            form.add_error("question", str(reached))
    context = {"reached": reached, "question": question}
    if reached.auth_required:
        # Only people who sign in return from elsewhere; for others the form itself keeps the text.
        context["return_to"] = pending_question.address(request, question, reached.continues, reached.scope)
    return ask_page(request, form, reached.status, context)
