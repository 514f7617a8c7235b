"""Where the first document searched has no evidence: the next one that may, or the text of the one chosen."""

import re
from collections.abc import Iterator

from agent.prose.text.english import QUOTATIONS
from agent.prose.text.wording import of_filing
from agent.refusals.codes import Code
from agent.state import AgentState, FilingRef, Target
from agent.steps.blocks import best_round, is_found
from agent.steps.deps import Deps
from agent.steps.documents import topic_in
from agent.steps.fetch import held, reference
from agent.steps.following_documents import followers
from agent.steps.targets import targets_of
from filings.models.source_kinds import NEWS

# What is refused where no report of the year is held: that of another year may tell of it.
_NO_REPORT = frozenset({Code.YEAR_NOT_INGESTED, Code.YEAR_BEFORE_2015, Code.FUTURE_PERIOD})
_WITHOUT_EVIDENCE = frozenset({Code.NOT_FOUND_IN_FILING, Code.SECTION_NOT_AVAILABLE})

IN_WORDS = "No figure of the document answers this, so its text was read."


def next_targets(state: AgentState, deps: Deps) -> Iterator[Target]:
    """Targets for the next documents of each target for text that none of its sentences answers, and for the text of a
    chosen document that does not give the figures asked. News that a search of this run found is looked in before other
    news.
    """
    if state.plan is None:
        return
    number = max((one.id for one in state.plan.targets), default=0)
    for target in state.plan.targets:
        if text := in_words(state, target, deps):
            number += 1
            yield text.model_copy(update={"id": number, "after": target.id, "remark": IN_WORDS})
        if newest := in_newest(state, target, deps):
            number += 1
            yield newest.model_copy(update={"id": number})
        if not (target.topic and target.sources) or is_found(state, target):
            continue
        if {one.code for one in state.of(state.refusals, target)} - _WITHOUT_EVIDENCE:
            continue
        for filing in followers(target, state.of(state.filings, target), deps.news_found.get(target.company.cik, ())):
            number += 1
            yield target.model_copy(
                update={
                    "id": number,
                    "topic": topic_in(filing.kind, target.topic),
                    "document": filing.pk,
                    "sources": (),
                    "after": target.id,
                    # One article among several says nothing of the others.
                    "remark": target.remark
                    if target.sources == (NEWS.key,)
                    else nowhere(target, state.of(state.filings, target)),
                }
            )


def in_words(state: AgentState, target: Target, deps: Deps) -> Target | None:
    """The text of a chosen document, which a model reads for figures that are refused; None where none is to be read."""
    told = next((one.query for one in state.told if one.target == target.id), None)
    if deps.session is None or told is None or told.document is None or best_round(state, target) is not None:
        return None
    return next((one for one in targets_of(told, deps) if one.topic), None) if target.figures else None


def in_newest(state: AgentState, target: Target, deps: Deps) -> Target | None:
    """The newest 10-K, which a model reads for what it tells of a year that no report is held of: of the years of a tax
    case, of what a change will do in the next year; None where one is held, or none at all.
    """
    year, codes = target.period.year, {one.code for one in state.of(state.refusals, target)}
    topic = target.topic
    if deps.session is None or topic is None or not (year and codes) or codes - _NO_REPORT:
        return None
    # What that report said itself no other one tells.
    if topic.whole or topic.named or topic.form == "risks" or target.period.part:
        return None
    newest = next((one for one in held(target, deps) if one.chunks_stored), None)
    if newest is None:
        return None
    remark = f"No 10-K of fiscal {year} is in our data. This is what {of_filing(target, reference(target, newest))} tells of {year}."
    return target.model_copy(
        update={"document": newest.pk, "sources": (), "after": target.id, "remark": remark, "tells_of": year}
    )


def telling(state: AgentState, target: Target) -> AgentState | None:
    """The state with those verified sentences alone that name the year that the target tells of; None without one."""
    if target.tells_of is None:
        return state
    named = re.compile(QUOTATIONS.data["of_year"].replace("YEAR", str(target.tells_of)))
    said = tuple(one for one in state.verified if named.search(one.cited))
    return state.model_copy(update={"verified": said, "near_verified": ()}) if said else None


def nowhere(target: Target, searched: tuple[FilingRef, ...]) -> str:
    """That another document was searched first, without an answer."""
    return f"No sentence of {of_filing(target, searched[0])} answers this." if searched else ""
