"""ETags, so that a program does not download unchanged data again."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from pydantic import BaseModel

from accounts.problems import problem


def tagged(request: HttpRequest, shown: BaseModel) -> HttpResponse:
    """A response with an ETag of its content; 304 if `If-None-Match` has the same tag."""
    content = shown.model_dump_json().encode()
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    response = HttpResponse(content, content_type="application/json; charset=utf-8")
    response["ETag"] = etag
    # Django's types do not narrow this response.
    found: HttpResponse = get_conditional_response(request, etag, None, response)  # type: ignore[assignment]
    if found.status_code == 412:
        return problem(412, "The document has changed: its ETag differs from the one in If-Match.", reason="changed")
    return found
