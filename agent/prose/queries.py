"""The searches of a plan for text, with filing words beside the question's own."""

from collections.abc import Mapping, Sequence

from agent.state.planned import Plan, Topic


def widened(plan: Plan, trial: Mapping[str, Sequence[str]] | None = None) -> Plan:
    """A plan whose searches have filing words beside the question's, from the synonyms as they are stored now.

    trial: synonyms in place of those stored; what the plan had from these goes.
    """
    if not any(target.topic for target in plan.targets):
        return plan
    # The synonyms are rows of the search's tables.
    from filings.search.synonyms import variants

    def with_variants(topic: Topic) -> Topic:
        found = tuple(query.model_copy(update={"variants": variants(query.words, trial)}) for query in topic.queries)
        return topic.model_copy(update={"queries": found})

    targets = tuple(
        target.model_copy(update={"topic": with_variants(target.topic)}) if target.topic else target
        for target in plan.targets
    )
    return plan.model_copy(update={"targets": targets})
