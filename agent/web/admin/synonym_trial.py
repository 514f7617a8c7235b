"""Searches a question with changed synonyms, in the worker, for the admin's synonym preview."""

from collections.abc import Iterator
from typing import Any

from agent.programs import model_settings
from agent.prose.search.passages import Asked, widened
from agent.state import AgentState, FilingRef
from agent.state.plan import Plan, Target
from agent.state.references import QuestionType, Topic
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.retrieve import retrieve
from filings.models import SearchRequest
from filings.search import requests
from filings.sections.items import ITEMS

NO_MODEL = "This preview uses no language model, which might read the question differently and add searches."


@requests.of_questions
def search(request: SearchRequest) -> dict[str, Any]:
    """The fields of a finished trial search: the passages the question would read, and its searches as sentences.

    A refused question finds nothing and says why. Every company may be asked about, and no model is asked.
    """
    deps = Deps.current()
    state = pipeline.advanced(
        AgentState(question=request.text), pipeline.NODES[: pipeline.FIRST_OF_ROUND], deps, record=None
    )
    plan = widened(state.plan or Plan(type=QuestionType.REFUSE), request.trial)
    state = state.model_copy(update={"plan": plan})
    searched = [sentence for target in state.open_targets() for sentence in search_sentences(target, state)]
    state = retrieve(state, deps)
    refused = [f"Refused: {one.text} {one.detail}".rstrip() for one in state.refusals]
    if plan.type is QuestionType.META:
        refused = ["The question does not ask about a filing."]
    return {
        "results": found(state, plan),
        "index": next((one.index for one in state.retrievals if one.index), ""),
        "model": next((one.model for one in state.retrievals if one.model), ""),
        "notes": [
            *searched,
            *refused,
            *dict.fromkeys(note for one in state.retrievals for note in one.notes),
            *([NO_MODEL] if model_settings.named() else []),
        ],
    }


def found(state: AgentState, plan: Plan) -> list[dict[str, Any]]:
    """The passages of each target, without duplicates, as `SearchRequest.results` stores them."""
    # The index brings numpy.
    from filings.search import browsing

    passages = {one.chunk: one for made in state.retrievals for one in made.passages}
    queries = [query for target in plan.targets if target.topic for query in target.topic.queries]
    return browsing.results(
        list(passages.values()), [word for query in queries for word in (*query.words, *query.variants)]
    )


def search_sentences(target: Target, state: AgentState) -> Iterator[str]:
    """Sentences that say where each target is searched, and with which words."""
    if target.figures:
        yield "The question does not ask about text, so nothing is searched for."
        return
    filing: FilingRef = state.of(state.filings, target)[0]
    yield f"{target.company.called}, fiscal {filing.fiscal_year}: {filing.form}, {filing.accession}."
    if target.topic is None:
        yield "The question asks for data of the filing, so nothing is searched for."
        return
    asked = Asked(target, target.topic, filing, state.of(state.locations, target))
    if target.topic.whole:
        yield f"{items(target.topic.implied)}: read from its beginning, not searched."
        return
    yield f"Items searched: {items(asked.search.items) or 'all of the filing'}."
    yield from focuses(asked, target.topic)


def focuses(asked: Asked, topic: Topic) -> Iterator[str]:
    """The words of each part of the question, and the filing's words for them."""
    for query, focus in zip(topic.queries, asked.search.focuses, strict=True):
        beside = f"; also {', '.join(focus.variants)}" if focus.variants else ""
        yield f"\u201c{query.label}\u201d, by the words {', '.join(focus.words)}{beside}."


def items(asked: tuple[str, ...]) -> str:
    return ", ".join(ITEMS[item].label for item in asked)
