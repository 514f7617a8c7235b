"""Names of companies that nobody on SEC's list has."""

from collections.abc import Sequence

from agent.language.lexicon import modifiers
from agent.language.parsing import FUNCTION_WORDS, Parsed
from agent.words.tokens import Token

# Words that a company's name follows.
_COMPANY_FORMS = frozenset({"inc", "corp", "corporation", "ltd", "limited", "llc", "plc", "incorporated"})
_AFTER = frozenset({"for", "of", "did", "does", "at", "by", "from", "is", "has", "had"})


def unknown_name(parsed: Parsed) -> str:
    """The words that stand where a company should, or empty."""
    tokens = parsed.tokens
    run: list[int] = []
    for place in [*parsed.free, -1]:
        if run and place == run[-1] + 1 and not tokens[run[-1]].possessive:
            run.append(place)
            continue
        if run and _is_name(tokens, run):
            return " ".join(
                [
                    *(tokens[one].text for one in run[:-1]),
                    tokens[run[-1]].text.removesuffix("'s").removesuffix("\u2019s").rstrip("'\u2019"),
                ]
            )
        run = [place]
    return ""


def _is_name(tokens: Sequence[Token], run: Sequence[int]) -> bool:
    """Whether neighbouring unused words can be a name: by their capitals, or by their place."""
    words = [tokens[place] for place in run]
    if any(word.stem in modifiers() or word.stem in FUNCTION_WORDS or not word.stem.isalnum() for word in words):
        return False
    if all(word.stem.isdecimal() for word in words):
        return False
    if any(word.possessive or (word.capital and place > 0) for place, word in zip(run, words, strict=True)):
        return True
    after = tokens[run[-1] + 1].stem if run[-1] + 1 < len(tokens) else ""
    if words[-1].stem in _COMPANY_FORMS or after in _COMPANY_FORMS:
        return True
    before = tokens[run[0] - 1].stem if run[0] else ""
    return run[0] == 0 or before in _AFTER or run[-1] == len(tokens) - 1
