"""Measures side by side: a list only where something lists them, one where the same is said twice; and of parts of several companies."""

from collections.abc import Mapping, Sequence

from agent.query.measures.definitions import Phrase
from agent.query.words.lexicon import Named
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence
from agent.query.words.word_classes import GROWING, connecting
from agent.refusals.codes import Code
from agent.state.query import Measure, Member, PartOf, Row


def joined(sentence: Sentence, phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases that are asked; refuses where two measures stand in a relation that nobody reads."""
    kept: list[Phrase] = []
    for phrase in phrases:
        last = kept[-1] if kept else None
        if last is None or last.taken:
            kept.append(phrase)
            continue
        between = sentence.between(last, phrase)
        shared = any(part.first == phrase.last and part.value("operation") == "share" for part in sentence.parts)
        apart = any(part.mention or part.stretch or part.has("operation", "guard") for part in between)
        said = {part.bases[-1] for part in between if part.has("frame")}
        if phrase.measures == last.measures and not (shared or apart):
            last.last = phrase.last
        elif said & connecting("correcting") and not any(part.named for part in between):
            kept[-1] = phrase  # "current ratio... sorry, gross margin"
        elif _are_listed(sentence, last, phrase, between):
            kept.append(phrase)
        else:
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(last.part, phrase.part))
    return kept


def without_means(phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases without what is only paid with: "how much cash did it spend on R&D"."""

    def is_means(one: Phrase, other: Phrase) -> bool:
        spent = one.clause == other.clause and bool({"pay", "spend"} & set(other.verbs))
        return spent and one.part.value("qualifier") == "cash"

    return [
        one for place, one in enumerate(phrases) if not any(is_means(one, other) for other in phrases[place + 1 :][:1])
    ]


def _are_listed(sentence: Sentence, one: Phrase, other: Phrase, between: Sequence[Part]) -> bool:
    """Whether "and", an operation, a comma or a question of its own stands between two measures.

    In one clause a comma is none; behind a bracket nothing but a comma lists.
    """
    words = {stem for part in between if not part.mention for stem in part.stems}
    if any(part.has("verb") for part in between):
        words -= {"to"}  # "what did it cost to generate its revenues"
    if words & connecting("listing"):
        return True
    moved = any(part.value("operation") in GROWING for part in between)
    if moved and one.clause == other.clause and words & connecting("governing"):
        return False  # "the change of payables in its operating cash flow"
    if any(part.has("operation", "comparator") for part in between):
        return True
    if one.clause == other.clause and not between:
        parts = sentence.clauses[one.clause].parts
        bare = all(part.mention or part.stretch or part.named for part in parts)
        named = [part for part in parts if part.named]
        long = all(part.last - part.first > 1 for part in named[:-1])
        return bare and long and len(named) > 2  # "net sales op income eps", and not "tax assets cash"
    if one.clause == other.clause:
        leading = [part for part in sentence.clauses[one.clause].parts if part.first < one.first]
        shared = any(part.value("operation") == "share" for part in leading)
        return shared or any(part.has("guard") or part.value("frame") == "ask" for part in between)
    clauses = sentence.clauses[one.clause + 1 : other.clause + 1]
    return not any(clause.bracketed for clause in clauses) or any(
        clause.mark[-1:] in {",", ";", ":"} for clause in clauses
    )


def side_by_side(phrases: list[Phrase], ciks: Sequence[int]) -> list[Phrase]:
    """The phrases with parts of different companies under one measure: each company has one of them.

    Raises Refused where a company has none of its own beside those of others, or several, and where a part of one stands
    beside a whole.
    """
    rows = [row for phrase in phrases for row in phrase.named.asserted]
    if not any(isinstance(row.measure, Member) for row in rows):
        return phrases
    parts: dict[Measure, dict[int, PartOf]] = {}
    for row in rows:
        one = row.measure
        if not isinstance(one, Member):
            raise Refused(Code.DIMENSIONAL_ONLY, row.text or one.kind)
        held = parts.setdefault(one.of, {})
        if any(own.cik in held for own in one.own):
            raise Refused(Code.DIMENSIONAL_ONLY, one.label)
        held |= {own.cik: own for own in one.own}
    # One name of several companies' parts may be that of no part of another.
    alike = {row.measure.of for row in rows if isinstance(row.measure, Member) and len(row.measure.own) > 1}
    for of, held in parts.items():
        if len(held) < len(ciks) and of not in alike:
            raise Refused(Code.DIMENSIONAL_ONLY, *dict.fromkeys(own.label for own in held.values()))
    merged = {of: _merged(of, held, ciks) for of, held in parts.items()}
    found = []
    for phrase in phrases:
        measures = dict.fromkeys(row.measure.of for row in phrase.named.rows if isinstance(row.measure, Member))
        rows = [Row(measure=merged.pop(of)) for of in measures if of in merged]
        if rows:
            phrase.named = Named(tuple(rows))
            found.append(phrase)
    return found


def _merged(of: Measure, held: Mapping[int, PartOf], ciks: Sequence[int]) -> Member:
    """A measure of one part of each company, in the order of the companies."""
    own = tuple(held[cik] for cik in ciks if cik in held)
    labels = dict.fromkeys(one.label for one in own)
    members = tuple(dict.fromkeys(member for one in own for member in one.members))
    return Member.model_validate({"of": of, "label": " / ".join(labels), "members": members, "own": own})
