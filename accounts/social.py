"""Signing in with OpenID Connect: who is let in, and whose account it is."""

from typing import Any, cast

from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.http import HttpRequest
from django.shortcuts import redirect

from accounts.models import User


class SocialAdapter(DefaultSocialAccountAdapter):
    """A provider's word for an address counts only where the provider has verified the address itself."""

    def authenticate_by_email(self, sociallogin: Any) -> tuple[User, str] | None:
        """The account with an address that both the provider and we have verified; None without one.

        An unverified address of ours is anybody's: whoever registered it could wait for its owner to sign in.
        """
        for address in sociallogin.email_addresses:
            # Some providers write the claim as text, and "false" is a text too.
            address.verified = str(address.verified).lower() == "true"
        found = cast("tuple[User, str] | None", super().authenticate_by_email(sociallogin))
        if found and EmailAddress.objects.filter(user=found[0], email__iexact=found[1], verified=True).exists():
            return found
        return None

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Stop a sign-in that would make or connect an account on an address nobody has verified."""
        if sociallogin.is_existing or any(address.verified for address in sociallogin.email_addresses):
            return
        messages.error(request, "Nothing was connected: the provider has not verified your e-mail address.")
        raise ImmediateHttpResponse(redirect("account_login"))
