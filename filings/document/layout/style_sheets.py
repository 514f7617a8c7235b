"""Style sheets: the declarations for an element (Selectors Level 4, without pseudo-classes and attributes)."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree

from filings.document.layout.declarations import Declarations, cleaned, declare, settle

COMPOUND = re.compile(r"([a-z][\w-]*|\*)?((?:[#.][\w-]+)*)")
NAMED = re.compile(r"([#.])([\w-]+)")
# Media for print or speech: the reader of a filing looks at a screen.
NOT_ON_SCREEN = re.compile(r"@media (?:only )?(?:print|speech|aural|braille|embossed|tty)\b(?!.*(?:screen|all))")
MOST_ABOVE = 8  # compounds of a selector that are compared with surrounding elements
MOST_NESTED = 256  # surrounding elements, from the inside, that are compared
# Selectors of several names that are compared with every element. Further ones count by their first name alone: style
# sheets of filings have none.
MOST_COMPARED = 64


class Compound(NamedTuple):
    """The tag, id and classes that one element must have; empty where any will do."""

    tag: str
    ident: str
    classes: frozenset[str]

    def fits(self, tag: str, ident: str, classes: Iterable[str]) -> bool:
        return self.tag in {"", tag} and self.ident in {"", ident} and self.classes.issubset(classes)


class Compared(NamedTuple):
    """A selector of several names with its declarations."""

    compound: Compound
    above: tuple[Compound, ...]
    said: Declarations


class Sheets:
    """The rules of a document's style sheets."""

    def __init__(self) -> None:
        # By tag and id or class, as ("p", ".note"), ("", "#top"), ("p", "").
        self.simple: dict[tuple[str, str], Declarations] = {}
        self.compared: list[Compared] = []
        self.idents: set[str] = set()
        self.place = 0

    def __bool__(self) -> bool:
        return bool(self.simple or self.compared)

    def read(self, sheet: str) -> None:
        """Add the rules of a <style> element."""
        head = ""
        blocks: list[tuple[str, list[str]]] = []
        elsewhere = 0
        for part in (*re.split(r"([;{}])", cleaned(sheet)), *"}"):
            if part == "{":
                name = " ".join(head.split())
                elsewhere += NOT_ON_SCREEN.match(name) is not None
                blocks.append((name, []))
            elif part == "}" and blocks:
                name, said = blocks.pop()
                if NOT_ON_SCREEN.match(name):
                    elsewhere -= 1
                elif not elsewhere and not name.startswith("@"):
                    self.add(name, [*said, head])
            elif part == ";" and blocks:
                blocks[-1][1].append(head)
            head = part if part not in {"{", "}", ";"} else ""

    def add(self, selectors: str, said: list[str]) -> None:
        """Add a rule."""
        self.place += 1
        for selector in selectors.split(","):
            names = re.split(r"[+~]", selector.replace(">", " "))[-1].split()
            found = [COMPOUND.fullmatch(name) for name in names]
            if not names or None in found:
                continue
            compounds = [_compound(one) for one in found[-MOST_ABOVE - 1 :] if one]
            rank = _rank(compounds, self.place)
            last = compounds[-1]
            self.idents.add(last.ident)
            if (len(compounds) == 1 and len(last.classes) + bool(last.ident) < 2) or len(
                self.compared
            ) >= MOST_COMPARED:
                held = self.simple.setdefault((last.tag, _first_name(last)), {})
            else:
                held = {}
                self.compared.append(Compared(last, tuple(compounds[:-1]), held))
            for declaration in said:
                declare(held, declaration, rank)

    def matches(self, element: etree._Element, tag: str, ident: str, classes: list[str]) -> tuple[int, ...]:
        """The selectors of several names that match an element."""
        return tuple(
            number
            for number, one in enumerate(self.compared)
            if one.compound.fits(tag, ident, classes) and (not one.above or _is_within(element, one.above))
        )

    def of(self, tag: str, ident: str, classes: list[str], matches: tuple[int, ...]) -> Declarations:
        """The declarations of matching rules for an element."""
        said: Declarations = {}
        for name in ("", *(f".{name}" for name in classes), *([f"#{ident}"] if ident else [])):
            for key in (("", name), (tag, name)):
                if key in self.simple:
                    settle(said, self.simple[key])
        for number in matches:
            settle(said, self.compared[number].said)
        return said


def _compound(found: re.Match[str]) -> Compound:
    names = NAMED.findall(found[2])
    idents = [name for mark, name in names if mark == "#"]
    tag = "" if found[1] in {None, "*"} else found[1]
    return Compound(tag, idents[0] if idents else "", frozenset(name for mark, name in names if mark == "."))


def _first_name(compound: Compound) -> str:
    if compound.ident:
        return f"#{compound.ident}"
    return f".{min(compound.classes)}" if compound.classes else ""


def _rank(compounds: list[Compound], place: int) -> tuple[int, ...]:
    return (
        False,
        sum(bool(one.ident) for one in compounds),
        sum(len(one.classes) for one in compounds),
        sum(bool(one.tag) for one in compounds),
        place,
    )


def _is_within(element: etree._Element, above: tuple[Compound, ...]) -> bool:
    """Whether the surrounding elements match a selector, from the inside out."""
    wanted = list(above)
    for number, outer in enumerate(element.iterancestors()):
        if not wanted or number == MOST_NESTED:
            break
        tag = re.split(r"[}:]", outer.tag)[-1].lower() if isinstance(outer.tag, str) else ""
        if wanted[-1].fits(tag, (outer.get("id") or "").lower(), (outer.get("class") or "").lower().split()):
            wanted.pop()
    return not wanted
