"""Which figures the clauses of a sentence give, and of what: a grammar over the tags of its words.

Every word of a clause stands in the label or the scope of its figure, but for dates, articles and adverbs: nothing that
narrows what is counted is lost. A clause with any other word is not read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from filings.tables.sentence_dates import Dated
from filings.tables.sentence_tokens import COMMA, COUNT, MONEY, NOUN, PERCENT, WORDS, Quantity, Token, tags_of

LONGEST_LABEL = 14  # words
LONGEST_MARK = 3
# A noun with what belongs to it, an enumeration before "and", an aside between commas.
_SUBJECT = r"(?P<subject>D?(?:[neq][neqo]*(?:c[neqo]*n)+c?j)?[neqIJOG][neqopjtIJOGDFiA]*?(?:cp[neqotF]*nc)?)"
_LIST = r"(?P<list>M(?:(?:c?j|c)a?M)*|P(?:(?:c?j|c)a?P)*|N(?:(?:c?j|c)a?N)*|S(?:(?:c?j|c)a?S)*)"
_RANGE = r"p?(?:fa*(?P<between>[MPNSX][jt][MPNS])|f?a*(?P<range>[MPNSX]t[MPNS]|[MPNS]))(?:c?~(?P<margin>P))?"
_DOER = r"(?P<doer>W|n{1,5}(?=[AD]*[hHVgmv]))"
_MOVED = r"(?:c?ja*(?P<too>[MP])c?)?(?:[DA]*ta*(?P<level>[MPNSX]))?"
_PATTERNS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("share", rf"{_SUBJECT}A*h?A*sa*(?P<list>P(?:(?:c?j|c)a?P)*)(?=o)"),
        ("part", r"a*(?P<list>P)o(?P<subject>[neq][neqopt]*?)[bh]+(?=[np])"),
        ("those", r"a*(?P<list>N)(?P<subject>[neq][neqopt]*?)b(?=[npv])"),
        ("those", r"a*(?P<list>M)b(?=n)"),
        ("guided change", rf"{_SUBJECT}(?:bA*g+t|m)A*(?P<change>[ud])i?{_RANGE}"),
        ("guided", rf"{_SUBJECT}(?:bA*g+t|m)A*[bL]?{_RANGE}"),
        ("guided", rf"{_DOER}[AD]*[bm]?g+A*{_SUBJECT}(?:o|t?A*[bL])?{_RANGE}"),
        ("guided change", rf"{_DOER}[AD]*[bm]?g+A*{_SUBJECT}tA*(?P<change>[ud])i?{_RANGE}"),
        ("guided deed", rf"{_DOER}[AD]*(?:[bm]?g+t|m)A*(?P<verb>[nhHVLsv]){_RANGE}"),
        ("guided deed", rf"{_DOER}[AD]*(?:[bm]?g+t|m)A*(?P<verb>[nhHVLsv])(?P<object>[neq]+)o{_RANGE}"),
        ("guided again", rf"{_SUBJECT}(?:o|bt?b?|(?=f)){_RANGE}"),
        ("change", rf"{_SUBJECT}h?A*b?A*(?P<change>[ud])i?a*(?P<list>[MP]){_MOVED}"),
        ("changes", rf"{_SUBJECT}h?A*b?A*(?P<change>[ud])i?a*{_LIST}"),
        ("moved", rf"{_SUBJECT}h?A*b?A*[ud](?:Fa*[MPNS])?ta*{_LIST}"),
        ("level", rf"{_SUBJECT}h?A*[bL]A*p?a*{_LIST}"),
        ("deed", rf"{_DOER}[AD]*h?[AD]*(?P<verb>(?:[nv]jA*)?[hHVnLsv])A*e?a*{_LIST}"),
        (
            "deed of",
            rf"{_DOER}[AD]*h?[AD]*(?P<verb>(?:[nv]jA*)?[hHVnLsv])(?P<object>D?[neqA]*n[neqotpD]*)c?oa*{_LIST}",
        ),
        ("deed again", rf"(?P<verb>[HVnLsv])A*e?a*{_LIST}"),
        ("deed of again", rf"(?P<verb>[HVnLsv])(?P<object>D?[neqA]*n[neqotpD]*)oa*{_LIST}"),
        ("there", rf"Tba*{_LIST}"),
        ("of", rf"{_SUBJECT}D?oa*{_LIST}"),
        ("colon", rf"{_SUBJECT}k{_RANGE}"),
    )
)
_LEAD = re.compile(r"(?:[neqotp]{1,6}(?=Dc[We]))?(?:[AcjD]|p[neqoptjIJ]+c)*")
_REST = frozenset("neqoptIJOGDFijAa")
_VERBS = re.compile(r"[bLudhHVvsgmW]")
_ENDS = "ckCFr"
_JOINS = "WRTbLudhHVvsgmMPNSX"
_TRAILING = re.compile(r"c(?:D|p[neqot]*n(?=[ckC]|$))|c?r")
_ENUMERATED = re.compile(r"(?:c[neq][neqo]*)+c?j[neq][neqotpFD]*(?=[ckCrF]|$)")
_NARROWING = frozenset(["that", "who", "whom"])
_BETWEEN = re.compile(r"F(?P<base>D)t(?P<date>D)")
_COMPARED = re.compile(r"c?(?:C|F)[eqA]*a*(?P<figure>[MPNS])?(?P<date>D?)")
# ", up 5% from a year ago", ", an increase of 5%"
_CHANGED = re.compile(r"c?[jA]*(?:b?(?P<change>[ud])i?|e?n?(?P<noun>[IJ])o)a*(?P<figure>[PM])")
# "and 12% in 2023"
_AGAIN = re.compile(r"(?:cj|j|c)a*(?P<figure>[MPNS])(?P<date>D)")
# "and 12 distribution centers"
_COUNTED = re.compile(r"(?:cj|j|c)a*(?P<figure>N)(?=[neq])")
_PLACES = frozenset(["in", "across", "throughout", "outside"])
_DROPPED = frozenset("eqAaDr")
_BINDING = frozenset("optFjiec")
_PER_SHARE = re.compile(r"\bper\b|\beps\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Given:
    """One figure of a clause. label, scope: as printed. start: with the "approximately" before the figure.

    dated: the phrase that dates it, None where none does; place: which of its periods, from 0. base: what dates the figure
    that it is compared with. guidance: said of what is to come. limit: "low" or "high" of a range, or how far it may be off.
    moves: whether it is a change. present: whether its verb says what is now.
    """

    label: str
    scope: str
    quantity: Quantity
    start: int
    end: int
    dated: Dated | None = None
    place: int = 0
    base: Dated | None = None
    guidance: bool = False
    limit: str = ""
    moves: bool = False
    present: bool = False


@dataclass(slots=True)
class _Tail:
    """What stands behind the figures of a clause. end: where the clause does. compared: the figure it is compared with,
    and base: what dates that.
    """

    end: int
    words: list[Token] = field(default_factory=list)
    dates: list[Dated] = field(default_factory=list)
    compared: Token | None = None
    base: Dated | None = None
    based: str = ""


class Clauses:
    """Reads the clauses of one sentence. outlook: whether it stands where guidance is given."""

    def __init__(self, tokens: Sequence[Token], *, outlook: bool = False) -> None:
        self.tokens, self.tags, self.outlook = tokens, tags_of(tokens), outlook
        self.first = 1 if self.tags.startswith("X") and len(tokens[0].said) <= LONGEST_MARK else 0
        # Of the clauses before: what dates the sentence, who does what, and whether they were of the future.
        self.lead: Dated | None = None
        self.doer: Sequence[Token] = ()
        self.guided = False

    def read(self) -> list[Given]:
        """The figures that the sentence gives; none of one that is denied, supposed or bounded."""
        if re.search(r"[xyB]", self.tags):
            return []
        found: list[Given] = []
        # A bullet, or the mark of a footnote.
        place, whole = self.first, len(self.tags)
        while place < whole:
            given, end = self._clause(place)
            found += given
            place = end if end > place else self._next(place)
        return found

    def _next(self, place: int) -> int:
        """Where the next clause may begin: behind a boundary, or behind ", and" where a verb stands before it."""
        for match in re.finditer(r"k|cj", self.tags[place:]):
            if match[0] == "k" or _VERBS.search(self.tags[place : place + match.start()]):
                return place + match.end()
        return len(self.tags)

    def _clause(self, place: int) -> tuple[list[Given], int]:
        lead = _LEAD.match(self.tags, place)
        start = lead.end() if lead else place
        dates = [one.dated for one in self.tokens[place:start] if one.dated]
        self.lead = dates[0] if len(dates) == 1 else None if dates else self.lead
        for kind, pattern in _PATTERNS:
            if self._may_be(kind, start, place) and (match := pattern.match(self.tags, start)):
                found, end = self._given(kind, match, place)
                if found:
                    return found, end
        return [], place

    def _may_be(self, kind: str, start: int, place: int) -> bool:
        if kind in {"of", "colon"}:
            return place == self.first and (kind == "of" or self.outlook)
        if kind == "guided again":
            return self.guided and place > self.first
        if kind.endswith("again"):
            said = self.tokens[start].said.lower() if start < len(self.tokens) else ""
            verb = self.tags[start : start + 1] != NOUN or said.endswith("ed") or said in WORDS["irregular"]
            return bool(self.doer) and place > self.first and verb
        return True

    def _given(self, kind: str, match: re.Match[str], place: int) -> tuple[list[Given], int]:
        """The figures of a clause that fits a pattern, and where it ends; none where its words do not fit them."""
        groups = match.groupdict()
        figures = (
            self._ranged(match) if "range" in groups else [one for one in self._part(match, "list") if one.quantity]
        )
        tail = self._tail(match.end())
        if not figures or tail is None or self._is_narrowed(tail.end):
            return [], place
        before = [one for one in self.tokens[place : match.start()] if one.tag not in "Acj"]
        named = self._named(kind, match, tail, figures[0])
        dates = [one.dated for one in (*before, *self.tokens[match.start() : match.end()]) if one.dated] + tail.dates
        dates = dates or [one for one in (self.lead,) if one]
        if named is None or len({(one.periods, one.ahead, one.before) for one in dates}) > 1:
            return [], place
        dated = dates[0] if dates else None
        if len(figures) == 1 and "r" in self.tags[match.start() :]:
            # Which of them is of which is not certain.
            return [], place
        several = len(dated.periods) if dated and dated.periods else 1
        if several != (1 if "range" in groups else len(figures)):
            return [], place
        label, scope = named
        scope = ", ".join(filter(None, (_text([one for one in before if not one.dated], whole=True), scope)))
        meant = [
            one
            for one in (*self._part(match, "subject"), *self._part(match, "object"), *tail.words)
            if one.tag in "OG"
        ]
        if not _is_telling(label) or (meant and not kind.startswith("guided")):
            return [], place
        self.guided = kind.startswith("guided") or (self.outlook and kind in {"of", "colon"})
        self.doer = self._part(match, "doer") or (self.doer if kind.endswith("again") else ())
        first = Given(
            label, scope, _signed(figures[0], groups.get("change")), self._begin(figures[0]), figures[0].end, dated,
            base=tail.base if groups.get("change") else None, guidance=self.guided, moves=kind in {"change", "changes", "moved"},
            present=self._is_present(match),
        )  # fmt: skip
        found = self._each(first, figures, groups)
        found += self._moved(kind, match, first, tail)
        end = tail.end
        compared = tail.compared if tail.base and kind not in {"change", "changes"} and not self.guided else None
        if compared and compared.quantity and compared.tag == figures[0].tag:
            found.append(self._as(first, compared, dated=tail.base, place=0, base=dated))
        return self._continued(kind, found, end)

    def _each(self, first: Given, figures: Sequence[Token], groups: dict[str, str | None]) -> list[Given]:
        """A clause's figures: of a list each of its period, of a range both of one."""
        if "range" in groups and len(figures) == 2:
            return [
                self._as(first, one, limit=limit, sign=groups.get("change"))
                for one, limit in zip(figures, ("low", "high"), strict=True)
            ]
        return [self._as(first, one, place=number, sign=groups.get("change")) for number, one in enumerate(figures)]

    def _as(self, first: Given, figure: Token, *, sign: str | None = None, **others: Any) -> Given:
        """Another figure of the same."""
        return replace(first, quantity=_signed(figure, sign), start=self._begin(figure), end=figure.end, **others)

    def _moved(self, kind: str, match: re.Match[str], first: Given, tail: _Tail) -> Iterator[Given]:
        """The other figures of a change: "by $20 million, or 5%, to $420 million in 2024 from $400 million in 2023"."""
        subject = _text([one for one in self._part(match, "subject") if not one.dated])
        if kind != "change":
            return
        for one in self._part(match, "too"):
            if one.quantity and one.quantity.unit != first.quantity.unit:
                yield self._as(replace(first, label=_grown(subject, one, tail)), one, sign=match["change"])
        for one in self._part(match, "level"):
            if one.quantity and one.tag != "X" and (one.tag != COUNT or _counts(self._part(match, "subject"))):
                level = replace(first, label=subject, base=None)
                yield self._as(level, one)
                if tail.compared and tail.base and tail.compared.tag == one.tag:
                    yield self._as(level, tail.compared, dated=tail.base, base=first.dated)

    def _continued(self, kind: str, found: list[Given], end: int) -> tuple[list[Given], int]:
        """What a clause goes on with: the same of another time, a change of it, further things that are counted."""
        first, single = found[0], len(found) == 1
        while True:
            rest = len(self.tags) - end
            if (more := _AGAIN.match(self.tags, end)) and single and not self.guided:
                figure, date = self.tokens[more.start("figure")], self.tokens[more.start("date")]
                if figure.quantity and figure.quantity.unit == first.quantity.unit:
                    sign = "d" if first.moves and first.quantity.value < 0 else ""
                    found.append(self._as(first, figure, sign=sign, dated=date.dated, place=0, base=first.dated))
                    end = more.end()
            elif (
                kind in {"level", "of", "moved"}
                and single
                and not self.guided
                and (more := _CHANGED.match(self.tags, end))
            ):
                figure, tail = self.tokens[more.start("figure")], self._tail(more.end())
                if tail and not tail.dates:
                    found = [replace(one, moves=True) for one in found]
                    sign = more["change"] or ("u" if more["noun"] == "I" else "d")
                    label = _grown(first.label, figure, tail)
                    found.append(self._as(replace(first, label=label, moves=True), figure, sign=sign, base=tail.base))
                    end = tail.end
            elif (
                kind.removesuffix(" again") in {"deed", "there"}
                and first.quantity.unit == "count"
                and (more := _COUNTED.match(self.tags, end))
            ):
                tail, figure = self._tail(more.end()), self.tokens[more.start("figure")]
                if tail and _counts(tail.words):
                    words, scope = _scoped(tail.words)
                    dated = tail.dates[0] if tail.dates else first.dated
                    found = [replace(one, dated=one.dated or dated) for one in found]
                    found.append(self._as(replace(first, label=_text(words), scope=scope), figure, dated=dated))
                    end = tail.end
            if rest == len(self.tags) - end:
                return found, end

    # --- parts of a clause ---
    def _part(self, match: re.Match[str], name: str) -> Sequence[Token]:
        groups = match.re.groupindex
        return self.tokens[match.start(name) : match.end(name)] if name in groups and match[name] else ()

    def _tail(self, place: int) -> _Tail | None:
        """What stands behind the figures up to the end of their clause; None where a word does that it cannot have."""
        end, tags = place, self.tags
        while end < len(tags) and (tags[end] in _REST or (tags[end] == COUNT and tags[end - 1] in "pa")):
            if tags[end] == "F" and re.match(r"Fe*a*[MPNSD]", tags[end:]):
                break
            end += 1
        skipped = end
        if end < len(tags) and tags[end] not in _ENDS:
            if tags[end] not in _JOINS:
                return None
            joined = tags.rfind("j", place, end)
            if (
                end > place
                and tags[end - 1] == "p"
                and (tags[end] == MONEY or self.tokens[end - 1].said.lower() == "as")
            ):
                # "for $5 million", "as we opened ..."
                skipped = end + 1 if tags[end] == MONEY else len(tags)
                end -= 1
            elif joined < place or (
                re.match(r"ja*[MPNSX]", tags[joined:])
                and not (_AGAIN.match(tags, joined) or _COUNTED.match(tags, joined))
            ):
                return None
            else:
                skipped = end = joined
        tail = _Tail(skipped)
        tail.words += [one for one in self.tokens[place:end] if not one.dated]
        tail.dates += [one.dated for one in self.tokens[place:end] if one.dated]
        if tags[end - 1 : end] in tuple("nG") and (listed := _ENUMERATED.match(tags, tail.end)):
            # "cash, cash equivalents and marketable securities"
            tail.words += [one for one in self.tokens[end : listed.end()] if not one.dated]
            tail.dates += [one.dated for one in self.tokens[end : listed.end()] if one.dated]
            tail.end = listed.end()
        while more := _TRAILING.match(tags, tail.end):
            for one in self.tokens[tail.end : more.end()]:
                if one.dated:
                    tail.dates.append(one.dated)
                elif one.tag not in "cr":
                    tail.words.append(one)
            tail.end = more.end()
        if between := _BETWEEN.match(tags, tail.end):
            # "from 2023 to 2024"
            first, second = self.tokens[between.start("base")], self.tokens[between.start("date")]
            tail.base, tail.based, tail.end = first.dated, first.said, between.end()
            tail.dates += [second.dated] if second.dated else []
        elif compared := _COMPARED.match(tags, tail.end):
            if compared["date"]:
                tail.compared = self.tokens[compared.start("figure")] if compared["figure"] else None
                date = self.tokens[compared.start("date")]
                tail.base, tail.based = date.dated, date.said
            tail.end = compared.end()
            if compared["figure"] and not compared["date"]:
                # The dates of both stand behind the second.
                return None
        return tail

    def _is_narrowed(self, end: int) -> bool:
        """Whether a clause goes on with what narrows it: "that were deferred", a noun that is none of an enumeration."""
        rest = self.tags[end:]
        said = self.tokens[end + rest.startswith(COMMA)].said.lower() if len(rest) > 1 else ""
        if said in _NARROWING or (rest.startswith("k") and said == "which"):
            return True
        return bool(re.match(r"cn+(?![nbLudhHVvsgm])", rest)) and not said.endswith("ing")

    def _ranged(self, match: re.Match[str]) -> list[Token]:
        """The limits of a range, or its one figure; "$4.2 to $4.4 billion" has one scale, "2 to 4 %" one unit."""
        told = [one for one in (self._part(match, "range") or self._part(match, "between")) if one.quantity]
        if len(told) < 2:
            return told if len(match["range"] or "") == 1 else []
        low, high = told[0].quantity, told[1].quantity
        if low is None or high is None:
            return []
        if low.unit != high.unit or (high.power and not low.power):
            shared = low.unit in {"count", high.unit} or low.unit.partition("/")[0] == high.unit
            if not shared:
                return []
            unscaled = low.value.scaleb(-low.power)
            low = Quantity(unscaled.scaleb(high.power), high.unit, high.power, low.digits)
        return [replace(told[0], quantity=low), told[1]] if low.value <= high.value else []

    def _begin(self, figure: Token) -> int:
        """Where a figure begins, with "approximately" before it."""
        number = self.tokens.index(figure) if figure in self.tokens else -1
        before = self.tokens[number - 1] if number > 0 else None
        return before.start if before and before.tag == "a" else figure.start

    def _is_present(self, match: re.Match[str]) -> bool:
        verbs = {one.said.lower() for one in self.tokens[match.start() : match.end()] if one.tag in "bhHL"}
        return bool(verbs & WORDS["present"])

    def _named(self, kind: str, match: re.Match[str], tail: _Tail, figure: Token) -> tuple[str, str] | None:
        """What the figures of a clause are of: label and scope; None where the words do not fit the figures."""
        subject = [one for one in self._part(match, "subject") if not one.dated]
        words, scope = _scoped(tail.words)
        verb = [one for one in self._part(match, "verb") if one.tag not in "hV"]
        made = self._part(match, "object")
        doer = self._part(match, "doer")
        if doer and doer[0].tag == NOUN:
            if not doer[0].said[:1].isupper():
                return None
            scope = ", ".join(filter(None, (_text(doer), scope)))
        if kind == "share" or (
            figure.tag == PERCENT and words and words[0].tag == "o" and kind in {"level", "guided"}
        ):
            return f"share of {_text(words)}", ", ".join(filter(None, (_text(subject), scope)))
        if kind == "those":
            return (_text([*subject, *words]), scope) if figure.tag == MONEY or _counts(subject) else None
        if kind == "part":
            return f"share of {_text([*subject, *words])}", scope
        if kind in {"deed", "deed again", "there", "guided deed"} and not made:
            if figure.tag == COUNT and not _counts(words):
                return None
            if figure.tag == MONEY and words and words[0].tag not in "oipt":
                return None
            if figure.tag not in {COUNT, MONEY}:
                return None
            if figure.tag == COUNT and verb and verb[0].tag == "H":
                verb = []
            return _text([*verb, *words[bool(words) and words[0].tag == "o" :]]), scope
        if made:
            if figure.tag == COUNT:
                return (_text(words), ", ".join(filter(None, (_text(made), scope)))) if _counts(words) else None
            return _text([*verb, *made, *words]), scope
        if figure.tag == COUNT and words and words[0].tag in "neq":
            return (_text(words), ", ".join(filter(None, (_text(subject), scope)))) if _counts(words) else None
        if figure.tag == COUNT and not _counts(subject):
            return None
        label = _text([*subject, *words])
        if figure.tag == "S" and "share" not in figure.said.lower() and not _PER_SHARE.search(label):
            return None
        if "change" in match.re.groupindex and match["change"]:
            label = _grown(_text(subject), figure, replace(tail, words=words))
        return label, scope


