"""The cache while Redis is away and once it is back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCacheClient
from pytest_django.fixtures import Settings
from redis.exceptions import RedisError

from diligence import cache as caching
from tests.support.away import AWAY, refusing
from tests.support.full_disk import disk_full


@contextmanager
def cached_at(settings: Settings, place: str) -> Iterator[None]:
    """The cache of these settings, in a Redis elsewhere; asked each time, as if the rest were over."""
    where = {"BACKEND": "diligence.cache.Cache", "LOCATION": f"redis://{place}/0", "OPTIONS": {"socket_timeout": 0.1}}
    before = settings.CACHES
    settings.CACHES = {"default": where}
    yield
    settings.CACHES = before


@pytest.mark.parametrize("kind", AWAY)
def test_all_that_a_cache_does_goes_on_in_memory(kind: str, settings: Settings) -> None:
    with AWAY[kind]() as place, cached_at(settings, place):
        assert cache.get("a") is None
        assert cache.add("a", 1)
        assert not cache.add("a", 2)
        assert (cache.get("a"), cache.incr("a", 4), cache.decr("a")) == (1, 5, 4)
        cache.set("b", ["x"], 60)
        cache.set_many({"c": 1, "d": 2})
        assert cache.get_many(["b", "c", "none"]) == {"b": ["x"], "c": 1}
        assert "c" in cache
        assert cache.touch("c", 60)
        assert cache.get_or_set("e", 5) == 5
        assert cache.delete("b")
        cache.delete_many(["c", "d"])
        assert cache.get_many("abcde") == {"a": 4, "e": 5}
        with pytest.raises(ValueError, match="not found"):
            cache.incr("none")
        cache.clear()
        assert cache.get_many("ae") == {}


def test_memory_keeps_as_much_as_the_settings_say(settings: Settings) -> None:
    settings.CACHE_MOST_ENTRIES = 600
    with refusing() as place, cached_at(settings, place):
        cache.set_many({str(number): number for number in range(600)})
        assert len(cache.get_many(str(number) for number in range(600))) == 600
        cache.set("more", 1)
        assert len(cache.get_many(str(number) for number in range(600))) < 600


def test_after_a_failure_redis_is_left_alone_for_a_while_and_told_of_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[Any] = []

    def fails(*args: Any) -> None:
        asked.append(args)
        raise RedisError("away")

    monkeypatch.setattr(RedisCacheClient, "get", fails)
    with refusing() as place, cached_at(settings, place):
        for _ in range(3):
            cache.get("a")
        assert len(asked) == 1
        monkeypatch.setattr(caching, "REST_SECONDS", 0.0)
        caching._standings[f"redis://{place}/0"].rests_until = 0.0
        for _ in range(3):
            cache.get("a")
        assert len(asked) == 4
    assert len(caplog.records) == 1


def test_what_was_kept_in_memory_is_forgotten_once_redis_answers(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching, "REST_SECONDS", 0.0)
    with refusing() as place, cached_at(settings, place):
        cache.set("a", "of the time without Redis")
        assert cache.get("a") == "of the time without Redis"
        with monkeypatch.context() as back:
            back.setattr(RedisCacheClient, "get", lambda *_: "of Redis")
            assert cache.get("a") == "of Redis"
        assert cache.get("a") is None


def test_a_folder_on_a_full_disk_is_in_memory_meanwhile(settings: Settings, tmp_path: Path) -> None:
    where = {"BACKEND": "diligence.cache.FolderCache", "LOCATION": str(tmp_path)}
    settings.CACHES = {"default": where}
    with disk_full(0):
        cache.set("a", 1)
        assert cache.incr("a") == 2
        assert not [path for path in tmp_path.iterdir() if path.stat().st_size]
    caching._standings[str(tmp_path)].rests_until = 0.0
    cache.set("b", "in the folder")
    assert (cache.get("a"), cache.get("b")) == (None, "in the folder")
    assert len(list(tmp_path.glob("*.djcache"))) == 1
