"""Lists into hits, and searches into one order."""

import pytest

from filings.search.fusion import Weights, fuse, fuse_searches, ordered, parse_weights
from filings.search.index import Hit, Listed, Lists


def listed(*chunks: int) -> tuple[Listed, ...]:
    return tuple(Listed(chunk, 10.0 - place) for place, chunk in enumerate(chunks))


def test_a_chunk_scores_its_weight_over_twenty_and_its_rank_in_every_list() -> None:
    hits = fuse(Lists(lexical=listed(7, 8), dense=listed(8), statements=listed(9)), Weights(2, 1, 1))
    assert [(hit.chunk, hit.score) for hit in hits] == [
        (8, 2 / 22 + 1 / 21),
        (7, 2 / 21),
        (9, 1 / 21),
    ]
    assert hits[0].ranks == {"lexical": 2, "dense": 1}
    assert (hits[0].bm25, hits[0].cosine) == (9.0, 10.0)
    assert (hits[1].bm25, hits[1].cosine) == (10.0, None)


def test_a_list_without_weight_brings_nothing_in() -> None:
    assert [hit.chunk for hit in fuse(Lists(lexical=listed(1), statements=listed(2)), Weights(3, 7, 0))] == [1]


def test_equal_scores_stand_in_the_order_of_the_filing() -> None:
    assert [row.chunk for row in ordered({5: 1.0, 3: 1.0, 4: 2.0}, 3)] == [4, 3, 5]
    assert [row.chunk for row in ordered({5: 1.0, 3: 1.0, 4: 2.0}, 1)] == [4]
    assert [row.chunk for row in ordered({5: 1.0, 3: 1.0, 4: 2.0}, 2)] == [4, 3]


def hits(*chunks: int) -> list[Hit]:
    return [Hit(chunk, 1 / place) for place, chunk in enumerate(chunks, start=1)]


def test_the_best_of_each_search_stand_before_what_is_middling_in_both() -> None:
    placed = fuse_searches([hits(1, 2, 9), hits(5, 6, 9)], share=2)
    assert [one.chunk for one in placed] == [1, 5, 2, 6, 9]
    assert [one.query for one in placed] == [0, 1, 0, 1, 0]


def test_without_a_share_the_chunk_of_both_searches_is_first() -> None:
    placed = fuse_searches([hits(1, 2, 9), hits(5, 6, 9)])
    assert placed[0].chunk == 9
    assert placed[0].score == pytest.approx(2 / 23)


def test_a_chunk_belongs_to_the_search_that_ranks_it_best() -> None:
    placed = fuse_searches([hits(1, 2, 3), hits(3, 1)])
    assert {one.chunk: one.query for one in placed} == {1: 0, 2: 0, 3: 1}


def test_one_search_keeps_its_order_and_its_scores() -> None:
    assert [(one.chunk, one.score) for one in fuse_searches([hits(4, 2)], share=6)] == [(4, 1.0), (2, 0.5)]


@pytest.mark.parametrize(
    ("text", "weights"), [("2:1:1", (2, 1, 1)), ("30:70", (30, 70, 0)), ("1:0", (1, 0, 0)), ("0.5:1:0", (0.5, 1, 0))]
)
def test_it_reads_weights(text: str, weights: tuple[float, ...]) -> None:
    assert parse_weights(text) == weights


@pytest.mark.parametrize("text", ["", "1", "1:2:3:4", "a:b", "-1:2", "0:0:1", "nan:1", "inf:1", "1:2000"])
def test_it_refuses_what_is_no_weights(text: str) -> None:
    with pytest.raises(ValueError, match=r"weights|float"):
        parse_weights(text)
