"""The only client of EDGAR: validated downloads over HTTP, parsed into our own types.

Paths are the SEC's own. `edgartools` reads the submissions and SGML containers downloaded here; its own HTTP client and
cache are never used, because they keep a truncated container or a rate-limit page for ever.
"""

import json
import logging
import re
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Self
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
    wait_exponential_jitter,
)

from diligence import counters
from diligence.retry_after import retry_after
from filings.edgar import contact
from filings.edgar.edgar_files import (
    Container,
    EdgarError,
    Invalid,
    ListedTicker,
    NotFound,
    NotIdentified,
    Submissions,
    Unavailable,
    read_container,
    read_submissions,
    read_tickers,
)
from filings.edgar.limiter import Limiter
from filings.edgar.raw_files import RawStore

__all__ = ["Container", "Edgar", "EdgarError", "Invalid", "NotFound", "NotIdentified", "Submissions", "Unavailable"]

# httpx logs every request at INFO; the steps of an ingestion are logged in words.
logging.getLogger("httpx").setLevel(logging.WARNING)

ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}")
END_OF_SUBMISSION = b"</SEC-DOCUMENT>"
MAX_BYTES = 600_000_000  # the largest 10-K containers of banks are near 100 MB
MAX_ERROR_BYTES = 10_000
MAX_REDIRECTS = 3
DATA_PATHS = ("submissions/", "api/")  # served by data.sec.gov; everything else by www.sec.gov


def check_json(content: bytes) -> None:
    """Raise unless the bytes are a JSON object. A rate-limit page comes as HTML with status 200."""
    if content.lstrip()[:1] == b"<":
        raise Unavailable("EDGAR sent a web page where JSON was due; it does so when it limits the rate.")
    try:
        json.loads(content)
    except ValueError as error:
        raise Invalid(f"EDGAR sent JSON that cannot be read: {error}.") from error


def check_submission(content: bytes) -> None:
    """Raise unless the bytes are a complete submission text: a truncated one lacks its last line."""
    # Old filings close an envelope for privacy-enhanced mail after it.
    if END_OF_SUBMISSION not in content[-300:]:
        raise Unavailable("The submission text does not end with </SEC-DOCUMENT>: it was cut, or is another page.")


@cache
def _authorities() -> ssl.SSLContext:
    """Whose certificates are trusted: read once, as it takes longer than a request."""
    return httpx.create_ssl_context()


