"""The Elasticsearch index: one document a chunk with its windows' vectors nested, searched by one `_msearch`.

An index's mapping never changes: a rebuild fills a new one and moves the alias. A document's id is its chunk's, so that
writing twice is writing once.
"""

import re
import secrets
import time
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from elastic_transport import ConnectionTimeout
from elasticsearch import BadRequestError, Elasticsearch, NotFoundError

from filings.search import elastic_shape as shape
from filings.search.elastic_calls import PASSING, bulk, client, counted, documents, explained, patient
from filings.search.fusion import ordered
from filings.search.index import Entry, IndexMismatch, Lists, Query, SearchUnavailable
from filings.search.indexed_markers import filing_digest, index_key

NAME = "elasticsearch"
REBUILD = "manage.py search_index rebuild"
# Seconds for which the alias's index is cached.
FRESH = 10.0
# After a timeout, searches do without Elasticsearch for this many seconds.
REST = 10.0
# Seconds before the second and third try of a search whose index is being replaced.
PAUSES = (0.02, 0.2)
OK = 200
# For one search: a removed index is not found, and one removed during the search fails with 500.
REPLACED = PASSING | {404, 500}


class Target(NamedTuple):
    """The alias's index and its metadata."""

    name: str
    meta: dict[str, Any]


class ElasticIndex:
    """The index behind an alias, for vectors of one model."""

    name = NAME

    def __init__(self, elasticsearch: Elasticsearch, alias: str, model: str, dimensions: int) -> None:
        self.elasticsearch, self.alias = elasticsearch, alias
        self.model, self.dimensions = model, dimensions
        self.known: Target | None = None
        self.known_until = self.rests_until = 0.0

    @classmethod
    def of_settings(cls, model: str, dimensions: int) -> "ElasticIndex":
        return cls(client(), settings.ELASTICSEARCH_INDEX, model, dimensions)

    # --- the Index protocol ---

    def lists(self, queries: Sequence[Query]) -> list[Lists]:
        """The ranked lists of each query, in one `_msearch`."""
        if time.monotonic() < self.rests_until:
            raise SearchUnavailable("Elasticsearch did not answer in time a moment ago.")
        for pause in PAUSES:
            try:
                return self.search(queries, self.target())
            except PassingError:
                # The index was replaced since the alias was read, or is being replaced.
                self.known_until = 0.0
                time.sleep(pause)
        return self.search(queries, self.target())

    def put(self, filing: int, entries: Iterable[Entry]) -> None:
        """Make the index contain exactly these chunks of a filing, visible to readers."""
        held = list(entries)
        while True:
            name = self.writable()
            self.write(self.alias, filing, held)
            # A rebuild that moved the alias meanwhile may have read this filing before.
            if self.target(fresh=True).name == name:
                return

    def drop(self, filing: int) -> None:
        """Remove a filing's chunks."""
        if self.find(fresh=True) is not None:
            self.put(filing, ())

    def counts(self, filings: Sequence[int] = (), phrase: str = "") -> dict[int, int]:
        """The number of documents by filing, or of those with a phrase; none where there is no index."""
        target = self.find(fresh=not phrase)
        if target is None:
            return {}
        self.check(target)
        with explained():
            return dict(counted(self.elasticsearch, self.alias, filings, phrase))

    def held(self, filings: Sequence[int] = ()) -> dict[int, str]:
        """The digest of the documents by filing."""
        target = self.find(fresh=True)
        if target is None:
            return {}
        self.check(target)
        return self.digests(target.name, filings)

    # --- rebuilding ---

    def build(self) -> "Building":
        """A new index beside the current one, for a rebuild."""
        key = index_key(self.model, self.dimensions)
        return Building(self, f"{self.alias}-{key}-{time.time_ns() // 1_000_000}-{secrets.token_hex(2)}")

    def create(self, name: str, alias: bool = False) -> None:
        """A new, empty index; with the alias if it is the first."""
        with explained():
            patient(
                lambda: self.elasticsearch.indices.create(
                    index=name,
                    mappings=shape.mapping(self.model, self.dimensions),
                    # One node and one shard hold more than a year's 10-Ks; replicas are the operator's choice.
                    settings={"number_of_shards": 1, "auto_expand_replicas": "0-1"},
                    aliases={self.alias: {}} if alias else {},
                )
            )

    # --- which index ---

    def find(self, fresh: bool = False) -> Target | None:
        """The alias's index; None where there is none. At most ten seconds old, unless fresh."""
        if not fresh and self.known and time.monotonic() < self.known_until:
            return self.known
        with explained():
            try:
                answer = patient(lambda: self.elasticsearch.indices.get_mapping(index=self.alias))
            except NotFoundError:
                self.known = None
                return None
        if len(answer.body) != 1:
            raise IndexMismatch(f"{len(answer.body)} indices have the alias {self.alias}: run {REBUILD}.")
        name, found = next(iter(answer.body.items()))
        self.known = Target(name, found["mappings"].get("_meta", {}))
        self.known_until = time.monotonic() + FRESH
        return self.known

    def target(self, fresh: bool = False) -> Target:
        """The searched index. Raises SearchUnavailable where there is none, IndexMismatch for another model."""
        target = self.find(fresh)
        if target is None:
            raise SearchUnavailable(f"Elasticsearch has no index {self.alias}: run {REBUILD}.")
        self.check(target)
        return target

    def check(self, target: Target) -> None:
        """Raise for an index of another model or shape."""
        expected = shape.meta(self.model, self.dimensions)
        if target.meta != expected:
            raise IndexMismatch(
                f"The index {self.alias} holds {described(target.meta)}, and {described(expected)} is set: run {REBUILD}."
            )

    def writable(self) -> str:
        """The index that is written, created where there is none yet."""
        if self.find(fresh=True) is None:
            # One name for all that find none at this moment: the first creates it.
            name = f"{self.alias}-{index_key(self.model, self.dimensions)}-first"
            try:
                self.create(name, alias=True)
            except SearchUnavailable as error:
                if not isinstance(error.__cause__, BadRequestError):
                    raise
                if self.find(fresh=True) is None:
                    # It exists and only lost its alias.
                    with explained():
                        patient(lambda: self.elasticsearch.indices.put_alias(index=name, name=self.alias))
        return self.target(fresh=True).name

    def owns(self, name: str, aliases: Collection[str]) -> bool:
        """Whether an index was created here: by its name, and without another's alias."""
        made = re.fullmatch(rf"{re.escape(self.alias)}-[0-9a-f]{{8}}-(first|\d+-[0-9a-f]{{4}})", name)
        return made is not None and set(aliases) <= {self.alias}

    # --- writing ---

    def write(self, name: str, filing: int, entries: Sequence[Entry]) -> None:
        """Write a filing's chunks into an index, by default the alias's, and remove its others. Readers see it at the
        end.
        """
        keep = {entry.chunk for entry in entries}
        told = [shape.document(entry) for entry in entries]
        operations = [
            {"action": {"index": {"_index": name, "_id": str(document["chunk"])}}, "document": document}
            for document in told
        ]
        # A vector takes about ten bytes a dimension in JSON.
        sizes = [
            len(document["text"]) + 10 * self.dimensions * len(document.get("windows", ())) + 300 for document in told
        ]
        with explained():
            patient(lambda: self.elasticsearch.indices.refresh(index=name))
            gone = [chunk for chunk, _, _ in documents(self.elasticsearch, name, [filing]) if chunk not in keep]
        operations += [{"action": {"delete": {"_index": name, "_id": str(chunk)}}} for chunk in gone]
        bulk(self.elasticsearch, operations, sizes + [100] * len(gone), require_alias=name == self.alias)
        with explained():
            patient(lambda: self.elasticsearch.indices.refresh(index=name))

    def digests(self, name: str, filings: Sequence[int]) -> dict[int, str]:
        """The digest of an index's documents by filing; for all filings where none are given."""
        chunks: dict[int, list[tuple[int, str]]] = {}
        with explained():
            patient(lambda: self.elasticsearch.indices.refresh(index=name))
            for chunk, filing, digest in documents(self.elasticsearch, name, filings):
                chunks.setdefault(filing, []).append((chunk, digest))
        return {filing: filing_digest(found) for filing, found in chunks.items()}

    # --- one search ---

    def search(self, queries: Sequence[Query], target: Target) -> list[Lists]:
        """Raises PassingError where the index is missing, or cannot be searched at this moment."""
        wanted = [shape.searches(query) for query in queries]
        bodies = [line for one in wanted for body in one.values() for line in ({"index": target.name}, body)]
        if not bodies:
            return [Lists() for _ in queries]
        try:
            with explained():
                answer = patient(lambda: self.elasticsearch.msearch(searches=bodies, filter_path=shape.ANSWERED))
        except SearchUnavailable as error:
            if isinstance(error.__cause__, ConnectionTimeout):
                self.rests_until = time.monotonic() + REST
            raise
        responses = iter(answer["responses"])
        found = []
        for query, one in zip(queries, wanted, strict=True):
            lists = {name: ordered(shape.scores(name, hits(next(responses))), query.depth) for name in one}
            found.append(Lists(**lists))
        return found


