"""Nearness in meaning is the embedding's, and unknown without one."""

import pytest

from agent.prose.verification.verify_quotations import NEAR, MeaningUnknown, cosine
from filings.text.embeddings import EmbeddingUnavailable

QUOTE = "We have never experienced a work stoppage."


def test_a_text_is_near_to_itself_in_other_words_and_far_from_another() -> None:
    assert cosine(QUOTE, QUOTE) > 0.99
    assert cosine("We have not ever experienced a work stoppage.", QUOTE) > NEAR
    assert cosine("The pension plan was underfunded.", QUOTE) < NEAR


def test_without_an_embedding_it_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable() -> None:
        raise EmbeddingUnavailable("The endpoint does not answer.")

    monkeypatch.setattr("filings.text.embeddings.embedder", unavailable)
    with pytest.raises(MeaningUnknown, match="does not answer"):
        cosine(QUOTE, QUOTE)
