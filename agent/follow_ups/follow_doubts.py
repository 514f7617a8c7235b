"""What could be meant in two ways by a question that goes on: what "it" is, and whether it asks for a thing of its own."""

from collections.abc import Collection, Sequence

from agent.follow_ups.follow_parts import Before, Named
from agent.follow_ups.follow_words import (
    BEING,
    CAUSES,
    IT_OR_THEY,
    MOVES,
    NARROWING,
    OF_FIGURE,
    OF_SUBJECT,
    POINTED_AT,
    POINTING,
    SHELL,
    WITH_A_NAME,
)
from agent.language.lexicon import phrases
from agent.words.tokens import Token


def with_measure(text: str, tokens: Sequence[Token], measure: str) -> str:
    """The text with the measure of the question before in the place of "it", where "it" is the figure; else empty."""
    told = [token.base for token in tokens]
    if not measure:
        return ""
    if told == ["why"] or told == ["how", "come"]:
        return f"Why did {measure} change?"
    for place, word in enumerate(told):
        before = told[place - 1] if place else ""
        after = told[place + 1] if place + 1 < len(told) else ""
        moved = word in {"it", "that", "this"} and (after in MOVES or before in CAUSES | BEING)
        if moved or (word == "its" and after in OF_FIGURE):
            token = tokens[place]
            return f"{text[: token.start]}{measure}{text[token.end :]}"
    return ""


def stands_for_a_subject(tokens: Sequence[Token], before: Before) -> str:
    """Why a word that stands for another is not known to stand for the company; empty where none is in doubt."""
    told = [token.base for token in tokens]
    for place, word in enumerate(told):
        previous = told[place - 1] if place else ""
        after = told[place + 1] if place + 1 < len(told) else ""
        pointing = word in POINTING and (
            not after or previous in POINTED_AT or not previous or word in {"these", "those"}
        )
        if pointing and after not in WITH_A_NAME:
            return f"it does not say what “{tokens[place].text}” is"
        if not before.asks_text:
            continue
        thing = word in IT_OR_THEY and (previous in BEING or after in OF_SUBJECT)
        thing |= word in {"its", "their"} and after in OF_SUBJECT
        thing |= word == "them" and previous not in {"audit", "audits", "audited"}
        if thing:
            return f"“{tokens[place].text}” could mean the company or the earlier topic"
    return ""


def narrows(parts: Named, vocabulary: Collection[str]) -> str:
    """Why a question is not known to be one of its own; empty where nothing speaks against it."""
    if not parts.tokens or parts.companies:
        return ""
    if parts.tokens[0].base in NARROWING:
        return f"it could narrow the previous question or start a new one about “{own_words(parts)}”"
    known = {*phrases().words, *vocabulary}
    own = [token for place, token in enumerate(parts.tokens) if place not in parts.used and token.base not in SHELL]
    strange = [token for token in own if token.base not in known and token.stem not in known]
    # A place or a product is a subject as well, but "and BMW?" may as well be a company that is not held.
    if strange and strange == own and any(token.capital or token.base.isdecimal() for token in strange):
        return f"“{own_words(parts)}” is neither a known company nor a known measure"
    return ""


def own_words(parts: Named) -> str:
    own = [token for place, token in enumerate(parts.tokens) if place not in parts.used and token.base not in SHELL]
    return " ".join(token.text for token in own)
