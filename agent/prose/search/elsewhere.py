"""Whether what a sentence says stands anywhere in a filing, also in another order and with other figures."""

from collections import Counter
from collections.abc import Iterable
from math import log

from agent.prose.text.candidate_sentences import texts_of_filing
from agent.words.stems import roots

# A filing says the same from this share on, in one sentence, of what a sentence's words weigh: the more, the rarer they are.
LEAST = 0.5


class Said:
    """The sentences of all sections of a filing that can be quoted. filing: its primary key."""

    def __init__(self, filing: int) -> None:
        self.sentences = [
            _words(one.roots)
            for text in texts_of_filing(filing).values()
            for number, (kind, *_) in enumerate(text.bounds.stored)
            if kind != "table"
            for one in text.sentences(number)
        ]
        self.counts = Counter(word for one in self.sentences for word in one)

    def holds(self, text: str) -> bool:
        """Whether a sentence, or nearly the same in other words, stands in the filing."""
        weights = {word: log((len(self.sentences) + 1) / (self.counts[word] or 1)) for word in _words(roots(text))}
        least = LEAST * sum(weights.values())
        return any(sum(weights[word] for word in weights.keys() & one) >= least for one in self.sentences)


def _words(told: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in told if not word.isdigit())
