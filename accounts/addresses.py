"""Finds a client's network from its IP address, for sign-in limits and quotas."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

# The smallest network that a provider assigns; one machine can use all of its 2**64 addresses.
IPV6_PREFIX = 64
# The network that a provider usually assigns to one customer: 256 of the smallest ones.
IPV6_SITE_PREFIX = 56


def client_network(request: HttpRequest) -> str:
    """The client's network: an IPv4 address or an IPv6 /64; "" if there is none (a socket file)."""
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
