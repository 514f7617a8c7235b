"""Requires a second factor of staff before the admin opens, if STAFF_MFA=1."""

from collections.abc import Callable
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from accounts.models import User

# Recovery codes exist only together with one of these.
SECOND_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def may_administer(request: HttpRequest) -> bool:
    """Whether a request may open the admin: from staff and, with STAFF_MFA, signed in with a second factor."""
    user = request.user
    return bool(user.is_active and user.is_staff) and not next_step(request)


def next_step(request: HttpRequest) -> str:
    """The page where staff must first set up or use a second factor; "" if nothing is missing.

    A session that began before the second factor was set up must use it too, so that a stolen session does not get in.
    """
    if not settings.STAFF_MFA:
        return ""
    user = cast("User", request.user)
    if not is_mfa_enabled(user, SECOND_FACTORS):
        return reverse("mfa_index")
    if any(record["method"] == "mfa" for record in get_authentication_records(request, user)):
        return ""
    ways = [way["url"] for way in get_adapter().get_reauthentication_methods(user) if way["id"].startswith("mfa")]
    return f"{ways[0]}?{urlencode({'next': reverse('admin:index')})}"


def with_second_factor(login: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wraps the admin's sign-in page: first leads staff to set up or use their second factor."""

    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        step = next_step(request)
        if not step:
            return login(request, *args, **kwargs)
        if step == reverse("mfa_index"):
            messages.warning(request, "Staff need a second factor to open the admin. Set one up here.")
        return redirect(step)

    return view
