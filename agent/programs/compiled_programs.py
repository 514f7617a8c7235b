"""Compiled programs as files: their content, how they are written, and whether they fit their program.

An artefact contains instructions and demonstrations, never which model is asked; none where those that were found did not
pay for their tokens, which its scores show. One that does not fit is not loaded: the run uses the program as written, and
the log says so.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

import dspy
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

COMPILED = Path(__file__).resolve().parent / "compiled"
# Packages whose major version decides the format of a prompt.
PACKAGES = ("dspy", "pydantic")
# The parts of a program's state that a model sees.
TOLD = ("demos", "signature")


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
    """The digest of a signature's instructions and fields."""
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
    """A demonstration's value as JSON."""
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


class Refused(Exception):
    """An artefact that is not loaded. The message names the file, the reason, and the remedy."""


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExampleSet(Strict):
    """A set of examples: how many, and the digest of their ids."""

    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Scores(Strict):
    """Mean metric of a program on the development set, 0 to 1, with the models asked: as written, and with the
    demonstrations and instructions that were found, whether or not these are kept.
    """

    before: float = Field(ge=0, le=1)
    after: float = Field(ge=0, le=1)
    gain: tuple[float, float] = Field(description="Interval of the gain: 95 % of bootstrap samples lie in it.")
    tokens: tuple[int, int] = Field(description="Median tokens of a prompt, before and after.")
    models: tuple[str, ...] = Field(min_length=1)

    @property
    def pays(self) -> bool:
        """Whether what was found is certainly better."""
        return self.gain[0] > 0


class Artefact(Strict):
    """One compiled program."""

    program: str
    signature: str = Field(pattern="^[0-9a-f]{12}$", description="Of the signature in the code when it was compiled.")
    optimizer: str
    packages: dict[str, str]
    training: ExampleSet
    development: ExampleSet
    scores: Scores
    state: dict[str, Any] = Field(description="Of its predictor, as dspy dumps it: signature and demos alone.")

    @model_validator(mode="after")
    def _said(self) -> "Artefact":
        if self.state.get("demos") and not self.scores.pays:
            raise ValueError("its demonstrations do not pay for their tokens")
        if set(self.state) != set(TOLD):
            raise ValueError(f"its state holds {', '.join(sorted(self.state)) or 'nothing'}, not {' and '.join(TOLD)}")
        return self

    @property
    def text(self) -> str:
        """Its JSON text."""
        return json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits of all of it."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


def example_set(ids: list[str]) -> ExampleSet:
    """A set by the ids of its examples, whatever their order."""
    return ExampleSet(size=len(ids), sha256=hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest())


def packages() -> dict[str, str]:
    return {name: metadata.version(name) for name in PACKAGES}


def path_of(name: str, folder: Path = COMPILED) -> Path:
    return folder / f"{name}.json"


def read(path: Path) -> Artefact:
    """The artefact of a file. Raises Refused."""
    try:
        return Artefact.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        said = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error.strerror or "cannot be read"
        raise Refused(f"{path.name} is no artefact: {said}. {again(path.stem)}") from error


def fitting(path: Path, name: str, signature: type[dspy.Signature]) -> Artefact:
    """The artefact of a file, if it fits the program of this name and signature. Raises Refused."""
    found = read(path)
    if found.program != name:
        raise Refused(f"{path.name} is compiled for {found.program}, not for {name}.")
    if found.signature != of_signature(signature):
        raise Refused(
            f"{path.name} is compiled for other instructions or fields of {name} than the code has. {again(name)}"
        )
    for package, version in packages().items():
        had = found.packages.get(package, "none")
        if major(had) != major(version):
            raise Refused(f"{path.name} is compiled with {package} {had}; installed is {version}. {again(name)}")
    if problem := misfit(found.state["demos"], signature):
        raise Refused(f"{path.name} has a demonstration that {name} could not give: {problem}. {again(name)}")
    return found


def misfit(demos: list[Mapping[str, Any]], signature: type[dspy.Signature]) -> str:
    """The parts of demonstrations that a signature lacks; empty where all fit."""
    for demo in demos:
        if unknown := set(demo) - set(signature.fields) - {"augmented"}:
            return f"no field is called {', '.join(sorted(unknown))}"
        for name, field in signature.output_fields.items():
            try:
                TypeAdapter(field.annotation).validate_python(demo.get(name))
            except ValidationError as error:
                return f"{name}: {error.errors()[0]['msg']}"
    return ""


def again(name: str) -> str:
    return f"Compile it again: manage.py compile_programs --program {name}."


def major(version: str) -> str:
    return version.partition(".")[0]


def state_of(predict: dspy.Predict) -> dict[str, Any]:
    """The parts of a predictor's state that a model sees, as JSON."""
    state = json.loads(json.dumps(predict.dump_state(), default=plain))
    return {name: state[name] for name in TOLD}


def take(predict: dspy.Predict, artefact: Artefact) -> None:
    """Load an artefact into a predictor."""
    predict.load_state({**artefact.state, "traces": [], "train": [], "lm": None})


def write(artefact: Artefact, folder: Path = COMPILED) -> Path:
    """Write an artefact in place of the previous one."""
    folder.mkdir(parents=True, exist_ok=True)
    path = path_of(artefact.program, folder)
    path.write_text(artefact.text, encoding="utf-8")
    return path
