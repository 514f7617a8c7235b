"""The words of a question in full: short forms spelled out, and misspelt words read as the one word they are near."""

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agent.query.words.lexicon import Lexicon
from agent.query.words.word_classes import classes, connecting, short_forms
from agent.words.common_words import english
from agent.words.tokens import Token, fold, in_capitals

_SHORTEST = 5
_SHORTEST_OF_ASKING = 3
# From this length two letters may be wrong.
_LONG = 8
# A word of asking is meant where every other that is as near is so many times rarer.
_RARER = 4
_ASKING = frozenset({"frame", "verb"})
_TELLING = frozenset({"operation", "qualifier", "particular"})
_SIGN_NOTE = re.compile(
    r"(?<=[\w)] )/?\s*\(\s*(?:loss(?:es)?|gains?|income|expenses?|benefits?|deficit|decrease|increase|used (?:in|for|by)|provided by|credit|(?:re)?payments? (?:of|on|for)|proceeds from|purchases? of|reversal of expense)\s*\)|/\s*\(\s*(?:loss(?:es)?|gains?|income|expenses?|benefits?|deficit|decrease|increase|used (?:in|for|by)|provided by|(?:re)?payments? (?:of|on|for)|purchases? of)\s*\)",
    re.IGNORECASE,
)
# Between these "(income)" is a note on the sign; "noncontrolling interests (income)" is their share of it.
_SPENT = r"(?:expenses?|loss(?:es)?|costs?|charges?|deductions?"
_SPENT_BEFORE = re.compile(_SPENT + r"|other|net)\s*$", re.IGNORECASE)
_SPENT_BEHIND = re.compile(r"\W*(?:and )?" + _SPENT + r")\b", re.IGNORECASE)
_MOVED = re.compile(r"(?<!net )\b(?:increase|decrease)\s*$", re.IGNORECASE)
_OF_WHAT = re.compile(r"[\s,:]*(?:in|of|from|due)\b", re.IGNORECASE)
_MOVED_BEHIND = re.compile(r"\s*(?:increase|decrease)\s+in\b", re.IGNORECASE)
# The same in words: "net income or loss", "other income or expense".
_EITHER = re.compile(
    r"\b(?:(?:income|gains?|profits?|earnings)(?P<loss> or (?:loss(?:es)?|deficit))"
    r"|(?:non-?operating|other) income(?P<expense> or expenses?)|(?:provision|tax|taxes)(?P<benefit> or benefits?))\b",
    re.IGNORECASE,
)
# A number with its scale: 25bn, $3.5m. Without its dollar, 3M is a name.
_SCALED = re.compile(r"(?:.?(?=\d[\d,.]*(?:bn|mm|mn))|\$)(?P<number>\d[\d,.]*)(?P<scale>bn|mm|mn|b|m|k)")


