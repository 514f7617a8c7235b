"""Which refusals still hold for a question for text: many words that refuse a figure are subjects there."""

from collections.abc import Callable
from functools import cache

from agent.language.lexicon import Match
from agent.language.parsing import Parsed
from agent.language.texts import listed
from agent.words.tokens import stems
from agent.refusals.codes import Code

Phrases = frozenset[tuple[str, ...]]

# Of the future where a figure is asked; without one a filing may tell of it.
_EXPECTING = frozenset({("expect",), ("expects",), ("expecting",), ("going", "to")})
_WORRYING = frozenset({"worry", "know", "watch", "fear", "understand", "beware"})
_SCHEDULE = frozenset({"when", "where", "who"})
_OF_STOCK = frozenset({"share", "stock", "now", "or", "it", "into", "more", "today"})


def refusals(parsed: Parsed) -> dict[Code, Match]:
    """The refusal intents of a question for text: without the phrases that are subjects there."""
    found: dict[Code, Match] = {}
    told = [token.stem for token in parsed.tokens]
    for match in parsed.phrases:
        words = tuple(token.stem for token in parsed.tokens[match.first : match.last])
        for meaning in match.of("intent"):
            supposed = not parsed.measures and words in _EXPECTING
            if meaning.value is Code.ADVICE and _buys_the_stock(parsed, told, match):
                found.setdefault(meaning.value, match)
                continue
            worried = words[:1] == ("should",) and told[match.last : match.last + 1] and told[match.last] in _WORRYING
            scheduled = meaning.value is Code.PREDICTION and _is_scheduled(parsed, told, match)
            if not (_is_free(meaning.value, words) or supposed or worried or scheduled):
                found.setdefault(meaning.value, match)
    return found


def is_beside_company(parsed: Parsed, match: Match) -> bool:
    """Whether a word of another topic is one of the company that is named: "its restaurants", "a World Cup deal"."""
    words = tuple(token.stem for token in parsed.tokens[match.first : match.last])
    return bool(parsed.mentions) and _is_free(Code.OFF_TOPIC, words)


def _is_scheduled(parsed: Parsed, told: list[str], match: Match) -> bool:
    """Whether it is asked when, where or by whom something is planned to be done, and no figure or price of then."""
    if told[match.first : match.last] != ["will"] or parsed.measures or parsed.having("unknown"):
        return False
    before = told[: match.first]
    thing = len(before) > 1 and before[0] in {"what", "which"}
    others = [one for one in parsed.phrases if one is not match and any(one.of("intent"))]
    clear = all(
        _are_free(one, parsed) and meaning.value is not Code.PRICE for one in others for meaning in one.of("intent")
    )
    return clear and (thing or bool(_SCHEDULE & set(before)))


def _are_free(match: Match, parsed: Parsed) -> bool:
    words = tuple(token.stem for token in parsed.tokens[match.first : match.last])
    return all(_is_free(meaning.value, words) for meaning in match.of("intent"))


def _buys_the_stock(parsed: Parsed, told: list[str], match: Match) -> bool:
    """Whether what is bought or invested in is the company itself: "to buy X", "buy its shares", "buy now"."""
    if match.last == len(told) and not {"do", "does", "did"} & set(told):
        return True
    named = {place for mention in parsed.mentions for place in mention.places}
    return match.last in named or bool(_OF_STOCK & set(told[match.last : match.last + 2]))


def _is_free(code: Code, words: tuple[str, ...]) -> bool:
    free, but = _frees()[code]
    return words in free or (but is not None and words not in but)


@cache
def _frees() -> dict[Code, tuple[Phrases, Phrases | None]]:
    rules = listed()["refusals"]

    def compiled(phrases: list[str]) -> Phrases:
        return frozenset(stems(phrase) for phrase in phrases)

    return {
        code: (compiled(rules.get(code, {}).get("free", [])), _optional(rules.get(code, {}), compiled))
        for code in Code
    }


def _optional(rule: dict[str, list[str]], compiled: Callable[[list[str]], Phrases]) -> Phrases | None:
    return compiled(rule["but"]) if "but" in rule else None
