"""News from a service with Tavily's `/search`, with failures in words.

Request: {"query", "topic", "max_results", "include_raw_content", "include_domains", "start_date"}; reply: {"results":
[{"title", "url", "content", "raw_content", "published_date"}]}.
https://docs.tavily.com/documentation/api-reference/endpoint/search

Nothing but this one address is asked: of an article there is what the reply has of it.
"""

import json
import logging
import time
from datetime import date, timedelta
from typing import Any

import httpx
from django.conf import settings
from django.utils import timezone
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
    wait_exponential_jitter,
)

from diligence.retry_after import retry_after
from diligence.url_settings import split
from filings.importing.news_addresses import domains
from filings.importing.news_items import NewsItem, news_items

logger = logging.getLogger(__name__)

MOST_QUERY = 400  # characters, Tavily's limit
MOST_BYTES = 20_000_000  # 20 pages of a million characters
EARLIEST = date(1990, 1, 1)  # before the first news that is on the web


class NewsError(Exception):
    """A search for news that failed. The message is a sentence for people; `retryable`: a later try may help."""

    retryable = False

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after  # seconds


class NewsMisconfigured(NewsError):
    """The settings are wrong, or the service refuses the key. The message names the setting."""


class NewsUnavailable(NewsError):
    """The service is busy, unreachable, or sent what cannot be read."""

    retryable = True


class Tavily:
    """The service that the settings name. Safe to be used by several threads."""

    attempts = 3
    first_wait = 0.5
    # Seconds. Where the service asks for a longer wait the search fails, and whoever asked may come again.
    longest_wait = 10.0

    def __init__(self) -> None:
        address = split(settings.NEWS_BASE_URL)
        if address.scheme not in {"http", "https"} or not address.hostname or not settings.NEWS_API_KEY:
            raise NewsMisconfigured("NEWS_BASE_URL, an http(s) address, and NEWS_API_KEY are needed together.")
        self.host = address.hostname + (f":{address.port}" if address.port else "")

    def search(self, query: str, since: date | None, most: int) -> tuple[NewsItem, ...]:
        """Up to `most` articles, and no more than NEWS_RESULTS, newest first. See NewsProvider."""
        query = " ".join(query.split())
        if not 0 < len(query) <= MOST_QUERY:
            raise NewsError(f"A search for news takes 1 to {MOST_QUERY} characters, and this one has {len(query)}.")
        if most < 1:
            raise NewsError("A search for news must ask for 1 article or more.")
        allowed, most = domains(settings.NEWS_DOMAINS), min(most, settings.NEWS_RESULTS)
        # Plain text of the page: an excerpt may be in words of the service.
        body: dict[str, Any] = {
            "query": query,
            "topic": "news",
            "max_results": most,
            "include_raw_content": "text",
        }
        if allowed:
            body["include_domains"] = list(allowed)
        if since:
            # A day earlier: whether the day itself is included is not said.
            body["start_date"] = (max(since, EARLIEST) - timedelta(days=1)).isoformat()
        results = self.tried(body)[:most]
        found = news_items(results, allowed, since, timezone.now().date())
        logger.info("News: %d of %d results are kept.", len(found), len(results))
        return found

    def tried(self, body: dict[str, Any]) -> list[Any]:
        """The results of a request, with retries while the service is busy."""

        def wait(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            asked = error.retry_after if isinstance(error, NewsError) else None
            backoff = wait_exponential_jitter(
                multiplier=self.first_wait, max=self.longest_wait, jitter=self.first_wait
            )
            return backoff(state) if asked is None else asked

        def may_help(error: BaseException) -> bool:
            return isinstance(error, NewsError) and error.retryable and (error.retry_after or 0) <= self.longest_wait

        # No attempt begins after the time of one request: somebody may be waiting.
        stop = stop_after_attempt(self.attempts) | stop_before_delay(settings.NEWS_TIMEOUT)
        retrying = Retrying(retry=retry_if_exception(may_help), wait=wait, stop=stop, reraise=True)
        return retrying(self.ask, body)

    def ask(self, body: dict[str, Any]) -> list[Any]:
        """The results of one request, failures as our errors. No message has the key, the query or the reply."""
        until = time.monotonic() + settings.NEWS_TIMEOUT
        try:
            # No redirect: the key is sent only to the host it was given for.
            with httpx.stream(
                "POST",
                f"{settings.NEWS_BASE_URL}/search",
                json=body,
                headers={"Authorization": f"Bearer {settings.NEWS_API_KEY}"},
                timeout=settings.NEWS_TIMEOUT,
                follow_redirects=False,
            ) as response:
                self.check(response)
                content = self.content(response, until)
        except httpx.TimeoutException as error:
            raise self.too_slow() from error
        except httpx.TransportError as error:
            raise NewsUnavailable(f"The news service {self.host} cannot be reached.") from error
        except httpx.DecodingError as error:
            raise self.unreadable() from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise NewsMisconfigured("NEWS_BASE_URL or NEWS_API_KEY has characters that cannot be sent.") from error
        try:
            results = json.loads(content)["results"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise self.unreadable() from error
        if not isinstance(results, list):
            raise self.unreadable()
        return results

    def check(self, response: httpx.Response) -> None:
        """Raise unless the service found something to say."""
        status, named = response.status_code, f"The news service {self.host}"
        if status == 200:
            return
        if status in {401, 403}:
            raise NewsMisconfigured(f"{named} refuses the key ({status}): check NEWS_API_KEY.")
        if status in {404, 405} or response.is_redirect:
            raise NewsMisconfigured(f"{named} has no search at this address ({status}): check NEWS_BASE_URL.")
        if status in {408, 425, 429} or status >= 500:
            raise NewsUnavailable(f"{named} answers {status}.", retry_after(response.headers))
        # Tavily's own: of the plan, and of what is paid as it is used.
        if status in {432, 433}:
            raise NewsError(f"{named} says that the limit of the account is used up ({status}).")
        raise NewsError(f"{named} refuses the request ({status}).")

    def content(self, response: httpx.Response, until: float) -> bytes:
        """The body of a reply, until `until` of time.monotonic()."""
        content = bytearray()
        for part in response.iter_bytes():
            content += part
            if len(content) > MOST_BYTES:
                raise NewsError(
                    f"The reply of the news service {self.host} has more than {MOST_BYTES:,} bytes: "
                    "ask for fewer articles."
                )
            if time.monotonic() > until:
                raise self.too_slow()
        return bytes(content)

    def too_slow(self) -> NewsUnavailable:
        return NewsUnavailable(f"The news service {self.host} did not answer within {settings.NEWS_TIMEOUT:g} s.")

    def unreadable(self) -> NewsUnavailable:
        return NewsUnavailable(f"The reply of the news service {self.host} cannot be read.")
