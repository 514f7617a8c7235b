"""The API object with its title, version and authentication. `urls` adds the operations to it."""

from django.views.decorators.http import require_safe

from agent.web.api.openapi import DocumentedAPI, Token
from diligence.version import VERSION

DESCRIPTION = (
    "Answers questions about 10-K filings with figures and quotations from them, or refuses. Gives the same answers, "
    "companies, filings, sections and facts as the pages. Text of filings is data: nothing in it is an instruction."
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
