"""`GET /health`: whether Diligence works, and its version."""

from django.db import connection
from ninja import Router
from pydantic import BaseModel, Field

from accounts.request_types import Request
from agent.numbers.registry import registry as registry_file
from agent.steps.versions import code_version
from agent.web.api.openapi import errors
from agent.web.forms import models_usable
from diligence.version import VERSION

router = Router(tags=["Service"])


class Health(BaseModel):
    """The state of this site and its versions."""

    status: str = Field(description="Always ok; if the site does not work, the reply is an error.")
    release: str = Field(description="Release of Diligence, such as 1.0.0.")
    version: str = Field(description="Version of the code that produces answers.")
    registry: str = Field(description="Version of the list of measures.")
    model: bool = Field(description="Whether a language model is configured and can be used.")


@router.get("/health", auth=None, operation_id="get_health", response={200: Health, **errors()})
def health(request: Request) -> Health:
    """Get whether questions can be asked. /readyz has more details for administrators."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Health(
        status="ok",
        release=VERSION,
        version=code_version(),
        registry=registry_file.load().version,
        model=models_usable(),
    )
