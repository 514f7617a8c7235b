"""People of the tests: Alice and Bob have accounts, Charlie is staff; `client` itself is an anonymous visitor."""

import math
from collections.abc import Iterator

import pytest
from cachetools import LRUCache
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from agent.numbers.printed.printed_rows import read_tables
from agent.query.words import printed_names
from agent.registrants import index_source, registrant_index
from agent.registrants.registrant_index import Companies

# Every test's database holds the bundled sample; `sample` gives its companies by ticker.
from tests.support.sample import django_db_setup, migrated, sample

# Indexes of companies by the stamp of their tables.
INDEXES: LRUCache[str, Companies] = LRUCache(4)

__all__ = ["django_db_setup", "migrated", "sample"]


@pytest.hookimpl(tryfirst=True)
def pytest_make_parametrize_id(val: object) -> str | None:
    """Files made for a test hold the second at which they were made: all processes must name the test alike."""
    return f"{len(val)} bytes" if isinstance(val, bytes) and len(val) > 60 else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a module's tests share is made once: all that use it go to one process of pytest-xdist."""
    for item in items:
        if isinstance(item, pytest.Function) and not item.get_closest_marker("xdist_group"):
            made = (one for found in item._fixtureinfo.name2fixturedefs.values() for one in found)
            if any(one.scope == "module" for one in made):
                item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice@example.com", "wonderland-42")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob@example.com", "builder-4242")


@pytest.fixture
def charlie(db: None) -> User:
    return User.objects.create_superuser("charlie@example.com", "chocolate-42")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_alice(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def as_bob(bob: User) -> Client:
    return signed_in(bob)


@pytest.fixture
def as_charlie(charlie: User) -> Client:
    return signed_in(charlie)


@pytest.fixture(autouse=True)
def index_as_stored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests store companies and ask about them at once: the index looks at the tables before each question.

    A test that stores some does not make the next build the sample's anew.
    """
    stamp_of = index_source.version

    def version() -> str:
        stamp = stamp_of()
        if (held := INDEXES.get(stamp)) is not None:
            registrant_index._current[:] = [(-math.inf, held)]
        return stamp

    monkeypatch.setattr("agent.registrants.registrant_index.FRESH", 0.0)
    monkeypatch.setattr(index_source, "version", version)
    yield
    INDEXES.update((one.version, one) for _, one in registrant_index._current)


@pytest.fixture(autouse=True)
def broker_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One test's broker that takes nothing is not left alone by the next: each message is sent."""
    monkeypatch.setattr("diligence.messages.REST_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """allauth counts attempts in the cache, which outlives a test; primary keys of one test's tables return in the next."""
    cache.clear()
    read_tables.cache_clear()
    printed_names.of_company.cache_clear()
