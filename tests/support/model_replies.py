"""What a scripted model is asked, read out of the prompt, and what a capable one would answer each program."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

# A field of the reply that only one program has, in the order in which they are looked for.
PROGRAMS = {
    "ambiguities": "understand",
    "judgement": "compute",
    "reasons": "judge_figures",
    "searches": "decompose",
    "refusal_stands": "review_refusal",
    "interpretations": "draft",
    "claims": "draft",
    "is_sufficient": "evaluate",
    "phrases": "follow_up",
    "order": "rerank",
    "word": "ready",
}
OUTPUTS = "Outputs will be a JSON object with the following fields.\n\n"
SCHEMA = "JSON schema: "
ONE_OF = "one of: "
FIELD = re.compile(r"\[\[ ## (\w+) ## \]\]\n")
REQUIREMENTS = "\n\nRespond with a JSON object"
SENTENCE = re.compile(r"[A-Z][^.!?\n\t]{30,400}[.!?](?=\s|$)")


@dataclass(frozen=True)
class Asked:
    """One chat request: its program, its input fields as they were told, and the schema of each output field."""

    body: dict[str, Any]
    program: str
    inputs: dict[str, Any]
    outputs: dict[str, dict[str, Any]]

    @property
    def passages(self) -> list[dict[str, str]]:
        """The fenced passages, wherever they stand in the inputs."""
        return [
            one
            for one in values(self.inputs)
            if isinstance(one, dict) and {"id", "text"} <= one.keys() and re.fullmatch(r"P\d+", str(one["id"]))
        ]


@dataclass(frozen=True)
class Reply:
    """What goes back. `body` as it is, where it is not JSON; `wait` seconds before it; `trickle` between its bytes."""

    content: str | None = ""
    finish: str = "stop"
    message: dict[str, Any] = field(default_factory=dict)
    usage: bool = True
    choices: bool = True
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    wait: float = 0.0
    trickle: float = 0.0


Behaviour = Callable[[Asked], Reply]


def read(body: dict[str, Any]) -> Asked:
    """What a chat request asks, out of the prompt that dspy makes of a program."""
    messages = body["messages"]
    system, told = messages[0]["content"], messages[-1]["content"]
    outputs: dict[str, dict[str, Any]] = {}
    if OUTPUTS in system:
        described, _ = json.JSONDecoder().raw_decode(system, system.index(OUTPUTS) + len(OUTPUTS))
        for name, text in described.items():
            outputs[name] = schema_in(text)
    parts = FIELD.split(told.rsplit(REQUIREMENTS, 1)[0])[1:]
    inputs = {name: loaded(text.strip()) for name, text in zip(parts[::2], parts[1::2], strict=True)}
    known = set(outputs) | {name for schema in outputs.values() for name in schema.get("properties", {})}
    program = next((program for mark, program in PROGRAMS.items() if mark in known), "")
    return Asked(body, program, inputs, outputs)


def schema_in(text: str) -> dict[str, Any]:
    """What a note on an output field allows."""
    if SCHEMA in text:
        schema: dict[str, Any] = json.loads(text.split(SCHEMA, 1)[1])
        return schema
    return {"enum": text.split(ONE_OF, 1)[1].split("; ")} if ONE_OF in text else {}


def loaded(text: str) -> Any:
    """The value of a field: what its JSON says where it is JSON."""
    try:
        return json.loads(text) if text[:1] in {"[", "{"} else text
    except ValueError:
        return text


def values(value: Any) -> Iterator[Any]:
    """A value and everything inside it."""
    yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from values(one)


# --- what is said when all is well ---


def said(asked: Asked) -> dict[str, Any]:
    """A good reply's object: every output field with a value."""
    told = TELL[asked.program](asked) if asked.program in TELL else None
    return {
        name: told
        if told is not None and set(told) <= set(schema.get("properties", told))
        else example(schema, schema)
        for name, schema in asked.outputs.items()
    }


