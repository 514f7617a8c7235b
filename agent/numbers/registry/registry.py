"""The concept registry: which XBRL tags, under which rules, may answer which words.

`registry.yaml` is read once into frozen models; a mistake in it is an error that names the key and the field.
Operands of a `derive` expression are read from tags and never derived again, so that concepts may derive from each
other. Metrics are expressions over concepts and other metrics (`metrics`), whose units are checked here (`units`).
"""

import hashlib
from collections.abc import Hashable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import Field, ValidationError, model_validator

from agent.numbers.registry.concept import (
    SEED_TAGS,
    Candidate,
    Concept,
    Condition,
    Face,
    Fallback,
    PeriodType,
    Pick,
    Statement,
    Unit,
)
from agent.numbers.registry.formula import Expr, Name, operands
from agent.numbers.registry.registry_schema import (
    Ambiguous,
    Entry,
    Identity,
    Industry,
    KeyFigures,
    Metric,
    normalise,
    qualified,
)
from agent.numbers.registry.row_labels import Fit
from agent.numbers.registry.units import DIMENSIONS, Dimension, UnitError, dimension

__all__ = [
    "PATH",
    "Ambiguous",
    "Candidate",
    "Concept",
    "Condition",
    "Face",
    "Fallback",
    "Fit",
    "Identity",
    "Metric",
    "PeriodType",
    "Pick",
    "Registry",
    "RegistryError",
    "Statement",
    "Unit",
    "load",
    "normalise",
    "qualified",
    "read",
]

PATH = Path(__file__).with_name("registry.yaml")


class RegistryError(ValueError):
    """The registry file is not valid. One line a fault: `concepts.revenue.tags: ...`."""


