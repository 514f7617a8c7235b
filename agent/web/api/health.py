"""The API's health operation."""

from django.db import connection
from ninja import Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.numbers import registry as registry_file
from agent.steps.versions import code_version
from agent.web.api.openapi import errors
from agent.web.pages.forms import models_usable
from diligence.version import VERSION

router = Router(tags=["Service"])


class Health(BaseModel):
    """That the API answers, and its release."""

    status: str = Field(description="ok")
    release: str = Field(description="The release of Diligence, as 0.2.0.")
    version: str = Field(description="Version of the code that decides answers.")
    registry: str = Field(description="Version of the concepts.")
    model: bool = Field(description="Whether a language model takes part.")


@router.get("/health", auth=None, operation_id="get_health", response={200: Health, **errors()})
def health(request: Request) -> Health:
    """Whether questions can be asked. /readyz tells operators more."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Health(
        status="ok",
        release=VERSION,
        version=code_version(),
        registry=registry_file.load().version,
        model=models_usable(),
    )
