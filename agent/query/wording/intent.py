"""What a question is for, where it is no figure and no text of a 10-K: decided on its head. Or Diligence itself is asked about."""

from agent.query.words.sentence import Clause, Part, Sentence
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code

_ORDER = (Code.OFF_TOPIC, Code.ADVICE, Code.PRICE, Code.PREDICTION, Code.TRANSCRIPT, Code.EXTERNAL_DATA)
# What stands in a filing's text as a subject is no intent there.
_OF_TEXT = frozenset({Code.PRICE, Code.PREDICTION, Code.EXTERNAL_DATA})


def intent_of(sentence: Sentence, *, text: bool) -> tuple[Code, str] | None:
    """The refusal that the head of a question decides, and its words; None where it asks for what filings hold.

    text: words of asking for text stand in the question.
    """
    found: dict[Code, str] = {}
    if (bought := _buys(sentence)) is not None:
        return Code.ADVICE, sentence.text(bought)
    for clause in sentence.clauses:
        for place, part in enumerate(clause.parts):
            value = part.value("intent")
            code = next((one for one in _ORDER if one.value == value), None)
            if code is None or part.named or not _is_meant(sentence, clause, place, code, text=text):
                continue
            found.setdefault(code, sentence.text(part))
    first = next((code for code in _ORDER if code in found), None)
    if first is Code.EXTERNAL_DATA and found[first].lower() in connecting("quarterly reports"):
        return Code.INTERIM_PERIOD, found[first]  # of which quarter is not told
    return (first, found[first]) if first else None


def _is_meant(sentence: Sentence, clause: Clause, place: int, code: Code, *, text: bool) -> bool:
    part = clause.parts[place]
    word = part.word
    quarterly = sentence.text(part).lower() in connecting("quarterly reports")
    if quarterly and not text and sentence.interim:
        return False  # figures of a quarter are those of its report
    if code is Code.PREDICTION and sentence.is_asker(clause) and not clause.measures:
        return False  # "I'd expect it is higher"
    if code is Code.ADVICE and word in connecting("investing"):
        # "How much did it invest in research"
        return not any(one.mention for one in clause.parts[:place]) or any(one.mention for one in clause.parts[place:])
    behind = clause.parts[place + 1 : place + 2]
    if code is Code.PREDICTION and word in connecting("describing") and any(one.unknown for one in behind):
        return False
    if code is Code.PREDICTION and word in connecting("soft") and not sentence.measured:
        return False
    topical = code is Code.OFF_TOPIC and sentence.mentions and word not in connecting("never")
    beside = topical or (text and code in _OF_TEXT) or word in connecting("predicting at head")
    # Where it is what is asked, nothing but words of asking, companies and periods stands before it.
    before = (one for one in clause.parts[:place] if not (one.mention or one.stretch))
    return not beside or (clause is sentence.clauses[0] and all(one.has("frame") for one in before))


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
