"""Synonyms: filing terms that a search adds to a question's everyday words."""

import csv
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from cachetools import TTLCache, cached
from django.db import transaction
from django.utils.timezone import now

from filings.models import Corpus, Synonym
from filings.search.words import stem, words

SEEDS = Path(__file__).with_name("synonyms.csv")
NAME = "synonyms"
# Seconds that a worker caches the rows; edits in the admin take effect after that.
FRESH = 30.0
MOST = 12


_FORMS = (
    "beat beaten|begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|"
    "choose chose chosen|come came|deal dealt|draw drew drawn|drive drove driven|eat ate eaten|fall fell fallen|"
    "fight fought|find found|flee fled|fly flew flown|freeze froze frozen|get got gotten|give gave given|go went gone|"
    "grow grew grown|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|leave left|lend lent|"
    "lose lost|make made|meet met|pay paid|ride rode ridden|rise rose risen|run ran|seek sought|sell sold|send sent|"
    "shake shook shaken|shrink shrank shrunk|sink sank sunk|slide slid|speak spoke spoken|spend spent|spin spun|"
    "stand stood|steal stole stolen|stick stuck|strike struck|swell swollen|take took taken|teach taught|tell told|"
    "throw threw thrown|win won|withdraw withdrew withdrawn|write wrote written|woman women|child children|"
    "thief thieves|labor labour|color colour|favor favour|flavor flavour|behavior behaviour|neighbor neighbour|"
    "center centre|fiber fibre|theater theatre|defense defence|license licence|program programme|tire tyre|"
    "aluminum aluminium|judgment judgement|organize organise organised organising|"
    "recognize recognise recognised recognising|unionize unionise unionised|nationalize nationalise nationalised"
)

# Inflected form -> base form.
BASES = {form: base for row in _FORMS.split("|") for base, *forms in [row.split()] for form in forms}


class Entry(NamedTuple):
    """One synonym in the form that is compared: word stems."""

    phrase: tuple[str, ...]
    variants: tuple[str, ...]


@cached(TTLCache(1, FRESH), lock=Lock())
def active_entries() -> tuple[Entry, ...]:
    """The active synonyms, as last loaded."""
    return entries(dict(Synonym.objects.filter(active=True).values_list("phrase", "variants")))


def entries(rows: Mapping[str, Sequence[str]]) -> tuple[Entry, ...]:
    """Phrases with their variants, in compared form."""
    return tuple(Entry(stemmed(phrase), tuple(found)) for phrase, found in rows.items())


def stemmed(text: str) -> tuple[str, ...]:
    """The stems of a text's words, in order."""
    return tuple(stem(BASES.get(word, word)) for word in words(text.replace("-", " ")))


def variants(asked: Sequence[str], trial: Mapping[str, Sequence[str]] | None = None) -> tuple[str, ...]:
    """At most 12 filing words for a question's words; none for a phrase whose filing words it already uses.

    asked: words in the question's order; stop words may be left out. trial: phrases with their filing words, in place
    of the stored rows.
    """
    used = frozenset(stems(asked))
    found: list[str] = []
    for row in matching(asked, trial):
        if not any(used.issuperset(stemmed(variant)) for variant in row.variants):
            found.extend(row.variants)
    return tuple(dict.fromkeys(found))[:MOST]


def matching(asked: Sequence[str], trial: Mapping[str, Sequence[str]] | None = None) -> Iterator[Entry]:
    """The rows whose phrase is in a question, the longest first, without those covered by longer ones: "data breach"
    covers "breach".
    """
    place = stems(asked)
    known = active_entries() if trial is None else entries(trial)
    covered: set[str] = set()
    held = [row for row in known if not set(place).isdisjoint(row.phrase[:1]) and contains(place, row.phrase)]
    for row in sorted(held, key=lambda row: -len(row.phrase)):
        if not covered.issuperset(row.phrase):
            covered.update(row.phrase)
            yield row


def stems(asked: Sequence[str]) -> tuple[str, ...]:
    """The stems of words, in order."""
    return tuple(piece for word in asked for piece in stemmed(word))


def contains(place: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Whether a phrase's stems stand in sequence."""
    return bool(phrase) and any(
        place[start : start + len(phrase)] == phrase for start in range(len(place) - len(phrase) + 1)
    )


def store_synonyms(path: Path = SEEDS) -> int:
    """Add the data file's new rows, once for each version of it; returns how many.

    Existing rows stay, and one deleted in the admin stays deleted until the file changes.
    """
    content = path.read_bytes()
    version = hashlib.sha256(content).hexdigest()
    if Corpus.objects.filter(name=NAME, version=version).exists():
        return 0
    rows = csv.DictReader(content.decode("utf-8").splitlines())
    wanted = {row["phrase"]: row["variants"].split("|") for row in rows}
    with transaction.atomic():
        held = set(Synonym.objects.values_list("phrase", flat=True))
        new = [Synonym(phrase=phrase, variants=found) for phrase, found in wanted.items() if phrase not in held]
        Synonym.objects.bulk_create(new, ignore_conflicts=True)
        Corpus.objects.update_or_create(name=NAME, defaults={"version": version, "loaded": now()})
    return len(new)