class Registry(Entry):
    """The whole file, with the tables read from it."""

    format: Literal[1]
    version: str = Field(description="First 12 hex digits of the file's SHA-256.")
    concepts: dict[str, Concept]
    metrics: dict[str, Metric]
    identities: tuple[Identity, ...]
    ambiguous_terms: dict[str, Ambiguous]
    key_figures: KeyFigures
    industries: dict[str, Industry]

    @cached_property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """Normalised alias -> concept and metric keys; several only where `ambiguous` knows the words."""
        table: dict[str, dict[str, None]] = {}
        entries: dict[str, Concept | Metric] = {**self.concepts, **self.metrics}
        for key, entry in entries.items():
            for alias in entry.aliases:
                table.setdefault(normalise(alias), {})[key] = None
        return {alias: tuple(keys) for alias, keys in table.items()}

    @cached_property
    def ambiguous(self) -> dict[str, Ambiguous]:
        """Normalised term -> its readings."""
        return {normalise(term): entry for term, entry in self.ambiguous_terms.items()}

    def is_tagged(self, key: str) -> bool:
        """Whether filers report a measure under a tag: every concept, and a metric that is checked against one."""
        return key in self.concepts or bool(self.metrics[key].crosscheck)

    def is_payment(self, label: str) -> bool:
        """Whether a printed row is a payment: a measure that the taxonomy calls so, and that filers tag as positive."""
        return any(one.fit(label) is Fit.ACCEPTED for one in self._payments)

    @cached_property
    def _payments(self) -> tuple[Concept, ...]:
        return tuple(
            one
            for one in self.concepts.values()
            if one.sign == "pos" and any(tag.startswith(("Payments", "Repayments")) for tag in one.tags)
        )

    def label(self, key: str) -> str:
        """What a concept or a metric is called, whatever its variant; any other key as it is."""
        name = key.partition(":")[0]
        entry = self.concepts.get(name) or self.metrics.get(name)
        return entry.label if entry else key

    def identities_of(self, key: str) -> tuple[Identity, ...]:
        """The identities that a concept is an operand of."""
        return self._identities.get(key, ())

    @cached_property
    def _identities(self) -> dict[str, tuple[Identity, ...]]:
        keys = {key for identity in self.identities for key in identity.keys}
        return {key: tuple(one for one in self.identities if key in one.keys) for key in keys}

    def industries_of(self, sic: str) -> frozenset[str]:
        """The industries of a SIC code; none for an empty or unknown one."""
        code = int(sic) if sic.isdecimal() else -1
        return frozenset(
            name for name, one in self.industries.items() if any(low <= code <= high for low, high in one.sic)
        )

    # --- consistency between entries ---

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if faults := list(self._faults()):
            raise ValueError("\n".join(faults))
        return self

    def _faults(self) -> Iterator[str]:
        yield from (f"concepts.{key}: missing, it is a seed key" for key in SEED_TAGS if key not in self.concepts)
        yield from (
            f"key_figures: no concept {key!r}" for key in self.key_figures.concepts if key not in self.concepts
        )
        yield from (
            f"key_figures: no measure {key!r}"
            for key in self.key_figures.often_asked
            if key not in self.concepts and key not in self.metrics
        )
        yield from (f"metrics.{key}: also a concept" for key in self.metrics if key in self.concepts)
        for key, concept in self.concepts.items():
            for tree in concept.derivations:
                yield from self._unknown(f"concepts.{key}.derive", tree)
            yield from self._unknown_industries(f"concepts.{key}", concept)
        for key, metric in self.metrics.items():
            for tree in metric.expressions:
                yield from self._unknown(f"metrics.{key}.expr", tree, self.metrics)
            if metric.inherits_variants and metric.inherits_variants not in self.metrics:
                yield f"metrics.{key}.inherits_variants: no metric {metric.inherits_variants!r}"
            if metric.crosscheck and metric.crosscheck not in self.concepts:
                yield f"metrics.{key}.crosscheck: no concept {metric.crosscheck!r}"
            yield from self._unknown_industries(f"metrics.{key}", metric)
        yield from self._cycles()
        yield from self._unit_faults()
        yield from self._identity_faults()
        yield from self._alias_faults()

    def _unknown(self, where: str, tree: Expr, metrics: dict[str, Metric] | None = None) -> Iterator[str]:
        """Names in an expression that are neither a concept nor a metric (with that variant)."""
        for operand in operands(tree):
            key, variant = operand.name.key, operand.name.variant
            metric = (metrics or {}).get(key)
            known = (key in self.concepts and not variant) or (metric and (not variant or variant in metric.variants))
            if not known:
                yield f"{where}: nothing is called {str(operand.name)!r}"

    def _unknown_industries(self, where: str, entry: Concept | Metric) -> Iterator[str]:
        for field in ("not_meaningful_for", "industries"):
            unknown = sorted(set(getattr(entry, field)) - set(self.industries))
            yield from (f"{where}.{field}: no industry {name!r}" for name in unknown)

    def _cycles(self) -> Iterator[str]:
        parents = {
            key: {operand.name.key for tree in metric.expressions for operand in operands(tree)} & set(self.metrics)
            for key, metric in self.metrics.items()
        }
        settled: set[str] = set()
        while free := {key for key in parents if key not in settled and parents[key] <= settled}:
            settled |= free
        yield from (f"metrics.{key}.expr: defined by itself" for key in parents if key not in settled)

    def _unit_faults(self) -> Iterator[str]:
        """Expressions that add what cannot be added, or give another unit than the entry's."""
        for key, concept in self.concepts.items():
            for tree in concept.derivations:
                yield from self._wrong_unit(f"concepts.{key}.derive", tree, concept.unit)
        for key, metric in self.metrics.items():
            for tree in metric.expressions:
                yield from self._wrong_unit(f"metrics.{key}.expr", tree, metric.unit)

    def _wrong_unit(self, where: str, tree: Expr, unit: str) -> Iterator[str]:
        def of(name: Name) -> Dimension:
            concept = self.concepts.get(name.key)
            return DIMENSIONS[concept.unit if concept else self.metrics[name.key].unit]

        if any(one.name.key not in self.concepts and one.name.key not in self.metrics for one in operands(tree)):
            return  # said already
        try:
            found = dimension(tree, of, in_days=unit == "days")
        except UnitError as error:
            yield f"{where}: {error}"
            return
        if found != DIMENSIONS[unit]:
            yield f"{where}: {tree} gives {found}, and the unit is {unit}"

    def _identity_faults(self) -> Iterator[str]:
        ids = [identity.id for identity in self.identities]
        yield from (
            f"identities.{twice}.id: used twice" for twice in sorted({id_ for id_ in ids if ids.count(id_) > 1})
        )
        for identity in self.identities:
            named = identity.keys | {*identity.when.tagged, *identity.when.positive, *identity.blocks}
            if identity.otherwise:
                named |= {operand.name.key for operand in operands(identity.otherwise.expr)}
            unknown = sorted(named - set(self.concepts))
            yield from (f"identities.{identity.id}: no concept {key!r}" for key in unknown)

    def _alias_faults(self) -> Iterator[str]:
        for alias, keys in self.aliases.items():
            if not alias:
                yield f"concepts.{keys[0]}.aliases: an alias without a word"
            elif len(keys) > 1 and alias not in self.ambiguous:
                yield f"aliases: {alias!r} means {' and '.join(keys)}; list it in ambiguous_terms"
        for term, entry in self.ambiguous_terms.items():
            unknown = {
                *entry.concepts,
                *entry.mention,
                *entry.mention_if_differs,
                *filter(None, [entry.earned]),
            } - set(self.concepts)
            yield from (f"ambiguous_terms.{term}: no concept {key!r}" for key in sorted(unknown))
            for reading in entry.metrics:
                key, _, variant = reading.partition(":")
                metric = self.metrics.get(key)
                if metric is None or (variant and variant not in metric.variants):
                    yield f"ambiguous_terms.{term}.metrics: no metric {reading!r}"
            if not (entry.concepts or entry.metrics):
                yield f"ambiguous_terms.{term}: has no reading"


class _UniqueKeys(yaml.CSafeLoader):
    """YAML that refuses a key written twice in one mapping, which would silently hide the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise RegistryError(f"line {key_node.start_mark.line + 1}: {key!r} is written twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


def read(source: bytes) -> Registry:
    """A registry from the bytes of its file. Raises RegistryError naming each key and field at fault."""
    try:
        data = yaml.load(source, _UniqueKeys)  # noqa: S506 - a subclass of the safe loader
    except yaml.YAMLError as error:
        raise RegistryError(f"not YAML: {error}") from error
    if not isinstance(data, dict):
        raise RegistryError("not a mapping of sections")
    for section, field in (("concepts", "key"), ("metrics", "key"), ("ambiguous_terms", "term")):
        if isinstance(entries := data.get(section), dict):
            # An entry knows its own key, which in the file is written once.
            data[section] = {
                key: {**entry, field: key} if isinstance(entry, dict) else entry for key, entry in entries.items()
            }
    try:
        return Registry.model_validate({**data, "version": hashlib.sha256(source).hexdigest()[:12]})
    except ValidationError as error:
        raise RegistryError("\n".join(_line(fault) for fault in error.errors())) from error


def _line(fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    # A fault between fields names its field itself: "tags: ...".
    separator = "." if fault["type"] == "value_error" and message.partition(": ")[0].isidentifier() else ": "
    return f"{where}{separator}{message}" if where else message


@lru_cache(maxsize=1)
def load() -> Registry:
    """The registry of this installation, read once."""
    return read(PATH.read_bytes())
