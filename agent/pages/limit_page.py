"""A limit that is reached, as people see it: the ask page with the question that they typed, and why it is not taken."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRedirect

from accounts import quotas
from accounts.exceeded import LimitReached, TooLong
from accounts.identity import forget_new
from accounts.requests import Request
from agent.pages import typed
from agent.pages.ask_page import ask_page
from agent.pages.forms import AskForm


class LimitMiddleware:
    """Answers a view that asked beyond a limit, whichever it was, with 429 or 413 and the ask page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: Request, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, LimitReached):
            return None
        response = told(request, exception)
        for name, value in quotas.told(exception, request.identity).items():
            response[name] = value
        forget_new(request)
        return response


def told(request: Request, reached: LimitReached) -> HttpResponse:
    """The ask page with the question in its form, and a dialog to sign in or a toast."""
    question, mode = reached.question, request.POST.get("mode", "")
    return_to = typed.address(request, question, reached.continues)
    if request.htmx and not isinstance(reached, TooLong):
        messages.warning(request, str(reached))
        response = HttpResponseClientRedirect(return_to)
        response.status_code = reached.status
        return response
    form = AskForm(initial={"question": question, "mode": mode})
    if isinstance(reached, TooLong):
        # What is wrong is the question itself: it is said at its field too.
        form = AskForm({"question": question, "mode": mode})
        if form.is_valid():
            form.add_error("question", str(reached))
    context = {"reached": reached, "question": question, "return_to": return_to}
    return ask_page(request, form, reached.status, context, continues=str(reached.continues or ""))
