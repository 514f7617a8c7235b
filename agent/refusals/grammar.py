"""Small helpers for words inside sentences."""

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """Joins words: "a, b and c"."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def lower_first(label: str) -> str:
    """A label inside a sentence: research and development expense; EPS, R&D and FX keep their capitals."""
    first = label.partition(" ")[0]
    return label if first[1:] != first[1:].lower() else label[:1].lower() + label[1:]


def possessive(name: str) -> str:
    """Apple's; a name that is a possessive already stays: Lowe's."""
    return name if name.lower().endswith(("'s", "\u2019s")) else f"{name}'s"


def capitalized(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]
