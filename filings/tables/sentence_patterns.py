"""The patterns of clauses that give figures, over the tags of their words, and what is read of one."""

import re
from dataclasses import dataclass, field

from filings.tables.sentence_dates import Dated
from filings.tables.sentence_tokens import Quantity, Token

LONGEST_MARK = 3
# A noun with what belongs to it, an enumeration before "and", an aside between commas.
_SUBJECT = r"(?P<subject>D?(?:[neq][neqo]*(?:c[neqo]*n)+c?j)?[neqIJOG][neqopjtIJOGDFiA]*?(?:cp[neqotFjp]*nc)?)(?P<aside>ck[^cMPNSX]*c)?"
_LIST = r"(?P<list>M(?:(?:c?j|c)a?M)*|P(?:(?:c?j|c)a?P)*|N(?:(?:c?j|c)a?N)*|S(?:(?:c?j|c)a?S)*)"
_RANGE = r"p?(?:fa*(?P<between>[MPNSX][jt][MPNS])|f?a*(?P<range>[MPNSX]t[MPNS]|[MPNS]))(?:c?r?c?~(?P<margin>P|NX|M))?"
_DOER = r"(?P<doer>W|n{1,5}(?=[AD]*[hHVgmv]))"
_MOVED = r"(?:c?ja*(?P<too>[MP])c?)?(?:[DA]*ta*(?P<level>[MPNSX]))?"
PATTERNS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("share", rf"{_SUBJECT}A*h?A*sa*(?P<list>P(?:(?:c?j|c)a?P)*)(?=o)"),
        ("share of", rf"{_SUBJECT}c?A*h?A*s(?P<object>[neq]*n)oa*(?P<list>P(?:(?:c?j|c)a?P)*)"),
        ("part", r"a*(?P<list>P)o(?P<subject>[neq][neqoptj]*?)[bh]+(?=[np])"),
        ("those", r"a*(?P<list>N)(?P<subject>[neq][neqopt]*?)b(?=[npv])"),
        ("those", r"a*(?P<list>M)(?:o(?P<subject>[neq][neqopt]*?))?b(?=[nv])"),
        ("guided change", rf"{_SUBJECT}(?:bA*g+t|m)A*(?P<change>[ud])i?{_RANGE}"),
        ("guided", rf"{_SUBJECT}(?:bA*g+t|m)A*[bL]?{_RANGE}"),
        ("guided", rf"{_DOER}[AD]*[bm]?g+A*{_SUBJECT}(?:o|[tm]?A*[bL])?{_RANGE}"),
        ("guided change", rf"{_DOER}[AD]*[bm]?g+A*{_SUBJECT}tA*(?P<change>[ud])i?{_RANGE}"),
        ("guided deed", rf"{_DOER}[AD]*(?:[bm]?g+t?|m)A*(?P<verb>[nhHVLsv]){_RANGE}"),
        ("guided deed", rf"{_DOER}[AD]*(?:[bm]?g+t?|m)A*(?P<verb>[nhHVLsv])(?P<object>[neq][neqIJotp]*)o{_RANGE}"),
        (
            "guided both",
            r"(?P<one>n)j(?P<other>n)(?P<subject>[neq][neqopt]*?)bA*g+t[bL]?a*(?P<list>[MPNS]ja*[MPNS])c?r(?:c?~(?P<margin>P|NX|M))?",
        ),
        ("guided again", rf"{_SUBJECT}(?:o|bt?b?|(?=f)){_RANGE}"),
        ("guided change again", rf"{_SUBJECT}tA*(?P<change>[ud])i?{_RANGE}"),
        ("change", rf"{_SUBJECT}h?A*b?A*(?P<change>[ud])i?a*(?P<list>[MP]){_MOVED}"),
        ("changes", rf"{_SUBJECT}h?A*b?A*(?P<change>[ud])i?a*{_LIST}"),
        ("moved", rf"{_SUBJECT}h?A*b?A*[ud](?:Fa*[MPNS])?ta*{_LIST}"),
        ("level", rf"{_SUBJECT}h?A*[bL]A*p?a*{_LIST}"),
        ("deed", rf"{_DOER}[AD]*h?[AD]*(?P<verb>(?:[nv]jA*)?[hHVnLsv])A*e?a*{_LIST}"),
        (
            "deed of",
            rf"{_DOER}[AD]*h?[AD]*(?P<verb>(?:[nv]jA*)?[hHVnLsv])(?P<object>D?[neqA]*n[neqotpD]*)c?oa*{_LIST}",
        ),
        ("deed of", rf"{_DOER}[AD]*h?[AD]*(?P<verb>[hHVnv])(?P<object>D?[neqA]*n[neqotpDj]*)La*{_LIST}"),
        ("deed again", rf"(?P<verb>[HVnLsv])A*e?a*{_LIST}"),
        ("deed of again", rf"(?P<verb>[HVnLsv])(?P<object>D?[neqA]*n[neqotpD]*)oa*{_LIST}"),
        ("there", rf"Tba*{_LIST}"),
        ("guided of", rf"{_SUBJECT}D?o{_RANGE}"),
        ("of", rf"{_SUBJECT}D?oa*{_LIST}(?:b(?=[nv]))?"),
        ("colon", rf"{_SUBJECT}k{_RANGE}"),
    )
)
LEAD = re.compile(r"(?:[neqotp]{1,6}(?=Dc[We]))?(?:[AcjD]|p[neqoptjIJ]+c)*")
REST = frozenset("neqoptIJOGDFijAa")
VERBS = re.compile(r"[bLudhHVvsgmW]")
ENDS = "ckCFr"
JOINS = "WRTbLudhHVvsgmMPNSX"
TRAILING = re.compile(r"c(?:D|(?P<with>[po])[neqot]*n(?=[ckC]|$))|c?r(?:c?(?P<rest>[po][neqotpj]*n)(?=[ckCF]|$))?")
ENUMERATED = re.compile(r"(?:c[neq][neqo]*)+c?j[neq][neqotpFD]*(?=[ckCrF]|$)")
NARROWING = frozenset(["that", "who", "whom"])
BETWEEN = re.compile(r"F(?P<base>D)t(?P<date>D)")
COMPARED = re.compile(r"c?(?:C|F)[eqA]*a*(?P<figure>[MPNS])?(?P<date>D?)(?:ta*(?P<level>[MPNS])(?P<dated>D))?")
# ", up 5% from a year ago", ", an increase of 5%"
CHANGED = re.compile(r"c?[jA]*(?:b?(?P<change>[ud])i?|e?n?(?P<noun>[IJ])o)a*(?P<figure>[PM])")
# ", or to grow between 5% and 9%"
GROWS = re.compile(rf"c?jt(?P<change>[ud])i?{_RANGE}")
# "and 12% in 2023"
AGAIN = re.compile(r"(?:cj|j|c)a*(?P<figure>[MPNS])(?P<date>D)")
# "and 9% EPS growth"
GROWTH = re.compile(r"c?ja*(?P<figure>P)(?=[neq])")
# "prior guidance of $4 million to $5 million"
EARLIER = re.compile(r"[Oeoqkfa]*(?P<figure>[MPNS])(?:t(?P<other>[MPNSX]))?")
# "and 12 distribution centers"
COUNTED = re.compile(r"(?:cj|j|c)a*(?P<figure>N)(?=[neq])")


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
class Tail:
    """What stands behind the figures of a clause. end: where the clause does. compared: the figure it is compared with,
    and base: what dates that. level: what it came to. is_read: whether all words of a comparison are.
    """

    end: int
    words: list[Token] = field(default_factory=list)
    dates: list[Dated] = field(default_factory=list)
    compared: Token | None = None
    base: Dated | None = None
    based: str = ""
    level: Token | None = None
    is_read: bool = True
