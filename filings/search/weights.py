"""The weights of a search's lists. Cheap to import, because the system checks read them too."""

from typing import NamedTuple


class Weights(NamedTuple):
    """The weight of each list; 0 leaves it out."""

    lexical: float = 2.0
    dense: float = 1.0
    statements: float = 1.0


DEFAULT = Weights()


def parse_weights(text: str) -> Weights:
    """Weights written as 2:1:1 (lexical:dense:statements) or 30:70 (no statements). Raises ValueError."""
    parts = [float(part) for part in text.split(":")]
    if not 2 <= len(parts) <= 3 or any(not 0 <= part <= 1000 for part in parts) or not parts[0] + parts[1]:
        raise ValueError(f"not two or three weights with colons between: {text!r}")
    return Weights(*parts, *[0.0] * (3 - len(parts)))
