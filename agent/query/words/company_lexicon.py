"""Adds to the shared names those of one company: the row labels of its statements, and its parts."""

from collections.abc import Mapping

from agent.numbers.registry.concept import Concept as Entry
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.row_labels import Fit
from agent.query.words.lexicon import PARENTHESES, Called, CompanyPart, Lexicon, Named
from agent.query.words.part_names import part_names
from agent.query.words.word_classes import Key, classes, connecting
from agent.state.query import Concept, Line, Measure, PartOf, Printed, Row
from agent.words.tokens import stems

# Lexicons of companies kept in memory beside the shared one.
_MOST_COMPANIES = 64


def of_faces(shared: Lexicon, called: Called) -> Lexicon:
    """The shared names with row labels of a company's statements below them, and its parts; built once for the same.

    called: labels with the elements that stand under them, one a year or several over the years.
    """
    if called not in shared.companies:
        if len(shared.companies) >= _MOST_COMPANIES:
            shared.companies.clear()
        lexicon = shared.companies[called] = _of_faces(shared, called)
        lexicon.parts |= part_names(shared, called)
        for label, unit in called.printed:
            if shared.named(stems(label)) is None:
                lexicon.add(label, Named((Row(measure=Printed(words=label, unit=unit), text=label),)))
    return shared.companies[called]


def _of_faces(shared: Lexicon, called: Called) -> Lexicon:
    lexicon = Lexicon(shared.registry, base=shared)
    of: dict[Key, dict[str, tuple[str, ...]]] = {}
    for label, statement, names in called.placed:
        lexicon.placed.setdefault(statement, {})[label] = names
        of.setdefault(stems(_called(label)), {})[statement] = names
    printed = frozenset(name for _, names in called.rows for name in names)
    for label, names in called.rows:
        key = stems(_called(label))
        known = shared.named(key)
        if known and _is_apart(shared.registry, known, names, printed):
            known = None
        bare = key in classes() or (len(key) == 1 and key[0] in connecting("headed"))
        if not key or (known and not known.ask) or bare or any(word.isdecimal() for word in key):
            continue
        owner = next((one.key for one in shared.registry.concepts.values() if _is_own(one, label, names, printed)), "")
        kinds = [kind for kind, elements in of.get(key, {}).items() if elements == names]
        alone = len(kinds) == len(of.get(key, {}))
        line = Line(label=label, names=names, statement=kinds[0] if kinds and not alone else "")
        measure: Measure = Concept(key=owner) if owner else line
        lexicon.add(_called(label), Named((Row(measure=measure),)))
    return lexicon


def _called(label: str) -> str:
    """What a row is called: its label without notes in brackets, but that of a change, which without is a question's."""
    return label if stems(label)[:1] in (("increase",), ("decrease",)) else PARENTHESES.sub("", label)


def _is_apart(registry: Registry, known: Named, names: tuple[str, ...], printed: frozenset[str]) -> bool:
    """Whether a company calls an element of its own so, and prints the measure known by the name under another.

    "Cost of products sold" beside a total cost of revenue is the row, and not the total.
    """
    own = bool(names) and not any(name.startswith("us-gaap:") for name in names)
    held = [registry.concepts[key].names for key in known.keys if key in registry.concepts]
    return own and len(held) == 1 and bool(printed & set(held[0])) and not set(names) & set(held[0])


def _is_own(concept: Entry, label: str, names: tuple[str, ...], printed: frozenset[str]) -> bool:
    """Whether a row is a concept: of its elements, it stands under the first that the company prints."""
    if not set(names) <= set(concept.names) or concept.fit(label) is not Fit.ACCEPTED:
        return False
    return next(one for one in concept.names if one in printed or one in names) in names


def of_companies(shared: Lexicon, alone: Mapping[int, Lexicon]) -> Lexicon:
    """The shared names with the parts of several companies; what several call alike is the part of each of them.

    alone: the names of each company (CIK) by itself. Row labels of its statements stay out: they are of one company.
    """
    called: dict[Key, dict[int, CompanyPart]] = {}
    for cik, lexicon in alone.items():
        for key, part in lexicon.parts.items():
            called.setdefault(key, {})[cik] = part
    found = Lexicon(shared.registry, base=shared, ciks=tuple(alone))
    for key, parts in called.items():
        first = next(iter(parts.values()))
        members = tuple(dict.fromkeys(member for part in parts.values() for member in part.members))
        own = tuple(PartOf(cik=cik, label=part.label, members=part.members) for cik, part in parts.items())
        found.parts[key] = CompanyPart(first.label, members, own)
    return found
