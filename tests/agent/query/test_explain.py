"""What is printed of how a question was read."""

from agent.query.explain import explain
from tests.agent.query.held import REGISTRY, TODAY, WIDER


def test_it_prints_matches_the_cover_with_its_score_and_the_query():
    said = explain("Apple's gross margin 2023", WIDER, REGISTRY, TODAY)
    assert "'gross margin' 5: measure gross_margin" in said
    assert "Reading 1, score 5: gross margin" in said
    assert "Query: AAPL | 2023 | gross_margin" in said


def test_it_prints_a_refusal_with_the_word_that_nobody_knows():
    said = explain("Apple zyx revenue 2023", WIDER, REGISTRY, TODAY)
    assert "Query: not_understood [zyx]" in said
    assert "'zyx': unused" in said


def test_it_prints_what_is_asked_of_diligence_itself():
    assert "Query: meta: greeting" in explain("Hello there!", WIDER, REGISTRY, TODAY)
