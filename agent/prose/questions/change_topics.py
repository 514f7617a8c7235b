"""What a question asks of the changes in an Item between two annual reports."""

from collections.abc import Sequence
from datetime import MAXYEAR

from agent.prose.text.english import TOPICS
from agent.state.references import SubQuery, Topic
from filings.redline.captions import RISKS

# What can become of a risk or passage between two annual reports, in the order shown.
CHANGES = ("added", "removed", "reworded")


def of_companies(topic: Topic) -> Topic:
    """What is asked of several companies, of which "compare" compares one with the other and not two years, unless what is
    new or gone in each is asked, or what changed.
    """
    beside = TOPICS.pattern("beside")
    changed = len(topic.queries) < len(CHANGES) or TOPICS.pattern("changed").search(beside.sub(" ", topic.text))
    return topic.alone if beside.search(topic.text) and not changed else topic


def between(topic: Topic, years: Sequence[int | None]) -> Topic:
    """What changed between two years, of which the first named may have what the other has not: "in 2024 but not in 2025"."""
    if len(topic.queries) == 1 or not TOPICS.pattern("apart").search(topic.text):
        return topic
    newest_first = len(years) < 2 or (years[0] or MAXYEAR) >= (years[-1] or MAXYEAR)
    kept = CHANGES[0 if newest_first else 1]
    return topic.model_copy(update={"queries": tuple(one for one in topic.queries if one.label == kept)})


def changes(text: str, item: str, kinds: Sequence[str], named: bool) -> Topic:
    """What an Item has that the one of the year before had not, and the other way round. named: by the question."""
    queries = tuple(SubQuery(label=kind, words=()) for kind in kinds)
    return Topic(
        text=text,
        form="risks" if item == RISKS else "explain",
        items=(item,),
        implied=(item,),
        named=named,
        whole=True,
        compares=True,
        queries=queries,
    )
