"""Errors for programs, in the format of RFC 9457."""

from http import HTTPStatus
from typing import Any

from django.http import JsonResponse


def problem(status: int, detail: str, **members: Any) -> JsonResponse:
    """A problem document: `type`, `title`, `status`, `detail`, and further members."""
    title = HTTPStatus(status).phrase
    data = {"type": "about:blank", "title": title, "status": int(status), "detail": detail, **members}
    return JsonResponse(data, status=status, content_type="application/problem+json")
