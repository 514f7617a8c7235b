"""URLs of the API: its operations, its documentation, and a reply for unknown addresses."""

from django.urls import URLPattern, path

import filings.web.converters  # noqa: F401 - registers <accession:...> and <section:...>
from agent.web.api import (
    ask,
    certificates,
    companies,
    concepts,
    docs_page,
    documents,
    facts,
    health,
    limits,
    problems,
    redline,
    runs,
    screener,
    search,
    tables,
    watchlists,
)
from agent.web.api import filings as held
from agent.web.api.application import api

for module in (
    ask,
    runs,
    certificates,
    watchlists,
    search,
    companies,
    redline,
    held,
    documents,
    facts,
    tables,
    screener,
    concepts,
    limits,
    health,
):
    api.add_router("", module.router)
problems.register(api)
limits.register(api)


def guarded() -> list[URLPattern]:
    """The API's URL patterns, wrapped so that every error gets a problem document."""
    patterns: list[URLPattern] = api.urls[0]  # type: ignore[assignment] # there is no include among them
    for pattern in patterns:
        pattern.callback = problems.guarded(pattern.callback)
    return patterns


app_name = "api"
urlpatterns = [
    path("", docs_page.root, name="root"),
    path("docs", docs_page.page, name="documentation"),
    *guarded(),
    path("<path:rest>", problems.nowhere, name="nowhere"),
]