def claims(asked: Asked, most: int = 6) -> list[dict[str, str]]:
    """A claim from each passage that has a whole sentence: its words, its quote, its id."""
    found = []
    for passage in asked.passages[:most]:
        sentences = SENTENCE.findall(passage["text"])
        # A digit in a claim's own words drops it.
        if quote := next((one for one in sentences if not re.search(r"\d", one)), None):
            found.append({"text": quote, "quote": quote, "passage": passage["id"]})
    return found


def draft(asked: Asked) -> dict[str, Any]:
    told: dict[str, Any] = {"not_found": []}
    if any("interpretations" in schema.get("properties", {}) for schema in asked.outputs.values()):
        axes = asked.inputs.get("axes") or [{"id": "A1", "passages": []}, {"id": "A2", "passages": []}]
        told["interpretations"] = [
            {"axis": axis["id"], "claims": [one for one in claims(asked) if one["passage"] in axis["passages"]]}
            for axis in axes
        ]
    else:
        told["claims"] = claims(asked)
    return told


def understood(**fields: Any) -> dict[str, Any]:
    """A reading of a question: one for text that names nothing, but what `fields` say."""
    return {
        "type": "B",
        "companies": [],
        "periods": [],
        "rows": [],
        "operations": [],
        "topics": [],
        "left_out": [],
        "source": "10-K",
        "source_span": "",
        "mode": "standard",
        "reasoning": "",
        "ambiguities": [],
        **fields,
    }


def candidate(asked: Asked, label: str) -> str:
    """The id by which understand may name a measure, a line or a part with this label."""
    lines = str(asked.inputs["candidates"]).splitlines()
    return next(line.partition(" ")[0] for line in lines if line.partition(" ")[2] == label)


def understand(asked: Asked) -> dict[str, Any]:
    words = re.findall(r"\b[a-z]{4,}\b", str(asked.inputs.get("question", "")))
    reasoning = "The question asks what the filing says of this subject."
    return understood(topics=[max(words, key=len)] if words else [], reasoning=reasoning)


def decompose(asked: Asked) -> dict[str, Any]:
    words = re.findall(r"[A-Za-z]{3,}", str(asked.inputs.get("question", ""))) or ["risk", "factors"]
    axes = [one["id"] for one in asked.inputs.get("axes", []) if isinstance(one, dict)] or [""]
    return {
        "searches": [
            {"phrase": " ".join(words[-5:]), "kind": "TEXT", "variants": [], "axis": axis} for axis in axes[:3]
        ]
    }


def follow_up(asked: Asked) -> dict[str, Any]:
    targets = [one["id"] for one in asked.inputs.get("targets", []) if isinstance(one, dict)]
    return {"phrases": [{"target": target, "words": "further detail disclosed"} for target in targets[:6]]}


def review(asked: Asked) -> dict[str, Any]:
    found = claims(asked, most=3)
    return {"refusal_stands": not found, "direction": "not a yes/no question", "claims": found, "caveats": []}


def evaluate(asked: Asked) -> dict[str, Any]:
    marks = dict.fromkeys(("completeness", "specificity", "clarity"), 90)
    return {**marks, "issues": [], "missing_info": [], "is_sufficient": True}


def rerank(asked: Asked) -> dict[str, Any]:
    return {"order": [passage["id"] for passage in asked.passages]}


TELL: dict[str, Callable[[Asked], dict[str, Any]]] = {
    "understand": understand,
    "decompose": decompose,
    "draft": draft,
    "review_refusal": review,
    "evaluate": evaluate,
    "follow_up": follow_up,
    "rerank": rerank,
}


def example(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    """The least value that a schema allows: for programs that nothing above knows."""
    if "$ref" in schema:
        return example(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if "anyOf" in schema:
        return example(schema["anyOf"][0], root)
    kind = schema.get("type", "string")
    if kind == "object":
        return {name: example(one, root) for name, one in schema.get("properties", {}).items()}
    if kind == "array":
        return [example(schema["items"], root) for _ in range(schema.get("minItems", 0))]
    least = {"integer": schema.get("minimum", 0), "number": schema.get("minimum", 0), "boolean": False, "null": None}
    return least.get(kind, "x" * schema.get("minLength", 1))
