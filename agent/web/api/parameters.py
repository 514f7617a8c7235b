"""Rejects unknown query parameters, and text that the database cannot store."""

import re
from functools import cache, lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator

from agent.web.api.application import api

# NUL and half of a surrogate pair, which JSON can encode.
_NEVER = re.compile("[\0\ud800-\udfff]")
_IN_ROUTE = re.compile(r"<(?:\w+:)?(\w+)>")


@cache
def _operations() -> dict[str, dict[str, Any]]:
    """The operations of each path in the OpenAPI document, which takes half a second to build."""
    operations: dict[str, dict[str, Any]] = api.get_openapi_schema()["paths"]
    return operations


@lru_cache(maxsize=256)
def known(route: str, method: str) -> tuple[str, ...] | None:
    """The query parameters of an operation; None if the address does not accept the method.

    route: as in Django's URL resolver, such as api/v1/facts/<int:fact_id>. The OpenAPI document has no parameters.
    """
    operations = _operations().get("/" + _IN_ROUTE.sub(r"{\1}", route))
    if operations is None:
        return ()
    operation = operations.get(method.lower())
    return operation and tuple(one["name"] for one in operation["parameters"] if one["in"] == "query")


def storable(text: str) -> str:
    """The text unchanged. Raises ValueError for a NUL or half of a surrogate pair."""
    if _NEVER.search(text):
        raise ValueError("The text must not contain NUL or half of a surrogate pair.")
    return text


Text = Annotated[str, AfterValidator(storable)]
