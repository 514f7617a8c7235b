"""The type of a request in our views."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.identity import Identity


class Request(HttpRequest):
    """A request as the middleware leaves it. For annotations: nothing makes one."""

    identity: Identity
    htmx: HtmxDetails
