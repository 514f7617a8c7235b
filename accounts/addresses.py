"""Client addresses: decides once, for sign-in and quotas, how many proxies are trusted."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

# The smallest network that a provider assigns: counted by single addresses, one machine would be 2**64.
IPV6_PREFIX = 64
# What a provider usually assigns to one customer: 256 of those.
IPV6_SITE_PREFIX = 56


def client_network(request: HttpRequest) -> str:
    """The client's network: an IPv4 address, or an IPv6 /64; "" where there is none (a socket file)."""
    try:
        address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ValueError):
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, IPV6_PREFIX), strict=False))
    return str(address)


def site_of(network: str) -> str:
    """The /56 of an IPv6 network; "" for IPv4 and for no address."""
    if ":" not in network:
        return ""
    return str(ipaddress.IPv6Network(network).supernet(new_prefix=IPV6_SITE_PREFIX))
