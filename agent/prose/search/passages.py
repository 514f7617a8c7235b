"""The passages of a filing that may answer: what the prose half of `retrieve` finds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.prose.answers.foretold import TELLING, passage_looks_forward
from agent.prose.answers.listing import Listing
from agent.prose.search.narrowing import narrowed
from agent.prose.text.candidate_sentences import texts
from agent.prose.text.sections import SERVING
from agent.prose.text.wording import not_found, not_searched
from agent.state import FilingRef, Location, Passage, Plan, Refusal, Retrieval, SubQuery, Target, Topic
from filings.models import Chunk, SectionStatus
from filings.models.section import chunk_text
from filings.sections.items import annual_item

if TYPE_CHECKING:
    from filings.search.index import IndexMismatch, SearchUnavailable
    from filings.search.passages import FoundPassage, FoundPassages, Search


# Passages are few enough to be read, many enough that the evidence is among them (retrieval: recall at 8).
MOST = 8
# New ones of a later search.
MOST_FURTHER = 8
# Of several parts each has so many of its own.
OF_PART = 6
# So many are looked at to choose them.
LOOKED_AT = 32
# An Item that is asked about as a whole is read from its beginning, so many chunks of it.
FIRST = 16
_FILING = re.compile(
    r"\b(?:the company(?:['\u2019]s)?|(?:form )?10-?k|(?:annual )?report|annual filing|filing|fiscal(?: year)?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for in the text of one filing."""

    target: Target
    topic: Topic
    filing: FilingRef
    locations: Sequence[Location]

    @property
    def items(self) -> tuple[str, ...]:
        """The Items whose text is held."""
        return tuple(one.item for one in self.locations if one.status in SERVING)

    @property
    def queries(self) -> tuple[SubQuery, ...]:
        """What is searched: each part of the question; of several also all of it, for "and" may join words of one thing."""
        parts = self.topic.queries
        if len(parts) == 1:
            return parts
        words = tuple(dict.fromkeys(word for one in parts for word in one.words))
        variants = tuple(dict.fromkeys(one for part in parts for one in part.variants))
        return (*parts, SubQuery(label=self.topic.text, words=words, variants=variants))

    @property
    def texts(self) -> list[str]:
        """What is embedded for each search."""
        texts = [focus_text(self.topic, place) for place in range(len(self.topic.queries))]
        return texts if len(texts) == 1 else [*texts, bare(self.topic.text)]

    @property
    def most(self) -> int:
        """How many passages are read."""
        return max(MOST, OF_PART * len(self.topic.queries))

    @property
    def search(self) -> "Search":
        from filings.search.passages import Focus, Search

        focuses = (
            Focus(text=text, words=query.words, variants=query.variants)
            for text, query in zip(self.texts, self.queries, strict=True)
        )
        # What a question asks stands where it stands: only an Item that it names itself restricts the search.
        return Search(tuple(focuses), (self.filing.filing,), self.items if self.topic.named else ())


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is found for one, or why nothing is. complete: whether no part of the search was out."""

    retrieval: Retrieval | None = None
    refusal: Refusal | None = None
    complete: bool = True


def found(asked: Sequence[Asked]) -> list[Outcome]:
    """For each, passages of the filing's Items for each part of the question, best first; or why there are none.

    All of them are searched side by side.
    """
    results = iter(searched([one for one in asked if not one.topic.whole]))
    return [whole(one) if one.topic.whole else chosen(one, next(results)) for one in asked]


def searched(asked: Sequence[Asked]) -> "list[FoundPassages | SearchUnavailable | IndexMismatch]":
    """What the index finds for each, or why it cannot be asked."""
    # The index brings numpy, and the web process imports this module.
    from filings.search.index import IndexMismatch, SearchUnavailable
    from filings.search.passages import find_all

    if not asked:
        return []
    try:
        return list(find_all([one.search for one in asked], limit=LOOKED_AT))
    except (SearchUnavailable, IndexMismatch) as error:
        if len(asked) == 1:
            return [error]
    # A filing that is not indexed says nothing of the others.
    return [result for one in asked for result in searched([one])]


def is_complete(result: "FoundPassages | Retrieval") -> bool:
    """Whether nothing of a search was out: the index that is asked first, the meaning of the question, a reranker."""
    from filings.search.active_indexes import indexes

    return bool(result.model) and not result.notes and result.index == indexes()[0].name


def of_listing(made: Listing, filing: FilingRef, target: Target) -> list[Passage]:
    """The parts of a filing's own list, each with what is quoted of it; those that a passage of the search holds."""
    chunks = chunks_of(made.section)
    return [
        passage(chunk, filing, target, ranges=one.spans).model_copy(update={"query": one.query})
        for one in made.parts
        if (chunk := holding(chunks, one.spans[-1][0]))
    ]


