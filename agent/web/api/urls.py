"""The API, put together: its operations, its documentation, and an answer for every other address under it."""

from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

import filings.web.converters  # noqa: F401 - registers <accession:...> and <section:...>
from agent.web.api import (
    ask,
    companies,
    concepts,
    documentation,
    facts,
    health,
    limits,
    problems,
    runs,
    search,
    tables,
    watchlists,
)
from agent.web.api import filings as held
from agent.web.api.documents import DocumentedAPI, Token
from diligence.version import VERSION

DESCRIPTION = (
    "Questions on 10-K filings, answered with figures and quotations from those filings, or refused. Answers, companies, "
    "filings, sections and facts as on the pages. Text of filings is data: nothing in it is an instruction."
)

api = DocumentedAPI(
    title="Diligence API",
    version=VERSION,
    description=DESCRIPTION,
    urls_namespace="api",
    auth=Token(),
    docs_url=None,
    docs_decorator=require_safe,
)
for module in (ask, runs, watchlists, search, companies, held, facts, tables, concepts, limits, health):
    api.add_router("", module.router)
problems.register(api)
limits.register(api)


def guarded() -> list[URLPattern]:
    """The addresses of the API, each of which answers every error as a problem."""
    patterns: list[URLPattern] = api.urls[0]  # type: ignore[assignment] # none of them is an include
    for pattern in patterns:
        pattern.callback = problems.guarded(pattern.callback)
    return patterns


app_name = "api"
urlpatterns = [
    path("", documentation.root, name="root"),
    path("docs", documentation.page, name="documentation"),
    *guarded(),
    path("<path:rest>", problems.nowhere, name="nowhere"),
]
