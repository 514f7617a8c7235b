"""Grammars over terminals that are made already, of words whose meanings are known."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from lark import Lark, Token
from lark.lexer import Lexer


class _Ready(Lexer):
    """Terminals that are made already."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: Sequence[Token]) -> Iterator[Token]:  # type: ignore[override]
        yield from data


def read_grammar(path: Path, parser: Literal["lalr", "earley"]) -> Lark:
    """The grammar of a file, which is given tokens in place of text."""
    return Lark(path.read_text(encoding="utf-8"), parser=parser, lexer=_Ready)