def _signed(figure: Token, sign: str | None) -> Quantity:
    """A figure's number, of a fall below zero."""
    quantity = figure.quantity or Quantity(Decimal(0), "")
    return replace(quantity, value=-quantity.value) if sign == "d" else quantity


def _grown(subject: str, figure: Token, tail: _Tail) -> str:
    """The label of a change; of one on the quarter before it says so."""
    label = f"{subject} {'growth' if figure.tag == PERCENT else 'change'} {_text(tail.words)}".strip()
    return f"{label} from {tail.based}" if tail.base and tail.base.quarters else label


def _scoped(words: Sequence[Token]) -> tuple[list[Token], str]:
    """Words without the places at their end, and these: "in the United States", "in 11 states"."""
    for number, one in enumerate(words):
        behind = [other for other in words[number + 1 :] if other.tag not in "eaq"]
        if one.said.lower() in _PLACES and behind and (behind[0].said[:1].isupper() or behind[0].tag == COUNT):
            return list(words[:number]), _text(words[number:], whole=True)
    last = len(words)
    while last and words[last - 1].said.lower() in WORDS["everywhere"]:
        last -= 1
    return list(words[:last]), _text(words[last:])


def _counts(words: Sequence[Token]) -> bool:
    """Whether words name things that are counted: a plural, not of time."""
    said = [one.said.lower() for one in words]
    nouns = [one for one in said if one.isalpha() or "-" in one]
    plural = next(
        (one for one in nouns if one in WORDS["people"] or (one.endswith("s") and not one.endswith("ss"))), ""
    )
    return bool(plural) and not any(one in WORDS["time units"] for one in said[:3])


def _text(words: Sequence[Token], *, whole: bool = False) -> str:
    """Words as a label: without articles, adverbs and what binds at their ends."""
    kept = [one for one in words if one.tag not in _DROPPED]
    while kept and kept[0].tag in _BINDING and not whole:
        kept = kept[1:]
    while kept and kept[-1].tag in _BINDING:
        kept = kept[:-1]
    return " ".join(one.said for one in kept).replace(" ,", ",")


def _is_telling(label: str) -> bool:
    words = [one.lower() for one in label.split()]
    return 0 < len(words) <= LONGEST_LABEL and any(
        len(one) > 2 and one not in WORDS["vague"] and not one[0].isdigit() for one in words
    )


def figures_given(tokens: Sequence[Token], *, outlook: bool = False) -> Iterator[Given]:
    """The figures that a sentence gives, in order."""
    yield from Clauses(tokens, outlook=outlook).read()
