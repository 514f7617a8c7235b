"""What the rows of a company's documents are called, where no statement and no known measure is: names of printed figures."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db.models import Count, Max, QuerySet, Sum

from agent.numbers.registry.registry import load
from agent.numbers.registry.units import in_formulas
from agent.query.words.lexicon import lexicon_of
from agent.query.words.sentence import is_counted
from agent.query.words.word_classes import Key, classes, connecting
from agent.words.printed_words import names_nothing, said
from agent.words.stems import STOP, roots
from agent.words.tokens import Token, stems, tokenise

if TYPE_CHECKING:
    from filings.models import PrintedTable

# Longer labels are sentences, and no names.
_LONGEST = 12
# The units of what is counted, and of a label that is printed in several.
_COUNTS = {"count", "shares", ""}
_OF_SHARES = roots("shares stock")


def names_in(question: str, ciks: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """The labels of printed rows of companies that stand in a question word for word, each with its unit.

    What is counted ("how many restaurants") is no amount of money of that name, as of their rent.
    """
    tokens = tokenise(question)
    words = tuple(one.stem for one in tokens)
    keys = {words[first:last]: first for first, last in _stretches(len(words)) if _begins(question, tokens, first)}
    found: list[tuple[str, str]] = []
    for of in (of_company(cik, *_stamp(cik)) for cik in ciks):
        for key in keys.keys() & of.keys():
            label, unit = of[key]
            if not is_counted(tokens, keys[key]):
                found.append((label, unit))
            elif unit in _COUNTS:
                found.append((label, unit or ("shares" if _OF_SHARES & roots(label) else "count")))
    return tuple(found)


def _begins(question: str, tokens: Sequence[Token], first: int) -> bool:
    """Whether a name may begin at a place: right behind an everyday word that narrows it ("full-time employees", "not
    owned stores", "US employees") stands none.
    """
    before = tokens[first - 1] if first else None
    if before is None or before.possessive or question[before.end : tokens[first].start].strip():
        return True
    if before.upper and before.stem in STOP:
        return False  # "US employees"
    open_ = before.base in said("asking").split() or before.base.isdecimal() or before.capital
    return open_ or lexicon_of(load()).named((before.stem,)) is not None or _divides(before)


def _divides(token: Token) -> bool:
    """Whether a word is one of an operation or of a formula: growth of, / , average."""
    return any(one.has("operation") for one in lexicon_of(load()).matches([token])) or not token.base.isalpha()


def _stretches(count: int) -> Iterator[tuple[int, int]]:
    return ((first, last) for first in range(count) for last in range(first + 1, min(count, first + _LONGEST) + 1))


def _tables(cik: int) -> "QuerySet[PrintedTable]":
    from filings.models import Filing, PrintedTable

    return PrintedTable.objects.filter(filing__in=Filing.objects.of_companies([cik]).filter(withdrawn=None))


def _stamp(cik: int) -> tuple[int, int, int]:
    """What changes whenever other tables of a company are stored, or shown: how many, the newest, and the sum of all keys."""
    held = _tables(cik).aggregate(count=Count("pk"), newest=Max("pk"), keys=Sum("pk"))
    return held["count"], held["newest"] or 0, held["keys"] or 0


@lru_cache(maxsize=64)
def of_company(cik: int, count: int, newest: int, keys: int) -> dict[Key, tuple[str, str]]:
    """The labels by their folded words, of the tables that have this stamp; without a unit those printed in several."""
    found: dict[str, set[str]] = {}
    for content in _tables(cik).values_list("content", flat=True).iterator() if count else ():
        for label, heading, cells, *_ in content["rows"]:
            name = f"{heading} {label}" if heading and names_nothing(label) else label
            found.setdefault(name, set()).update(cell[5] for cell in cells)
    named: dict[Key, tuple[str, str]] = {}
    for label, units in found.items():
        key = stems(label)
        if (
            key
            and len(key) <= _LONGEST
            and key not in classes()
            and not names_nothing(label)
            and not set(key) <= connecting("binding in names")
        ):
            unit = in_formulas(next(iter(units))) if len(units) == 1 else ""
            known = named.get(key)
            named[key] = (label, unit if known is None or known[1] == unit else "")
    return named
