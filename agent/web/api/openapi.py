"""Parts of the OpenAPI document that all operations share: errors and authentication."""

from typing import Any

from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.security.base import AuthBase
from pydantic import BaseModel, Field

REF = "#/components/schemas/"
PROBLEM = "application/problem+json"
SAID = {
    400: "The body is not JSON",
    401: "The token is not known, has expired or has been revoked",
    403: "The token has not the scope, or a request with a session cookie lacks the CSRF token",
    404: "There is no such thing, or none that you may see",
    413: "The question or the body is too long",
    415: "The body is not sent as application/json",
    422: "Something that was sent cannot be used; `errors` says what",
    429: "A limit is used up; `limit` says which, and `Retry-After` for how long",
    503: "The database does not answer, or the disk is full; `Retry-After` says when to try again",
}


class FieldError(BaseModel):
    """The fault of one field or parameter."""

    field: str = Field(description="Its name.")
    message: str = Field(description="What is wrong with it, in a sentence.")


class UsedLimit(BaseModel):
    """One limit and how much of it is used."""

    name: str = Field(description="Which limit: requests_per_minute, tokens_per_minute, ...")
    limit: int = Field(description="How much there is.")
    used: int = Field(description="How much of it is used.")
    window_s: int | None = Field(description="Seconds of the window it is counted in; null for one that never resets.")
    retry_after_s: int | None = Field(description="Seconds until there is room again; null where there never is.")


class ProblemDocument(BaseModel):
    """An error (RFC 9457)."""

    type: str = Field(description="about:blank: `reason` tells the kind.")
    title: str = Field(description="The status in words.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="A sentence for people.")
    reason: str = Field(description="The kind of error, for programs: not_found, invalid, too_many_questions, ...")
    errors: list[FieldError] | None = Field(default=None, description="Of 422.")
    auth_required: bool | None = Field(default=None, description="Of 413 and 429: whether an account would help.")
    limit: UsedLimit | None = Field(default=None, description="Of 413 and 429.")


def errors(*statuses: int) -> dict[int, type[BaseModel]]:
    """The errors of an operation: those named, and those that every operation may answer."""
    return dict.fromkeys((401, 403, *statuses, 503), ProblemDocument)


class Token(AuthBase):
    """An API token.

    `accounts.identity` has recognized it and checked its scope before an operation is reached. Without one, a request
    belongs to the session's account or visitor, as on the pages.
    """

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = (
        "A token of your account page: scope `read` to get; scope `ask` to post, and to get its own runs; both to search. "
        "Optional."
    )

    def __call__(self, request: HttpRequest) -> bool:
        return True


class DocumentedAPI(NinjaAPI):
    """An API whose OpenAPI document describes errors and marks the token as optional."""

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
        # Parameters are listed at their operation; the models that they were read from are not listed.
        shapes = schema["components"]["schemas"]
        while unused := [name for name in shapes if f"{REF}{name}'" not in repr(schema)]:
            for name in unused:
                del shapes[name]
        return schema
