"""The encoder of all-MiniLM-L6-v2 as an ONNX graph: word ids of one text in, its unit vector out.

The architecture is BERT's (Devlin et al. 2019, arXiv:1810.04805) with 6 layers, 12 heads and 384 dimensions, mean
pooling over all word pieces and normalisation to length 1, as the model's card and its `1_Pooling/config.json` say.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

LAYERS, HEADS, DIMENSIONS, POSITIONS = 6, 12, 384, 512
EPSILON = 1e-12
ONNX_OPSET, RUNTIME_OPSET = 17, 1
RUNTIME = "com.microsoft"
# Seven bits: the products of two bytes are added up in 16 bits on processors without VNNI, and never overflow with
# weights of at most 63. So every processor gives the same vectors.
LARGEST = 63
# Kept in full precision: a few features after the activation of the first layers are far larger than the rest, and
# cost most of the precision. Cosine to full precision 0.9963 on average and 0.9937 at the least of 250 texts with
# these; 0.9936 and 0.9886 without them, and then 82 texts of 150 pieces a second instead of 66.
PRECISE = frozenset(f"encoder.layer.{number}.narrow" for number in (0, 1, 2))

Weights = Mapping[str, NDArray[np.float32]]


class Graph:
    """Nodes and constants of a graph under way."""

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


def build(weights: Weights, quantized: bool = True) -> onnx.ModelProto:
    """The graph `ids` (1, pieces) int64 -> `vector` (1, 384) float32; at most 512 pieces, [CLS] and [SEP] included.

    weights: the tensors of model.safetensors by their names there. quantized: int8 weights, else full precision.
    """
    graph = Graph(weights, quantized)
    # Every text is one segment: its type is a constant, added to the positions.
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    words = weights["embeddings.word_embeddings.weight"]
    table = graph.constant("words", words.astype(np.float16) if quantized else words)
    looked_up = graph.node("Gather", [table, "ids"], "looked_up")
    word = graph.node("Cast", [looked_up], "word", to=TensorProto.FLOAT) if quantized else looked_up
    shape = graph.node("Shape", ["ids"], "length", start=1, end=2)
    zero = graph.constant("zero", np.zeros(1, np.int64))
    place = graph.node(
        "Slice",
        [graph.constant("places", places[None]), zero, shape, graph.constant("one", np.ones(1, np.int64))],
        "place",
    )
    state = graph.normalized("embeddings.LayerNorm", word, place)
    for number in range(LAYERS):
        state = graph.layer(number, state)
    mean = graph.node("ReduceMean", [state], "mean", axes=[1], keepdims=0)
    graph.node("LpNormalization", [mean], "vector", axis=-1, p=2)
    made = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "pieces"])],
        [helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, DIMENSIONS])],
        graph.constants,
    )
    opsets = [helper.make_opsetid("", ONNX_OPSET), helper.make_opsetid(RUNTIME, RUNTIME_OPSET)]
    return helper.make_model(made, opset_imports=opsets, ir_version=8)
