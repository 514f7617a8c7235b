"""Decides whether a hyphen at the end of a line belongs to its word, by how the document writes it elsewhere."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from filings.document.layout.lines import Line

MARKS = "-\u2010"
PARTS = re.compile(r"([A-Za-z]+)[-\u2010]$")
START = re.compile(r"[a-z]+")
WORD = re.compile(r"[A-Za-z]+(?:[-\u2010][A-Za-z]+)*")


class Hyphens:
    """The words of a document, each with how often it stands within a line."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()

    def learn(self, words: Iterable[str]) -> None:
        for word in words:
            self.words.update(found.casefold() for found in WORD.findall(word))

    def is_mended(self, before: str, after: str) -> bool:
        """Whether the hyphen at the end of `before` is dropped where `after` goes on."""
        first, second = PARTS.search(before), START.match(after)
        if not first or not second:
            return False
        parts = first[1].casefold(), second[0]
        whole, hyphenated = self.words["".join(parts)], self.words["-".join(parts)]
        if whole or hyphenated:
            return whole > hyphenated
        # A word of the document is rather a part of a compound; what is no word elsewhere is a part of a word.
        return not (self.words[parts[0]] and self.words[parts[1]])

    def mend(self, lines: Sequence[Line]) -> None:
        """Drop the hyphens before page breaks within lines."""
        for line in lines:
            for place, (at, _) in enumerate(line.breaks):
                before = line.text[max(0, at - 80) : at]
                if before.endswith(tuple(MARKS)) and self.is_mended(before, line.text[at : at + 80]):
                    line.text = line.text[: at - 1] + line.text[at:]
                    line.breaks[place:] = [(offset - 1, page) for offset, page in line.breaks[place:]]
