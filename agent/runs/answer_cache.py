"""Answers that need not be made again: the same question, asked of the same filings, programs and models.

Only what a model made is kept; a run without one takes less than a look-up is worth. An answer is what any asker of the
question would be given: nothing of who asked is in it but what "my companies" are, and these stand in the key. So does
the question, to the letter, for spelling decides how it is read. What is like a question is another question: fiscal 2023
and fiscal 2024 are neighbours.
"""

import hashlib
import json
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from pydantic import BaseModel, ConfigDict, ValidationError

from agent.query.spelling import spelled_out
from agent.query.watchlists import lists_named
from agent.refusals.codes import Code
from agent.state import Answer, Query
from agent.state.modes import Mode
from agent.steps.deps import Deps
from agent.steps.precheck import tidy
from agent.words.tokens import tokenise

if TYPE_CHECKING:
    from agent.programs.calls import Call, Session

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=7)
# Refusals that another try, or another asker, may not be given.
PASSING = {Code.SEARCH_UNAVAILABLE, Code.TABLE_TOO_LARGE}
# What decides answers beside the code: budgets, and what finds and orders passages. Keys and prices do not.
SETTINGS = (
    "MODEL_RUN_DEADLINE",
    "MODEL_RUN_TOKENS",
    "MODEL_RUN_COST",
    "MODEL_RERANK",
    "SEARCH_WEIGHTS",
    "SEARCH_FALLBACK",
    "ELASTICSEARCH_URL",
    "ELASTICSEARCH_INDEX",
    "EMBEDDING_BASE_URL",
    "EMBEDDING_MODEL",
    "EMBEDDING_DIMENSIONS",
    "EMBEDDING_QUERY_PREFIX",
    "EMBEDDING_DOCUMENT_PREFIX",
    "RERANK_URL",
    "RERANK_MODEL",
)


class Kept(BaseModel):
    """An answer, and when it was computed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: Answer
    computed: datetime

    @property
    def as_recalled(self) -> Answer:
        """The answer, saying what it is."""
        said = f"{self.answer.mode}, as computed on {self.computed:%-d %B %Y at %H:%M} UTC"
        return self.answer.model_copy(update={"mode": said})


def recall(
    question: str, deps: Deps, mode: Mode | None = None, scope: str = "", previous: Query | None = None
) -> Answer | None:
    """The answer that a run of today would make, if it has been made; None without a model."""
    if deps.session is None:
        return None
    try:
        found = cache.get(key(question, deps, mode, scope, previous))
    except Exception:  # Each backend has its own, and none is worth a run.
        logger.exception("The cache cannot be read")
        return None
    try:
        return Kept.model_validate_json(found).as_recalled if found else None
    except ValidationError:
        return None  # of a release whose answers had another form


def keep(
    question: str,
    deps: Deps,
    answer: Answer,
    mode: Mode | None = None,
    scope: str = "",
    previous: Query | None = None,
) -> bool:
    """Keep an answer that another run would make again; whether it is kept."""
    if deps.session is None or deps.session.degraded or not is_whole(deps.session) or not is_lasting(answer):
        return False
    kept = Kept(answer=answer, computed=datetime.now(UTC))
    try:
        cache.set(key(question, deps, mode, scope, previous), kept.model_dump_json(), KEPT_FOR.total_seconds())
    except Exception:
        logger.exception("The cache cannot be written")
        return False
    return True


def key(question: str, deps: Deps, mode: Mode | None, scope: str = "", previous: Query | None = None) -> str:
    """All that an answer depends on. scope: what of the corpus may be asked; empty for all of it.

    previous: of the question that this one goes on from.
    """
    from agent.programs.catalogue import versions
    from agent.steps.versions import synonyms_version

    models = deps.session.models if deps.session else None
    words = spelled_out(question, tokenise(question))
    told = {
        "question": tidy(question),
        "lists": [one.ciks for one in lists_named(deps.companies, words, deps.watchlists)],
        "previous": previous.model_dump(mode="json") if previous else None,
        "scope": scope,
        "mode": mode,
        "versions": deps.versions.model_dump(),
        "programs": versions(),
        "models": [(one.base_url, one.name, one.timeout, one.max_tokens) for one in (models.plan, models.draft)]
        if models
        else [],
        "synonyms": synonyms_version(),
        "settings": {name: getattr(settings, name) for name in SETTINGS},
        # "Not over yet" and "last year" are measured against it.
        "today": deps.today.isoformat(),
    }
    return f"answer:{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()}"


def is_whole(session: "Session") -> bool:
    """Whether the models were asked and did what they were asked, in time: a fallback is not what is wanted again."""
    last: dict[str, Call] = {call.program: call for call in session.calls}
    return bool(last) and all(call.outcome == "ok" for call in last.values()) and session.budget.left().seconds > 0


def is_lasting(answer: Answer) -> bool:
    """Whether it says something of a filing, or refuses to, and was not made while there was no search."""
    codes = {block.refusal.code for block in answer.blocks if block.refusal}
    return answer.outcome != "meta" and not codes & PASSING
