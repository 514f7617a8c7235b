"""Finds names with a letter wrong, and names that resemble a text."""

from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from filings.edgar.registrant_names import LOOKALIKES, name_words

# Only names this long are corrected, and only with the same first letter.
SHORTEST = 6


class Spelling:
    """Complete names as typed with spaces, each with the CIKs of those called so."""

    def __init__(self, names: dict[str, dict[int, None]], known: Collection[int] = ()) -> None:
        """known: CIKs of covered companies; a short name is only corrected to one of theirs."""
        self.names, self.known = names, frozenset(known)
        self.by_letter = defaultdict[str, list[str]](list)
        for name in names:
            if name not in LOOKALIKES:
                self.by_letter[name[0]].append(name)
        # Both halves of a question look up the same words.
        self.meant, self.near = lru_cache(256)(self._meant), lru_cache(256)(self._near)

    def _meant(self, typed: str) -> int | None:
        """The one registrant whose name is one edit away, or None; an existing name is never corrected."""
        if len(typed) == SHORTEST - 1 and typed not in self.names:
            return self._short(typed)
        if len(typed) < SHORTEST or typed in self.names:
            return None
        ciks = {cik for name in self._one_edit_from(typed) if len(name) >= SHORTEST for cik in self.names[name]}
        return ciks.pop() if len(ciks) == 1 else None

    def _short(self, typed: str) -> int | None:
        """A covered company whose name lost a letter ("Abott"), or has two of five swapped ("Telsa")."""
        ciks = {
            cik
            for name in self._one_edit_from(typed)
            if len(name) == SHORTEST or sorted(name) == sorted(typed)
            for cik in self.names[name]
        }
        return next(iter(ciks)) if len(ciks) == 1 and ciks <= self.known else None

    def _one_edit_from(self, typed: str) -> list[str]:
        begin_so = [name for letter in dict.fromkeys(typed[:2]) for name in self.by_letter[letter]]
        near = process.extract(typed, begin_so, scorer=OSA.distance, score_cutoff=1, limit=None)
        return [name for name, _, _ in near if _believable(typed, name)]

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
