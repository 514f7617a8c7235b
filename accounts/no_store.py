"""Keeps account pages out of caches: of proxies, and of the browser whose “back” the next person presses."""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

# Our pages are below account, allauth's below accounts/.
OF_AN_ACCOUNT = re.compile(r"/accounts?(/|$)")


class NoStoreMiddleware:
    """Sets the header on every response at these addresses, also on redirects and errors."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if OF_AN_ACCOUNT.match(request.path_info):
            patch_cache_control(response, private=True, no_store=True)
        return response
