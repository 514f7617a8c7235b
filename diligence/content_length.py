"""Sets the Content-Length of responses."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class ContentLength:
    """Sets it on every complete response: without it the server closes the connection."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.streaming and not response.has_header("Content-Length"):
            response["Content-Length"] = str(len(response.content))
        return response
