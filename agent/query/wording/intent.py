"""What a question is for, where it is no figure and no text of a 10-K: decided on its head. Or Diligence itself is asked about."""

from dataclasses import dataclass

from agent.query.words.sentence import Clause, Part, Sentence
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code

# Where a question has words of several, the first of these decides.
_ORDER = (Code.OFF_TOPIC, Code.ADVICE, Code.PRICE, Code.PREDICTION, Code.TRANSCRIPT, Code.EXTERNAL_DATA)
# What stands in a filing's text as a subject is no intent there.
_OF_TEXT = frozenset({Code.PRICE, Code.PREDICTION, Code.EXTERNAL_DATA})


def intent_of(sentence: Sentence, *, text: bool) -> tuple[Code, str] | None:
    """The refusal that the head of a question decides, and its words; None where it asks for what filings hold.

    text: words of asking for text stand in the question.
    """
    if (bought := _buys(sentence)) is not None:
        return Code.ADVICE, sentence.text(bought)
    found: dict[Code, str] = {}
    for clause in sentence.clauses:
        for place in range(len(clause.parts)):
            word = _intent_word(sentence, clause, place, text=text)
            if word and not word.means_another_thing() and (word.decides_anywhere() or word.is_at_head()):
                found.setdefault(word.code, word.typed)
    first = next((code for code in _ORDER if code in found), None)
    if first is Code.EXTERNAL_DATA and found[first].lower() in connecting("quarterly reports"):
        return Code.INTERIM_PERIOD, found[first]  # of which quarter is not told
    return (first, found[first]) if first else None


def _intent_word(sentence: Sentence, clause: Clause, place: int, *, text: bool) -> "_IntentWord | None":
    part = clause.parts[place]
    code = next((one for one in _ORDER if one.value == part.value("intent")), None)
    return None if code is None or part.named else _IntentWord(sentence, clause, place, code, text)


@dataclass(frozen=True, slots=True)
class _IntentWord:
    """A word or phrase of an intent (`intents` in word_classes.yaml) at its place in a clause. text: as in `intent_of`."""

    sentence: Sentence
    clause: Clause
    place: int
    code: Code
    text: bool

    @property
    def part(self) -> Part:
        return self.clause.parts[self.place]

    @property
    def typed(self) -> str:
        """As the question has it."""
        return self.sentence.text(self.part)

    def means_another_thing(self) -> bool:
        """Whether the word is of what is asked, or of whoever asks, and not what the question is for.

        The report of a quarter beside its figures; money that a company invested; what somebody expects of the past; a
        forecast that describes a thing, or that no measure stands beside.
        """
        before, behind = self.clause.parts[: self.place], self.clause.parts[self.place + 1 :]
        if self.typed.lower() in connecting("quarterly reports"):
            return self.sentence.interim and not self.text
        if self.code is Code.ADVICE and self.part.word in connecting("investing"):
            # "How much did it invest in research"
            return any(one.mention for one in before) and not any(one.mention for one in (self.part, *behind))
        if self.code is not Code.PREDICTION:
            return False
        thought = self.sentence.is_asker(self.clause) and not self.clause.measures  # "I'd expect it is higher"
        describes = self.part.word in connecting("describing") and any(one.unknown for one in behind[:1])
        return thought or describes or (self.part.word in connecting("soft") and not self.sentence.measured)

    def decides_anywhere(self) -> bool:
        """Whether the word says what the question is for wherever it stands; others only at the head."""
        if self.code is Code.OFF_TOPIC and self.sentence.mentions and self.part.word not in connecting("never"):
            return False
        return not (self.text and self.code in _OF_TEXT) and self.part.word not in connecting("predicting at head")

    def is_at_head(self) -> bool:
        """Whether nothing but words of asking, companies and periods stands before the word."""
        before = (one for one in self.clause.parts[: self.place] if not (one.mention or one.stretch))
        return self.clause is self.sentence.clauses[0] and all(one.has("frame") for one in before)


def _buys(sentence: Sentence) -> Part | None:
    """ "Why buy Apple?": a company with nothing behind it, and nobody who buys it."""
    parts = sentence.parts
    for place, part in enumerate(parts[:-1]):
        if part.bases in {("buy",), ("sell",)} and parts[place + 1].mention:
            before, behind = parts[:place], parts[place + 2 :]
            asking = all(one.has("frame", "text") for one in before) and all(one.stretch for one in behind)
            return part if before and asking else None
    return None


def meta_of(sentence: Sentence) -> str:
    """greeting, thanks or coverage, where every word is one of such a question and nothing else is asked; else empty."""
    words = {base for part in sentence.parts if not part.mention for base in part.bases}
    if any(part.named or part.stretch or part.has("text", "intent") for part in sentence.parts):
        return ""
    about = connecting("about us")
    named = bool(sentence.mentions)
    if (
        words & connecting("covering")
        and words <= about
        and (named or words & (connecting("us") | connecting("held")))
    ):
        return "coverage"
    if named:
        return ""
    for kind in ("thanks", "greeting"):
        if words & connecting(kind) and words <= connecting("thanks") | connecting("greeting"):
            return kind
    return "coverage" if words <= about and words & (connecting("us") | connecting("help")) else ""
