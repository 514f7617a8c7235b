"""`python -m evals.ranker LISTS`: train what reads a question and a sentence together (agent/prose/ranking/ranking.py).

From the questions on sentences of filings (evals.pairs) of the companies that are not held out: each with its answers,
other sentences of its window, and the likeliest sentences that the filing's own search finds beside them. LISTS is a file
of these lists, made if it is not there: it holds sentences of filings and is not to be kept. The upper layers and the head
are trained, two rounds, the same draw every time; what is below them is all-MiniLM-L6-v2 as it is installed. Needs torch
(2.11 and 2.15 were tried), which the project does not install; about half an hour on two cores.
"""

import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import django
import numpy as np

SEED = 1
ROUNDS, TOGETHER = 2, 8
RATE, HEAD_RATE, DECAY, WARMING = 1e-4, 2e-3, 0.01, 25
# How many of the sentences found are negatives; a few of each list are drawn every time.
LIKELIEST, FOUND, BESIDE = 24, 3, 4
# A sentence this similar to an answer may answer too.
ALIKE = 0.4
# Sums of floats depend on the number of threads.
THREADS = 2


@dataclass
class Listed:
    """A question, its answering sentences, others of their window, and others that search ranks high."""

    question: str
    answers: list[str]
    others: list[str]
    found: list[str]


