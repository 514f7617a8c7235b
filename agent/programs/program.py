"""What every program is: a name, a role, a signature, and a version that changes with any of what a model is told."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import dspy
from pydantic import TypeAdapter

from agent.programs.models import Role

COMPILED = Path(__file__).resolve().parent / "compiled"


class Program(dspy.Module):  # type: ignore[misc]
    """One decision, asked of the model of `role`. A subclass names its `signature`; its docstring is the instruction."""

    name: ClassVar[str]
    role: ClassVar[Role]
    signature: ClassVar[type[dspy.Signature]]

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(self.signature)
        # The digest of the artefact that was loaded; empty where none was.
        self.artefact = ""

    def forward(self, **inputs: Any) -> dspy.Prediction:
        return self.predict(**inputs)

    @property
    def version(self) -> str:
        """Twelve hexadecimal digits of all that a model is told beside the inputs."""
        told = {
            "name": self.name,
            "instructions": self.predict.signature.instructions,
            "fields": fields(self.predict.signature),
            "demos": [dict(demo) for demo in self.predict.demos],
            "artefact": self.artefact,
        }
        return digest(told)

    def load_compiled(self, folder: Path = COMPILED) -> Self:
        """Take over what was compiled for this program, if anything was. Raises where it does not fit."""
        path = folder / f"{self.name}.json"
        if path.is_file():
            content = path.read_bytes()
            self.predict.load_state(json.loads(content)["state"])
            # An artefact says what a model is told, never which one or with what settings.
            self.predict.lm, self.predict.config = None, {}
            self.artefact = hashlib.sha256(content).hexdigest()[:12]
        return self


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
