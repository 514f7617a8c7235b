"""What we tell allauth to do otherwise."""

import ipaddress
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import httpkit
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts import browsers, guesses


class AccountAdapter(DefaultAccountAdapter):
    """allauth with one reading of client addresses, and one count of guessed passwords."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address of the client: what the outermost trusted proxy saw. Raises PermissionDenied without any.

        A request that came past the proxies has fewer addresses than there are proxies, or none that can be read: it
        is whoever connected to us. An IPv4 address in IPv6 clothes is the IPv4 address, or all of them were one /64.
        """
        count: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
        forwarded = request.headers.get("X-Forwarded-For", "").split(",")
        seen = forwarded[-count] if 0 < count <= len(forwarded) else ""
        found = httpkit.clean_client_ip(seen) or httpkit.clean_client_ip(request.META.get("REMOTE_ADDR", ""))
        if not found:
            raise PermissionDenied("The client's address is unknown.")
        address = ipaddress.ip_address(found)
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return str(mapped or address)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt. Raises forms.ValidationError where there are too many."""
        super().pre_authenticate(request, **credentials)
        account = self._get_login_attempts_cache_key(request, **credentials)
        browser = browsers.known_by_email(request, credentials.get("email", ""))
        self.guess = guesses.guess(request, "password", account, browser)

    def _rollback_login_failed_rl_usage(self) -> None:
        super()._rollback_login_failed_rl_usage()
        self.guess.was_right()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        super()._delete_login_attempts_cached_email(request, **credentials)
        guesses.forget(request, "password", self._get_login_attempts_cache_key(request, **credentials))
