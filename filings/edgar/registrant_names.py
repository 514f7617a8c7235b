"""Registrants' names as the SEC writes them, and as people say them."""

import re
import unicodedata
from pathlib import Path

import yaml

_DATA = yaml.load(Path(__file__).with_name("names.yaml").read_bytes(), yaml.CBaseLoader)  # noqa: S506 - strings only
# Legal endings of names, and further endings that most people leave out.
LEGAL = frozenset(_DATA["legal"])
GENERIC = frozenset(_DATA["generic"])
# CIK -> names people use; words that only look like a company.
CURATED_NAMES: dict[int, tuple[str, ...]] = {int(cik): tuple(names) for cik, names in _DATA["names"].items()}
LOOKALIKES = frozenset(_DATA["lookalikes"])
# The SEC's CIKs have seven digits; from here on they are the sample's fictional issuers.
FIRST_FICTIONAL_CIK = 9_999_999_900
_STATE = re.compile(r"\s*/[A-Za-z .]{0,12}/?\s*$|/ADR\b.*$", re.IGNORECASE)
_ACRONYM = re.compile(r"\b(?:[a-z]\.){2,}")
_WORD = re.compile(r"[a-z0-9]+")
_SMALL = frozenset({"of", "and", "the", "for", "in", "on", "de", "la"})


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in the compared form: lower case, "&" as and, no apostrophes, no accents."""
    if not name.isascii():
        name = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
        name = name.replace("\u2019", "'")
    lower = name.lower().replace("&", " and ").replace("'", "")
    if "." in lower:
        lower = _ACRONYM.sub(lambda hit: hit.group().replace(".", "") + " ", lower)
    return tuple(_WORD.findall(lower))


def without_state(name: str) -> str:
    """A name without the SEC's suffixes: "PROGRESSIVE CORP/OH/" -> "PROGRESSIVE CORP"."""
    return _STATE.sub("", name).strip(" /,")


def exact_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name without its legal ending: ("apple", "inc") -> ("apple",)."""
    first = 1 if len(words) > 1 and words[0] == "the" else 0
    last = len(words)
    # "S A", "N V", "P L C" are legal endings in single letters.
    while last - first > 1 and (words[last - 1] in LEGAL or (words[last - 1] == "new" and last - first > 2)):
        last -= 1
    if last - first > 2 and words[last - 2 : last] in {("s", "a"), ("n", "v"), ("a", "s"), ("s", "e")}:
        last -= 2
    if last - first > 1 and words[last - 1] == "and":
        last -= 1
    return words[first:last]


def loose_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name without legal and generic endings: ("vertiv", "holdings", "co") -> ("vertiv",)."""
    exact = exact_words(words)
    last = len(exact)
    while last > 1 and (exact[last - 1] in GENERIC or exact[last - 1] in LEGAL or exact[last - 1] == "and"):
        last -= 1
    return exact[:last]


def is_fictional(cik: int) -> bool:
    """Whether a CIK is one of the sample's fictional issuers."""
    return cik >= FIRST_FICTIONAL_CIK


def everyday_name(cik: int, name: str) -> str:
    """A registrant's everyday name: "Microsoft" for MICROSOFT CORP."""
    return CURATED_NAMES[cik][0] if cik in CURATED_NAMES else short_name(name)


def called(cik: int, name: str) -> str:
    """The everyday name; a fictional company's is marked as fictional."""
    return everyday_name(cik, name) + (" (fictional)" if is_fictional(cik) else "")


def short_name(name: str) -> str:
    """A shortened name: "Apple Inc." -> "Apple", "BOEING CO" -> "Boeing"."""
    plain = without_state(name)
    kept = len(exact_words(name_words(plain)))
    # Take printed words until as many compared words are covered.
    printed: list[str] = []
    seen = 0
    for word in plain.split():
        words = name_words(word)
        if not printed and words == ("the",) and kept < len(name_words(plain)):
            continue
        if seen + len(words) > kept:
            break
        seen += len(words)
        printed.append(word)
    printed = printed or plain.split()[:1]
    text = " ".join(printed).rstrip(",").removesuffix(" &")
    return _spoken(text) if text.isupper() else text


def _spoken(text: str) -> str:
    """An all-capitals name in mixed case. Short words without a vowel, and single letters, stay as they are."""
    words = []
    for place, word in enumerate(text.split()):
        bare = word.strip(".,").lower()
        if place and bare in _SMALL:
            words.append(word.lower())
        elif "&" in bare or (len(bare) <= 3 and not set(bare) & set("aeiouy")):
            words.append(word)
        else:
            words.append("-".join(part[:1] + part[1:].lower() for part in word.split("-")))
    return " ".join(words)
