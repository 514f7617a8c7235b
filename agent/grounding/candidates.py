"""The measures, lines and parts that a model may choose from: those near the question, each with an id."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from agent.numbers.parts.part_facts import AXES
from agent.numbers.registry.concept import STATEMENTS
from agent.numbers.registry.registry import Registry, load
from agent.query.words.lexicon import PARENTHESES, CompanyPart, Lexicon, measure_of
from agent.query.words.part_names import axis
from agent.state.query import Concept, Line, Measure, Metric, PartOf, Statement
from agent.state.references import Record
from agent.words.stems import roots
from filings.text.embeddings import Embedder, EmbeddingMisconfigured, EmbeddingUnavailable, embedder
from filings.xbrl.axes import CLASSES

# Candidates of one question.
MOST = 55
# Of these, by words that they share with the question, by their meaning, and parts of the company; between them stand
# the measures that are asked for in all kinds of words.
MOST_BY_WORDS, MOST_BY_MEANING, MOST_PARTS = 18, 12, 12
# Ratios are many, and asked by name: this much nearer than a figure they must be to come before it.
_DERIVED = 0.1
# Axis -> what kind of part its members are.
_KINDS = {name: kind for kind, axes in AXES.items() for name in axes} | {CLASSES: "class of shares"}
# Names of one candidate that are compared by their meaning.
MOST_NAMES = 3


class Candidate(Record):
    """A measure, or a part of a company, that a model may name by its id."""

    id: str
    label: str
    measure: Measure | None = None
    part: str = ""  # name of a part of the company, which any measure may be of
    members: tuple[str, ...] = ()
    own: tuple[PartOf, ...] = ()
    names: tuple[str, ...] = ()


def candidates(question: str, registry: Registry, lexicon: Lexicon, most: int = MOST) -> tuple[Candidate, ...]:
    """At most `most` candidates near the question: measures of the registry (m), printed lines (l), statements (s) and
    parts (p). lexicon: the names of the companies asked about.
    """
    measures = [*_of_registry(registry.version), *_lines(lexicon)]
    parts = list(_parts(lexicon))
    said = roots(question)
    near_parts = list(dict.fromkeys([*_by_words(said, parts), *_by_meaning(question, parts)]))[:MOST_PARTS]
    often = {measure_of(registry, key) for key in registry.key_figures.often_asked}
    meant = _by_meaning(question, measures)
    ordered = [
        *_by_words(said, measures)[:MOST_BY_WORDS],
        *meant[:MOST_BY_MEANING],
        *(one for one in measures if one.measure in often),
        *meant,
    ]
    chosen = list(dict.fromkeys(ordered))[: most - len(near_parts)]
    return tuple(_numbered([*chosen, *near_parts]))


def _numbered(found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The candidates with their ids: a letter for the kind, and a number."""
    counts: Counter[str] = Counter()
    for one in found:
        kind = "p" if one.part else {"line": "l", "statement": "s"}.get(one.measure.kind if one.measure else "", "m")
        counts[kind] += 1
        yield one.model_copy(update={"id": f"{kind}{counts[kind]}"})


@lru_cache(maxsize=2)
def _of_registry(version: str) -> tuple[Candidate, ...]:
    """Every measure of the registry, each definition of a metric that has a name of its own, and the statements."""
    registry = load()
    found = []
    for key, concept in registry.concepts.items():
        found.append(_candidate(concept.label, Concept(key=key), concept.aliases))
    for key, metric in registry.metrics.items():
        if metric.hidden:
            continue
        found.append(_candidate(registry.label(key), measure_of(registry, key), metric.aliases))
        for name, variant in metric.variants.items():
            if variant.aliases:
                label = f"{registry.label(key)}: {variant.aliases[0]}"
                found.append(_candidate(label, Metric(key=key, variant=name), variant.aliases))
    for kind, label in STATEMENTS.items():
        if kind == "cover":
            continue
        found.append(_candidate(f"The whole {label}", Statement.model_validate({"statement": kind}), ()))
    return tuple(found)


def _candidate(label: str, measure: Measure, names: Iterable[str]) -> Candidate:
    plain = PARENTHESES.sub("", label)
    return Candidate(id="", label=label, measure=measure, names=tuple(dict.fromkeys((plain, *names))))


def _lines(lexicon: Lexicon) -> Iterator[Candidate]:
    """The rows that the company prints on its statements, where no measure of the registry is called so."""
    lines = {row.measure: None for named in lexicon.names.values() for row in named.rows if lexicon.base}
    yield from (_candidate(one.label, one, ()) for one in lines if isinstance(one, Line))


def _parts(lexicon: Lexicon) -> Iterator[Candidate]:
    """The parts of the companies, each with every name that it has there."""
    names: dict[tuple[str, ...], list[str]] = {}
    found: dict[tuple[str, ...], CompanyPart] = {}
    for key, part in lexicon.parts.items():
        names.setdefault(part.members, []).append(" ".join(key))
        found.setdefault(part.members, part)
    for members, part in found.items():
        if any(set(members) < set(others) for others in found):
            continue  # another name has its members, and more: "Cloud segment" beside "Cloud"
        kinds = sorted({_KINDS.get(axis(one), "product") for one in members})
        label = f"{part.label} ({', '.join(kinds)})"
        called = tuple(dict.fromkeys((part.label, *names[members])))
        yield Candidate(id="", label=label, part=part.label, members=members, own=part.own, names=called)


# --- nearness ---


def _by_words(said: frozenset[str], among: Sequence[Candidate]) -> list[Candidate]:
    """Those with a name that shares words with the question, by how much of the name it is; rare words count more."""
    called = [[roots(name) for name in one.names] for one in among]
    held = Counter(word for names in called for word in frozenset().union(*names))
    weight = {word: math.log(1 + len(among) / count) for word, count in held.items()}
    scores = [max((_shared(said, name, weight) for name in names), default=0.0) for names in called]
    order = sorted((place for place, score in enumerate(scores) if score), key=lambda place: -scores[place])
    return [among[place] for place in order]


def _shared(said: frozenset[str], name: frozenset[str], weight: Mapping[str, float]) -> float:
    """The weight of the shared words, less what of the name the question does not say."""
    shared = sum(weight[word] for word in said & name)
    return shared * shared / sum(weight[word] for word in name) if shared else 0.0


@lru_cache(maxsize=4)
def _vectors(model: Embedder, names: tuple[str, ...]) -> NDArray[np.float32]:
    """The vectors of names, one a row: those of the registry and of few companies are asked for again and again."""
    return model.documents(names)


def _by_meaning(question: str, among: Sequence[Candidate]) -> list[Candidate]:
    """All of them, those first whose names are near the question by their vectors; none without a model of vectors."""
    names = [(name, place) for place, one in enumerate(among) for name in one.names[:MOST_NAMES]]
    if not names:
        return []
    try:
        model = embedder()
        near = _vectors(model, tuple(name for name, _ in names)) @ model.query(question)
    except (EmbeddingUnavailable, EmbeddingMisconfigured):
        return []
    best = np.full(len(among), -1.0, np.float32)
    np.maximum.at(best, np.array([place for _, place in names]), near)
    best -= np.array([_DERIVED if isinstance(one.measure, Metric) else 0.0 for one in among], np.float32)
    return [among[place] for place in np.argsort(-best, kind="stable")]
