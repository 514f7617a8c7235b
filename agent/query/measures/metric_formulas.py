"""The registry's formulas: what a measure is made of, and which variant of a metric a definition tells."""

import re
from collections.abc import Sequence

from agent.numbers.registry.concept import Concept, PeriodType
from agent.numbers.registry.formula import operands
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.registry_schema import Metric
from agent.state.query import Metric as AskedMetric


class Formulas:
    """What the registry's measures are made of."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def entry(self, key: str) -> Concept | Metric | None:
        name = key.partition(":")[0]
        return self.registry.concepts.get(name) or self.registry.metrics.get(name)

    def unit(self, key: str) -> str:
        entry = self.entry(key)
        return str(entry.unit) if entry else "USD"

    def parts(self, key: str) -> tuple[str, ...]:
        """What a formula is made of, one level down; of a concept nothing."""
        told = operands(self.formula(key)) if self.is_formula(key) else ()
        return tuple(dict.fromkeys(operand.name.key for operand in told))

    def leaves(self, key: str) -> frozenset[str]:
        """The concepts a measure is made of, all the way down; of a concept itself."""
        if not self.is_formula(key):
            return frozenset({key.partition(":")[0]})
        return frozenset(leaf for operand in operands(self.formula(key)) for leaf in self.leaves(_name(operand.name)))

    def is_formula(self, key: str) -> bool:
        # "ebitda:net_income_build by segment" is no key of the registry.
        name, _, variant = key.partition(":")
        metric = self.registry.metrics.get(name)
        return metric is not None and (not variant or variant in metric.variants)

    def formula(self, key: str):  # type: ignore[no-untyped-def]
        """The expression of a metric: of the variant named, else of the default."""
        name, _, variant = key.partition(":")
        metric = self.registry.metrics[name]
        return metric.expr if metric.expr is not None else metric.variants[variant or metric.default].expr

    def instant(self, key: str) -> bool:
        """Whether a measure is a balance, or made of balances alone."""
        return all(
            self.registry.concepts[leaf].period is not PeriodType.DURATION
            for leaf in self.leaves(key)
            if leaf in self.registry.concepts
        ) and bool(self.leaves(key) & set(self.registry.concepts))

    # --- definitions ---

    def fitting(self, key: str, keys: Sequence[frozenset[str]], *, whole: bool = True) -> list[str]:
        """The variants of a metric made of just these measures, the default first; "" for a formula without variants.

        keys: for each measure told, the registry keys it may be. whole: all that it is made of is told, but what is
        optional; else one of its operands may be told alone. Those that have nothing else go before.
        """
        covered = frozenset(leaf for one in keys for leaf in self._spread(one))
        found: dict[str, bool] = {}
        for variant, name in self._variants(key):
            leaves, direct = self.leaves(name), set(self.parts(name))
            left = leaves - covered
            if all(one & (direct | leaves) or self._spread(one) <= leaves for one in keys) and (
                left <= self._optional(name) or (len(keys) == 1 and not whole)
            ):
                found[variant] = not left
            elif any(self.is_formula(one) and self._is_by_default(one, keys) for one in direct):
                found[variant] = True  # what one operand is made of: of a margin, its numerator
        exact = [variant for variant, just in found.items() if just]
        return exact or list(found)

    def changed(self, key: str, keys: Sequence[frozenset[str]], how: str) -> list[str]:
        """The variants of a metric from which measures are taken out, or into which they are put.

        how: excluding, after or including. A variant excludes what it subtracts, or what another has beside all of its
        own; no formula tells what stands inside one of its operands.
        """
        wanted = "+" if how == "including" else "-"

        def fits(name: str, one: frozenset[str]) -> bool:
            told = self._sign(self._written(name), one) == wanted
            return told or (how == "excluding" and self._leaves_out(name, one))

        return [variant for variant, name in self._variants(key) if all(fits(name, one) for one in keys)]

    def taken(self, key: str, operand: Sequence[str], basis: str) -> str | None:
        """The variant of a metric that takes an operand so, average or ending: its name, or None where none does.

        operand: the registry keys that what is told may be.
        """
        for variant, name in self._variants(key) if self.registry.metrics[key].variants else ():
            text = str(self.formula(name))
            for one in filter(self.instant, operand):
                if one in self.parts(name) and (f"avg({one})" in text) is (basis == "average"):
                    return variant
        return None

    def ratio(self, part: str, whole: str) -> AskedMetric | None:
        """The registry's metric that divides one measure by another; None where it has none."""
        asked = (part.partition(":")[0], whole.partition(":")[0])
        for key, metric in self.registry.metrics.items():
            for variant in metric.variants or [""]:
                if _quotient(str(self.formula(f"{key}:{variant}"))) == asked:
                    return AskedMetric(key=key, variant="" if variant == metric.default else variant)
        return None

    def is_share_of(self, measure: AskedMetric, whole: str) -> bool:
        """Whether a metric is a percentage of a measure already."""
        text = str(self.formula(_name(measure)))
        return self.unit(measure.key) == "percent" and bool(re.search(rf"/ (?:avg\()?{re.escape(whole)}\)?$", text))

    def _leaves_out(self, name: str, keys: frozenset[str]) -> bool:
        """Whether a metric, or one of its operands, has a variant that adds a measure to all that it is made of itself."""
        return any(
            self.leaves(one) < self.leaves(other) and self._sign(self._written(other), keys) == "+"
            for one in (name, *filter(self.is_formula, self.parts(name)))
            for _, other in self._variants(one)
            if keys & (self.leaves(other) - self.leaves(one))
        )

    def _variants(self, key: str) -> list[tuple[str, str]]:
        """(variant, its name with the metric) of a metric, the default first."""
        plain = key.partition(":")[0]
        metric = self.registry.metrics[plain]
        others = [one for one in metric.variants if one != metric.default]
        return [(one, f"{plain}:{one}") for one in (metric.default, *others)] if metric.variants else [("", plain)]

    def _written(self, name: str) -> str:
        """A formula with those of its operands that are formulas written out."""
        text = str(self.formula(name))
        for part in self.parts(name):
            if self.is_formula(part):
                text = re.sub(rf"\b{part}\b(?!:)", f"({self._written(part)})", text)
        return text

    @staticmethod
    def _sign(text: str, keys: frozenset[str]) -> str:
        """How a formula takes one of some measures: +, - or not at all."""
        for key in keys:
            if hit := re.search(rf"(- )?(?:\(|avg\(|opt\()*\b{re.escape(key)}\b", text):
                return "-" if hit[1] else "+"
        return ""

    def _is_by_default(self, key: str, keys: Sequence[frozenset[str]]) -> bool:
        return self.fitting(key, keys)[:1] == [self.registry.metrics[key.partition(":")[0]].default or ""]

    def _spread(self, keys: frozenset[str]) -> frozenset[str]:
        return frozenset(leaf for key in keys for leaf in self.leaves(key))

    def _optional(self, key: str) -> frozenset[str]:
        return frozenset(
            leaf
            for operand in operands(self.formula(key))
            if operand.optional
            for leaf in self.leaves(_name(operand.name))
        )


def _quotient(text: str) -> tuple[str, str] | None:
    """The two names of a plain quotient, averages aside: "cfo / net_income"."""
    hit = re.fullmatch(r"\(?([a-z_]+)\s*/\s*(?:avg\()?([a-z_]+)\)?\)?", text)
    return (hit[1], hit[2]) if hit else None


def _name(name: object) -> str:
    key, variant = getattr(name, "key", ""), getattr(name, "variant", "")
    return f"{key}:{variant}" if variant else key
