"""What a scripted model answers where figures are computed and judged: expressions over the rows of the request."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.model_behaviours import says
from tests.support.model_replies import Asked, Behaviour, understood

JUDGED = "Is Northwind an asset-heavy business in fiscal 2025?"
READING = understood(type="A+B", companies=["Northwind"], periods=["fiscal 2025"], topics=["asset-heavy business"])


def row(asked: Asked, label: str) -> str:
    """The id of the row of a request with this label."""
    lines = [line.split(" | ") for line in str(asked.inputs["rows"]).splitlines()]
    return next(line[0] for line in lines if line[1] == label)


def figure(expression: str, unit: str = "", span: str = "", **fields: Any) -> dict[str, Any]:
    return {"span": span, "expression": expression, "part": "", "unit": unit, **fields}


def reply(*figures: Mapping[str, Any], judgement: bool = True, **fields: Any) -> dict[str, Any]:
    return {"judgement": judgement, "figures": list(figures), "years": 0, "searches": [], **fields}


def computing(*figures: Mapping[str, Any], judgement: bool = True, **fields: Any) -> Behaviour:
    """Figures whose expressions name their rows by label: "{Total assets} / {Total revenue}"."""

    def behaviour(asked: Asked) -> Any:
        told = [
            {**one, "expression": re.sub(r"\{([^}]+)\}", lambda hit: row(asked, hit[1]), one["expression"])}
            for one in figures
        ]
        return says(reply(*told, judgement=judgement, **fields))(asked)

    return behaviour


def judging_by(verdict: str, *reasons: Mapping[str, Any]) -> Behaviour:
    return says({"verdict": verdict, "reasons": list(reasons)})


def given(asked: Asked, measure: str) -> Sequence[str]:
    """The ids of the figures of a measure, as they were given to be judged."""
    return [one["id"] for one in asked.inputs["figures"] if one["measure"] == measure]
