"""Who may do what at which address: the words in which tests/test_access.py writes its table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import Token, User
from agent.models import Run, Screen, Share, Watchlist
from filings.models import Company, Fact, Filing, Import, SearchRequest

# The owner has the objects that the addresses name, and both tokens; staff are an administrator.
WHO = ("anonymous", "owner", "other", "staff", "ask", "read")

QUESTION = "What was Northwind's revenue in fiscal 2024?"

Statuses = frozenset[int]
Allowed = Mapping[str, Statuses]


def on_its_way() -> Import:
    """A file that waits to be confirmed."""
    return Import.objects.create(filename="call.txt", sha256="0" * 64, size=1, status=Import.Status.ASKED)


@dataclass(frozen=True)
class World:
    """The objects that addresses name, all of them the owner's where they are somebody's."""

    owner: User
    run: Run
    second: Run
    share: Share
    search: SearchRequest
    watchlist: Watchlist
    screen: Screen
    company: Company
    filing: Filing
    fact: Fact
    token: Token
    brought: Import = field(default_factory=on_its_way)


@dataclass(frozen=True)
class Row:
    """What one address answers: statuses by who asks, for GET and for POST.

    args: those of the address. data: what is posted, to the API as JSON. headers: sent along.
    """

    get: Allowed
    post: Allowed
    args: Callable[[World], list[Any]] = lambda world: []
    data: Callable[[World], dict[str, Any]] = lambda world: {}
    headers: dict[str, str] = field(default_factory=dict)


def by(**statuses: int | tuple[int, ...]) -> Allowed:
    """Statuses by who asks; tokens open no page unless they are named."""
    named = {"ask": 403, "read": 403, **statuses}
    return {who: frozenset((found,) if isinstance(found, int) else found) for who, found in named.items()}


def everyone(*statuses: int) -> Allowed:
    """The same for everybody with a browser."""
    return by(anonymous=statuses, owner=statuses, other=statuses, staff=statuses)


def owner(*statuses: int) -> Allowed:
    """Of the owner; to everybody else it does not exist."""
    return by(anonymous=404, owner=statuses, other=404, staff=404)


def signed_in(*statuses: int) -> Allowed:
    """Of whoever has an account, of their own; others are asked to sign in."""
    return by(anonymous=302, owner=statuses, other=statuses, staff=statuses)


def staff(*statuses: int, otherwise: int = 403) -> Allowed:
    return by(anonymous=otherwise, owner=otherwise, other=otherwise, staff=statuses)


def program(status: int, stranger: int | None = None, *, posts: bool = False) -> Allowed:
    """Of the API: browsers and the tokens whose scope it takes; both tokens are the owner's."""
    other = status if stranger is None else stranger
    return by(
        anonymous=other,
        owner=status,
        other=other,
        staff=other,
        ask=status if posts else 403,
        read=403 if posts else status,
    )


NO = everyone(405)
NO_PROGRAM = program(405, posts=True)


def ask(world: World) -> dict[str, Any]:
    return {"question": QUESTION}


def brought(world: World) -> list[Any]:
    return [world.brought.pk]


def walk(
    patterns: list[URLPattern | URLResolver] | None = None, namespace: str = "", route: str = ""
) -> Iterator[tuple[str, str]]:
    """Every address of the site: its name, with namespaces, and its route."""
    for pattern in patterns if patterns is not None else get_resolver().url_patterns:
        here = route + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from walk(pattern.url_patterns, inner, here)
        else:
            yield namespace + (pattern.name or here), here
