"""The page of a cited fact; of a printed figure that no fact stores, its line in the document."""

from django.urls import reverse

from agent.state import FactRef
from filings.web import printed_places


def fact_path(fact: FactRef) -> str:
    """The path of the page that shows a fact; empty where its document is gone."""
    if fact.place is None:
        return reverse("fact", args=[fact.fact])
    return printed_places.address(fact.accession, fact.cik, fact.section, fact.text_start, fact.text_end)
