"""Caches answers made with a model: the same question, asked of the same filings, programs and models.

A run without a model takes less than a look-up is worth. A cached answer contains nothing about the asker; "my
companies" are part of the key. So is the question, to the letter, because spelling decides how it is read. Similar
questions are different ones: fiscal 2023 and fiscal 2024 are neighbors.
"""

import hashlib
import json
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from pydantic import BaseModel, ConfigDict, ValidationError

from agent.query.companies.named_watchlists import lists_named
from agent.query.words.spelling import spelled_out
from agent.refusals.codes import Code
from agent.state import Answer, Query, Scope
from agent.state.modes import Mode
from agent.steps.deps import Deps
from agent.steps.precheck import tidy
from agent.words.tokens import tokenise
from filings.search import active_indexes

if TYPE_CHECKING:
    from agent.programs.calls import Call, Session

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=7)
# Refusals that a second try, or another asker, may not get.
PASSING = {Code.SEARCH_UNAVAILABLE, Code.TABLE_TOO_LARGE}
# Settings that decide answers: budgets, and what finds and orders passages. Keys and prices do not.
SETTINGS = (
    "MODEL_RUN_DEADLINE",
    "MODEL_RUN_TOKENS",
    "MODEL_RUN_COST",
    "MODEL_RERANK",
    "SEARCH_WEIGHTS",
    "SEARCH_FALLBACK",
    *active_indexes.SETTINGS,
    "EMBEDDING_BASE_URL",
    "EMBEDDING_MODEL",
    "EMBEDDING_DIMENSIONS",
    "EMBEDDING_QUERY_PREFIX",
    "EMBEDDING_DOCUMENT_PREFIX",
    "RERANK_URL",
    "RERANK_MODEL",
    "NEWS_BASE_URL",
    "NEWS_ALWAYS",
    "NEWS_RESULTS",
    "NEWS_DOMAINS",
)


class Kept(BaseModel):
    """An answer, and when it was computed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: Answer
    computed: datetime

    @property
    def as_recalled(self) -> Answer:
        """The answer, marked as cached."""
        said = f"{self.answer.mode}, as computed on {self.computed:%-d %B %Y at %H:%M} UTC"
        return self.answer.model_copy(update={"mode": said})


def recall(
    question: str,
    deps: Deps,
    mode: Mode | None = None,
    scope: str = "",
    previous: Query | None = None,
    limited: Scope | None = None,
) -> Answer | None:
    """The cached answer to the same question; None if there is none, or no model is used."""
    if deps.session is None:
        return None
    try:
        found = cache.get(key(question, deps, mode, scope, previous, limited))
    except Exception:  # Backends raise different exceptions; none is worth failing the run.
        logger.exception("The cache cannot be read")
        return None
    try:
        return Kept.model_validate_json(found).as_recalled if found else None
    except ValidationError:
        return None  # written by a release with another format of answers


def keep(
    question: str,
    deps: Deps,
    answer: Answer,
    mode: Mode | None = None,
    scope: str = "",
    previous: Query | None = None,
    limited: Scope | None = None,
) -> bool:
    """Cache an answer, unless another run might answer differently; returns whether it was cached."""
    if deps.session is None or deps.session.degraded or not is_whole(deps.session) or not is_lasting(answer):
        return False
    kept = Kept(answer=answer, computed=datetime.now(UTC))
    try:
        cache.set(
            key(question, deps, mode, scope, previous, limited), kept.model_dump_json(), KEPT_FOR.total_seconds()
        )
    except Exception:
        logger.exception("The cache cannot be written")
        return False
    return True


def key(
    question: str,
    deps: Deps,
    mode: Mode | None,
    scope: str = "",
    previous: Query | None = None,
    limited: Scope | None = None,
) -> str:
    """Everything that an answer depends on.

    scope: which part of the corpus may be asked; empty for all. previous: the query of the question that this one
    follows up on. limited: the documents that the question is limited to.
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
        "limited": limited.model_dump(mode="json") if limited else None,
        "mode": mode,
        "versions": deps.versions.model_dump(),
        "programs": versions(),
        "models": [(one.base_url, one.name, one.timeout, one.max_tokens) for one in (models.plan, models.draft)]
        if models
        else [],
        "synonyms": synonyms_version(),
        "settings": {name: getattr(settings, name) for name in SETTINGS},
        # "Not over yet" and "last year" depend on it.
        "today": deps.today.isoformat(),
    }
    return f"answer:{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()}"


def is_whole(session: "Session") -> bool:
    """Whether the models were asked and delivered in time: a fallback answer is not cached."""
    last: dict[str, Call] = {call.program: call for call in session.calls}
    return bool(last) and all(call.outcome == "ok" for call in last.values()) and session.budget.left().seconds > 0


def is_lasting(answer: Answer) -> bool:
    """Whether it asserts or refuses something about a filing, and search was available."""
    codes = {block.refusal.code for block in answer.blocks if block.refusal}
    return answer.outcome != "meta" and not codes & PASSING
