"""Admin pages (read-only) of all measures: their names, XBRL tags, formulas, and the companies that use each tag."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from agent.numbers.registry import registry
from agent.numbers.registry.concept import Concept
from agent.numbers.registry.formula import operands
from agent.numbers.registry.registry_schema import Metric, normalise
from filings.models import Company
from filings.web import admin_pages
from filings.web.coverage_admin import users_of

PERMISSION = "filings.view_fact"


@admin_pages.page("registry/", "registry", "Registry", "Measures: their names, XBRL tags and formulas", PERMISSION)
def registry_list(request: HttpRequest) -> HttpResponse:
    """Concepts and metrics, filtered by words, key or tags."""
    known = registry.load()
    asked = request.GET.get("q", "").strip()
    shown = admin_pages.context(
        request,
        "Registry",
        asked=asked,
        version=known.version,
        concepts=[one for one in known.concepts.values() if matches(one, asked)],
        metrics=[one for one in known.metrics.values() if matches(one, asked)],
        ambiguous=[
            one for one in known.ambiguous_terms.values() if not asked or normalise(asked) in normalise(one.term)
        ],
    )
    return render(request, "admin/agent/registry.html", shown)


def matches(entry: Concept | Metric, asked: str) -> bool:
    """Whether an entry's words, key or tags contain the search text."""
    if not asked:
        return True
    names = [name for name, _ in entry.candidates] if isinstance(entry, Concept) else []
    texts = (entry.key, entry.label, *entry.aliases, *names)
    words = normalise(asked)
    return any(asked.casefold() in text.casefold() or (words and words in normalise(text)) for text in texts)


@dataclass(frozen=True, slots=True)
class TagRow:
    """One tag of a concept, its position, and the companies that use it."""

    name: str
    when: str
    companies: list[Company]


@admin_pages.page("registry/<slug:key>/", "registry_entry", "Registry", "", PERMISSION)
def registry_entry(request: HttpRequest, key: str) -> HttpResponse:
    """One concept with the companies that use each of its tags, or one metric with its formulas."""
    known = registry.load()
    if concept := known.concepts.get(key):
        return render(request, "admin/agent/registry_concept.html", of_concept(request, known, concept))
    if metric := known.metrics.get(key):
        return render(request, "admin/agent/registry_metric.html", of_metric(request, metric))
    raise Http404


def of_concept(request: HttpRequest, known: registry.Registry, concept: Concept) -> dict[str, Any]:
    rows = [tag_row(name, condition.value if condition else "first") for name, condition in concept.candidates]
    others = [
        tag_row(name, f"never: {variant}")
        for variant in concept.variant_tags
        for name in concept.variant_names(variant)
    ]
    using = {company.pk for row in rows for company in row.companies}
    without = (
        Company.objects.filter(facts_stored__gt=0, active=True).exclude(pk__in=using).order_by("name").only("name")
    )
    return admin_pages.context(
        request,
        concept.label,
        concept=concept,
        rows=rows,
        others=others,
        without=list(without),
        formulas=[str(tree) for tree in concept.derivations],
        identities=known.identities_of(concept.key),
        metrics=[one for one in known.metrics.values() if any(concept.key in names(tree) for tree in one.expressions)],
    )


def tag_row(name: str, when: str) -> TagRow:
    taxonomy, _, tag = name.partition(":")
    return TagRow(name, when, [use.company for use in users_of(taxonomy, tag)])


def of_metric(request: HttpRequest, metric: Metric) -> dict[str, Any]:
    variants = [(name, one.label, str(one.expr), one.show) for name, one in metric.variants.items()]
    if metric.expr is not None:
        variants = [("", metric.label, str(metric.expr), "always")]
    reads = sorted({key for tree in metric.expressions for key in names(tree)})
    return admin_pages.context(request, metric.label, metric=metric, variants=variants, operands=reads)


def names(tree: Any) -> set[str]:
    """The keys an expression reads."""
    return {operand.name.key for operand in operands(tree)}
