"""Which figures the clauses of a sentence give, and of what: a grammar over the tags of its words.

Every word of a clause stands in the label or the scope of its figure, but for dates, articles and adverbs: nothing that
narrows what is counted is lost. A clause with any other word is not read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from filings.tables.sentence_dates import Dated
from filings.tables.sentence_labels import (
    PER_SHARE,
    counts,
    grown,
    has_verb,
    is_growth,
    is_telling,
    is_vague,
    led_by,
    limits,
    scoped,
    signed,
    text_of,
)
from filings.tables.sentence_patterns import (
    AGAIN,
    CHANGED,
    COUNTED,
    GROWS,
    GROWTH,
    LEAD,
    LONGEST_MARK,
    NARROWING,
    PATTERNS,
    VERBS,
    Given,
    Tail,
)
from filings.tables.sentence_tail import read_tail
from filings.tables.sentence_tokens import COMMA, COUNT, MONEY, NOUN, PERCENT, THINGS, WORDS, Token, tags_of


class Clauses:
    """Reads the clauses of one sentence. outlook: whether it stands where guidance is given.

    ahead, told: what dates guidance and results whose words do not.
    """

    def __init__(
        self, tokens: Sequence[Token], *, outlook: bool = False, ahead: Dated | None = None, told: Dated | None = None
    ) -> None:
        self.ahead, self.told = ahead, told
        self.tokens, self.tags, self.outlook = tokens, tags_of(tokens), outlook
        self.first = 1 if self.tags.startswith("X") and len(tokens[0].said) <= LONGEST_MARK else 0
        # Of the clauses before: what dates them, who does what, and whether they were of the future.
        self.lead: Dated | None = None
        self.doer: Sequence[Token] = ()
        self.verb: Sequence[Token] = ()
        self.guided = False
        # What leads the sentence, before a dash or a colon: "U.S.: revenue grew 4%".
        self.topic: str | None = ""

    def read(self) -> list[Given]:
        """The figures that the sentence gives; none of one that is denied, supposed or bounded."""
        if re.search(r"[xyB]", self.tags):
            return []
        found: list[Given] = []
        place, whole = self.first, len(self.tags)  # behind a bullet, or the mark of a footnote
        while place < whole:
            given, end = self._clause(place)
            found += [replace(one, scope=", ".join(filter(None, (self.topic, one.scope)))) for one in given]
            behind = end if end > place else self._next(place)
            if place == self.first and not given and self.tokens[behind - 1].said in WORDS["behind leads"]:
                self.topic = led_by(self.tokens[place : behind - 1])
                if self.topic is None:
                    return []
            place = behind
        return found

    def _next(self, place: int) -> int:
        """Where the next clause may begin: behind a boundary, or behind ", and" where a verb stands before it."""
        for match in re.finditer(r"k|cj", self.tags[place:]):
            behind = place + match.end()
            if self.tokens[behind - 1].said.lower() in WORDS["relative"]:
                continue
            if match[0] == "k" or VERBS.search(self.tags[place : place + match.start()]):
                return behind
        return len(self.tags)

    def _clause(self, place: int) -> tuple[list[Given], int]:
        lead = LEAD.match(self.tags, place)
        start = lead.end() if lead else place
        dates = [one.dated for one in self.tokens[place:start] if one.dated]
        self.lead = dates[0] if len(dates) == 1 else None if dates else self.lead
        for kind, pattern in PATTERNS:
            if self._may_be(kind, start, place) and (match := pattern.match(self.tags, start)):
                found, end = self._given(kind, match, place)
                if found:
                    return found, end
        return [], place

    def _may_be(self, kind: str, start: int, place: int) -> bool:
        if kind in {"of", "guided of", "colon"}:
            return place == self.first and (kind == "of" or self.outlook)
        if kind in {"guided again", "guided change again"}:
            return self.guided and place > self.first
        if kind.endswith("again"):
            said = self.tokens[start].said.lower() if start < len(self.tokens) else ""
            verb = self.tags[start : start + 1] != NOUN or said.endswith("ed") or said in WORDS["irregular"]
            return bool(self.doer) and place > self.first and verb
        return True

    def _given(self, kind: str, match: re.Match[str], place: int) -> tuple[list[Given], int]:
        """The figures of a clause that fits a pattern, and where it ends; none where its words do not fit them."""
        if kind == "guided both":
            return self._both(match, place)
        groups = match.groupdict()
        figures = (
            self._ranged(match) if "range" in groups else [one for one in self._part(match, "list") if one.quantity]
        )
        tail = read_tail(self.tokens, self.tags, match.end())
        moves = kind in {"change", "changes", "moved"}
        if moves and self._is_passive(match):
            return [], place
        if not figures or tail is None or self._is_narrowed(tail.end) or (moves and not tail.is_read):
            return [], place
        before = [one for one in self.tokens[place : match.start()] if one.tag not in "Ac"]
        before = before[bool(before) and before[0].tag == "j" :]
        dates = [one.dated for one in (*before, *self.tokens[match.start() : match.end()]) if one.dated] + tail.dates
        if (
            tail.base
            and len(tail.base.periods) > 1
            and not (dates and len(dates[0].periods) == len(tail.base.periods))
        ):
            # "was $4 million compared to $3 million in 2024 and 2023, respectively"
            if dates or len(figures) + bool(tail.compared) != len(tail.base.periods):
                return [], place
            dates = [tail.base]
        if kind.startswith("guided"):
            dates = [one for one in dates if one.periods or not one.ahead] or dates  # the year that is named
        dates = dates or [one for one in (self.lead,) if one]
        named = self._named(kind, match, tail, figures[0], dates[0] if dates else None)
        if named is None or len({(one.periods, one.ahead, one.before) for one in dates}) > 1:
            return [], place
        dated = dates[0] if dates else None
        if (
            len(figures) == 1
            and "range" not in groups
            and (not dated or dated is not tail.base)
            and "r" in self.tags[match.start() :]
        ):
            return [], place  # which of them is of which is not certain
        several = len(dated.periods) if dated and dated.periods and dated is not tail.base else 1
        if several != (1 if "range" in groups else len(figures)):
            return [], place
        label, scope = named
        scope = ", ".join(filter(None, (text_of([one for one in before if not one.dated], whole=True), scope)))
        meant = [
            one
            for one in (*self._part(match, "subject"), *self._part(match, "object"), *tail.words)
            if one.tag in "OG"
        ]
        if not is_telling(label) or (meant and not kind.startswith("guided")):
            return [], place
        self.guided = kind.startswith("guided") or (self.outlook and kind == "colon")
        self.doer = self._part(match, "doer") or (self.doer if kind.endswith("again") else ())
        first = Given(
            label, scope, signed(figures[0], groups.get("change")), self._begin(figures[0]), figures[0].end, dated,
            base=tail.base if groups.get("change") else None, guidance=self.guided, moves=moves,
            limit=self._margin(match), present=self._is_present(match),
        )  # fmt: skip
        found = self._each(first, figures, groups)
        found += self._moved(kind, match, first, tail)
        end = tail.end
        compared = tail.compared if tail.base and kind not in {"change", "changes"} and not self.guided else None
        if compared and compared.quantity and compared.tag == figures[0].tag:
            found.append(self._as(first, compared, dated=tail.base, place=int(dated is tail.base), base=dated))
        return self._continued(kind, found, end)

    def _is_passive(self, match: re.Match[str]) -> bool:
        """Whether something changed the subject by an amount, which is no change of it on another time."""
        verbs = [one for one in self._main(match) if one.tag in "bud"]
        return len(verbs) > 1 and verbs[0].tag == "b" and verbs[1].said.lower().endswith("ed")

    def _both(self, match: re.Match[str], place: int) -> tuple[list[Given], int]:
        """Both figures of a measure and of the same without what its prefix denies: "GAAP and non-GAAP margins"."""
        one, other = self._part(match, "one")[0].said, self._part(match, "other")[0].said
        tail = read_tail(self.tokens, self.tags, match.end())
        figures = [one for one in self._part(match, "list") if one.quantity]
        if other.lower() != f"non-{one.lower()}" or len(figures) != 2 or tail is None:
            return [], place
        self.guided = True
        dates = tail.dates or [one for one in (self.lead,) if one]
        words = [one for one in self._part(match, "subject") if not one.dated]
        return [
            Given(
                text_of([*self._part(match, name), *words, *tail.words]), "", signed(figure, None), self._begin(figure),
                figure.end, dates[0] if dates else None, guidance=True, limit=self._margin(match),
            )
            for name, figure in zip(("one", "other"), figures, strict=True)
        ], tail.end  # fmt: skip

    def _each(self, first: Given, figures: Sequence[Token], groups: dict[str, str | None]) -> list[Given]:
        """A clause's figures: of a list each of its period, of a range both of one."""
        sign, ranged = groups.get("change"), "range" in groups
        if ranged and len(figures) == 2:
            low, high = (self._as(first, one, sign=sign) for one in figures)
            return [replace(low, limit="low"), replace(high, limit="high")]
        return [self._as(first, one, place=0 if ranged else number, sign=sign) for number, one in enumerate(figures)]

    def _as(self, first: Given, figure: Token, *, sign: str | None = None, **others: Any) -> Given:
        """Another figure of the same."""
        return replace(first, quantity=signed(figure, sign), start=self._begin(figure), end=figure.end, **others)

    def _moved(self, kind: str, match: re.Match[str], first: Given, tail: Tail) -> Iterator[Given]:
        """The other figures of a change: "by $20 million, or 5%, to $420 million in 2024 from $400 million in 2023"."""
        subject = text_of([one for one in self._part(match, "subject") if not one.dated])
        if kind != "change":
            return
        for one in self._part(match, "too"):
            if one.quantity and one.quantity.unit != first.quantity.unit:
                yield self._as(
                    replace(first, label=grown(subject, one, tail, first.dated or self.told)),
                    one,
                    sign=match["change"],
                )
        for one in (*self._part(match, "level"), *([tail.level] if tail.level else [])):
            if one.quantity and one.tag != "X" and (one.tag != COUNT or counts(self._part(match, "subject"))):
                level = replace(first, label=subject, base=None)
                yield self._as(level, one)
                if tail.compared and tail.base and tail.compared.tag == one.tag:
                    yield self._as(level, tail.compared, dated=tail.base, base=first.dated)

    def _continued(self, kind: str, found: list[Given], end: int) -> tuple[list[Given], int]:
        """What a clause goes on with: the same of another time, a change of it, further things that are counted."""
        first, single = found[0], len(found) == 1
        while True:
            rest = len(self.tags) - end
            if kind == "guided" and (more := GROWS.match(self.tags, end)):
                tail, figures = read_tail(self.tokens, self.tags, more.end()), self._ranged(more)
                if tail and tail.is_read and figures and not tail.dates:
                    larger = replace(
                        first, label=grown(first.label, figures[0], tail, first.dated or self.ahead), moves=True
                    )
                    found += self._each(larger, figures, more.groupdict())
                    end = tail.end
            elif (more := AGAIN.match(self.tags, end)) and single and not self.guided:
                figure, date = self.tokens[more.start("figure")], self.tokens[more.start("date")]
                if figure.quantity and figure.quantity.unit == first.quantity.unit:
                    sign = "d" if first.moves and first.quantity.value < 0 else ""
                    found.append(self._as(first, figure, sign=sign, dated=date.dated, place=0, base=first.dated))
                    end = more.end()
            elif (
                kind in {"level", "of", "moved"}
                and single
                and not self.guided
                and (more := CHANGED.match(self.tags, end))
            ):
                figure, tail = self.tokens[more.start("figure")], read_tail(self.tokens, self.tags, more.end())
                if tail and tail.is_read and not tail.dates:
                    found = [replace(one, moves=True) for one in found]
                    sign = more["change"] or ("u" if more["noun"] == "I" else "d")
                    label = grown(first.label, figure, tail, first.dated or self.told)
                    found.append(self._as(replace(first, label=label, moves=True), figure, sign=sign, base=tail.base))
                    end = tail.end
            elif kind == "guided deed" and first.quantity.unit == "percent" and (more := GROWTH.match(self.tags, end)):
                tail, figure = read_tail(self.tokens, self.tags, more.end()), self.tokens[more.start("figure")]
                if tail and tail.is_read and not tail.dates and tail.words and tail.words[-1].tag == "I":
                    found.append(self._as(replace(first, label=text_of(tail.words), limit=""), figure))
                    end = tail.end
            elif (
                kind.removesuffix(" again") in {"deed", "there"}
                and first.quantity.unit == THINGS
                and (more := COUNTED.match(self.tags, end))
            ):
                tail, figure = read_tail(self.tokens, self.tags, more.end()), self.tokens[more.start("figure")]
                if tail and counts(tail.words):
                    words, scope = scoped(tail.words)
                    dated = tail.dates[0] if tail.dates else first.dated
                    found = [replace(one, dated=one.dated or dated) for one in found]
                    label = text_of([*self.verb, *words])
                    found.append(self._as(replace(first, label=label, scope=scope), figure, dated=dated))
                    end = tail.end
            if rest == len(self.tags) - end:
                return found, end

    # --- parts of a clause ---
    def _part(self, match: re.Match[str], name: str) -> Sequence[Token]:
        groups = match.re.groupindex
        return self.tokens[match.start(name) : match.end(name)] if name in groups and match[name] else ()

    def _is_narrowed(self, end: int) -> bool:
        """Whether a clause goes on with what narrows it: "that were deferred", a noun that is none of an enumeration."""
        rest = self.tags[end:]
        said = self.tokens[end + rest.startswith(COMMA)].said.lower() if len(rest) > 1 else ""
        if said in NARROWING or (rest.startswith("k") and said == "which"):
            return True
        if self.tags[end - 1] == "r" and re.match(r"c?[po]", rest):
            return True
        name = self.tokens[end + 1].said[:1].isupper() if len(rest) > 1 else False
        return bool(re.match(r"cn+(?![nbLudhHVvsgm])", rest)) and not said.endswith("ing") and not name

    def _main(self, match: re.Match[str]) -> list[Token]:
        """The words of a clause up to its figures, without an aside."""
        aside = [one.start for one in self._part(match, "aside")]
        return [one for one in self.tokens[match.start() : match.end()] if one.start not in aside]

    def _ranged(self, match: re.Match[str]) -> list[Token]:
        """The limits of a range, or its one figure."""
        told = [one for one in (self._part(match, "range") or self._part(match, "between")) if one.quantity]
        if len(told) < 2:
            return told if len(match["range"] or "") == 1 else []
        return limits(told[0], told[1])

    def _begin(self, figure: Token) -> int:
        """Where a figure begins, with "approximately" before it."""
        number = next((place for place, one in enumerate(self.tokens) if one.start == figure.start), 0)
        before = self.tokens[number - 1] if number else None
        return before.start if before and before.tag == "a" else figure.start

    def _margin(self, match: re.Match[str]) -> str:
        """How far a figure may be off, as printed: "plus or minus 2%"."""
        said = self._part(match, "margin")
        before = self.tokens[match.start("margin") - 1] if said else None
        return " ".join(one.said for one in (before, *said) if one)

    def _is_present(self, match: re.Match[str]) -> bool:
        # "We have sold" is of the past.
        verbs = self._part(match, "verb") or self._main(match)
        return any(one.said.lower() in WORDS["present"] for one in verbs if one.tag in "bhHL")

    def _named(
        self, kind: str, match: re.Match[str], tail: Tail, figure: Token, dated: Dated | None
    ) -> tuple[str, str] | None:
        """What the figures of a clause are of: label and scope; None where the words do not fit the figures."""
        subject = [one for one in self._part(match, "subject") if not one.dated]
        words, scope = scoped(tail.words)
        if tail.words and not words and self._part(match, "verb") and not self._part(match, "object"):
            words, scope = tail.words, ""
        aside = self._part(match, "aside")
        said = aside[1].said.lower() if aside else ""
        if said == "including":
            subject += [one for one in aside[:-1] if not one.dated]
        vague = kind in {"of", "guided of"} and is_vague(subject)
        if said not in {"", "which", "including"} or has_verb(subject) or vague:
            return None
        left_out = "h" if kind.endswith("again") or figure.tag == COUNT else "hV"
        verb = [one for one in self._part(match, "verb") if one.tag not in left_out]
        made, doer = self._part(match, "object"), self._part(match, "doer")
        if doer and doer[0].tag == NOUN:
            if not doer[0].said[:1].isupper() or doer[-1].said.endswith("ed"):
                return None
            scope = ", ".join(filter(None, (text_of(doer), scope)))
        if kind == "share" or (
            figure.tag == PERCENT and words and words[0].tag == "o" and kind in {"level", "guided"}
        ):
            return f"share of {text_of(words)}", ", ".join(filter(None, (text_of(subject), scope)))
        if kind == "those":
            return (text_of([*subject, *words]), scope) if figure.tag == MONEY or counts(subject) else None
        if kind == "share of":
            return f"share of {text_of(made)}", ", ".join(filter(None, (text_of(subject), text_of(words), scope)))
        if kind == "part":
            return f"share of {text_of([*subject, *words])}", scope
        if kind in {"deed", "deed again", "there", "guided deed"} and not made:
            if figure.tag == COUNT and not counts(words):
                return None
            if figure.tag == PERCENT and words and words[0].tag == "o":
                return f"{text_of(verb)} share of {text_of(words)}".strip(), scope
            if kind == "guided deed" and is_growth(figure, words, tags_of(self._part(match, "verb"))):
                return text_of(words), scope
            if figure.tag not in {COUNT, MONEY} or not words:
                return None
            if figure.tag == MONEY and words[0].tag not in "oipt" and tags_of(self._part(match, "verb")) != "h":
                return None
            if figure.tag == COUNT and verb and verb[0].tag == "H":
                verb = []
            self.verb = verb
            return text_of([*verb, *words[bool(words) and words[0].tag == "o" :]]), scope
        if made:
            if figure.tag == COUNT and not counts(words):
                return None
            if figure.tag == COUNT and tags_of(self._part(match, "verb")) in {"h", "H"}:
                return text_of(words), ", ".join(filter(None, (text_of(made), scope)))
            if figure.tag == COUNT:
                return f"{text_of([*verb, *made])} of {text_of(words)}", scope
            return text_of([*verb, *made, *words]), scope
        changes = bool(match.groupdict().get("change"))
        if figure.tag == COUNT and words and words[0].tag in "neq" and not changes:
            return (text_of(words), ", ".join(filter(None, (text_of(subject), scope)))) if counts(words) else None
        if figure.tag == COUNT and not counts(subject) and not (changes and counts(words)):
            return None
        label = text_of([*subject, *words])
        if figure.tag == "S" and "share" not in figure.said.lower() and not PER_SHARE.search(label):
            return None
        if changes:
            label = grown(text_of(subject), figure, replace(tail, words=words), dated or self.told)
        return label, scope
