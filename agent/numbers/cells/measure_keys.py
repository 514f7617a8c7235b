"""Finds the measure of a cell's key: revenue, roe:ending, growth of revenue, rnd of revenue."""

from agent.numbers.cells.row_expressions import versions
from agent.numbers.registry.metrics import variants
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.units import UnitError
from agent.state.query import Change, Combined, Concept, Measure, Metric, Share

# Changes by their key, as `agent.numbers.cells.row_expressions.change` writes it -> whether in percent, and whether
# over a quarter.
MOVES = {
    "growth of ": (True, False),
    "change of ": (False, False),
    "sequential growth of ": (True, True),
    "sequential change of ": (False, True),
}
SIGNS = {" + ": "+", " - ": "-"}
# No question nests measures more deeply than this.
MOST_MADE = 5


def measure_of(key: str, registry: Registry) -> Measure:
    """The measure whose cells have this key. Raises KeyError for one that the registry does not know.

    A printed line has none: it belongs to its filing alone.
    """
    if sum(key.count(word) for word in (" of ", *SIGNS)) > MOST_MADE:
        raise KeyError(key)
    for begins, (percent, sequential) in MOVES.items():
        if key.startswith(begins):
            moved = measure_of(key.removeprefix(begins), registry)
            return Change(of=moved, percent=percent, sequential=sequential)
    for between, sign in SIGNS.items():
        if between in key:
            parts = tuple(measure_of(part, registry) for part in key.split(between))
            return Combined(sign=sign, parts=parts)  # type: ignore[arg-type]
    if " of " in key:
        part, _, whole = key.partition(" of ")
        return Share(part=measure_of(part, registry), whole=measure_of(whole, registry))
    return one_of(key, registry)


def one_of(key: str, registry: Registry) -> Concept | Metric:
    """A concept, a metric, or one definition of a metric. Raises KeyError."""
    name, colon, variant = key.partition(":")
    if name in registry.concepts and not colon:
        return Concept(key=name)
    metric = registry.metrics.get(name)
    if metric is None or metric.hidden or (colon and variant not in variants(metric, registry)):
        raise KeyError(key)
    return Metric(key=name, variant=variant)


def known(key: str, registry: Registry) -> bool:
    """Whether a cell's key can be asked again."""
    try:
        versions(measure_of(key, registry), registry)
    except (KeyError, UnitError):
        return False
    return True
