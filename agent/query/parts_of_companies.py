"""Parts of several companies beside each other: "AWS vs Google Cloud revenue" is one measure, of a part of each company."""

from collections.abc import Mapping, Sequence

from agent.query.definitions import Phrase
from agent.query.lexicon import CompanyPart, Lexicon, Named
from agent.query.refused_question import Refused
from agent.query.word_classes import Key
from agent.refusals.codes import Code
from agent.state.query import Measure, Member, PartOf, Row


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


def side_by_side(phrases: list[Phrase], ciks: Sequence[int]) -> list[Phrase]:
    """The phrases with parts of different companies under one measure: each company has one of them.

    Raises Refused where a company has none of its own beside those of others, or several, and where a part of one stands
    beside a whole.
    """
    rows = [row for phrase in phrases for row in phrase.named.rows if not row.mention]
    if not any(isinstance(row.measure, Member) for row in rows):
        return phrases
    parts: dict[Measure, dict[int, PartOf]] = {}
    for row in rows:
        one = row.measure
        if not isinstance(one, Member):
            raise Refused(Code.DIMENSIONAL_ONLY, row.text or one.kind)
        held = parts.setdefault(one.of, {})
        if any(own.cik in held for own in one.own):
            raise Refused(Code.DIMENSIONAL_ONLY, one.label)
        held |= {own.cik: own for own in one.own}
    # One name of several companies' parts may be that of no part of another.
    alike = {row.measure.of for row in rows if isinstance(row.measure, Member) and len(row.measure.own) > 1}
    for of, held in parts.items():
        if len(held) < len(ciks) and of not in alike:
            raise Refused(Code.DIMENSIONAL_ONLY, *dict.fromkeys(own.label for own in held.values()))
    merged = {of: _merged(of, held, ciks) for of, held in parts.items()}
    found = []
    for phrase in phrases:
        measures = dict.fromkeys(row.measure.of for row in phrase.named.rows if isinstance(row.measure, Member))
        rows = [Row(measure=merged.pop(of)) for of in measures if of in merged]
        if rows:
            phrase.named = Named(tuple(rows))
            found.append(phrase)
    return found


def _merged(of: Measure, held: Mapping[int, PartOf], ciks: Sequence[int]) -> Member:
    """A measure of one part of each company, in the order of the companies."""
    own = tuple(held[cik] for cik in ciks if cik in held)
    labels = dict.fromkeys(one.label for one in own)
    members = tuple(dict.fromkeys(member for one in own for member in one.members))
    return Member.model_validate({"of": of, "label": " / ".join(labels), "members": members, "own": own})
