"""All that a model is told beside the inputs, as digests: what a program's version and its artefact are compared by."""

import hashlib
import json
from functools import lru_cache
from typing import Any

import dspy
from pydantic import TypeAdapter


def fields(signature: type[dspy.Signature]) -> list[dict[str, Any]]:
    """Names, kinds, types and descriptions of a signature's fields, in order."""
    return [
        {
            "name": name,
            "kind": field.json_schema_extra["__dspy_field_type"],
            "type": schema(field.annotation),
            "desc": field.json_schema_extra.get("desc", ""),
        }
        for name, field in signature.fields.items()
    ]


def of_signature(signature: type[dspy.Signature]) -> str:
    """The digest of a signature: of its instructions and its fields."""
    return digest({"instructions": signature.instructions, "fields": fields(signature)})


@lru_cache(maxsize=256)
def schema(annotation: Any) -> str:
    """The JSON schema of a field's type, as a text."""
    return json.dumps(TypeAdapter(annotation).json_schema(), sort_keys=True)


def digest(told: Any) -> str:
    """Twelve hexadecimal digits of anything that JSON can hold; pydantic models as their values."""
    text = json.dumps(told, sort_keys=True, ensure_ascii=False, default=plain)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def plain(value: Any) -> Any:
    """A value of a demonstration as JSON holds it."""
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)
