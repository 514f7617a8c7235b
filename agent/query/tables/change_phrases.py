"""The words of a question that changes a table, cut by the phrases that say how: "take Nike out", "up to 2022"."""

from agent.query.tables.table_forms import key_words
from agent.query.words.word_classes import changing
from agent.words.tokens import Token

Tokens = tuple[Token, ...]


def says(name: str, tokens: Tokens) -> bool:
    """Whether tokens are a phrase of a class."""
    return key_words(tokens) in changing(name)


def behind(name: str, tokens: Tokens) -> Tokens:
    """The tokens behind the longest phrase of a class that they begin with; empty for none."""
    size = next((size for size in range(len(tokens) - 1, 0, -1) if says(name, tokens[:size])), 0)
    return tokens[size:] if size else ()


def around(name: str, tokens: Tokens) -> Tokens:
    """The tokens between the two words of a phrase of a class: "take Nike out"; empty for none."""
    return tokens[1:-1] if len(tokens) > 2 and (tokens[0].stem, tokens[-1].stem) in changing(name) else ()


def before(name: str, tokens: Tokens) -> Tokens:
    """The tokens before the longest phrase of a class that they end with; empty for none."""
    size = next((size for size in range(len(tokens) - 1, 0, -1) if says(name, tokens[-size:])), 0)
    return tokens[:-size] if size else ()
