"""`GET /concepts`: the measures you can ask for, with their keys and names."""

from difflib import get_close_matches

from ninja import Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.metrics import variants
from agent.numbers.registry.registry import Concept as Stored
from agent.numbers.registry.registry import Metric as StoredMetric
from agent.numbers.registry.registry import Registry, normalise
from agent.state.conversion import converted
from agent.web.api.openapi import errors
from agent.web.api.problems import NotFound, Problem

router = Router(tags=["Companies and filings"])


class Concept(BaseModel):
    """One measure that companies report."""

    key: str = Field(description="Key to ask for it with, such as revenue.")
    label: str = Field(description="Name to show.")
    unit: str = Field(description="Unit in XBRL: USD, shares, USD/shares, or pure (a plain number).")
    period: str = Field(description="duration (an amount over a year), instant (a balance on a day), ...")
    statement: str = Field(description="Statement that reports it: income, balance, cashflow, ...")
    names: list[str] = Field(description="Other names that questions may use for it.")
    tags: list[str] = Field(description="XBRL tags that can report it, the preferred one first.")


class Variant(BaseModel):
    """One definition of a metric."""

    key: str = Field(description="Key to ask for this definition with, such as roe:ending.")
    label: str = Field(description="Name to show.")


class Metric(BaseModel):
    """One measure computed from reported ones, such as a margin."""

    key: str = Field(description="Key to ask for it with, such as gross_margin.")
    label: str = Field(description="Name to show.")
    unit: str = Field(description="Unit: USD, USD/share, percent, ratio or days.")
    names: list[str] = Field(description="Other names that questions may use for it.")
    variants: list[Variant] = Field(description="Its definitions, the default first; empty if there is only one.")


class Concepts(BaseModel):
    """All measures you can ask for, ordered by key."""

    items: list[Concept] = Field(description="Measures that companies report.")
    metrics: list[Metric] = Field(description="Measures computed from reported ones; /table accepts these too.")


@router.get("/concepts", operation_id="list_concepts", response={200: Concepts, **errors()})
def concepts(request: Request) -> Concepts:
    """List the measures that companies report, and those computed from them."""
    registry = registry_file.load()
    return Concepts(
        items=[shown(one) for _, one in sorted(registry.concepts.items())],
        metrics=[metric(one, registry) for _, one in sorted(registry.metrics.items()) if not one.hidden],
    )


def shown(one: Stored) -> Concept:
    return converted(
        Concept,
        one,
        names=one.aliases,
        tags=[candidate.name for candidate in one.candidates],
    )


def metric(one: StoredMetric, registry: Registry) -> Metric:
    return converted(
        Metric,
        one,
        names=one.aliases,
        variants=[Variant(key=f"{one.key}:{name}", label=said) for name, said in variants(one, registry).items()],
    )


def concept_called(text: str) -> Stored:
    """The concept with a key or an unambiguous name. Raises NotFound, or Problem (422) if a name has several meanings."""
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
