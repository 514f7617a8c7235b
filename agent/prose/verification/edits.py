"""Edits of a quotation that are decided character by character: no measure of likeness is asked where these decide.

A text may leave out of its quotation a lead-in ("In addition,") and the examples that close a sentence (", including
lenses and coatings"), and may name the company where the filing says "we", "our", "us" or "the Company". A row of a table
is told with its unit and the heading of its column beside each figure. Everything else stands as it is printed. Each edit
is told in words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from agent.prose.text.compared_words import AGREES, Mark, mark_of
from agent.prose.text.english import COMPARED_WORDS
from agent.prose.text.folding import bare, fold, same
from agent.state import About, PrintedRow
from filings.document.sentences import sentence_spans
from filings.tables.table_units import SCALE

# Words that tie a sentence to the one before it and say nothing of their own; none that gives a reason or a contrast.
LEAD_INS = (
    "In addition", "Additionally", "Moreover", "Furthermore", "Further", "Also", "For example", "For instance",
    "In particular", "Specifically", "Finally", "Lastly",
)  # fmt: skip
LEAD_IN = re.compile(rf"(?:(?P<said>{'|'.join(LEAD_INS)}), |(?P<mark>\((?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})\)) ?)(?=\w)")
EXAMPLES = re.compile(r", (?:including|such as) ")
PIECE = re.compile(r"[Tt]he (?:Company|Registrant)(?:'s)?(?![\w-])|\w+(?:'\w+)*|\s|[^\w\s]")
NAMED = re.compile(r"[Tt]he (?:Company|Registrant)(?:'s)?")
# Between "we" and its verb.
ADVERBS = COMPARED_WORDS.words("adverbs")
CHAINS = frozenset((",", "and", "or"))
# They have one form.
MODALS = COMPARED_WORDS.words("modals")
# A list of examples with any of these is more than a list; a sentence with the first three may deny what it lists.
GOVERNS = frozenset((Mark.NEGATION, Mark.CONDITION, Mark.EXCEPTION))
ASSERTS = GOVERNS | {Mark.MODALITY, Mark.CONTRAST, Mark.ATTRIBUTION, Mark.NUMBER}
DENIES = re.compile(r"n't\b|\bnon-|\brespectively\b")
# A figure of its own, a bracket, a colon or a quotation.
OTHER = re.compile(r"\d|[():;\"$\u20ac\u00a3\u00a5%]| - ")
# What begins or makes a clause of its own.
CLAUSE = COMPARED_WORDS.words("clause")

# Behind the label of a row.
BESIDE = re.compile(r"(?: \((?P<unit>[^()]*)\))?, (?P<figures>[^:]+: .+)")
UNIT = re.compile(rf"(?:{SCALE.pattern}|in percent(?:ages?)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a quotation as pieces: words, spaces, signs. first, last: places of its pieces."""

    first: int
    last: int
    lead_in: int  # place behind the lead-in; first where there is none
    said: str  # the lead-in
    closing: tuple[int, int] | None  # places of the examples that close it and may be left out
    speaks: bool  # whether "we" is nobody but the company in it


def edits(text: str, quote: str, names: Sequence[str] = (), *, speaks: bool = True) -> tuple[str, ...] | None:
    """The edits, in words, that make the text of its quotation; None where these alone do not. None is needed: ().

    names: what the company is called. speaks: whether "we" is the company where the quotation stands, as it is not in
    the report of an auditor.
    """
    said, source = bare(text), bare(quote)
    if not said or not source:
        return None
    return _Walk(said, source, names, speaks).found()


def without_lead_in(quote: str) -> str:
    """A quotation without the words that tie its first sentence to the one before it; as it is where it has none."""
    lead = LEAD_IN.match(quote)
    if not lead or not lead["said"]:
        return quote
    rest = quote[lead.end() :]
    # "iPhone" is written so at the beginning, too.
    is_name = any(letter.isupper() for letter in rest.split()[0][1:])
    return rest if is_name else rest[:1].upper() + rest[1:]


