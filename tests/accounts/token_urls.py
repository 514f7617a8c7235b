"""The site, with addresses below /api/ that say who asks: one exempt from CSRF, as those for programs are, and one not."""

from django.http import JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from accounts.identity_middleware import ensure_identity
from accounts.request_types import Request
from diligence.urls import urlpatterns as of_the_site


def who(request: Request) -> JsonResponse:
    found = ensure_identity(request)
    return JsonResponse(
        {
            "identity": found.user.email if found.user else None,
            "user": str(request.user),
            "visitor": bool(found.visitor),
            "token": found.token.name if found.token else None,
        }
    )


urlpatterns = [path("api/who", csrf_exempt(who)), path("api/guarded", who), *of_the_site]
