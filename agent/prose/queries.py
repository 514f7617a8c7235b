"""The searches of a plan for text, with filing words beside the question's own."""

from agent.planned import Plan, Topic


def widened(plan: Plan) -> Plan:
    """A plan whose searches have filing words beside the question's, from the synonyms as they are stored now."""
    if not any(target.topic for target in plan.targets):
        return plan
    # The synonyms are rows of the search's tables.
    from filings.search.synonyms import variants

    def with_variants(topic: Topic) -> Topic:
        found = tuple(query.model_copy(update={"variants": variants(query.words)}) for query in topic.queries)
        return topic.model_copy(update={"queries": found})

    targets = tuple(
        target.model_copy(update={"topic": with_variants(target.topic)}) if target.topic else target
        for target in plan.targets
    )
    return plan.model_copy(update={"targets": targets})
