"""Adapts allauth: client addresses, counted sign-in attempts, and verified addresses with OpenID Connect."""

import ipaddress
from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import httpkit, ratelimit
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import redirect

from accounts import login_throttle
from accounts.mail_errors import MailNotSent
from accounts.models import User


class AccountAdapter(DefaultAccountAdapter):
    """Changes how allauth finds a client's address and counts guessed passwords, so that they agree with ours."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail. Raises MailNotSent; a link that was not sent may then be asked for again at once."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # smtplib's errors too
            ratelimit.clear(self.request, app="allauth.account", action="confirm_email", key=email.lower())
            raise MailNotSent from error

    def get_client_ip(self, request: HttpRequest) -> str:
        """The client's IP address as the outermost trusted proxy saw it. Raises PermissionDenied if there is none.

        A request that bypassed the proxies has too few addresses, or unreadable ones: then the connecting address is
        used. An IPv4-mapped IPv6 address is the IPv4 address, or all of them would share one /64.
        """
        count: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
        forwarded = request.headers.get("X-Forwarded-For", "").split(",")
        seen = forwarded[-count] if 0 < count <= len(forwarded) else ""
        found = httpkit.clean_client_ip(seen) or httpkit.clean_client_ip(request.META.get("REMOTE_ADDR", ""))
        if not found:
            raise PermissionDenied("Your IP address is unknown.")
        address = ipaddress.ip_address(found)
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return str(mapped or address)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a sign-in attempt. Raises forms.ValidationError if there are too many."""
        super().pre_authenticate(request, **credentials)
        account = self._get_login_attempts_cache_key(request, **credentials)
        browser = login_throttle.known_by_email(request, credentials.get("email", ""))
        self.guess = login_throttle.guess(request, "password", account, browser)

    def _rollback_login_failed_rl_usage(self) -> None:
        super()._rollback_login_failed_rl_usage()
        self.guess.was_right()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        super()._delete_login_attempts_cached_email(request, **credentials)
        login_throttle.forget(request, "password", self._get_login_attempts_cache_key(request, **credentials))


class SocialAdapter(DefaultSocialAccountAdapter):
    """Accepts an e-mail address from an OpenID Connect provider only if the provider has verified it."""

    def authenticate_by_email(self, sociallogin: Any) -> tuple[User, str] | None:
        """The account whose e-mail address both the provider and this site have verified; None if there is none.

        Otherwise somebody could sign up with another person's address, and wait for that person to sign in.
        """
        for address in sociallogin.email_addresses:
            # Some providers send the text "false", which Python would take as true.
            address.verified = str(address.verified).lower() == "true"
        found = cast("tuple[User, str] | None", super().authenticate_by_email(sociallogin))
        if found and EmailAddress.objects.filter(user=found[0], email__iexact=found[1], verified=True).exists():
            return found
        return None

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Stop a sign-in that would create or connect an account with an unverified address."""
        if sociallogin.is_existing or any(address.verified for address in sociallogin.email_addresses):
            return
        messages.error(request, "You cannot sign in with this provider: it has not verified your e-mail address.")
        raise ImmediateHttpResponse(redirect("account_login"))
