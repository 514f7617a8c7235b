"""How a program's fields become a prompt, and a reply becomes typed values: dspy's JSON adapter, but strict.

A reply is one JSON object, alone or with words around it. It is never repaired: what a repair would guess was not said.
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

# Around the reasoning that some models write before their reply.
THINKING, THOUGHT = "<think>", "</think>"
# An object, not a brace of the prose around it.
BEGUN = re.compile(r'\{\s*["}]')


class StrictJSON(dspy.JSONAdapter):  # type: ignore[misc]
    """Always JSON mode, which every server knows; no repair, no second call of its own."""

    def _prepare_response_format(self, lm: Any, lm_kwargs: dict[str, Any], signature: Any) -> None:
        lm_kwargs["response_format"] = {"type": "json_object"}

    def format_system_message(self, signature: type[dspy.Signature]) -> str:
        """What every call of a program is told first: made once, as its schemas take their time."""
        return system_message(self, signature)  # type: ignore[arg-type]

    def parse(self, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        """The values of the output fields. Raises AdapterParseError, whose text holds nothing of the reply."""
        outputs = {name: field.annotation for name, field in signature.output_fields.items()}
        for found in objects(completion):
            if outputs.keys() <= found.keys():
                return values(signature, outputs, found)
            if len(outputs) == 1 and all(is_value(annotation, found) for annotation in outputs.values()):
                # Models leave out the name of the only field.
                return values(signature, outputs, dict.fromkeys(outputs, found))
        raise unparsable(signature)


@lru_cache(maxsize=64)
def system_message(adapter: StrictJSON, signature: type[dspy.Signature]) -> str:
    return str(super(StrictJSON, adapter).format_system_message(signature))


def values(signature: type[dspy.Signature], outputs: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What an object gives for each field, of the field's type."""
    try:
        return {name: checker(annotation).validate_python(tidy(found[name])) for name, annotation in outputs.items()}
    except (ValidationError, RecursionError):
        raise unparsable(signature) from None


def is_value(annotation: Any, found: dict[str, Any]) -> bool:
    """Whether an object is itself of a field's type."""
    try:
        checker(annotation).validate_python(tidy(found))
    except (ValidationError, RecursionError):
        return False
    return True


def unparsable(signature: type[dspy.Signature]) -> AdapterParseError:
    return AdapterParseError(adapter_name="StrictJSON", signature=signature, lm_response="(not kept)")


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text that are one from brace to brace; none from inside another."""
    decoder = json.JSONDecoder(parse_constant=refuse)
    if text.lstrip().startswith(THINKING):
        text = text.partition(THOUGHT)[2]
    found = BEGUN.search(text)
    while found:
        try:
            value, end = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            return  # what stands inside a broken object is not the reply
        yield value
        found = BEGUN.search(text, end)


def refuse(constant: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(constant)


def tidy(value: Any) -> Any:
    """A value with its strings cleaned of what cannot be seen."""
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
