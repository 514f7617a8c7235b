"""From a question's parts to the passages that go out."""

from dataclasses import replace

import pytest
from pytest_django import Settings

from filings.models import Chunk, ChunkKind, Filing
from filings.search.index import SearchUnavailable
from filings.search.indexing import index_filing
from filings.search.merge_hits import MOST_PIECES
from filings.search.passages import Focus, find
from tests.support import corpus
from tests.support.holdings import annual_report
from tests.support.searchable import MadeUp, made, store

FILLERS = [
    "Our stores in the north are heated with gas.",
    "The board met nine times during the year.",
    "A lease of an office in Porto ends next spring.",
    "Sales of the older instruments were flat.",
    "Dividends were paid in each quarter.",
    "The pension plan is closed to new members.",
    "Inventory is counted twice a year.",
    "Weather has little effect on orders.",
]
SUPPLY = [
    f"Delivery risk {number}: the {word} supplier may fail."
    for number, word in enumerate(["glass", "steel", "magnet", "lens", "stage"])
]
CYBER = [
    f"Security matter {number}: intruders may break into {word}."
    for number, word in enumerate(["mail", "ledgers", "payroll"])
]


def focus(text: str, *variants: str) -> Focus:
    return Focus(text, tuple(text.split()), variants)


def indexed(filing: Filing, paragraphs: list[str], item: str = "1A", headings: tuple[str, ...] = ()) -> list[Chunk]:
    chunks = store(filing, paragraphs, item, headings)
    index_filing(filing.pk)
    return chunks


def test_it_finds_the_passage_and_says_by_what(model: MadeUp, filing: Filing) -> None:
    chunks = indexed(filing, [*FILLERS, "One mill rolls all of our sheet steel."])
    found = find([focus("sheet steel mill")], [filing.pk])
    first = found.passages[0]
    assert (first.chunk, first.section, first.query) == (chunks[-1].pk, chunks[-1].section_id, 0)
    assert first.ranges == tuple(map(tuple, chunks[-1].ranges))
    assert first.ranks == {"lexical": 1, "dense": 1}
    assert first.bm25 is not None
    assert first.cosine is not None
    assert (found.index, found.model, found.notes) == ("embedded", corpus.MODEL, ())


def test_where_a_table_is_looked_for_the_tables_of_statements_count(
    model: MadeUp, filing: Filing, settings: Settings
) -> None:
    settings.SEARCH_WEIGHTS = "30:70"
    prose = "Inventory of steel bars. Inventory of steel bars is what we hold."
    chunks = store(filing, [*FILLERS, prose, "Inventory of steel bars, glass, lamps and other goods of this year."])
    Chunk.objects.filter(pk=chunks[-1].pk).update(statement="balance")
    index_filing(filing.pk)
    wanted = focus("inventory steel bars")
    text, table = (find([replace(wanted, tables=tables)], [filing.pk]).passages for tables in (False, True))
    assert text[0].chunk == chunks[-2].pk
    assert (table[0].chunk, table[0].ranks["statements"]) == (chunks[-1].pk, 1)


def test_at_most_eight_go_out(model: MadeUp, filing: Filing) -> None:
    indexed(filing, made(3, 40))
    assert len(find([focus("supplier licence")], [filing.pk]).passages) == 8
    assert len(find([focus("supplier"), focus("licence")], [filing.pk], limit=5).passages) == 5


