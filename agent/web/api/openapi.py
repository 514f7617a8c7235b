"""What all operations share in the OpenAPI document: errors and authentication."""

import re
from typing import Any

from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.security.base import AuthBase
from pydantic import BaseModel, Field

REF = "#/components/schemas/"
_REFERENCE = re.compile(rf"{REF}([^']+)'")
PROBLEM = "application/problem+json"
SAID = {
    400: "The body cannot be read; or a file cannot be imported, and `errors` says which field is wrong",
    401: "The token is unknown, expired or revoked",
    403: "The token does not have the scope, only staff may do this, or a request with a session cookie lacks the CSRF token",
    404: "It does not exist, or you may not see it",
    413: "The question or the request body is too long",
    415: "The body is not sent as application/json, or files not as multipart/form-data",
    422: "A value in the request is not valid; `errors` says which",
    429: "A limit is used up; `limit` says which, and `Retry-After` says when to try again",
    503: "The database does not answer, or the disk is full; `Retry-After` says when to try again",
}


class FieldError(BaseModel):
    """An error in one field or parameter."""

    field: str = Field(description="Name of the field or parameter.")
    message: str = Field(description="What is wrong, in a sentence.")


class UsedLimit(BaseModel):
    """One limit and how much of it is used."""

    name: str = Field(description="Name of the limit: requests_per_minute, tokens_per_minute, ...")
    limit: int = Field(description="The most that is allowed.")
    used: int = Field(description="How much of it is used.")
    window_s: int | None = Field(
        description="Period over which use is counted, in seconds; null if the limit never resets."
    )
    retry_after_s: int | None = Field(
        description="Seconds until you can use it again; null if the limit never resets."
    )


class ProblemDocument(BaseModel):
    """An error (RFC 9457)."""

    type: str = Field(description="Always about:blank; `reason` says which kind of error it is.")
    title: str = Field(description="HTTP status in words.")
    status: int = Field(description="HTTP status code.")
    detail: str = Field(description="What is wrong, in a sentence for people.")
    reason: str = Field(description="Kind of error, for programs: not_found, invalid, too_many_questions, ...")
    errors: list[FieldError] | None = Field(
        default=None, description="With status 400 or 422: the fields that are not valid."
    )
    auth_required: bool | None = Field(
        default=None, description="With status 413 or 429: whether signing in gives a higher limit."
    )
    limit: UsedLimit | None = Field(default=None, description="With status 413 or 429: the limit that was reached.")


def errors(*statuses: int) -> dict[int, type[BaseModel]]:
    """The error replies of an operation: the given ones, and those that every operation has."""
    return dict.fromkeys((401, 403, *statuses, 503), ProblemDocument)


class Token(AuthBase):
    """An API token.

    `accounts.identity` checks the token and its scope before any operation runs. Without a token, a request belongs to
    the account or visitor of its session cookie, as on the pages.
    """

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = (
        "Optional. Create a token on your account page. Scope `read`: get everything you may see. Scope `ask`: ask questions "
        "and read their answers. A search needs both. Scope `import`: import documents, for staff."
    )

    def __call__(self, request: HttpRequest) -> bool:
        return True


class DocumentedAPI(NinjaAPI):
    """The API class; its OpenAPI document also describes errors and marks the token as optional."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
        for path in schema["paths"].values():
            for operation in path.values():
                operation["security"] = [*operation.get("security", []), {}]
                for status, response in operation["responses"].items():
                    response["description"] = SAID.get(int(status), response["description"])
                    if int(status) >= 400 and "content" in response:
                        response["content"] = {PROBLEM: next(iter(response["content"].values()))}
        # Leave out schemas that only hold an operation's parameters: the operation lists these itself.
        shapes = schema["components"]["schemas"]
        while unused := shapes.keys() - set(_REFERENCE.findall(repr(schema))):
            for name in unused:
                del shapes[name]
        return schema
