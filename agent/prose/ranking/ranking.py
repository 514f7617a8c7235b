"""How likely each sentence answers a question, by reading both together: all-MiniLM-L6-v2, its upper layers trained anew.

The weights of these (5 MB, `python -m evals.ranker`) stand beside this file; what is below them is the model as installed.
"""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

WEIGHTS = Path(__file__).with_name("ranker.safetensors")
# Word pieces of the question, and of it with a sentence; a few are longer and are cut.
ASKED, LONGEST = 32, 96
CLS, SEP = 101, 102
# Sentences read lately: the same ones are judged where passages are chosen and where they are quoted.
KEPT = 4_096

Pair = tuple[list[int], list[int]]


def scores(question: str, sentences: Sequence[str]) -> list[float]:
    """The log odds of each sentence that it answers. Raises EmbeddingUnavailable, EmbeddingMisconfigured.

    A sentence has the same score beside whatever others: each is read by itself, several at a time.
    """
    _session()  # made once, before several ask for it
    count = os.cpu_count() or 1
    shares = [sentences[first::count] for first in range(count)]
    # Made for each call: threads do not live on in a fork.
    with ThreadPoolExecutor(count) as threads:
        read = list(threads.map(lambda share: [_score(question, one) for one in share], shares))
    return [read[place % count][place // count] for place in range(len(sentences))]


def paired(question: str, sentences: Sequence[str]) -> list[Pair]:
    """The word pieces of a question with each sentence, and of which of both each piece is: 0 or 1."""
    from filings.text.embeddings.minilm import tokenizer

    first, *others = tokenizer().encode_batch_fast([question, *sentences], add_special_tokens=False)
    begun = [CLS, *first.ids[:ASKED], SEP]
    ended = [[*one.ids[: LONGEST - len(begun) - 1], SEP] for one in others]
    return [(begun + rest, [0] * len(begun) + [1] * len(rest)) for rest in ended]


@lru_cache(maxsize=KEPT)
def _score(question: str, sentence: str) -> float:
    import numpy as np

    ((ids, kinds),) = paired(question, [sentence])
    (score,) = _session().run(None, {"ids": np.asarray([ids], np.int64), "kinds": np.asarray([kinds], np.int64)})
    return float(score[0, 0])


@lru_cache(maxsize=1)
def _session() -> "InferenceSession":
    from filings.text.embeddings import minilm, onnx_graph

    stamp = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:12]
    name = f"sentence-ranker-int8-{minilm.SHA256['model.safetensors'][:12]}-{stamp}-{minilm.GRAPH_VERSION}.onnx"
    return minilm.session(minilm.built(name, lambda: onnx_graph.build_ranker({**minilm.weights(), **_trained()})), 1)


def _trained() -> "dict[str, NDArray[np.float32]]":
    """The tensors of WEIGHTS: a matrix of bytes has the scale of each row beside it."""
    import numpy as np
    from safetensors.numpy import load_file

    held = load_file(WEIGHTS)
    scales = {name.removesuffix(".scale"): scale for name, scale in held.items() if name.endswith(".scale")}
    return {
        name: value * scales[name][:, None] if name in scales else value.astype(np.float32)
        for name, value in held.items()
        if not name.endswith(".scale")
    }
