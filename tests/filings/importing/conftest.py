from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.support.news import KEY, LocalNews


@pytest.fixture
def service(settings: Settings) -> Iterator[LocalNews]:
    """A news service that the settings name."""
    with LocalNews() as server:
        settings.NEWS_BASE_URL, settings.NEWS_API_KEY = server.url, KEY
        settings.NEWS_RESULTS, settings.NEWS_DOMAINS, settings.NEWS_TIMEOUT = 20, [], 5.0
        yield server
