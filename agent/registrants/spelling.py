"""Finds names with a letter wrong, and names that resemble a text."""

from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from agent.words.common_words import english
from filings.edgar.registrant_names import LOOKALIKES, name_words

# Only names this long are corrected, and only with the same first letter.
SHORTEST = 6
# Two edits are a slip in a name this long.
LONG = 9


class Spelling:
    """Complete names as typed with spaces, each with the CIKs of those called so."""

    def __init__(self, names: dict[str, dict[int, None]], known: Collection[int] = ()) -> None:
        """known: CIKs of covered companies; only their names are meant by others."""
        self.names, self.known = names, frozenset(known)
        self.by_letter = defaultdict[str, list[str]](list)
        for name in names:
            if name not in LOOKALIKES:
                self.by_letter[name[0]].append(name)
        # Both halves of a question look up the same words.
        self.meant, self.near = lru_cache(256)(self._meant), lru_cache(256)(self._near)

    def _meant(self, typed: str) -> int | None:
        """The one covered company whose name is an edit away, or two of a long name; None for a name or a word of English.

        Names of other companies that are as near make it none: likeness is no name.
        """
        if len(typed) < SHORTEST - 1 or typed in self.names or all(word in english() for word in typed.split()):
            return None
        for edits in (1, 2) if len(typed) >= LONG else (1,):
            ciks = {cik for name in self._near_by(edits, typed) for cik in self.names[name]}
            if ciks:
                return next(iter(ciks)) if len(ciks) == 1 and ciks <= self.known else None
        return None

    def _near_by(self, edits: int, typed: str) -> list[str]:
        """Long names so many edits away; of five letters, those that lost one ("Abott") or have two swapped ("Telsa")."""
        begin_so = [name for letter in dict.fromkeys(typed[:2]) for name in self.by_letter[letter]]
        near = process.extract(typed, begin_so, scorer=OSA.distance, score_cutoff=edits, limit=None)
        found = [name for name, _, _ in near if _believable(typed, name)]
        if len(typed) >= SHORTEST:
            return [name for name in found if len(name) >= SHORTEST]
        return [name for name in found if len(name) == SHORTEST or sorted(name) == sorted(typed)]

    def _near(self, text: str, limit: int) -> list[tuple[float, int]]:
        """(similarity of 0 to 100, CIK) of names that resemble a text."""
        typed = " ".join(name_words(text))
        if len(typed) < 3:
            return []
        near = process.extract(typed, self.names.keys(), scorer=fuzz.ratio, score_cutoff=75, limit=limit)
        return [(score, cik) for name, score, _ in near for cik in self.names[name]]


def _believable(typed: str, name: str) -> bool:
    """A slip keeps the first letter (or swaps the first two), and never changes a digit."""
    same_start = typed[0] == name[0] or typed[:2] == name[1::-1]
    return same_start and [one for one in typed if one.isdigit()] == [one for one in name if one.isdigit()]
