"""Scripts of rounds for a model: drafts, judgements and phrases; and what was asked of it."""

from collections.abc import Sequence

from tests.support.model_behaviours import says
from tests.support.model_replies import Behaviour, claims
from tests.support.model_runs import Made
from tests.support.model_server import LocalModel

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"


COMPARED = "How do Northwind and Larkfield describe cybersecurity risks in fiscal 2025?"


PHRASES = ("sole source castings", "tariffs on ceramics", "credit agreement covenants", "warranty claims")


def judged(score: int, *, missing: Sequence[str] = ("Names of suppliers.",), sufficient: bool = False) -> Behaviour:
    marks = dict.fromkeys(("completeness", "specificity", "clarity"), score)
    return says({**marks, "issues": [], "missing_info": list(missing), "is_sufficient": sufficient})


def searching(*words: str) -> Behaviour:
    return says({"phrases": [{"target": "T1", "words": one} for one in words]})


def drafting(count: int) -> Behaviour:
    """A good draft of so many claims."""
    return lambda asked: says({"claims": claims(asked, most=20)[:count], "not_found": []})(asked)


def judging(model: LocalModel, *scores: int) -> None:
    """Rounds with these scores, each followed by a new search."""
    model.behave(*map(judged, scores), program="evaluate")
    model.behave(*map(searching, PHRASES), program="follow_up")


def programs(made: Made) -> list[str]:
    return [name for name, _ in made.outcomes if name not in {"understand", "decompose"}]


def rounds(made: Made) -> list[int]:
    """The round of every claim that is shown."""
    return sorted({claim.iteration for block in made.answer.blocks for claim in block.claims})
