"""Where the first document searched has no evidence: the next one that may."""

from collections.abc import Iterator, Mapping

from agent.prose.wording import of_filing
from agent.refusals.codes import Code
from agent.state import AgentState, FilingRef, Target
from agent.steps.blocks import best_round
from agent.steps.documents import topic_in
from agent.steps.following_documents import followers
from filings.models.source_kinds import NEWS

_WITHOUT_EVIDENCE = frozenset({Code.NOT_FOUND_IN_FILING, Code.SECTION_NOT_AVAILABLE})


def next_targets(state: AgentState, found: Mapping[int, tuple[int, ...]]) -> Iterator[Target]:
    """Targets for the next documents of each target for text that none of its sentences answers.

    found: by CIK the news that a search of this run found, which is looked in before other news.
    """
    if state.plan is None:
        return
    number = max((one.id for one in state.plan.targets), default=0)
    for target in state.plan.targets:
        if not (target.topic and target.sources) or best_round(state, target) is not None:
            continue
        if {one.code for one in state.of(state.refusals, target)} - _WITHOUT_EVIDENCE:
            continue
        for filing in followers(target, state.of(state.filings, target), found.get(target.company.cik, ())):
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


def nowhere(target: Target, searched: tuple[FilingRef, ...]) -> str:
    """That another document was searched first, without an answer."""
    return f"No sentence of {of_filing(target, searched[0])} answers this." if searched else ""
