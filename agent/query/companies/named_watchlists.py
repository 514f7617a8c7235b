"""Companies that whoever asks keeps in lists: "my companies" are all of them, "my semiconductors" those of one list."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agent.query.words.spelling import spelled_out
from agent.query.words.word_classes import connecting
from agent.registrants.mentions import Mention, mentions
from agent.registrants.registrant_index import Companies
from agent.words.tokens import Token, fold, tokenise


@dataclass(frozen=True, slots=True)
class Watched:
    """A list that whoever asks keeps: its name, and the CIKs of its companies in their order."""

    name: str
    ciks: tuple[int, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """The folded words that name it behind "my"; none for a name that is "my" alone."""
        words = folded(spelled_out(self.name, tokenise(self.name)))
        return words[1:] if words[:1] and words[0] in connecting("mine") else words


def companies_named(
    companies: Companies,
    tokens: Sequence[Token],
    vocabulary: Collection[str],
    measured: Collection[int] = (),
    lists: Sequence[Watched] = (),
) -> list[Mention]:
    """Every company and every list named in the tokens, left to right, none overlapping.

    A list is one mention of all its companies; of none, where nothing is kept. vocabulary, measured: as of `mentions`.
    """
    kept = list(lists_named(companies, tokens, lists))
    taken = {place for one in kept for place in one.places}
    others = [one for one in mentions(companies, tokens, vocabulary, measured) if not taken & set(one.places)]
    return sorted([*kept, *others], key=lambda one: one.first)


def lists_named(companies: Companies, tokens: Sequence[Token], lists: Sequence[Watched]) -> Iterator[Mention]:
    """Where the tokens name lists, each with the companies that are known of it."""
    place = 0
    while place < len(tokens):
        found = _at(tokens, place, lists)
        if found is None:
            place += 1
            continue
        last, meant = found
        known = [one for ciks in meant for cik in ciks.ciks if (one := companies.get(cik))]
        once = {one.cik: one.called for one in known}
        yield Mention(place, last, tuple(once), names=tuple(once.values()))
        place = last


def _at(tokens: Sequence[Token], place: int, lists: Sequence[Watched]) -> tuple[int, Sequence[Watched]] | None:
    """Behind which token the name of lists ends that begins at a place, and which they are; None where none begins."""
    if tokens[place].base not in connecting("mine"):
        return None
    first = place + 1
    words = folded(tokens[first:])
    called = [one for one in lists if one.key and words[: len(one.key)] == one.key]
    if called:
        longest = max(called, key=lambda one: len(one.key))
        last = first + len(longest.key)
        behind = tokens[last : last + 1]
        follows = not tokens[last - 1].possessive and any(token.base in connecting("lists") for token in behind)
        return last + follows, [longest]
    if tokens[first:] and tokens[first].base in connecting("watched"):
        return first + 1, lists
    return None


def folded(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The words as a list's name is compared: as typed but for case and plural, "IT" as any other."""
    return tuple(fold(token.base) for token in tokens)
