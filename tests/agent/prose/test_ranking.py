"""What reads a question and a sentence together: each pair by itself, with weights that are whole, and better than words alone."""

import numpy as np
import onnxruntime
import pytest

from agent.prose.ranking import ranking, scoring
from filings.text.embeddings import EmbeddingUnavailable, minilm, onnx_graph

# The graphs are built by one worker.
pytestmark = pytest.mark.xdist_group("minilm")

QUESTION = "How does it make sure that suppliers treat workers fairly?"
ANSWER = (
    "Each factory is audited once a year, and its hours, wages and dormitories are compared with our code of conduct."
)
NEAR = "We buy most of our components from four suppliers."
FAR = "The lease of the headquarters ends in 2031."


def test_what_answers_is_likelier_than_what_shares_words() -> None:
    answer, near, far = ranking.scores(QUESTION, [ANSWER, NEAR, FAR])
    assert answer > near > far


def test_a_score_does_not_depend_on_what_is_read_beside_it() -> None:
    together = ranking.scores(QUESTION, [ANSWER, FAR, ANSWER * 3])
    ranking._score.cache_clear()
    assert ranking.scores(QUESTION, [ANSWER])[0] == together[0]
    assert ranking.scores(QUESTION, []) == []


def test_without_room_for_the_graph_sentences_are_ordered_by_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room() -> None:
        raise EmbeddingUnavailable("No room.")

    monkeypatch.setattr(ranking, "_session", no_room)
    assert scoring._likely(QUESTION, [ANSWER, FAR]) == []


def test_long_texts_are_cut() -> None:
    ((ids, kinds),) = ranking.paired(QUESTION * 20, [ANSWER * 20])
    assert len(ids) == len(kinds) == ranking.LONGEST
    assert kinds.index(1) == ranking.ASKED + 2
    assert (ids[0], ids[kinds.index(1) - 1], ids[-1]) == (ranking.CLS, ranking.SEP, ranking.SEP)


def test_the_weights_are_those_of_the_upper_layers_and_the_head() -> None:
    trained, installed = ranking._trained(), minilm.weights()
    layers = {int(name.split(".")[2]) for name in trained if name.startswith("encoder")}
    assert layers == set(range(onnx_graph.FROZEN, onnx_graph.LAYERS))
    upper = {name for name in installed if name.startswith(tuple(f"encoder.layer.{number}." for number in layers))}
    assert set(trained) == upper | {"head.weight", "head.bias"}
    assert all(trained[name].shape == installed[name].shape for name in upper)
    assert ranking.WEIGHTS.stat().st_size < 12_000_000


def test_bytes_score_as_full_precision_does() -> None:
    graph = onnx_graph.build_ranker({**minilm.weights(), **ranking._trained()}, quantized=False).SerializeToString()
    whole = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    for sentence, score in zip((ANSWER, NEAR, FAR), ranking.scores(QUESTION, [ANSWER, NEAR, FAR]), strict=True):
        ((ids, kinds),) = ranking.paired(QUESTION, [sentence])
        (exact,) = whole.run(None, {"ids": np.asarray([ids]), "kinds": np.asarray([kinds])})
        assert abs(float(exact[0, 0]) - score) < 1.0
