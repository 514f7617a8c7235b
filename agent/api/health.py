"""Whether the API answers."""

from django.db import DatabaseError, connection
from ninja import Router
from pydantic import BaseModel, Field

from accounts.requests import Request
from agent.api.documents import errors
from agent.api.problems import Problem
from agent.numbers import registry as registry_file
from agent.pages.forms import models_usable
from agent.versions import code_version

router = Router(tags=["Service"])


class Health(BaseModel):
    """That it answers, and with what."""

    status: str = Field(description="ok")
    version: str = Field(description="Of the code that decides answers.")
    registry: str = Field(description="Version of the concepts.")
    model: bool = Field(description="Whether a language model takes part.")


@router.get("/health", auth=None, operation_id="get_health", response={200: Health, **errors(503)})
def health(request: Request) -> Health:
    """Whether questions can be taken. /readyz says more, to those who run it."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        raise Problem(503, "unavailable", "The database does not answer.", {"Retry-After": "5"}) from error
    return Health(status="ok", version=code_version(), registry=registry_file.load().version, model=models_usable())
