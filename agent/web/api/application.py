"""The API as one object: its title, version and authentication. `urls` adds the operations to it."""

from django.views.decorators.http import require_safe

from agent.web.api.openapi import DocumentedAPI, Token
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
