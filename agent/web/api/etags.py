"""Entity tags, so that a program does not download again what it has."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from pydantic import BaseModel

from accounts.problems import problem


def tagged(request: HttpRequest, shown: BaseModel) -> HttpResponse:
    """A response with an ETag over its content; 304 where `If-None-Match` has that tag."""
    content = shown.model_dump_json().encode()
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    response = HttpResponse(content, content_type="application/json; charset=utf-8")
    response["ETag"] = etag
    # Django's types do not narrow this response.
    found: HttpResponse = get_conditional_response(request, etag, None, response)  # type: ignore[assignment]
    if found.status_code == 412:
        return problem(412, "The document's ETag differs from the one in If-Match.", reason="changed")
    return found