def test_it_searches_the_filing_and_the_items_asked(model: MadeUp, filing: Filing) -> None:
    other = annual_report(filing.company, 2024)
    indexed(other, ["One mill rolls all of our sheet steel."])
    indexed(filing, FILLERS)
    wanted = indexed(filing, ["Two mills roll our sheet steel."], item="7")
    assert {one.chunk // 100_000 for one in find([focus("sheet steel mill")], [filing.pk]).passages} == {filing.pk}
    assert [one.chunk for one in find([focus("sheet steel mill")], [filing.pk], ["7"]).passages] == [wanted[0].pk]


def test_both_halves_of_a_compound_question_are_represented(model: MadeUp, filing: Filing) -> None:
    # Of the first half there is far more, and it shares words with everything.
    chunks = indexed(filing, [*SUPPLY * 1, *made(5, 30), *CYBER])
    found = find([focus("supplier deliveries components"), focus("intruders break security")], [filing.pk])
    by_query = [{one.chunk for one in found.passages if one.query == query} for query in (0, 1)]
    assert {chunk.pk for chunk in chunks[-3:]} <= by_query[1]
    assert len(by_query[0]) >= 3


def test_variants_find_what_the_words_do_not(model: MadeUp, filing: Filing) -> None:
    model.down = True
    chunks = indexed(filing, [*FILLERS, "Attrition among members rose."])
    assert find([focus("churn")], [filing.pk]).passages == ()
    assert [one.chunk for one in find([focus("churn", "attrition")], [filing.pk]).passages] == [chunks[-1].pk]


def test_without_an_embedding_words_are_searched_and_that_is_said(model: MadeUp, filing: Filing) -> None:
    indexed(filing, FILLERS)
    model.down = True
    found = find([focus("pension")], [filing.pk])
    assert len(found.passages) == 1
    assert found.passages[0].cosine is None
    assert found.model == ""
    assert found.notes == ("Searched by words alone: The embedding endpoint does not answer.",)


def test_a_filing_that_waits_for_its_index_is_unavailable_and_not_empty(model: MadeUp, filing: Filing) -> None:
    store(filing, FILLERS)
    with pytest.raises(SearchUnavailable, match="still waiting to be indexed"):
        find([focus("pension")], [filing.pk])


def test_a_filing_without_text_has_no_passages(model: MadeUp, filing: Filing) -> None:
    assert find([focus("pension")], [filing.pk]).passages == ()


def test_a_chunk_that_the_database_no_longer_has_is_left_out(model: MadeUp, filing: Filing) -> None:
    chunks = indexed(filing, FILLERS)
    Chunk.objects.filter(pk=chunks[5].pk).delete()
    assert chunks[5].pk not in {one.chunk for one in find([focus("pension plan")], [filing.pk]).passages}


def test_repeats_within_a_filing_are_merged(model: MadeUp, filing: Filing) -> None:
    said = "The foundry in Lindau etches every one of our gratings by hand."
    indexed(filing, [*FILLERS, said, f"{said[:-1]}!", said])
    found = find([focus("foundry gratings")], [filing.pk])
    assert sum("gratings" in text_of(one) for one in found.passages) == 1


def test_the_same_words_in_two_years_stand_twice(model: MadeUp, filing: Filing) -> None:
    said = "The foundry in Lindau etches every one of our gratings by hand."
    other = annual_report(filing.company, 2024)
    for one in (filing, other):
        indexed(one, [*FILLERS, said])
    found = find([focus("foundry gratings")], [filing.pk, other.pk])
    assert {one.chunk // 100_000 for one in found.passages[:2]} == {filing.pk, other.pk}


def test_overlapping_prose_becomes_one_passage(model: MadeUp, filing: Filing) -> None:
    chunks = store(filing, [*FILLERS, "Glass melts slowly here. Sand reaches us by barge. Barges need deep rivers."])
    start, end = chunks[-1].ranges[0]
    middle = chunks[-1].section.text.index("Sand")
    cut = chunks[-1].section.text.index(" Barges")
    again = Chunk.objects.get(pk=chunks[-1].pk)
    again.pk, again.number, again.ranges, again.windows = (
        again.pk + 1,
        again.number + 1,
        [[middle, end]],
        [[[middle, end]]],
    )
    again.save(force_insert=True)
    Chunk.objects.filter(pk=chunks[-1].pk).update(ranges=[[start, cut]], windows=[[[start, cut]]])
    index_filing(filing.pk)
    found = find([focus("sand barge rivers")], [filing.pk])
    assert found.passages[0].ranges == ((start, end),)
    assert sum("Sand" in text_of(one) for one in found.passages) == 1


def family(filing: Filing, count: int, pieces: int, kind: str = ChunkKind.PROSE, beside: str = "1A") -> list[Chunk]:
    """Chunks of one heading, or of one table, after others of the same Item or of another."""
    store(filing, FILLERS, beside, ("Other matters",))
    words = ["glass", "steel", "magnet", "lens", "stage", "laser", "mirror", "prism"]
    said = [
        f"Row {number} {words[number]}: supplier deliveries of {words[number]} stopped." for number in range(count)
    ]
    chunks = store(filing, said, headings=("Supply",))
    Chunk.objects.filter(pk__in=[chunk.pk for chunk in chunks]).update(pieces=pieces, kind=kind)
    if kind == ChunkKind.TABLE:
        caption = [0, 6]
        for chunk in chunks:
            Chunk.objects.filter(pk=chunk.pk).update(ranges=[caption, *chunk.ranges])
    index_filing(filing.pk)
    return chunks


@pytest.mark.parametrize("kind", [ChunkKind.PROSE, ChunkKind.TABLE])
def test_three_hits_of_one_parent_bring_the_parent_in_once(model: MadeUp, filing: Filing, kind: str) -> None:
    chunks = family(filing, 4, 300, kind)
    found = find([focus("supplier deliveries stopped")], [filing.pk])
    of_family = [one for one in found.passages if one.section == chunks[0].section_id and "Row" in text_of(one)]
    assert len(of_family) == 1
    assert of_family[0].chunk == chunks[0].pk
    assert all(f"Row {number}" in text_of(of_family[0]) for number in range(4))
    assert len(found.passages) <= 8


def test_a_parent_is_cut_to_what_a_reader_can_take(model: MadeUp, filing: Filing) -> None:
    family(filing, 8, 400)
    found = find([focus("supplier deliveries stopped")], [filing.pk])
    sizes = [text_of(one).count("Row") for one in found.passages]
    assert max(sizes) == 3 == MOST_PIECES // 400


def test_an_item_never_goes_in_whole(model: MadeUp, filing: Filing) -> None:
    family(filing, 4, 100, beside="7")
    found = find([focus("supplier deliveries stopped")], [filing.pk])
    assert max(text_of(one).count("Row") for one in found.passages) == 1


def test_weights_are_a_setting(model: MadeUp, filing: Filing, settings: Settings) -> None:
    indexed(filing, made(3, 40))
    by_words = find([focus("supplier licence in Porto")], [filing.pk]).passages
    settings.SEARCH_WEIGHTS = "0:1"
    by_meaning = find([focus("supplier licence in Porto")], [filing.pk]).passages
    assert [one.ranks for one in by_meaning] == [{"dense": rank} for rank in range(1, 9)]
    assert [one.chunk for one in by_words] != [one.chunk for one in by_meaning]


def text_of(passage: object) -> str:
    chunk = Chunk.objects.select_related("section").get(pk=passage.chunk)  # type: ignore[attr-defined]
    return "\n".join(chunk.section.text[start:end] for start, end in passage.ranges)  # type: ignore[attr-defined]
