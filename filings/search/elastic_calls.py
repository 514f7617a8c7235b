"""Calls of Elasticsearch: a short retry policy, errors as sentences, and reading an index page by page."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from elastic_transport import ConnectionError as NotConnected
from elastic_transport import ConnectionTimeout, TransportError
from elasticsearch import ApiError, Elasticsearch, UnsupportedProductError
from tenacity import retry, retry_if_exception, stop_after_attempt, wait_chain, wait_fixed

from filings.search.index import SearchUnavailable

# Busy, starting or stopping: worth another try.
PASSING = {429, 502, 503, 504}
PAUSES = (0.2, 1.0)  # seconds before the second and the third try
BULK_BYTES = 4_000_000
# A bulk request may take this many times longer than a search.
BULK_PATIENCE = 6.0

Answer = TypeVar("Answer")


PAGE = 5000


def client() -> Elasticsearch:
    """The client of the settings, which connects at first use."""
    url = settings.ELASTICSEARCH_URL
    options: dict[str, Any] = {}
    if settings.ELASTICSEARCH_API_KEY:
        options["api_key"] = settings.ELASTICSEARCH_API_KEY
    if settings.ELASTICSEARCH_CA and urlsplit(url).scheme == "https":
        options["ca_certs"] = settings.ELASTICSEARCH_CA
    # The policy is here and not in the client, which neither waits between tries nor retries timeouts.
    return Elasticsearch(url, request_timeout=settings.ELASTICSEARCH_TIMEOUT, max_retries=0, **options)


@contextmanager
def explained() -> Iterator[None]:
    """Elasticsearch's errors as SearchUnavailable, without addresses or keys."""
    try:
        yield
    except UnsupportedProductError as error:
        raise SearchUnavailable("What answers at ELASTICSEARCH_URL is not Elasticsearch 8.") from error
    except ConnectionTimeout as error:
        raise SearchUnavailable("Elasticsearch does not answer in time.") from error
    except TransportError as error:
        raise SearchUnavailable("Elasticsearch cannot be reached.") from error
    except ApiError as error:
        if error.status_code in {401, 403}:
            raise SearchUnavailable("Elasticsearch refuses the key in ELASTICSEARCH_API_KEY.") from error
        raise SearchUnavailable(f"Elasticsearch refuses this ({error.status_code} {kind(error)}).") from error


def kind(error: ApiError) -> str:
    """The type of an error as Elasticsearch names it."""
    body = error.body if isinstance(error.body, dict) else {}
    told = body.get("error")
    return str(told.get("type", "")) if isinstance(told, dict) else str(told or "")


def is_passing(error: BaseException) -> bool:
    """Whether another try may help. A connection that a restarted server closed fails at once and is opened again; a timeout
    has used its time.
    """
    return isinstance(error, NotConnected) or (isinstance(error, ApiError) and error.status_code in PASSING)


@retry(
    retry=retry_if_exception(is_passing),
    wait=wait_chain(*map(wait_fixed, PAUSES)),
    stop=stop_after_attempt(len(PAUSES) + 1),
    reraise=True,
)
def patient(call: Callable[[], Answer]) -> Answer:
    """The result of a repeatable call, with tries again after temporary failures."""
    return call()


def bulk(
    elasticsearch: Elasticsearch, operations: Sequence[dict[str, Any]], sizes: Sequence[int], require_alias: bool
) -> None:
    """Send operations, each {"action"} or {"action", "document"} and its size in bytes, in requests of about 4 MB.

    Every one is acknowledged, or SearchUnavailable is raised; repeating them is safe. Operations rejected by a busy
    server are sent again. require_alias: the name must be an alias, so that a server whose index was deleted does not
    create one.
    """
    batch: list[dict[str, Any]] = []
    held = 0
    for operation, size in zip(operations, sizes, strict=True):
        if batch and held + size > BULK_BYTES:
            send(elasticsearch, batch, require_alias)
            batch, held = [], 0
        batch.append(operation)
        held += size
    if batch:
        send(elasticsearch, batch, require_alias)


def send(elasticsearch: Elasticsearch, batch: list[dict[str, Any]], require_alias: bool) -> None:
    """One request, and again with the operations that were temporarily rejected."""
    patience = elasticsearch.options(request_timeout=BULK_PATIENCE * settings.ELASTICSEARCH_TIMEOUT)
    for pause in (*PAUSES, None):
        lines = [line for operation in batch for line in (operation["action"], operation.get("document")) if line]
        with explained():
            answer = patient(partial(patience.bulk, operations=lines, require_alias=require_alias))
        items = [next(iter(item.values())) for item in answer.get("items", ())]
        if len(items) != len(batch):
            raise SearchUnavailable(f"Elasticsearch acknowledged {len(items)} of {len(batch)} chunks.")
        # Deleting a missing document is fine.
        failed = [
            (operation, item)
            for operation, item in zip(batch, items, strict=True)
            if item["status"] >= 300 and not (item["status"] == 404 and "delete" in operation["action"])
        ]
        if not failed:
            return
        lasting = [item for _, item in failed if item["status"] not in PASSING]
        if lasting or pause is None:
            worst = (lasting or [failed[0][1]])[0]
            reason = worst.get("error", {}).get("type", "")
            raise SearchUnavailable(f"Elasticsearch refuses {len(failed)} chunks ({worst['status']} {reason}).")
        time.sleep(pause)
        batch = [operation for operation, _ in failed]


def documents(elasticsearch: Elasticsearch, name: str, filings: Sequence[int] = ()) -> Iterator[tuple[int, int, str]]:
    """(chunk, filing, digest) of the documents of these filings, or of all, by chunk."""
    after: list[Any] | None = None
    while True:
        page = patient(
            partial(
                elasticsearch.search,
                index=name,
                query={"terms": {"filing": list(filings)}} if filings else {"match_all": {}},
                sort=[{"chunk": {"order": "asc"}}],
                size=PAGE,
                source=False,
                docvalue_fields=[{"field": "filing"}, {"field": "digest"}],
                search_after=after,
                track_total_hits=False,
                allow_partial_search_results=False,
            )
        )
        hits = page["hits"]["hits"]
        for hit in hits:
            yield int(hit["_id"]), int(hit["fields"]["filing"][0]), str(hit["fields"]["digest"][0])
        if len(hits) < PAGE:
            return
        after = hits[-1]["sort"]


def counted(
    elasticsearch: Elasticsearch, name: str, filings: Sequence[int] = (), phrase: str = ""
) -> Iterator[tuple[int, int]]:
    """(filing, number of its documents) of these filings, or of all, by filing; only of those with a phrase, if given."""
    after: dict[str, Any] = {}
    within = [{"terms": {"filing": list(filings)}}] if filings else []
    named = [{"match_phrase": {"text": phrase}}] if phrase else []
    while True:
        by_filing = {"size": PAGE, "sources": [{"filing": {"terms": {"field": "filing"}}}], **after}
        page = patient(
            partial(
                elasticsearch.search,
                index=name,
                query={"bool": {"filter": [*within, *named]}},
                aggregations={"filings": {"composite": by_filing}},
                size=0,
                track_total_hits=False,
                allow_partial_search_results=False,
            )
        )
        found = page["aggregations"]["filings"]
        for bucket in found["buckets"]:
            yield int(bucket["key"]["filing"]), int(bucket["doc_count"])
        if len(found["buckets"]) < PAGE:
            return
        after = {"after": found["after_key"]}
