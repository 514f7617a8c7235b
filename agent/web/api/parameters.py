"""Parameters of an address, none of which is left out unread, and text that every database stores."""

import re
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

from agent.web.api.application import api

# JSON can spell both.
_NEVER = re.compile("[\0\ud800-\udfff]")
_IN_ROUTE = re.compile(r"<(?:\w+:)?(\w+)>")


@lru_cache(maxsize=256)
def known(route: str, method: str) -> tuple[str, ...] | None:
    """The parameters that an address takes behind its question mark; None where it does not take the method.

    route: of the resolver: api/v1/facts/<int:fact_id>. The OpenAPI document itself is got without any.
    """
    operations = api.get_openapi_schema()["paths"].get("/" + _IN_ROUTE.sub(r"{\1}", route))
    if operations is None:
        return ()
    operation = operations.get(method.lower())
    return operation and tuple(one["name"] for one in operation["parameters"] if one["in"] == "query")


def storable(text: str) -> str:
    """The text as it is. Raises ValueError where it has a NUL, or half of a surrogate pair."""
    if _NEVER.search(text):
        raise ValueError("A text has no NUL and no half of a surrogate pair.")
    return text


Text = Annotated[str, AfterValidator(storable)]
