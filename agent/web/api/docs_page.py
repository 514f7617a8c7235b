"""The page that documents the API, built on the server from the OpenAPI document, without scripts."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from agent.web.api.application import api
from agent.web.api.openapi import REF, SAID

METHODS = ("get", "post")
CODE = '<span class="code">{}</span>'


@dataclass(frozen=True)
class Field:
    """One parameter, or one field of a schema. of: name of the schema of its values, if any."""

    name: str
    type: str
    of: str
    required: bool
    description: SafeString
    place: str = ""


@dataclass(frozen=True)
class Reply:
    """One possible reply of an operation. of: name of the schema of its body."""

    status: int
    description: str
    of: str


@dataclass(frozen=True)
class Operation:
    """One operation: a method and an address. short: address without the API's prefix. summary: first sentence."""

    id: str
    method: str
    path: str
    short: str
    summary: SafeString
    description: tuple[SafeString, ...]
    parameters: tuple[Field, ...]
    body: str
    replies: tuple[Reply, ...]
    errors: tuple[Reply, ...]


@dataclass(frozen=True)
class Schema:
    """One data structure."""

    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Group:
    """Operations on one subject."""

    title: str
    operations: list[Operation] = field(default_factory=list)

    @property
    def id(self) -> str:
        return slugify(self.title)


@require_safe
def root(request: HttpRequest) -> HttpResponse:
    """Redirects the API's root to its documentation."""
    return redirect("api:documentation")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The documentation of the API."""
    return render(request, "agent/api.html", documented())


@lru_cache(maxsize=1)
def documented() -> dict[str, Any]:
    """Operations by subject, schemas by name, errors by status, and the API's introduction."""
    document = api.get_openapi_schema()
    groups: dict[str, Group] = {}
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                said = methods[method]
                title = said["tags"][0]
                groups.setdefault(title, Group(title)).operations.append(operation(path, method, said))
    schemas = document["components"]["schemas"]
    shown = tuple(schema(name, schemas[name]) for name in sorted(schemas))
    errors = [(status, coded(said)) for status, said in sorted(SAID.items())]
    return {"groups": list(groups.values()), "schemas": shown, "errors": errors, "info": document["info"]}


def operation(path: str, method: str, said: dict[str, Any]) -> Operation:
    body = said.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    replies = tuple(reply(int(status), one) for status, one in sorted(said["responses"].items()))
    summary, *rest = paragraphs(said["description"])
    return Operation(
        id=said["operationId"],
        method=method.upper(),
        path=path,
        short=path.removeprefix(reverse("api:root").rstrip("/")),
        summary=coded(summary),
        description=tuple(coded(one) for one in rest),
        parameters=tuple(
            parameter(one["name"], one["schema"], one["required"], one.get("description", ""), one["in"])
            for one in said["parameters"]
        ),
        body=referred(body),
        replies=tuple(one for one in replies if one.status < 400),
        errors=tuple(one for one in replies if one.status >= 400),
    )


def paragraphs(text: str) -> list[str]:
    """Splits a text into paragraphs; its first sentence becomes a paragraph of its own."""
    first, *rest = text.split("\n\n")
    sentence, _, more = first.partition(". ")
    return [f"{sentence.rstrip('.')}.", *filter(None, [more]), *rest]


def coded(text: str) -> SafeString:
    """A text with words in backquotes shown as code."""
    pieces = enumerate(text.split("`"))
    return format_html_join("", "{}", ((format_html(CODE, one) if number % 2 else one,) for number, one in pieces))


def reply(status: int, said: dict[str, Any]) -> Reply:
    content: dict[str, Any] = next(iter(said.get("content", {}).values()), {})
    return Reply(status, said["description"], referred(content.get("schema", {})))


def schema(name: str, said: dict[str, Any]) -> Schema:
    required = said.get("required", [])
    return Schema(
        name=name,
        description=said.get("description", ""),
        fields=tuple(
            parameter(key, one, key in required, one.get("description", ""))
            for key, one in said.get("properties", {}).items()
        ),
    )


def parameter(name: str, said: dict[str, Any], required: bool, description: str, place: str = "") -> Field:
    return Field(name, type_of(said), referred(said), required, coded(description), place)


def type_of(said: dict[str, Any]) -> str:
    """Names a type in a few words: text, list of Value, number or null."""
    if "anyOf" in said:
        return " or ".join(type_of(one) for one in said["anyOf"])
    if "$ref" in said:
        return str(said["$ref"]).removeprefix(REF)
    if "enum" in said:
        return "one of " + ", ".join(str(one) or "(empty)" for one in said["enum"])
    kind = str(said.get("type", "anything"))
    if kind == "array":
        items = said.get("items", {})
        return f"list of {type_of(items)}" if items else "pair"
    return str(said.get("format", {"string": "text"}.get(kind, kind)))


def referred(said: dict[str, Any]) -> str:
    """Name of the schema of a value or of a list's items; empty if there is none."""
    for one in (said, said.get("items", {}), *said.get("anyOf", ())):
        if "$ref" in one:
            return str(one["$ref"]).removeprefix(REF)
    return ""
