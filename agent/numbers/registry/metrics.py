"""Metrics as expressions over concepts: variants chosen and nested metrics expanded, before any filing is read."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agent.numbers.registry.expressions import Call, Expr, Name, mapped, shifted, wrapped
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.registry_schema import Metric

# Internal marks of an expanded expression, which `agent.numbers.cells.evaluation` reads and removes: some operand inside must
# have a value; what is inside must be above zero.
AT_LEAST_ONE, POSITIVE = "at_least_one", "positive"
# The figure of the quarter before, from its own report.
QUARTER_BEFORE = "quarter_before"


@dataclass(frozen=True)
class Definition:
    """One way to compute a metric. expr: over concepts; its value is in the metric's unit, except for a percentage's
    100.
    """

    metric: Metric
    variant: str
    label: str
    show: Literal["always", "if_differs", "on_request"]
    expr: Expr
    meaningless_for: frozenset[str]
    only_for: tuple[str, ...]

    @property
    def key(self) -> str:
        """roe:ending; a metric without variants by its key."""
        return f"{self.metric.key}:{self.variant}" if self.variant else self.metric.key


def definitions(registry: Registry, key: str, variant: str = "") -> tuple[Definition, ...]:
    """The definition named, or the default followed by the alternatives that are always shown.

    A metric with `inherits_variants` has the variants of the metric it names. Raises KeyError for an unknown name.
    """
    return _definitions(_Held(registry), key, variant)


def variants(one: Metric, registry: Registry) -> dict[str, str]:
    """The definitions of a metric by name, each with its label, the default first; or those of the metric it inherits."""
    source = registry.metrics[one.inherits_variants] if one.inherits_variants else one
    names = sorted(source.variants, key=lambda name: name != source.default)
    return {name: source.variants[name].label or name.replace("_", " ") for name in names}


@dataclass(frozen=True)
class _Held:
    """A registry as a cache key: by its version."""

    registry: Registry

    def __hash__(self) -> int:
        return hash(self.registry.version)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.registry.version == self.registry.version


@lru_cache(maxsize=512)
def _definitions(held: _Held, key: str, variant: str) -> tuple[Definition, ...]:
    registry = held.registry
    metric = registry.metrics[key]
    source = registry.metrics[metric.inherits_variants] if metric.inherits_variants else metric
    if not source.variants:
        return (_definition(registry, metric, source, ""),)
    first = variant or source.default
    shown = [first]
    if not variant and source.policy == "dual":
        shown += [name for name, one in source.variants.items() if name != first and one.show != "on_request"]
    return tuple(_definition(registry, metric, source, name) for name in shown)


def _definition(registry: Registry, metric: Metric, source: Metric, variant: str) -> Definition:
    chosen = source.variants[variant] if variant else None
    tree = _Expansion(registry).metric(metric, variant, "")
    return Definition(
        metric,
        variant,
        (chosen.label or variant.replace("_", " ")) if chosen else "",
        chosen.show if chosen else "always",
        tree.expr,
        tree.meaningless_for,
        metric.industries,
    )


@dataclass(frozen=True)
class _Expanded:
    expr: Expr
    meaningless_for: frozenset[str]


class _Expansion:
    """Replaces names of metrics by their expressions."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.meaningless: set[str] = set()

    def metric(self, metric: Metric, variant: str, forced: str) -> _Expanded:
        expr = self._of(metric, variant, forced)
        return _Expanded(expr, frozenset(self.meaningless))

    def _of(self, metric: Metric, variant: str, forced: str) -> Expr:
        """The expression of a metric. forced: the variant that an outer metric requires of all inner ones."""
        self.meaningless.update(metric.not_meaningful_for)
        inner = {metric.inherits_variants: variant} if metric.inherits_variants else {}
        own = metric.expr if metric.expr is not None else metric.variants[variant or metric.default].expr
        expr = self._put_in(wrapped(own, metric.positive, POSITIVE), inner, metric.force_variant or forced)
        return Call(AT_LEAST_ONE, expr) if metric.guard == AT_LEAST_ONE else expr

    def _put_in(self, expr: Expr, inner: dict[str, str], forced: str) -> Expr:
        def put(name: Name) -> Expr:
            metric = self.registry.metrics.get(name.key)
            if metric is None:
                return name
            known = forced if forced in metric.variants else ""
            return shifted(self._of(metric, name.variant or inner.get(name.key, "") or known, forced), name.offset)

        return mapped(expr, put)
