"""Questions about Diligence itself: a greeting, thanks, or what it covers."""

from agent.query.sentence import Sentence
from agent.query.word_classes import connecting


def meta_of(sentence: Sentence) -> str:
    """greeting, thanks or coverage, where every word is one of such a question and nothing else is asked; else empty."""
    told = [
        token.base for part in sentence.parts if not part.mention for token in sentence.tokens[part.first : part.last]
    ]
    words = set(told)
    if any(part.named or part.stretch or part.has("text", "intent") for part in sentence.parts):
        return ""
    about = connecting("about us")
    named = any(part.mention for part in sentence.parts)
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