def passage_at(section: int, at: int, filing: FilingRef, target: Target) -> Passage | None:
    """The passage of a section that holds a place; None where no chunk does."""
    chunk = holding(chunks_of(section), at)
    return passage(chunk, filing, target) if chunk else None


def chunks_of(section: int) -> "list[Chunk]":
    return list(with_sections(Chunk.objects.filter(section=section).order_by("pk")))


def holding(chunks: Iterable[Chunk], at: int) -> Chunk | None:
    """The first chunk that holds a place of its section."""
    return next((chunk for chunk in chunks if holds(chunk, at)), None)


def holds(chunk: Chunk, at: int) -> bool:
    return any(start <= at < end for start, end in chunk.ranges)


def whole(asked: Asked) -> Outcome:
    """The beginning of the Item that is asked about as a whole, which is not searched."""
    passages = in_order(asked.target, asked.topic, asked.filing, asked.locations)
    return Outcome(Retrieval(target=asked.target.id, passages=passages))


def chosen(asked: Asked, result: "FoundPassages | SearchUnavailable | IndexMismatch") -> Outcome:
    """The few passages of a search that are read; or why there are none."""
    target, topic, filing = asked.target, asked.topic, asked.filing
    if isinstance(result, Exception):
        return Outcome(refusal=not_searched(target, filing, result), complete=False)
    passages = of_chunks(result.passages, filing, target)
    ahead = [one for one in passages if topic.ahead and passage_looks_forward(one)]
    passages = narrowed(topic, asked.queries, asked.texts, filing, passages, result.model, asked.most)
    passages += [one for one in ahead if one not in passages][: asked.most]
    passages += said_outright(target, filing, asked.locations, {one.section for one in passages})
    if not passages:
        refusal = not_found(target, topic, filing, asked.items, "retrieve")
        return Outcome(refusal=refusal, complete=is_complete(result))
    retrieval = Retrieval(
        target=target.id,
        passages=tuple(passages),
        index=result.index,
        model=result.model,
        notes=tuple(result.notes),
    )
    return Outcome(retrieval, complete=is_complete(result))


def of_chunks(found: "Sequence[FoundPassage]", filing: FilingRef, target: Target) -> list[Passage]:
    """What search has found, with the filing's own characters; without chunks that are stored no longer."""
    chunks = {one.pk: one for one in with_sections(Chunk.objects.filter(pk__in=[one.chunk for one in found]))}
    return [
        passage(chunks[one.chunk], filing, target, ranges=one.ranges).model_copy(
            update={
                "chunks": one.chunks,
                "query": min(one.query, len(target.topic.queries) - 1) if target.topic else one.query,
                "score": one.score,
                "ranks": one.ranks,
                "bm25": one.bm25,
                "cosine": one.cosine,
            }
        )
        for one in found
        if one.chunk in chunks
    ]


def in_order(target: Target, topic: Topic, filing: FilingRef, locations: Iterable[Location]) -> tuple[Passage, ...]:
    """The first passages of the Item asked about as a whole: its list of risks, its overview; of one of the newest
    documents, its own first; of what is expected, those that say it.
    """
    if topic.ahead:
        of = [one.section for item in TELLING for one in locations if one.status in SERVING and one.item == item]
        chunks = with_sections(Chunk.objects.filter(section__in=of).order_by("pk"))
        return tuple(one for chunk in chunks if passage_looks_forward(one := passage(chunk, filing, target)))
    asked = (
        one for one in locations if topic.newest or (one.status in SERVING and annual_item(one.item) in topic.implied)
    )
    section = next((one.section for one in asked), 0)
    chunks = with_sections(Chunk.objects.filter(section=section).order_by("pk")[:FIRST])
    return tuple(passage(chunk, filing, target) for chunk in chunks)


def focus_text(topic: Topic, place: int) -> str:
    """What is embedded for one part of the question: the whole of it where it has one part."""
    query = topic.queries[place]
    return bare(topic.text) if len(topic.queries) == 1 else " ".join(query.words)


def bare(text: str) -> str:
    """A question without the words for the company and its filing: they stand on every page."""
    left = " ".join(re.sub(r"[^\w\s'&/-]", " ", _FILING.sub(" ", text)).split())
    return left or text


