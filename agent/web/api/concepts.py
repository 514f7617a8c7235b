"""Concepts and metrics by key and name."""

from difflib import get_close_matches

from ninja import Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.numbers import registry as registry_file
from agent.numbers.metrics import variants
from agent.numbers.registry import Concept as Stored
from agent.numbers.registry import Metric as StoredMetric
from agent.numbers.registry import Registry, normalise
from agent.web.api.openapi import errors
from agent.web.api.problems import NotFound, Problem

router = Router(tags=["Companies and filings"])


class Concept(BaseModel):
    """One measure."""

    key: str = Field(description="Key to ask for it by, such as revenue.")
    label: str = Field(description="Its name for people.")
    unit: str = Field(description="As XBRL has it: USD, shares, USD/shares, pure.")
    period: str = Field(description="duration for an amount of a year, instant for a balance, ...")
    statement: str = Field(description="Where it stands: income, balance, cashflow, ...")
    names: list[str] = Field(description="Other names it is asked by.")
    tags: list[str] = Field(description="XBRL tags that may answer, in order.")


class Variant(BaseModel):
    """One definition of a metric."""

    key: str = Field(description="Key to ask for this definition by, such as roe:ending.")
    label: str = Field(description="Its name for people.")


class Metric(BaseModel):
    """One measure computed from concepts."""

    key: str = Field(description="Key to ask for it by, such as gross_margin.")
    label: str = Field(description="Its name for people.")
    unit: str = Field(description="USD, USD/share, percent, ratio or days.")
    names: list[str] = Field(description="Other names it is asked by.")
    variants: list[Variant] = Field(description="Its definitions, the default first; empty where there is one.")


class Concepts(BaseModel):
    """All known measures, by key."""

    items: list[Concept] = Field(description="All that are reported.")
    metrics: list[Metric] = Field(description="All that are computed, as /table takes them.")


@router.get("/concepts", operation_id="list_concepts", response={200: Concepts, **errors()})
def concepts(request: Request) -> Concepts:
    """The measures with reported figures, and those computed from them."""
    registry = registry_file.load()
    return Concepts(
        items=[shown(one) for _, one in sorted(registry.concepts.items())],
        metrics=[metric(one, registry) for _, one in sorted(registry.metrics.items()) if not one.hidden],
    )


def shown(one: Stored) -> Concept:
    return Concept(
        key=one.key,
        label=one.label,
        unit=str(one.unit),
        period=str(one.period),
        statement=str(one.statement),
        names=list(one.aliases),
        tags=[candidate.name for candidate in one.candidates],
    )


def metric(one: StoredMetric, registry: Registry) -> Metric:
    return Metric(
        key=one.key,
        label=one.label,
        unit=one.unit,
        names=list(one.aliases),
        variants=[Variant(key=f"{one.key}:{name}", label=said) for name, said in variants(one, registry).items()],
    )


def concept_called(text: str) -> Stored:
    """The concept of a key, or of a name with one meaning. Raises NotFound; Problem (422) for several meanings."""
    registry = registry_file.load()
    wanted = text.strip().lower()
    if wanted in registry.concepts:
        return registry.concepts[wanted]
    keys = [key for key in registry.aliases.get(normalise(text), ()) if key in registry.concepts]
    if not keys:
        near = get_close_matches(wanted.replace(" ", "_"), registry.concepts, n=5, cutoff=0)
        raise NotFound(f"concept. The nearest keys are {', '.join(near)}")
    if len(keys) > 1:
        detail = f"“{text}” has several meanings: {', '.join(keys)}. Give one of these keys."
        raise Problem(422, "ambiguous_concept", detail, errors=[{"field": "concept", "message": detail}])
    return registry.concepts[keys[0]]
