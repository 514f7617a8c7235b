"""The rows that formulas may be made of: what the companies' statements print, and the measures near a question."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from agent.grounding.candidates import Candidate, candidates
from agent.numbers.cells.row_expressions import versions
from agent.numbers.registry.formula import operands
from agent.numbers.registry.metrics import definitions
from agent.numbers.registry.registry import PeriodType, Registry
from agent.query.words.lexicon import Called, Lexicon, lexicon_of
from agent.state.query import Concept, Line, Metric
from agent.words.tokens import stems

# Rows offered for one question; of these, the measures and parts that are near its words.
MOST_ROWS, MOST_NEAR = 120, 60
# Printed labels of more characters say how many shares are authorised, and the like.
LONGEST = 120


def operand_rows(
    question: str, registry: Registry, lexicon: Lexicon, called: Called, printed: Sequence[Candidate] = ()
) -> tuple[Candidate, ...]:
    """At most `MOST_ROWS` rows: measures near the question, those that the statements print, the lines that no measure is
    called like, rows of printed tables, and parts of the companies.

    lexicon, called: the names of the companies asked about, and what their statements print.
    """
    near = [
        one for one in candidates(question, registry, lexicon, MOST_NEAR) if one.measure is None or not _whole(one)
    ]
    lines = (one for one in candidates(question, registry, lexicon, MOST_ROWS * 2) if isinstance(one.measure, Line))
    held = (_candidate(registry.concepts[key].label, Concept(key=key)) for key in _held(registry, called))
    found = {
        (one.measure or one.members): one for one in reversed([*near, *held, *lines]) if len(one.label) <= LONGEST
    }
    kept = [*list(found.values())[::-1][: MOST_ROWS - len(printed)], *printed]
    return tuple(_numbered(kept))


def _whole(one: Candidate) -> bool:
    return one.measure is not None and one.measure.kind == "statement"


def _candidate(label: str, measure: Concept) -> Candidate:
    return Candidate(id="", label=label, measure=measure)


def _held(registry: Registry, called: Called) -> Iterator[str]:
    """The concepts that rows of the statements are, by their elements or by what they are called."""
    tags = {tag for _, names in called.rows for tag in names}
    labels = lexicon_of(registry)
    named = (labels.named(stems(label)) for label, _ in called.rows)
    keys = {key for one in named if one for key in one.keys}
    yield from (key for key, one in registry.concepts.items() if key in keys or tags & set(one.names))


def _numbered(found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The rows with their ids: p for parts of a company, r for all others."""
    counts: Counter[str] = Counter()
    for one in found:
        kind = "p" if one.part else "r"
        counts[kind] += 1
        yield one.model_copy(update={"id": f"{kind}{counts[kind]}"})


def told(rows: Sequence[Candidate], registry: Registry) -> Iterator[str]:
    """The rows as a model is told them, one a line: id, name, unit, statement, and of a metric its formula; no value."""
    for one in rows:
        yield " | ".join(filter(None, (one.id, one.label, *(_described(one, registry) if one.measure else ("part",)))))


def _described(one: Candidate, registry: Registry) -> Iterator[str]:
    measure = one.measure
    if measure is None:
        return
    yield versions(measure, registry)[0].unit
    match measure:
        case Line(statement=statement):
            yield statement
        case Concept(key=key):
            yield "flow" if registry.concepts[key].period is PeriodType.DURATION else "balance"
        case Metric(key=key, variant=variant):
            expr = definitions(registry, key, variant)[0].expr
            names = {each.name.key for each in operands(expr)} & registry.concepts.keys()
            yield f"of {', '.join(map(partial(_label, registry), sorted(names)))}"


def _label(registry: Registry, key: str) -> str:
    return registry.concepts[key].label.lower()
