"""Words of a question that may be left out: words of asking and about the asker, where they cannot name a part.

"Need", "paper" and "data" mean nothing in "I need it for a paper", and everything in "paper revenue" or "revenue from
data": the words before them decide.
"""

from collections.abc import Collection, Sequence

from agent.query.sentence import ARTICLES, FIRST_PERSON
from agent.query.word_classes import classes, connecting
from agent.words.tokens import Token

# Frame words that are never names of things.
_BARE = frozenset({"function", "aux", "polite", "time"})
_SPEAKING = FIRST_PERSON | {"you", "your", "u", "me", "us"}
_JOINING = frozenset({"and", "or", "to", "then"})


def idle(
    tokens: Sequence[Token], measures: Collection[int], begins: Collection[int] = frozenset({0})
) -> frozenset[int]:
    """Indexes of the words without influence on what is asked. measures: indexes at which a measure's name begins; begins:
    at which a clause does.
    """
    found: set[int] = set()
    led: set[int] = set()  # words of asking, and what the asker says about himself
    for place, token in enumerate(tokens):
        values = _frame(token)
        before = tokens[place - 1].base if place else ""
        if not values:
            continue
        if values <= _BARE or token.base in _SPEAKING | connecting("interrogative"):
            found.add(place)
        elif "ask" in values:
            follows = before in _SPEAKING | _JOINING or (place > 0 and _frame(tokens[place - 1]) <= {"aux", "polite"})
            if place in begins or place - 1 in led or (follows and place - 1 in found):
                led.add(place)
        elif place + 1 not in measures:
            article = before in ARTICLES and place > 1
            owned = tokens[place - 2].base == "for" or place - 2 in led if article else place - 1 in led
            if owned or before in _SPEAKING:
                led.add(place)
    return frozenset(found | led)


def _frame(token: Token) -> frozenset[str]:
    """The kind of a word of asking; none where it has another meaning too."""
    meanings = classes().get((token.stem,), ())
    return frozenset(one.value for one in meanings) if {one.kind for one in meanings} == {"frame"} else frozenset()