def lists(path: Path) -> list[Listed]:
    """The lists of LISTS, created if missing."""
    if not path.is_file():
        path.write_text("".join(json.dumps(asdict(one)) + "\n" for one in gathered()), encoding="utf-8")
    return [Listed(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def gathered() -> Iterator[Listed]:
    """Every question of companies that are not held out; near misses are left out, because nothing is known about them."""
    from agent.prose.ranking import calibration
    from agent.prose.ranking.scoring import told_by
    from agent.prose.search import narrowing
    from agent.prose.search.passages import bare
    from evals import pairs
    from evals.prose_harness import touches

    judged: list[Any] = []
    original = narrowing.judged

    def unread(one: Any) -> float:
        """A sentence's score without the ranker."""
        return calibration.worth({**one.traits, "likely": 0.0})

    def listening(*of: Any) -> Any:
        judged.append(original(*of))
        return judged[-1]

    with mock.patch.object(narrowing, "judged", listening):
        for pair in pairs.sample(most=1_000_000):
            judged.clear()
            if not pair.answers or (truths := pairs.ask(pair)) is None:
                continue
            units = [one.unit for of in judged for one in sorted(of, key=unread, reverse=True)[:LIKELIEST]]
            far = [one for one in units if not touches((one.passage.section, one.start, one.end), truths)]
            found = [said for said in map(told_by, far) if max(shared(said, one) for one in pair.answers) < ALIKE]
            yield Listed(bare(pair.question), list(pair.answers), list(pair.others), list(dict.fromkeys(found)))


def shared(one: str, other: str) -> float:
    """The F1 of two sentences' words."""
    first, second = (set(re.findall(r"[a-z]{4,}", text.lower())) for text in (one, other))
    return 2 * len(first & second) / (len(first) + len(second) or 1)


def forward(torch: Any, weights: dict[str, Any], pairs: Sequence[tuple[list[int], list[int]]]) -> Any:
    """The score of each pair of (word pieces, kinds), computed like the graph of filings.text.embeddings."""
    from filings.text.embeddings.onnx_graph import EPSILON, FROZEN, HEADS, LAYERS

    functional = torch.nn.functional
    longest = max(len(ids) for ids, _ in pairs)
    ids, kinds = (torch.tensor([one[of] + [0] * (longest - len(one[of])) for one in pairs]) for of in (0, 1))
    held = ids != 0

    def linear(name: str, source: Any) -> Any:
        return functional.linear(source, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def normalized(name: str, source: Any) -> Any:
        return functional.layer_norm(
            source, source.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], EPSILON
        )

    def layer(at: str, state: Any) -> Any:
        split = [
            linear(f"{at}.attention.self.{name}", state).unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for name in ("query", "key", "value")
        ]
        seen = functional.scaled_dot_product_attention(*split, attn_mask=held[:, None, None, :])
        told = linear(f"{at}.attention.output.dense", seen.transpose(1, 2).flatten(2))
        middle = normalized(f"{at}.attention.output.LayerNorm", state + told)
        wide = functional.gelu(linear(f"{at}.intermediate.dense", middle))
        return normalized(f"{at}.output.LayerNorm", middle + linear(f"{at}.output.dense", wide))

    with torch.no_grad():
        state = weights["embeddings.word_embeddings.weight"][ids]
        state = state + weights["embeddings.position_embeddings.weight"][:longest]
        state = normalized("embeddings.LayerNorm", state + weights["embeddings.token_type_embeddings.weight"][kinds])
        for number in range(FROZEN):
            state = layer(f"encoder.layer.{number}", state)
    for number in range(FROZEN, LAYERS):
        state = layer(f"encoder.layer.{number}", state)
    mean = (state.float() * held[..., None]).sum(1) / held.sum(1, keepdim=True)
    return functional.linear(mean, weights["head.weight"], weights["head.bias"])[:, 0]


def train(found: Sequence[Listed]) -> dict[str, Any]:
    """The trained weights, by names of the tensors they replace."""
    import torch
    from safetensors.torch import load_file

    from agent.prose.ranking.ranking import paired
    from filings.text.embeddings.minilm import model_file
    from filings.text.embeddings.onnx_graph import DIMENSIONS, FROZEN

    torch.manual_seed(SEED)
    torch.set_num_threads(THREADS)
    drawn = random.Random(SEED)  # noqa: S311 - a draw that can be repeated
    weights: dict[str, Any] = load_file(model_file("model.safetensors"))
    weights["head.weight"] = torch.randn(1, DIMENSIONS) * 0.02
    weights["head.bias"] = torch.zeros(1)
    upper = re.compile(r"encoder\.layer\.(\d+)\.")
    layers = [name for name in weights if (number := upper.match(name)) and int(number[1]) >= FROZEN]
    trained = [*layers, "head.weight", "head.bias"]
    for name in trained:
        weights[name].requires_grad_(True)
    groups = [
        {"params": [weights[name] for name in layers], "lr": RATE, "weight_decay": DECAY},
        {"params": [weights[name] for name in trained if name not in layers], "lr": HEAD_RATE},
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98))
    steps = ROUNDS * (len(found) // TOGETHER)
    shape = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / WARMING) * max(0.02, 1 - step / steps)
    )
    for turn in range(ROUNDS):
        order = sorted(found, key=lambda one: (one.question, one.answers))
        drawn.shuffle(order)
        for first in range(0, len(order) - TOGETHER + 1, TOGETHER):
            texts: list[list[str]] = []
            rows = []
            for one in order[first : first + TOGETHER]:
                wrong = drawn.sample(one.others, min(BESIDE, len(one.others)))
                wrong += drawn.sample(one.found, min(FOUND, len(one.found)))
                texts.append([*one.answers, *wrong])
                rows += paired(one.question, texts[-1])
            right = torch.tensor(
                [float(said in one.answers) for one, of in zip(order[first:], texts, strict=False) for said in of]
            )
            with torch.autocast("cpu", dtype=torch.bfloat16):
                scores = forward(torch, weights, rows).float()
            # Each sentence by itself, and within its list: that some answer ranks first.
            loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, right)
            for of, label in zip(
                scores.split([len(of) for of in texts]), right.split([len(of) for of in texts]), strict=True
            ):
                loss = loss + (of.logsumexp(0) - of[label > 0].logsumexp(0)) / TOGETHER
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([weights[name] for name in trained], 1.0)
            optimizer.step()
            shape.step()
            if first % (50 * TOGETHER) == 0:
                print(f"round {turn + 1}, {first:,} of {len(order):,} questions, loss {loss.item():.3f}", flush=True)
    return {name: weights[name].detach().numpy() for name in trained}


def kept(weights: dict[str, Any]) -> dict[str, Any]:
    """The tensors of the file: matrices as bytes with a scale for each row, as the graph rounds them anyway."""
    from filings.text.embeddings.onnx_graph import LARGEST

    tensors: dict[str, Any] = {}
    for name, value in weights.items():
        if value.ndim == 2 and name != "head.weight":
            scale = np.abs(value).max(axis=1) / LARGEST
            tensors[name] = np.rint(value / scale[:, None]).astype(np.int8)
            tensors[f"{name}.scale"] = scale.astype(np.float32)
        else:
            tensors[name] = value.astype(np.float32)
    return tensors


def main() -> None:
    from safetensors.numpy import save_file

    from agent.prose.ranking.ranking import WEIGHTS

    found = lists(Path(sys.argv[1]))
    print(
        f"{len(found):,} questions, {sum(bool(one.found) for one in found):,} with sentences found beside", flush=True
    )
    save_file(kept(train(found)), WEIGHTS)
    print(f"{WEIGHTS.stat().st_size:,} bytes in {WEIGHTS}")


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    main()
