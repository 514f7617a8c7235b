"""CSS lengths and numbers (CSS Values and Units Module Level 4), in points."""

import operator
import re
from collections.abc import Callable

POINTS = {
    "": 0.75, "px": 0.75, "pt": 1.0, "pc": 12.0, "in": 72.0, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "q": 1.8 / 2.54,
}  # fmt: skip
# Relative to the surrounding text size, roughly: "ex" and "ch" are half a letter wide.
OF_TEXT = {"em": 1.0, "rem": 1.0, "%": 0.01, "ex": 0.5, "ch": 0.5, "lh": 1.2, "rlh": 1.2, "ic": 1.0, "cap": 0.7}
# Relative to a window of about 960 by 720 px: enough to decide what is beside it.
OF_WINDOW = {"vw": 7.2, "vh": 5.4, "vmin": 5.4, "vmax": 7.2, "dvw": 7.2, "dvh": 5.4, "svw": 7.2, "svh": 5.4}
LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)([a-z]+|%)?")
LONGEST = 200  # characters of a value that are computed
TOKEN = re.compile(r"\s*(?:(calc|min|max|clamp)?(\()|([),*/])|([+-])(?=\s)|" + LENGTH.pattern + ")")
FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "(": lambda values: values[0],
    "calc(": lambda values: values[0],
    "min(": min,
    "max(": max,
    "clamp(": lambda values: max(values[0], min(values[1:])) if len(values) == 3 else values[0],
}
STEPS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda one, other: one / other if other else 0.0,
}


def number(text: str) -> float | None:
    """A bare number, or one that calc() and the like compute; None for other text."""
    return length(text, 0.0, 0.0, bare=True)


def length(text: str, around: float, whole: float | None = None, bare: bool = False) -> float | None:
    """A length in points; None where the text is none.

    `around` is the text size, `whole` the meaning of 100 % where it differs; `bare` accepts numbers without a unit.
    """
    found = LENGTH.fullmatch(text) if len(text) <= LONGEST else None
    if found:
        return _points(found[1], found[2] or "", around, whole, bare)
    if "(" not in text or len(text) > LONGEST:
        return None
    computed = Computed(text, around, whole, bare)
    value = computed.value()
    return value if computed.at == len(computed.tokens) else None


def _points(digits: str, unit: str, around: float, whole: float | None, bare: bool) -> float | None:
    size = float(digits)
    if bare:
        return None if unit else size
    if unit == "%" and whole is not None:
        return size / 100 * whole
    if unit in OF_TEXT:
        return size * OF_TEXT[unit] * around
    points = POINTS.get(unit, OF_WINDOW.get(unit))
    return None if points is None else size * points


class Computed:
    """The value of calc(), min(), max() or clamp(). Inside them a number without a unit is a factor."""

    def __init__(self, text: str, around: float, whole: float | None, bare: bool) -> None:
        self.tokens: list[str | float] = []
        self.at = 0
        place = 0
        text = text.strip()
        while place < len(text):
            found = TOKEN.match(text, place)
            value: str | float | None = None
            if found:
                name, opening, mark, sign, digits, unit = found.groups()
                if opening:
                    value = (name or "") + opening
                else:
                    value = mark or sign or _points(digits, unit or "", around, whole, bare or not unit)
            if not found or value is None:
                self.tokens = []
                break
            self.tokens.append(value)
            place = found.end()

    def value(self) -> float | None:
        """The sum that begins here; None where it cannot be read."""
        return self.row(self.product, "+-")

    def product(self) -> float | None:
        return self.row(self.term, "*/")

    def row(self, part: Callable[[], float | None], steps: str) -> float | None:
        one = part()
        while one is not None and self.at < len(self.tokens) and self.tokens[self.at] in tuple(steps):
            step = str(self.tokens[self.at])
            self.at += 1
            other = part()
            one = None if other is None else STEPS[step](one, other)
        return one

    def term(self) -> float | None:
        """A number, or what a function or brackets hold."""
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        self.at += 1
        if token is None or isinstance(token, float):
            return token
        if token not in FUNCTIONS:
            return None
        values: list[float] = []
        while True:
            value = self.value()
            mark = self.tokens[self.at] if self.at < len(self.tokens) else None
            self.at += 1
            if value is None or mark not in {",", ")"}:
                return None
            values.append(value)
            if mark == ")":
                return FUNCTIONS[str(token)](values)
