"""`GET /usage`, the headers with remaining limits, and the reply to a request over a limit."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI, Router
from pydantic import BaseModel, Field

from accounts import quotas
from accounts.identity import Identity
from accounts.identity_middleware import forget_new
from accounts.limit_errors import LimitReached, headers, response
from accounts.quotas import uses
from accounts.request_types import Request
from agent.web.api.openapi import UsedLimit, errors

router = Router(tags=["Service"])


class Usage(BaseModel):
    """Your usage and limits."""

    tier: str = Field(description="Kind of user: anon (without an account), user or staff.")
    limits: list[UsedLimit] = Field(description="Your limits, each with the amount used.")


@router.get("/usage", operation_id="get_usage", response={200: Usage, **errors()})
def usage(request: Request, answer: HttpResponse) -> Usage:
    """Get the limits and usage of your account or, without one, of your IP address."""
    identity = request.identity
    limits = uses(identity)
    tell(answer, headers(limits))
    return Usage(tier=str(identity.tier), limits=[UsedLimit(**asdict(one)) for one in limits])


def with_limits(answer: HttpResponse, identity: Identity) -> HttpResponse:
    """Adds headers with the remaining amount of each limit to a response."""
    return tell(answer, headers(uses(identity)))


def tell(answer: HttpResponse, fields: dict[str, str]) -> HttpResponse:
    for name, value in fields.items():
        answer[name] = value
    return answer


def exceeded(request: HttpRequest, reached: LimitReached | type[LimitReached]) -> HttpResponse:
    """The reply to a request over a limit: 429 or 413."""
    if isinstance(reached, type):
        raise TypeError(reached)
    forget_new(request)
    return tell(response(reached), quotas.refusal_headers(reached, request.identity))  # type: ignore[attr-defined]


def register(api: NinjaAPI) -> None:
    """Let the API reply to exceeded limits with `exceeded`."""
    api.add_exception_handler(LimitReached, exceeded)
