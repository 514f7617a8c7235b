"""What every word of a question was used for, as the answer tells it."""

from collections.abc import Sequence

from agent.query.periods.sentence_periods import AS_OF
from agent.query.wording.instructions import form_of
from agent.query.words.lexicon import key_of
from agent.query.words.sentence import Part, Sentence
from agent.state.query import Alignment, Basis
from agent.state.question_words import Role, Word
from agent.words.tokens import Token

_CHOICES = frozenset((*Alignment, *Basis, AS_OF))
_MEASURING = ("measure", "qualifier", "statement", "named_verb")


def words_of(sentence: Sentence, used: set[int], *, topical: bool, counted: bool = False) -> tuple[Word, ...]:
    """Every part of a question with its slot.

    used: first tokens of parts that defined or qualified a measure. counted: whether every number is a count or a
    bound, as in a query for figures, where no other passes.
    """
    read = [_word(sentence, part, part.first in used, topical, counted) for part in sentence.parts]
    return tuple(sorted((*read, *(_passed(sentence, words) for words in sentence.passed)), key=lambda one: one.start))


def _passed(sentence: Sentence, words: Sequence[Token]) -> Word:
    """Words that ask for a form: a scale is used, all else is not."""
    start, end, scale = words[0].start, words[-1].end, form_of(words).scale
    role = Role.SCALE if scale else Role.UNUSED
    return Word(start=start, end=end, text=sentence.question[start:end], role=role, meaning=scale)


def _word(sentence: Sentence, part: Part, used: bool, topical: bool, counted: bool) -> Word:
    start, end, slip = part.tokens[0].start, part.tokens[-1].end, any(token.slip for token in part.tokens)
    role, meaning = _role(part, used, topical, counted)
    meaning = " ".join(part.bases) if slip else meaning
    text = sentence.question[start:end]
    return Word(start=start, end=end, text=text, role=role, meaning=meaning, typed=not slip)


def _role(part: Part, used: bool, topical: bool, counted: bool) -> tuple[Role, str]:
    if part.mention:
        return Role.COMPANY, ", ".join(part.mention.names or ())
    if part.stretch:
        return Role.PERIOD, ""
    if part.named:
        return Role.MEASURE, ", ".join(key_of(row.measure) for row in part.named.asserted)
    if used:
        return Role.MEASURE, ""
    if topical and (part.unknown or part.has("text", "particular")):
        return Role.TOPIC, ""
    if part.number and counted:
        return Role.OPERATION, ""
    if part.unknown or part.number:
        return Role.UNUSED, ""
    if part.has("scale", "unit"):
        return Role.SCALE, part.value("scale") or ""
    if (chosen := part.value("frame")) in _CHOICES:
        return Role.PERIOD, chosen or ""
    if part.has("frame"):
        return Role.FRAME, ""
    if part.has(*_MEASURING):
        return Role.MEASURE, part.value("qualifier") or part.value("statement") or ""
    if part.has("operation", "comparator", "statement_form"):
        return Role.OPERATION, part.value("operation") or ""
    return Role.FRAME, ""
