"""Builds ONNX graphs of all-MiniLM-L6-v2: one text's unit vector, or how likely a second text answers a first.

The architecture is BERT's (Devlin et al. 2019, arXiv:1810.04805) with 6 layers, 12 heads and 384 dimensions, mean
pooling over all word pieces and normalization to length 1, as the model's card and its `1_Pooling/config.json` say.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

LAYERS, HEADS, DIMENSIONS, POSITIONS = 6, 12, 384, 512
# Layers that the ranker shares with the model; those above are trained (evals/ranker.py).
FROZEN = 3
EPSILON = 1e-12
ONNX_OPSET, RUNTIME_OPSET = 17, 1
RUNTIME = "com.microsoft"
# Seven bits: products of two bytes are added in 16 bits on processors without VNNI, and never overflow with weights of
# at most 63.
LARGEST = 63
# Kept in full precision: a few features after the activation of the first layers are far larger than the rest, and cost
# most of the precision. Cosine to full precision 0.9963 on average and 0.9937 at least over 250 texts with these;
# 0.9936 and 0.9886 without, and then 82 texts of 150 pieces a second instead of 66.
PRECISE = frozenset(f"encoder.layer.{number}.narrow" for number in (0, 1, 2))

Weights = Mapping[str, NDArray[np.float32]]


class Graph:
    """Nodes and constants of a graph being built."""

    def __init__(self, weights: Weights, quantized: bool) -> None:
        self.weights, self.quantized = weights, quantized
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, name=output, **attributes))
        return output

    def linear(self, name: str, source: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> str:
        """source @ weight + bias, (pieces, in) by (in, out); quantized with a scale of its own for each column."""
        bias_name = self.constant(f"{name}.bias", bias)
        if not self.quantized or name in PRECISE:
            product = self.node("MatMul", [source, self.constant(f"{name}.weight", weight)], f"{name}.product")
            return self.node("Add", [product, bias_name], name)
        scale = np.abs(weight).max(axis=0) / LARGEST
        rounded = np.clip(np.rint(weight / scale), -LARGEST, LARGEST).astype(np.int8)
        inputs = [source, self.constant(f"{name}.weight", rounded)]
        inputs += [self.constant(f"{name}.scale", scale.astype(np.float32)), "", bias_name]
        return self.node("DynamicQuantizeMatMul", inputs, name, RUNTIME)

    def normalized(self, name: str, source: str, beside: str) -> str:
        """LayerNorm(source + beside) with the weights called `name`."""
        gamma = self.constant(f"{name}.gamma", self.weights[f"{name}.weight"])
        beta = self.constant(f"{name}.beta", self.weights[f"{name}.bias"])
        inputs = [source, beside, gamma, beta]
        return self.node("SkipLayerNormalization", inputs, f"{name}.out", RUNTIME, epsilon=EPSILON)

    def layer(self, number: int, source: str) -> str:
        """One encoder layer."""
        at = f"encoder.layer.{number}"

        def dense(name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            return self.weights[f"{at}.{name}.weight"].T, self.weights[f"{at}.{name}.bias"]

        parts = [dense(f"attention.self.{name}") for name in ("query", "key", "value")]
        together = [np.concatenate([part[place] for part in parts], axis=-1) for place in (0, 1)]
        packed = self.linear(f"{at}.qkv", source, together[0], together[1])
        sizes = self.constant(f"{at}.sizes", np.full(3, DIMENSIONS, np.int64))
        split = [f"{at}.query", f"{at}.key", f"{at}.value"]
        self.nodes.append(helper.make_node("Split", [packed, sizes], split, axis=-1, name=f"{at}.split"))
        seen = self.node("MultiHeadAttention", split, f"{at}.seen", RUNTIME, num_heads=HEADS)
        told = self.linear(f"{at}.told", seen, *dense("attention.output.dense"))
        middle = self.normalized(f"{at}.attention.output.LayerNorm", told, source)
        wide = self.linear(f"{at}.wide", middle, *dense("intermediate.dense"))
        active = self.node("Gelu", [wide], f"{at}.active", RUNTIME)
        narrow = self.linear(f"{at}.narrow", active, *dense("output.dense"))
        return self.normalized(f"{at}.output.LayerNorm", narrow, middle)

    def encoded(self, paired: bool) -> str:
        """The mean of all pieces after the last layer, (1, 384), of `ids` and, for a pair of texts, `kinds` (1,
        pieces).
        """
        words = self.weights["embeddings.word_embeddings.weight"]
        places = self.weights["embeddings.position_embeddings.weight"]
        kinds = self.weights["embeddings.token_type_embeddings.weight"]
        if not paired:
            # Every text is one segment: its kind is a constant, added to the positions.
            places = places + kinds[0]
        table = self.constant("words", words.astype(np.float16) if self.quantized else words)
        looked_up = self.node("Gather", [table, "ids"], "looked_up")
        word = self.node("Cast", [looked_up], "word", to=TensorProto.FLOAT) if self.quantized else looked_up
        shape = self.node("Shape", ["ids"], "length", start=1, end=2)
        zero, one = self.constant("zero", np.zeros(1, np.int64)), self.constant("one", np.ones(1, np.int64))
        beside = self.node("Slice", [self.constant("places", places[None]), zero, shape, one], "place")
        if paired:
            kind = self.node("Gather", [self.constant("all_kinds", kinds), "kinds"], "kind")
            beside = self.node("Add", [kind, beside], "beside")
        state = self.normalized("embeddings.LayerNorm", word, beside)
        for number in range(LAYERS):
            state = self.layer(number, state)
        return self.node("ReduceMean", [state], "mean", axes=[1], keepdims=0)

    def model(self, name: str, inputs: list[str], output: str, size: int) -> onnx.ModelProto:
        """The graph so far: ids of (1, pieces) in, `output` of (1, size) out."""
        made = helper.make_graph(
            self.nodes,
            name,
            [helper.make_tensor_value_info(one, TensorProto.INT64, [1, "pieces"]) for one in inputs],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, size])],
            self.constants,
        )
        opsets = [helper.make_opsetid("", ONNX_OPSET), helper.make_opsetid(RUNTIME, RUNTIME_OPSET)]
        return helper.make_model(made, opset_imports=opsets, ir_version=8)


def build(weights: Weights, quantized: bool = True) -> onnx.ModelProto:
    """The graph `ids` (1, pieces) int64 -> `vector` (1, 384) float32; at most 512 pieces, including [CLS] and [SEP].

    weights: the tensors of model.safetensors by name. quantized: int8 weights, else full precision.
    """
    graph = Graph(weights, quantized)
    graph.node("LpNormalization", [graph.encoded(paired=False)], "vector", axis=-1, p=2)
    return graph.model("all-MiniLM-L6-v2", ["ids"], "vector", DIMENSIONS)


def build_ranker(weights: Weights, quantized: bool = True) -> onnx.ModelProto:
    """The graph `ids`, `kinds` (1, pieces) int64 -> `score` (1, 1) float32: the higher, the likelier an answer.

    weights: as for `build`, with trained layers replaced, and "head.weight" (1, 384), "head.bias" (1,).
    """
    graph = Graph(weights, quantized)
    head = graph.constant("head.weight", weights["head.weight"].T)
    graph.node("Gemm", [graph.encoded(paired=True), head, graph.constant("head.bias", weights["head.bias"])], "score")
    return graph.model("sentence-ranker", ["ids", "kinds"], "score", 1)