class Edgar:
    """EDGAR, or a folder or server with its paths.

    transport: an httpx transport that replaces the network (the bundled sample); then nothing is limited, stored, or
    checked for an identity. beat: called before every request and during every wait; it may raise to stop. Methods
    raise `EdgarError`; `error.retryable` says whether a later try can help.
    """

    attempts = 6
    first_wait = 1.0
    longest_wait = 120.0  # seconds; the SEC's lock-out of about 10 minutes is reported as a failure

    def __init__(self, transport: httpx.BaseTransport | None = None, beat: Callable[[], None] = lambda: None) -> None:
        self.bundled = transport is not None
        self.beat = beat
        if not self.bundled:
            check_identity(settings.EDGAR_IDENTITY)
        self.store = None if self.bundled else RawStore()
        self.limiter = (
            None
            if self.bundled
            else Limiter(settings.DATA_DIR / "edgar-limit", settings.EDGAR_REQUESTS_PER_SECOND, sleep=self.sleep)
        )
        self.transport = transport
        self.client = self.connect()

    def connect(self) -> httpx.Client:
        """A client with its own connections."""
        return httpx.Client(
            verify=_authorities(),
            headers={"User-Agent": settings.EDGAR_IDENTITY or "Diligence sample@localhost"},
            timeout=settings.EDGAR_TIMEOUT,
            transport=self.transport,
            follow_redirects=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.client.close()

    # --- what EDGAR holds ---

    def company_tickers(self) -> list[ListedTicker]:
        """SEC's list of registrants with a ticker, in SEC's order (largest first)."""
        return read_tickers(self.get("files/company_tickers.json", check_json))

    def submissions(self, cik: int, filed_since: int | None = None) -> Submissions | None:
        """A registrant and its filings; None where EDGAR has none.

        Older pages are read where they reach into the year `filed_since` or later; a missing one is listed in
        `missing_pages` and is no error.
        """
        try:
            record = json.loads(self.get(f"submissions/CIK{cik:010d}.json", check_json))
        except NotFound:
            return None
        pages, missing = [], []
        for page in record.get("filings", {}).get("files", []):
            if filed_since and str(page.get("filingTo", "9999"))[:4] < str(filed_since):
                continue
            try:
                pages.append(json.loads(self.get(f"submissions/{page['name']}", check_json)))
            except (NotFound, KeyError):
                missing.append(str(page.get("name", "")))
        return read_submissions(cik, record, pages, tuple(missing))

    def companyfacts(self, cik: int) -> bytes | None:
        """The companyfacts JSON of a registrant as bytes, or None where EDGAR has none."""
        try:
            return self.get(f"api/xbrl/companyfacts/CIK{cik:010d}.json", check_json)
        except NotFound:
            return None

    def submission(self, cik: int, accession: str) -> bytes:
        """The full submission text of one filing with all its documents. Raises NotFound where EDGAR has none."""
        if not ACCESSION.fullmatch(accession):
            raise Invalid(f"{accession!r} is not an accession number.")
        path = f"Archives/edgar/data/{cik}/{accession.replace('-', '')}/{accession}.txt"
        return self.get(path, check_submission, immutable=True)

    def filing_documents(self, cik: int, accession: str) -> Container:
        """One filing, parsed into its documents. Raises NotFound if EDGAR has none."""
        return read_container(accession, self.submission(cik, accession))

    # --- downloads ---

    def get(self, path: str, check: Callable[[bytes], None], immutable: bool = False) -> bytes:
        """The bytes of one path: stored ones where they are current, else a validated download.

        immutable: EDGAR never changes the file, so stored bytes are not revalidated.
        """
        base = settings.EDGAR_DATA_URL if path.startswith(DATA_PATHS) else settings.EDGAR_BASE_URL
        url = f"{base}/{path}"
        entry = self.store.entry(url) if self.store else None
        kept = self.store.read(entry) if self.store and entry else None
        if kept is not None and immutable:
            return kept
        known = {"If-None-Match": entry.etag, "If-Modified-Since": entry.last_modified} if entry else {}
        conditions = {name: value for name, value in known.items() if value and kept is not None}
        content, headers = self.download(url, check, conditions)
        if content is None:
            if kept is None or self.store is None or entry is None:
                raise Invalid(f"EDGAR says that {path} is unchanged, without having been asked.")
            self.store.unchanged(entry)
            return kept
        if self.store:
            self.store.write(url, content, headers.get("ETag", ""), headers.get("Last-Modified", ""))
        return content

    def download(
        self, url: str, check: Callable[[bytes], None], conditions: dict[str, str] | None = None
    ) -> tuple[bytes | None, httpx.Headers]:
        """(bytes, headers) of one address after retries; bytes are None for 304."""
        until = time.monotonic() + settings.EDGAR_FILE_DEADLINE
        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, EdgarError) and error.retryable),
            wait=self.wait_time,
            stop=stop_after_attempt(self.attempts) | stop_before_delay(settings.EDGAR_FILE_DEADLINE),
            sleep=self.sleep,
            reraise=True,
        )
        return retrying(self.request, url, check, conditions or {}, until)

    def wait_time(self, state: RetryCallState) -> float:
        """Seconds before the next try: as the server asks, else exponential with jitter."""
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, EdgarError) else None
        backoff = wait_exponential_jitter(multiplier=self.first_wait, max=30, jitter=self.first_wait)(state)
        return backoff if asked is None else min(asked + 0.1, self.longest_wait)

    def sleep(self, seconds: float) -> None:
        """Sleep in slices, so that a worker keeps sending heartbeats and a cancelled one stops."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.beat()
            time.sleep(min(left, 5.0))

    def request(
        self, url: str, check: Callable[[bytes], None], conditions: dict[str, str], until: float
    ) -> tuple[bytes | None, httpx.Headers]:
        """One try, which ends at `until` of time.monotonic(). Redirects are followed on the same host only."""
        host = urlsplit(url).netloc
        for _ in range(MAX_REDIRECTS + 1):
            self.beat()
            if self.limiter:
                self.limiter.wait()
            response, content = self.answer(url, conditions, until)
            if not response.has_redirect_location:
                return self.checked(response, content, check), response.headers
            url = str(response.next_request.url if response.next_request else "")
            if urlsplit(url).netloc != host:
                raise Invalid(f"EDGAR redirects to another host, {urlsplit(url).netloc or 'unnamed'}.")
        raise Invalid("EDGAR redirects in a circle.")

    def answer(self, url: str, conditions: dict[str, str], until: float) -> tuple[httpx.Response, bytes]:
        """A response and its body, received in a thread: the client limits only the wait for the next byte.

        A server that sends too slowly is abandoned.
        """
        if self.bundled:
            return self.receive(url, conditions, until)
        received: Future[tuple[httpx.Response, bytes]] = Future()
        client, left_behind = self.client, threading.Event()

        def run() -> None:
            try:
                received.set_result(self.receive(url, conditions, until))
            except BaseException as error:
                received.set_exception(error)
            if left_behind.is_set():
                client.close()

        # No pool: the process would wait for its threads at exit.
        threading.Thread(target=run, daemon=True, name="edgar").start()
        try:
            while time.monotonic() < until:
                with suppress(TimeoutError):
                    return received.result(min(1.0, max(0.0, until - time.monotonic())))
                self.beat()
        finally:
            if not received.done():
                # Closed by the reading thread: otherwise a closed socket's number could be another's.
                left_behind.set()
                self.client = self.connect()
        self.counted("timeout")
        raise too_slow(urlsplit(url).path)

    def receive(self, url: str, conditions: dict[str, str], until: float) -> tuple[httpx.Response, bytes]:
        """A response and its body, in any thread: no database access here."""
        try:
            with self.client.stream("GET", url, headers=conditions) as response:
                self.counted(str(response.status_code))
                return response, self.body(response, until)
        except httpx.TimeoutException as error:
            self.counted("timeout")
            raise Unavailable(f"EDGAR did not answer within {settings.EDGAR_TIMEOUT:g} s.") from error
        except httpx.TransportError as error:
            raise Unavailable(f"The connection to EDGAR failed: {error or type(error).__name__}.") from error
        except (httpx.InvalidURL, httpx.DecodingError) as error:
            raise Invalid(f"EDGAR's answer cannot be read: {error}.") from error

    def body(self, response: httpx.Response, until: float) -> bytes:
        """The complete body of a response, or the beginning of an error's. Raises Invalid where it exceeds the largest possible file."""
        path, due = response.request.url.path, response.headers.get("Content-Length", "")
        parts, size = [], 0
        if response.status_code != 200:
            return b"".join(islice(response.iter_bytes(MAX_ERROR_BYTES), 1))
        for part in response.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > MAX_BYTES or (due.isdigit() and int(due) > MAX_BYTES):
                raise Invalid(f"{path} is larger than {MAX_BYTES:,} bytes.")
            if time.monotonic() > until:
                raise too_slow(path)
        # Content-Length counts compressed bytes.
        if due.isdigit() and not self.bundled and int(due) != response.num_bytes_downloaded:
            raise Unavailable(f"{path} was cut: {response.num_bytes_downloaded:,} of {int(due):,} bytes came.")
        return b"".join(parts)

    def counted(self, status: str) -> None:
        """Count a request to EDGAR by its outcome."""
        if not self.bundled:
            counters.count("sec_requests", status=status)

    def checked(self, response: httpx.Response, content: bytes, check: Callable[[bytes], None]) -> bytes | None:
        """The validated body of a response; None for 304."""
        path, status = response.request.url.path, response.status_code
        if status == 304:
            return None
        if status in {404, 410}:
            raise NotFound(f"EDGAR has no {path}.")
        if status == 403:
            if b"rate" in content.lower():
                raise Unavailable("EDGAR limits our rate.", retry_after=retry_after(response.headers))
            raise NotIdentified(f"EDGAR refuses the identity {settings.EDGAR_IDENTITY!r} (403 for {path}).")
        if status in {408, 425, 429} or status >= 500:
            raise Unavailable(f"EDGAR answers {status} for {path}.", retry_after=retry_after(response.headers))
        if status != 200:
            raise Invalid(f"EDGAR answers {status} for {path}.")
        check(content)
        return content


def check_identity(identity: str) -> None:
    """Raise NotIdentified unless the identity has a name and an e-mail address, as the SEC asks."""
    if not contact.is_named(identity):
        raise NotIdentified(
            f"EDGAR_IDENTITY is not set to a name and an e-mail address, as SEC asks: {contact.TO_SET}."
        )


def too_slow(path: str) -> Unavailable:
    """The error for a file that exceeded its deadline."""
    return Unavailable(f"EDGAR did not send {path} within {settings.EDGAR_FILE_DEADLINE:g} s.")
