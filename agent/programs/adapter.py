"""Turns a program's fields into a prompt, and a reply into typed values: dspy's JSON adapter, but strict.

A reply is one JSON object, alone or within other words. It is never repaired: what a repair would guess was not said.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import TypeAdapter, ValidationError

from agent.programs.program_inputs import cleaned

# The tags around the reasoning that some models write before their reply.
THINKING, THOUGHT = "<think>", "</think>"
# What a schema says besides types, names and choices; a reply is checked against all of it.
DETAILS = re.compile(
    r', \\"(?:title|default)\\": \\"[^"\\]*\\"|\\"additionalProperties\\": false, |, \\"m(?:in|ax)Length\\": \d+'
)
# The start of an object, not a brace in prose.
BEGUN = re.compile(r'\{\s*["}]')


class StrictJSON(dspy.JSONAdapter):  # type: ignore[misc]
    """JSON mode, which every server knows, without repair or second calls."""

    def _prepare_response_format(self, lm: Any, lm_kwargs: dict[str, Any], signature: Any) -> None:
        lm_kwargs["response_format"] = {"type": "json_object"}

    def format_system_message(self, signature: type[dspy.Signature]) -> str:
        """The system message of a program, built once because its schemas take time."""
        return system_message(self, signature)  # type: ignore[arg-type]

    def parse(self, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        """The values of the output fields. Raises AdapterParseError, whose text contains nothing of the reply."""
        outputs = {name: field.annotation for name, field in signature.output_fields.items()}
        for found in objects(completion):
            if outputs.keys() <= found.keys():
                return values(signature, outputs, found)
            if len(outputs) == 1 and all(is_value(annotation, found) for annotation in outputs.values()):
                # Models omit the name of a single field.
                return values(signature, outputs, dict.fromkeys(outputs, found))
        raise unparsable(signature)


@lru_cache(maxsize=64)
def system_message(adapter: StrictJSON, signature: type[dspy.Signature]) -> str:
    return DETAILS.sub("", str(super(StrictJSON, adapter).format_system_message(signature)))


def values(signature: type[dspy.Signature], outputs: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """The value of each field in an object, of the field's type."""
    try:
        return {name: checker(annotation).validate_python(tidy(found[name])) for name, annotation in outputs.items()}
    except (ValidationError, RecursionError):
        raise unparsable(signature) from None


def is_value(annotation: Any, found: dict[str, Any]) -> bool:
    """Whether an object itself has a field's type."""
    try:
        checker(annotation).validate_python(tidy(found))
    except (ValidationError, RecursionError):
        return False
    return True


def unparsable(signature: type[dspy.Signature]) -> AdapterParseError:
    return AdapterParseError(adapter_name="StrictJSON", signature=signature, lm_response="(not kept)")


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The complete JSON objects of a text, outermost only."""
    decoder = json.JSONDecoder(parse_constant=refuse)
    if text.lstrip().startswith(THINKING):
        text = text.partition(THOUGHT)[2]
    found = BEGUN.search(text)
    while found:
        try:
            value, end = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            return  # what is inside a broken object is not the reply
        yield value
        found = BEGUN.search(text, end)


def refuse(constant: str) -> None:
    """Rejects NaN and Infinity, which are no JSON."""
    raise ValueError(constant)


def tidy(value: Any) -> Any:
    """A value whose strings have no invisible characters."""
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, list):
        return [tidy(one) for one in value]
    if isinstance(value, dict):
        return {key: tidy(one) for key, one in value.items()}
    return value


@lru_cache(maxsize=256)
def checker(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation)
