"""All that an index on Elasticsearch holds, a page at a time; never a part of it as if that were all."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from elasticsearch import Elasticsearch

from filings.search.elastic_calls import patient

PAGE = 5000


def documents(elasticsearch: Elasticsearch, name: str, filing: int | None = None) -> Iterator[tuple[int, int, str]]:
    """(chunk, filing, digest) of the documents of a filing, or of all, by chunk."""
    after: list[Any] | None = None
    while True:
        page = patient(
            partial(
                elasticsearch.search,
                index=name,
                query={"match_all": {}} if filing is None else {"term": {"filing": filing}},
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


def counted(elasticsearch: Elasticsearch, name: str, filings: Sequence[int] = ()) -> Iterator[tuple[int, int]]:
    """(filing, number of its documents) of these filings, or of all, by filing."""
    after: dict[str, Any] = {}
    while True:
        by_filing = {"size": PAGE, "sources": [{"filing": {"terms": {"field": "filing"}}}], **after}
        page = patient(
            partial(
                elasticsearch.search,
                index=name,
                query={"terms": {"filing": list(filings)}} if filings else {"match_all": {}},
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