class _Walk:
    """Both texts read side by side, an edit wherever one may be: a search over places, each visited once."""

    def __init__(self, said: str, source: str, names: Sequence[str], speaks: bool) -> None:
        self.said = said
        cut = [(match.group(), match.start()) for match in PIECE.finditer(source)]
        self.pieces = [piece for piece, _ in cut]
        self.names = tuple(dict.fromkeys(fold(name).text for name in names if name.strip()))
        begins = {start: place for place, (_, start) in enumerate(cut)}
        ends = [start + len(piece) for piece, start in cut]
        self.sentences = {
            begins[start]: self.sentence(source, start, end, begins, ends, speaks)
            for start, end in sentence_spans(source)
            if start in begins
        }
        quoted = 0
        self.of: list[bool] = []  # whether the company's name may stand for "we" in a piece
        speaking = False
        for place, piece in enumerate(self.pieces):
            if place in self.sentences:
                speaking = self.sentences[place].speaks
            quoted += piece == '"'
            self.of.append(speaking and quoted % 2 == 0)

    def sentence(
        self, source: str, start: int, end: int, begins: dict[int, int], ends: Sequence[int], speaks: bool
    ) -> Sentence:
        text = source[start:end]
        first = begins[start]
        last = max(place for place, stop in enumerate(ends) if stop <= end)
        lead = LEAD_IN.match(text)
        # Beside its name, or "the Company", whoever says "we" may be another.
        third = bool(NAMED.search(text)) or any(
            re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) for one in self.names
        )
        closing = next(
            (begins[start + hit.start()] for hit in EXAMPLES.finditer(text) if _may_go(text, hit.start(), hit.end())),
            None,
        )
        ending = last if self.pieces[last] in ".;" else last + 1
        return Sentence(
            first=first,
            last=last,
            lead_in=begins[start + lead.end()] if lead else first,
            said=(lead["said"] or lead["mark"]) if lead else "",
            closing=None if closing is None else (closing, ending),
            speaks=speaks and not third,
        )

    def found(self) -> tuple[str, ...] | None:
        # (characters of the text, pieces of the quotation, where the verb of "we" is, whether a capital is due, edits)
        waiting: list[tuple[int, int, int, bool, tuple[str, ...]]] = [(0, 0, 0, True, ())]
        seen: set[tuple[int, int, int, bool]] = set()
        closings = {one.closing[0]: one.closing[1] for one in self.sentences.values() if one.closing}
        while waiting:
            at, place, verb, capital, done = waiting.pop()
            if at == len(self.said) and place == len(self.pieces):
                return tuple(dict.fromkeys(done))
            if (at, place, verb, capital) in seen or place >= len(self.pieces):
                continue
            seen.add((at, place, verb, capital))
            one = self.sentences.get(place)
            if one and one.lead_in > place:
                waiting.append((at, one.lead_in, 0, True, (*done, f"\u201c{one.said}\u201d is left out")))
            if place in closings:
                gone = "including" if self.pieces[place + 2] == "including" else "such as"
                waiting.append(
                    (at, closings[place], 0, False, (*done, f"the examples after \u201c{gone}\u201d are left out"))
                )
            for form, state, edit in self.forms(place, verb):
                then = (*done, edit) if edit else done
                waiting += [
                    (at + len(shown), place + 1, state, False, then)
                    for shown in (_cased(form) if capital else (form,))
                    if self.said.startswith(shown, at) and self.is_whole(at + len(shown), shown)
                ]
        return None

    def is_whole(self, end: int, shown: str) -> bool:
        """Whether a word of the text ends where a piece does."""
        return not (shown[-1].isalnum() and self.said[end : end + 1].isalnum())

    def forms(self, place: int, verb: int) -> Iterator[tuple[str, int, str]]:
        """How a piece may stand in the text, where the verb of "we" is then, and the edit in words.

        verb: 1 after a name for "we", 2 after its verb, 3 after what joins another verb to that; else 0.
        """
        piece = self.pieces[place]
        lower = piece.lower()
        yield piece, _after(lower, verb), ""
        if piece[0].isspace() or not piece[0].isalpha():
            return
        for name in self.names:
            if named := self.named(piece, name, place):
                yield named, 1 if lower == "we" else 0, f"\u201c{named}\u201d stands for \u201c{piece}\u201d"
        if verb in (1, 3) and piece.replace("'", "").isalpha() and piece.islower():
            for form in _third_person(piece):
                yield form, 2, ""

    def named(self, piece: str, name: str, place: int) -> str:
        """The company's name in the form of a word for it; empty where it may not stand for it."""
        if NAMED.fullmatch(piece):
            return _possessive(name) if piece.endswith("'s") else name
        if not self.of[place]:
            return ""
        if piece in {"We", "we", "us"}:
            return name
        return _possessive(name) if piece in {"Our", "our"} else ""