class Building:
    """A new index that is filled while the current one stays in use."""

    def __init__(self, index: ElasticIndex, name: str) -> None:
        self.index, self.name = index, name
        index.create(name)

    def put(self, filing: int, entries: Iterable[Entry]) -> None:
        self.index.write(self.name, filing, list(entries))

    def publish(self) -> None:
        """Move the alias atomically, then remove the other indices of that name, including those of killed rebuilds."""
        index = self.index
        indices = index.elasticsearch.indices
        with explained():
            found = patient(lambda: indices.get_alias(index=f"{index.alias}-*")).body
            others = [name for name in found if name != self.name and index.owns(name, found[name]["aliases"])]
            actions: list[dict[str, Any]] = [
                {"remove": {"index": name, "alias": index.alias, "must_exist": False}} for name in others
            ]
            actions.append({"add": {"index": self.name, "alias": index.alias}})
            patient(lambda: indices.update_aliases(actions=actions))
            index.known = None
            for name in others:
                patient(partial(indices.delete, index=name, ignore_unavailable=True))

    def abandon(self) -> None:
        """Delete the unfinished index."""
        with explained():
            patient(lambda: self.index.elasticsearch.indices.delete(index=self.name, ignore_unavailable=True))


class PassingError(SearchUnavailable):
    """Raised if the searched index is missing or temporarily unavailable."""


def hits(response: dict[str, Any]) -> list[dict[str, Any]]:
    """The hits of one search. Raises SearchUnavailable for a failure, also of some of its shards."""
    status = response.get("status", 200)
    if status != OK:
        failure = PassingError if status in REPLACED else SearchUnavailable
        raise failure(f"Elasticsearch refuses a search ({status} {response.get('error', {}).get('type', '')}).")
    if response.get("timed_out") or response.get("_shards", {}).get("failed"):
        raise SearchUnavailable("Elasticsearch searched only part of the index.")
    found: list[dict[str, Any]] = response.get("hits", {}).get("hits", [])
    return found


def described(meta: dict[str, Any]) -> str:
    return f"{meta.get('model')} with {meta.get('dimensions')} dimensions (shape {meta.get('shape')})"
