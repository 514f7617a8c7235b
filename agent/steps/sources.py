"""What a draft reads: where each passage stands, and the text just before and behind those that it asks for."""

from collections.abc import Mapping, Sequence

from agent.programs.draft import Source
from agent.prose.search.passages import of_chunk, with_sections
from agent.prose.text.candidate_sentences import texts
from agent.prose.text.quotation_context import about
from agent.prose.text.section_text import SectionText
from agent.prose.verification.edits import UNIT
from agent.state import Passage, Retrieval
from filings.models import Chunk

# The neighbours of each source, by its place among the sources: what stands before it, and what behind.
Beside = Mapping[int, tuple[Sequence[Source], Sequence[Source]]]


def in_place(source: Source, text: SectionText) -> Source:
    """A source with the headings over its first character, and the unit of its table."""
    start = source.passage.ranges[0][0]
    place = text.bounds.place(start)
    path = tuple(reversed(text.headings(place))) if place is not None else ()
    unit = unit_of(text, source.passage) if source.passage.kind == "table" else ""
    return source.model_copy(update={"path": path, "unit": unit})


def unit_of(text: SectionText, passage: Passage) -> str:
    """The unit of a table's passage in the filing's words; empty where the passage has it."""
    said = [one.text for one in about(text, *passage.ranges[-1]) if one.kind in {"caption", "header"}]
    known = " ".join(passage.text.split())
    return "; ".join(" ".join(one.split()) for one in said if UNIT.search(one) and " ".join(one.split()) not in known)


def neighbours(wanted: Sequence[Source], sources: Sequence[Source]) -> Beside:
    """For each wanted source the chunk before and the chunk behind it in its section, unless a draft has them already."""
    read = {chunk for one in sources for chunk in (one.passage.chunk, *one.passage.chunks)}
    found: dict[int, tuple[Sequence[Source], Sequence[Source]]] = {}
    text = texts(one.passage.section for one in wanted)
    for one in wanted:
        own = one.passage.chunks or (one.passage.chunk,)
        before, behind = min(own) - 1, max(own) + 1
        stored = with_sections(
            Chunk.objects.filter(pk__in={before, behind} - read, section=one.passage.section).order_by("pk")
        )
        read.update(chunk.pk for chunk in stored)
        if stored:
            found[sources.index(one)] = (
                [in_place(like(one, chunk), text[chunk.section_id]) for chunk in stored if chunk.pk == before],
                [in_place(like(one, chunk), text[chunk.section_id]) for chunk in stored if chunk.pk == behind],
            )
    return found


def like(source: Source, chunk: Chunk) -> Source:
    """A source that a chunk beside another one makes, found for what that was found for."""
    unsearched: dict[str, object] = {"chunks": (), "ranks": {}, "bm25": None, "cosine": None}
    passage: Passage = source.passage.model_copy(update=of_chunk(chunk) | unsearched)
    return source.model_copy(update={"passage": passage})


def with_neighbours(sources: Sequence[Source], beside: Beside) -> list[Source]:
    """The sources in their order, each between its neighbours."""
    return [
        one
        for place, source in enumerate(sources)
        for one in (*beside.get(place, ((), ()))[0], source, *beside.get(place, ((), ()))[1])
    ]


def retrieved(beside: Beside) -> list[Retrieval]:
    """The neighbours as what was found for their targets, against which claims are verified."""
    found = [one for before, behind in beside.values() for one in (*before, *behind)]
    return [
        Retrieval(target=target, passages=tuple(one.passage for one in found if one.target == target))
        for target in dict.fromkeys(one.target for one in found)
    ]