def said_outright(target: Target, filing: FilingRef, locations: Iterable[Location], found: set[int]) -> list[Passage]:
    """The text of Items that say "None.", which has no word that could be searched for."""
    sections = [one.section for one in locations if one.status == SectionStatus.NONE and one.section not in found]
    chunks = with_sections(Chunk.objects.filter(section__in=sections).order_by("pk"))
    return [passage(chunk, filing, target) for chunk in chunks]


def with_sections(chunks: Iterable[Chunk]) -> list[Chunk]:
    """Chunks with their sections, each of these read once."""
    found = list(chunks)
    read = texts(chunk.section_id for chunk in found)
    for chunk in found:
        chunk.section = read[chunk.section_id].section
    return found


def passage(
    chunk: Chunk, filing: FilingRef, target: Target, ranges: tuple[tuple[int, int], ...] | None = None
) -> Passage:
    """A chunk, or the stretch that stands for it, as the state keeps it."""
    return Passage(filing=filing.filing, cik=target.company.cik, accession=filing.accession, **of_chunk(chunk, ranges))


def of_chunk(chunk: Chunk, ranges: tuple[tuple[int, int], ...] | None = None) -> dict[str, Any]:
    """What a passage has of its chunk, or of the stretch that stands for it."""
    spans = ranges or tuple((start, end) for start, end in chunk.ranges)
    page = chunk.section.page(spans[0][0])
    return {
        "chunk": chunk.pk,
        "section": chunk.section_id,
        "sha256": chunk.section.sha256,
        "item": chunk.section.item,
        "kind": chunk.kind,
        "ranges": spans,
        "text": chunk_text(chunk.section.text, [list(one) for one in spans]),
        "headings": tuple(chunk.headings),
        "page": page.label if page else "",
    }


def widened(plan: Plan, trial: Mapping[str, Sequence[str]] | None = None) -> Plan:
    """A plan whose searches have filing words beside the question's, from the synonyms as they are stored now.

    trial: synonyms in place of those stored; what the plan had from these goes.
    """
    if not any(target.topic for target in plan.targets):
        return plan
    # The synonyms are rows of the search's tables.
    from filings.search.synonyms import variants

    def with_variants(topic: Topic) -> Topic:
        found = tuple(query.model_copy(update={"variants": variants(query.words, trial)}) for query in topic.queries)
        return topic.model_copy(update={"queries": found})

    targets = tuple(
        target.model_copy(update={"topic": with_variants(target.topic)}) if target.topic else target
        for target in plan.targets
    )
    return plan.model_copy(update={"targets": targets})


# --- further searches: in the language of filings, and of later rounds ---


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched in the filing of one target. known: passages found for it already."""

    target: Target
    filing: FilingRef
    searches: tuple[SubQuery, ...]
    known: tuple[Passage, ...]


def further(wanted: Sequence[Wanted]) -> list[Retrieval]:
    """New passages for each target and reading, at most eight; side by side. Raises SearchUnavailable or IndexMismatch.

    A question that names its Items is searched in these alone.
    """
    from filings.search.passages import Focus, Search, find_all

    # Each reading of a question is searched by itself; a question with one has one.
    followed = [(each, axis) for each in wanted for axis in dict.fromkeys(one.axis for one in each.searches)]
    found = find_all(
        [
            Search(
                tuple(
                    Focus(one.label, one.words, one.variants, one.tables) for one in each.searches if one.axis == axis
                ),
                (each.filing.filing,),
                named_items(each.target),
            )
            for each, axis in followed
        ],
        limit=LOOKED_AT,
    )
    retrievals = []
    for (each, axis), result in zip(followed, found, strict=True):
        # What was found for another reading is new to this one.
        held = (one for one in each.known if not axis or axis in one.axes)
        known = {chunk for one in held for chunk in (one.chunk, *one.chunks)}
        new = [one for one in result.passages if known.isdisjoint(one.chunks)][:MOST_FURTHER]
        # Its sub-query is one of the question's own: which one a sentence answers is seen when it is drafted.
        told = {"query": 0, "axes": tuple(filter(None, (axis,)))}
        retrievals.append(
            Retrieval(
                target=each.target.id,
                passages=tuple(one.model_copy(update=told) for one in of_chunks(new, each.filing, each.target)),
                index=result.index,
                model=result.model,
                notes=result.notes,
            )
        )
    return retrievals


def named_items(target: Target) -> tuple[str, ...]:
    """The Items that a question names itself; none where the whole filing may answer."""
    return target.topic.items if target.topic and target.topic.named else ()
