"""Measures near to those asked: close by on the same statement, or called by the same words."""

from collections import Counter
from collections.abc import Collection, Iterable

from agent.numbers.registry.registry import Registry
from agent.words.stems import roots

# Two measures are called alike where this part of the words of both, rare words counting more, is common to them.
ALIKE = 0.34
# The registry lists concepts in the order of their statements: so many lines away, one is still near.
LINES = 3


def near_measures(keys: Collection[str], registry: Registry) -> list[str]:
    """Keys of concepts and metrics near those asked, the nearest first. keys: of the registry, with or without a variant."""
    asked = {key.partition(":")[0] for key in keys}
    words = _words(registry)
    known = Counter(word for named in words.values() for word in named)
    order = list(registry.concepts)
    found: dict[str, float] = {}
    for key in sorted(asked & words.keys()):
        for other in words.keys() - asked:
            shared, both = words[key] & words[other], words[key] | words[other]
            alike = _weight(shared, known) / (_weight(both, known) or 1)
            close = _closeness(key, other, order, registry)
            if alike >= ALIKE or close:
                found[other] = max(alike + close, found.get(other, 0.0))
    return sorted(found, key=lambda key: (-found[key], key))


def _closeness(key: str, other: str, order: list[str], registry: Registry) -> float:
    """From 1 for the next line of the same statement to 0 for one further than `LINES` away, or on another."""
    if key not in registry.concepts or other not in registry.concepts:
        return 0.0
    if registry.concepts[key].statement != registry.concepts[other].statement:
        return 0.0
    apart = abs(order.index(key) - order.index(other))
    return max(0.0, (LINES + 1 - apart) / LINES)


def _words(registry: Registry) -> dict[str, frozenset[str]]:
    """The roots of each measure's label outside parentheses, of those that can be asked for."""
    named = {key: one.label for key, one in registry.concepts.items()}
    named |= {key: one.label for key, one in registry.metrics.items() if not one.hidden}
    return {key: roots(label.partition("(")[0]) for key, label in named.items()}


def _weight(words: Iterable[str], known: Counter[str]) -> float:
    """Rare words say more: each counts as one, divided by the number of names that have it."""
    return sum(1 / known[word] for word in words)
