"""How well a sentence answers: its words and its meaning beside the question, where it stands, the reason that it gives."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from agent.prose.questions.weights import Asked, Term
from agent.prose.ranking import calibration, ranking
from agent.prose.text.boundaries import Range
from agent.prose.text.candidate_sentences import Unit, is_boilerplate, is_named_row
from agent.prose.text.quotations import refers
from agent.prose.text.reasons import asks_reason, dated, reason_traits
from agent.prose.text.section_text import SectionText
from agent.state import Passage, Topic
from agent.words.stems import roots
from filings.models import Chunk

# Sentences that are read beside a question, and at least beside one part of several; and how much of each. With twice as
# many a right sentence is marked for 288 of 378 questions on real filings, not for 283, and a question takes half as long
# again.
READ, FEWEST, LONGEST = 12, 8, 400
# Of rows of tables so many.
ROWS = 6
# The log odds of most sentences: of all where none can be read, and then none is likely enough to be called an answer.
USUAL = -4.0
# Credit of a word by where it stands: in the sentence itself, in filing words for it, in the heading above, ...
ITSELF, VARIANT, HEADING, BEFORE, AROUND = 1.0, 0.5, 0.75, 0.5, 0.25


@dataclass(frozen=True, slots=True)
class Score:
    """One sentence against one part of the question.

    covered: share of the question's words, weighed, that the sentence and its heading have. own: in the sentence alone.
    names: whether every name of the question is there.
    traits: all that it is judged by, as agent.prose.ranking.calibration weighs it. total: its worth by that.
    """

    unit: Unit
    covered: float
    own: float
    names: bool
    total: float = 0.0
    traits: Mapping[str, float] = field(default_factory=dict)


def score(unit: Unit, asked: Asked, around: Set[str]) -> Score:
    """A sentence against one part of a question. around: the words of the whole passage."""
    heading = roots(" ".join(unit.headings))
    before = roots(unit.before)
    # "The increase was due to ..." is quoted with the sentence it refers to.
    own_roots = unit.roots | before if unit.order and refers(unit.text) else unit.roots
    variant = any(phrase <= own_roots for phrase in asked.variants)
    covered = own = 0.0
    names = True
    for term in asked.terms:
        in_unit = credit(term, own_roots)
        if not in_unit and variant:
            in_unit = VARIANT
        best = max(in_unit, HEADING * credit(term, heading), BEFORE * credit(term, before))
        best = max(best, AROUND * credit(term, around))
        covered += term.weight * best
        own += term.weight * in_unit
        if best < BEFORE:
            names = names and not term.name
    total = asked.total or 1.0
    return Score(unit, covered / total, own / total, names)


def credit(term: Term, found: Set[str]) -> float:
    """Whether a word stands among others, as credit."""
    return ITSELF if term.root in found else 0.0


class Nearness:
    """Cosines of passages to each part of a question; empty where meaning was not searched.

    read: the passages' sections by primary key.
    """

    def __init__(
        self, focuses: Sequence[str], passages: Sequence[Passage], read: Mapping[int, SectionText], model: str
    ) -> None:
        self.focuses = focuses
        self.windows: dict[int, list[tuple[Range, list[float]]]] = {}
        for section, span, near in self._windows(passages, read, model) if model and passages else ():
            self.windows.setdefault(section, []).append((span, near))

    def _windows(
        self, passages: Sequence[Passage], read: Mapping[int, SectionText], model: str
    ) -> Iterator[tuple[int, Range, list[float]]]:
        """Each window of the passages: its section, its place there, and its cosine to each part."""
        # numpy and the index belong to the worker.
        import numpy as np

        from filings.text.chunking.contextual import embedded_texts
        from filings.text.embeddings import EmbeddingUnavailable, embedder
        from filings.text.embeddings.vectors import vector_key

        chunks = [
            chunk
            for chunk in Chunk.objects.filter(pk__in={pk for one in passages for pk in one.chunks or (one.chunk,)})
            if chunk.section_id in read
        ]
        said = embedded_texts((chunk, read[chunk.section_id].section.text) for chunk in chunks)
        # Of a part of a table, its rows: the last range, after caption and header.
        stretches = [(chunk.section_id, tuple(window[-1])) for chunk in chunks for window in chunk.windows]
        try:
            found = embedder()
            if found.model != model:
                return
            keys = [vector_key(model, text) for text in said]
            held = found.cache.read(keys, found.dimensions)
            asked = np.stack([found.query(text) for text in self.focuses])
        except EmbeddingUnavailable:
            return
        for (section, (first, last)), key in zip(stretches, keys, strict=True):
            if key in held:
                yield section, (first, last), (asked @ held[key]).tolist()

    def cosine(self, section: int, start: int, end: int, part: int) -> float | None:
        """The best of the windows that hold a stretch; None where none is known."""
        held = self.windows.get(section, ())
        return max((near[part] for span, near in held if span[0] < end and start < span[1]), default=None)


def judged(
    units: Sequence[Unit],
    topic: Topic,
    asked: Asked,
    nearness: Nearness,
    part: int,
    fiscal_year: int,
    most: int = READ,
) -> list[Score]:
    """Sentences that can answer one part of a question, the best first. most: so many are read beside the question."""
    why = asks_reason(topic.text)
    found = scored(units, asked)
    told = [traits(one, nearness, part) for one in found]
    for one, of in zip(found, told, strict=True):
        of["dated"] = dated(one.unit, fiscal_year)
        if why:
            of |= reason_traits(one.unit, topic.text)
    order = [place for place, _ in ranked(found, told)]
    read = order[: max(FEWEST, most // len(topic.queries))]
    likely = _likely(nearness.focuses[part], [told_by(found[place].unit)[:LONGEST] for place in read])
    # What is not read is no likelier than what is.
    likely += [min(likely, default=USUAL)] * (len(found) - len(likely))
    for place, score in zip(order, likely, strict=True):
        told[place]["likely"] = score / 10
    return [replace(found[place], traits=told[place], total=worth) for place, worth in ranked(found, told)]


def best_row(
    units: Sequence[Unit], topic: Topic, asked: Asked, nearness: Nearness, part: int, fiscal_year: int
) -> Score | None:
    """The row of a table that is nearest to one part of a question; None where none is near, or where a reason is asked:
    no row gives one.

    A row has few words: what answers a question for a figure seldom stands before all sentences.
    """
    if topic.form != "explain" or asks_reason(topic.text):
        return None
    rows = judged([one for one in units if is_named_row(one)], topic, asked, nearness, part, fiscal_year, ROWS)
    return rows[0] if rows and calibration.is_near(rows[0].total) else None


def _likely(question: str, sentences: Sequence[str]) -> list[float]:
    """The log odds of each sentence; none where the ranker cannot be had now, as on a full disk."""
    # Models belong to the worker.
    from filings.text.embeddings import EmbeddingUnavailable

    try:
        return ranking.scores(question, sentences)
    except EmbeddingUnavailable:
        return []


def told_by(unit: Unit) -> str:
    """What a sentence means: itself, behind the one that it refers back to and is quoted with."""
    return f"{unit.before} {unit.text}" if unit.order and refers(unit.text) else unit.text


def ranked(found: Sequence[Score], told: Sequence[Mapping[str, float]]) -> list[tuple[int, float]]:
    """The place of each sentence and its worth, the greatest first. told: the traits of each."""
    worth = [calibration.worth(of) for of in told]
    units = [one.unit for one in found]
    order = sorted(range(len(found)), key=lambda one: (-worth[one], units[one].passage.section, units[one].start))
    return [(place, worth[place]) for place in order]


def traits(score: Score, nearness: Nearness, part: int) -> dict[str, float]:
    """What a sentence is judged by, each about between 0 and 1.

    covered: share of the question's words that it and its heading have. cosine: of its window to the question, passage: of
    its passage's best window; 0 where meaning was not searched. lexical: 1/rank of its passage by words, 0 where it is not
    found by them. likely, which `judged` adds: a tenth of its log odds by agent.prose.ranking.ranking, between -1 and 1.
    """
    unit, passage = score.unit, score.unit.passage
    near = passage.cosine or 0.0
    cosine = nearness.cosine(passage.section, unit.start, unit.end, part)
    return {
        "covered": score.covered,
        "cosine": near if cosine is None else cosine,
        "passage": near,
        "lexical": 1 / passage.ranks["lexical"] if "lexical" in passage.ranks else 0.0,
        "row": float(unit.kind == "table"),
        "title": float(unit.kind == "heading"),
        "statements": float(passage.annual_item == "8"),
    }


def scored(units: Sequence[Unit], asked: Asked) -> list[Score]:
    """Sentences that can answer, in the order given."""
    around: dict[int, set[str]] = {}
    for unit in units:
        around.setdefault(unit.place, set()).update(unit.roots)
    return [score(unit, asked, around[unit.place]) for unit in units if not is_boilerplate(unit)]
