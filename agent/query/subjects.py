"""What of a company one half of a question speaks of: its figures are asked of that, where the other half names nothing else."""

from collections.abc import Iterator, Sequence

from agent.query.lexicon import Lexicon
from agent.query.sentence import Part, Sentence
from agent.query.word_classes import connecting
from agent.words.tokens import Token

_HEADS = ("part", "axis", "member")


def narrower(sentence: Sentence, cut: int, lexicon: Lexicon) -> tuple[Token, ...]:
    """The words before a cut that name a part of the company, or something called a part; empty where none do.

    "How did Comcast's theme parks do? Revenue growth" is asked of the theme parks, and "the risks in China, and revenue"
    of the whole: only what the company's name governs, or what is said to do well or badly, is what the question is about.
    """
    parts = [part for part in sentence.parts if part.first < cut]
    performs = _is_of_performance(sentence.tokens[:cut])
    for run in _runs(parts, everywhere=performs):
        tokens = [sentence.tokens[place] for part in run for place in part.places]
        sizes = range(len(tokens), 0, -1)
        named = (tokens[at : at + size] for size in sizes for at in range(len(tokens) - size + 1))
        if found := next((one for one in named if lexicon.part(tuple(token.stem for token in one))), None):
            return tuple(found)
        if any(part.unknown for part in run) and (performs or any(part.has(*_HEADS) for part in run)):
            return tuple(tokens)
    return ()


def _runs(parts: Sequence[Part], *, everywhere: bool) -> Iterator[list[Part]]:
    """Runs of words that may name a part: behind a company, before "at" and a company, or everywhere."""
    run: list[Part] = []
    behind = False
    for place, part in enumerate(parts):
        if part.unknown or part.has(*_HEADS):
            behind = behind or (not run and place > 0 and parts[place - 1].mention is not None)
            run.append(part)
            continue
        if run and (behind or everywhere or _leads_to_company(parts[place:])):
            yield run
        run, behind = [], False
    if run and (behind or everywhere):
        yield run


def _leads_to_company(parts: Sequence[Part]) -> bool:
    """Whether parts begin with "at" or "of" and a company."""
    return len(parts) > 1 and bool(parts[0].match) and not parts[0].named and parts[1].mention is not None


def _is_of_performance(tokens: Sequence[Token]) -> bool:
    """Whether it is asked how something did, "how is it doing"."""
    words = {token.base for token in tokens}
    return "how" in words and bool(words & connecting("performing"))