def _may_go(sentence: str, start: int, end: int) -> bool:
    """Whether sentence[start:], from the comma before "including", is a list of examples that nothing governs.

    end: where its first item begins. The list runs to the end of the sentence: what follows a comma behind its last
    item, or stands as a clause in it, would be more than an example.
    """
    if any(mark_of(word) in GOVERNS for word in _words(sentence)) or DENIES.search(sentence.lower()):
        return False
    items = sentence[end:].rstrip(".;")
    if any(mark_of(word) in ASSERTS or word in CLAUSE for word in _words(items)) or OTHER.search(items):
        return False
    parts = items.split(", ")
    joined = [part for part in parts if re.search(r"\b(?:and|or)\b", part)]
    # One thing, or several whose last is joined by "and": else a comma closes the list and the sentence goes on.
    return len(sentence[:start].split()) >= 3 and (len(parts) == 1 or joined[-1:] == parts[-1:])


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text.lower())


def _after(word: str, verb: int) -> int:
    """Where the verb of "we" is behind a piece that stands as it is printed."""
    if not verb or word.isspace():
        return verb
    if verb == 1 or (verb == 3 and word not in CHAINS):
        return verb if word in ADVERBS or (word.endswith("ly") and word.isalpha()) else 0
    return 3 if word in CHAINS else 0


def _third_person(verb: str) -> tuple[str, ...]:
    """A verb that goes with "we" as it goes with a name."""
    if verb in MODALS:
        return ()
    if verb.endswith("n't"):
        stem = AGREES.get(verb[:-3])
        return (f"{stem}n't",) if stem else ()
    if verb in AGREES:
        return (AGREES[verb],)
    if re.search(r"[^aeiou]y$", verb):
        return (f"{verb[:-1]}ies",)
    return (f"{verb}es",) if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else (f"{verb}s",)


def _possessive(name: str) -> str:
    if name.endswith("'s"):
        return name
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _cased(word: str) -> tuple[str, ...]:
    """A word that may begin a sentence, with its first letter in either case."""
    other = word[:1].swapcase() + word[1:]
    return (word,) if other == word or not word[0].isalpha() else (word, other)


def told_beside(text: str, row: PrintedRow | None, about: Sequence[About]) -> str:
    """The edit that puts columns and unit beside figures of a row, in words; empty where the text is not made so.

    The text is "Group, Label (unit), column: figure; column: figure". about: what says what the row is about.
    """
    if row is None or len(row.rows) != row.header + 1:
        return ""
    groups = [fold(one.text).text.rstrip(":") for one in about if one.kind == "group"]
    label = ", ".join((*groups, fold(row.rows[-1][0][0]).text))
    told = fold(text).text
    said = BESIDE.fullmatch(told.rstrip("."), len(label))
    if not said or not label or not told.startswith(label):
        return ""
    units = [fold(one.text).text for one in about if one.kind in {"caption", "header"}]
    if said["unit"] and not (UNIT.search(said["unit"]) and any(fold(said["unit"]).text in one for one in units)):
        return ""
    figures = list(headed(row))
    for one in said["figures"].split("; "):
        column, _, figure = one.partition(": ")
        under = [printed for head, printed in figures if head and same(head, column)]
        if len(under) != 1 or not same(figure, under[0]):
            return ""
    return f"the column {'and unit of each figure are' if said['unit'] else 'of each figure is'} put beside it"


def headed(row: PrintedRow) -> Iterator[tuple[str, str]]:
    """Each cell behind the label of a row that has a text, under the lowest heading over it; empty where none is."""
    *heads, cells = row.rows
    over = [[text.strip() for text, span in head for _ in range(span)] for head in heads]
    for (text, _), place in zip(cells[1:], accumulate(span for _, span in cells), strict=False):
        if text.strip():
            lowest = (head[place] for head in reversed(over) if place < len(head) and head[place])
            yield next(lowest, ""), text.strip()