def spelled_out(question: str, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens with short forms in full (wtd avg, op income), without notes on signs: "income (loss)", "(used in)"."""
    found: list[Token] = []
    notes = [hit.span() for hit in _SIGN_NOTE.finditer(question) if _is_of_sign(question, hit)]
    notes += [hit.span(hit.lastgroup) for hit in _EITHER.finditer(question) if hit.lastgroup]
    shouting = in_capitals(tokens)
    for token in tokens:
        if ends := [end for start, end in notes if start <= token.start < end]:
            # Its brackets part no clauses: "operating income (loss) by segment".
            found[-1:] = [replace(one, end=ends[0]) for one in found[-1:]]
            continue
        if _numbers(question, token):
            continue
        if token.text == "IT" and not shouting:  # no pronoun
            token = replace(token, stem="information technology")
        words = short_forms().get(token.base) if not (token.upper and len(token.base) < 3) else None
        if scaled := _SCALED.fullmatch(question[max(0, token.start - 1) : token.end].lower()):
            words = scaled["number"], {"b": "bn", "m": "mn", "k": "thousand"}.get(scaled["scale"], scaled["scale"])
        found += [replace(token, stem=word, base=word, joined=word) for word in words] if words else [token]
    return tuple(found)


def _is_of_sign(question: str, note: re.Match[str]) -> bool:
    """Whether what stands in brackets says only which sign a figure may have."""
    # "Increase (decrease) in inventories" is a row, "increase in inventories" a change; so is "(increase) decrease in".
    if _MOVED.search(question, 0, note.start()) and _OF_WHAT.match(question, note.end()):
        return False
    if _MOVED_BEHIND.match(question, note.end()):
        return False
    if "income" not in note[0].casefold():
        return True
    spent = _SPENT_BEFORE.search(question, 0, note.start()) or _SPENT_BEHIND.match(question, note.end())
    return spent is not None


def _numbers(question: str, token: Token) -> bool:
    """Whether a number numbers what is listed: "1) net sales 2) net income"."""
    marks = re.findall(r"(?:^|(?<=[\s:;,.]))(\d{1,2})\)", question)
    listed = len(marks) > 1 and [int(mark) for mark in marks] == list(range(1, len(marks) + 1))
    return listed and question[token.end : token.end + 1] == ")" and token.base in marks


def corrected(tokens: tuple[Token, ...], free: Collection[int], lexicon: Lexicon) -> tuple[Token, ...]:
    """The tokens with slips among the free ones undone; a token so read has `slip`."""
    result: list[Token] = []
    for place, token in enumerate(tokens):
        meant = _meant(token, lexicon) if place in free and _may_be_slip(token, place) else ()
        result += [replace(token, stem=fold(word), base=word, joined=word, slip=True) for word in meant] or [token]
    return tuple(result)


def _may_be_slip(token: Token, place: int) -> bool:
    # A capital inside a question is a name, which is never corrected into a measure.
    named = token.capital and place > 0
    word = token.base.isalpha() and len(token.base) >= _SHORTEST_OF_ASKING and not named
    return word and not {token.base, token.stem} & english().keys()


def _meant(token: Token, lexicon: Lexicon) -> tuple[str, ...]:
    """The word meant; two where a space is missing; none where nothing, or several, are as near."""
    word = token.base
    if word in lexicon.vocabulary or token.stem in lexicon.vocabulary:
        return ()
    if asking := _word_of_asking(word, lexicon):
        return (asking,)
    if len(word) < _SHORTEST:
        return ()
    known = [one for one in lexicon.name_words if len(one) >= _SHORTEST and not _only_asks(one)]
    for place in range(3, len(word) - 2):
        pair = word[:place], word[place:]
        if lexicon.named((fold(pair[0]), fold(pair[1]))):
            return pair
    most = 2 if len(word) >= _LONG else 1
    single = fold(word)  # as names are held
    found = process.extract(single, known, scorer=OSA.distance, score_cutoff=most, limit=None)
    near = [(one, (distance, _likelihood(single, one))) for one, distance, _ in found if one[0] == word[0]]
    best = min((rank for _, rank in near), default=None)
    meant = {fold(one) for one, rank in near if rank == best}
    return (meant.pop(),) if len(meant) == 1 else ()


def _word_of_asking(word: str, lexicon: Lexicon) -> str | None:
    """The word of asking that a slip is surely of: "waht", "teh", "plaese".

    None where it is as near to a word that says something of what is asked, or to one that is as common.
    """
    pool = _english_from(word[0]) | {one for one in lexicon.vocabulary if one[0] == word[0]}
    near = process.extract(word, pool, scorer=OSA.distance, score_cutoff=1, limit=None)
    slips = {one: kind for one, distance, _ in near if distance and (kind := _kind_of_slip(word, one)) is not None}
    least, ranks, meant = min(slips.values(), default=0), english(), _mendable(len(word) >= _SHORTEST)
    likeliest = sorted((ranks.get(one, len(ranks)), one) for one, kind in slips.items() if kind == least)
    telling = any(one in lexicon.vocabulary and one not in meant for _, one in likeliest)
    if not likeliest or likeliest[0][1] not in meant or telling:
        return None
    return likeliest[0][1] if all(rank >= _RARER * likeliest[0][0] for rank, _ in likeliest[1:]) else None


def _likelihood(word: str, meant: str) -> int:
    """How likely a slip is, 0 the likeliest: "acount" is account with a letter left out before amount with another one."""
    kind = _kind_of_slip(word, meant)
    return 3 if kind is None else kind


def _kind_of_slip(word: str, meant: str) -> int | None:
    """How likely a slip makes of a word what was typed, one edit from it: letters swapped 0, one left out 1, one too many 2; None for none."""
    if sorted(word) == sorted(meant):
        return 0
    if len(meant) > len(word):
        return 1
    return 2 if len(meant) < len(word) and len(word) > _SHORTEST else None


def _only_asks(word: str) -> bool:
    """Whether a word of a name says nothing where the name is not whole: "Pampers" is no paper."""
    meanings = classes().get((fold(word),), ())
    return bool(meanings) and {one.kind for one in meanings} <= _ASKING


@lru_cache(maxsize=32)
def _english_from(letter: str) -> frozenset[str]:
    return frozenset(word for word in english() if word[0] == letter)


@cache
def _mendable(long: bool) -> frozenset[str]:
    """Words that only ask, and list or compare nothing; of long ones also those of operations and of accounting."""
    found = {
        key[0] for key, meanings in classes().items() if len(key) == 1 and {one.kind for one in meanings} <= _ASKING
    }
    found -= connecting("listing")
    if long:
        told = {key for key, meanings in classes().items() if any(one.kind in _TELLING for one in meanings)}
        found |= {word for key in told for word in key if len(word) >= _SHORTEST}
    return frozenset(found)
