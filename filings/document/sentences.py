"""Splits text into sentences by rules: abbreviations of filings, initials, enumerators, closing quotes."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never the end of a sentence. The second set only before a capital: an Art. 5 is not the state of the art.
GOES_ON = _words("vs v e.g i.e cf viz approx appx incl excl fig figs sec secs para paras pp vols a.k.a d.b.a f.k.a")
GOES_ON_CAPITAL = _words(
    "mr mrs ms messrs mses dr hon prof rev gen sen rep gov capt lt col sgt st mt ft art pub reg regs ex cl dept dist "
    "div bldg ave blvd assn bros vol ed eds est"
)
# The end of a sentence only before a word that begins one: "in the U.S. We" against "the U.S. Government".
MAY_END = _words(
    "etc al a.m p.m l.l.c l.l.p l.p p.l.c n.a n.v s.a s.p.a s.r.l a.g b.v s.e u.s u.s.a u.k u.n u.s.c u.a.e e.u d.c "
    "p.r n.y b.c ph.d m.d j.d m.b.a b.a b.s m.s ll.m c.p.a"
)
MAY_END_CAPITAL = _words(
    "inc corp co cos ltd llc llp lp plc jr sr esq jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu "
    "fri sat sun ala ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn miss mo mont neb nev "
    "okla ore pa tenn tex va vt wash wis wyo cal"
)
BEFORE_NUMBERS = _words("no nos")
BEGINNERS = _words(
    "a about above accordingly actual additionally after all also although an and another any approximately as "
    "at because before below beginning both but by certain changes compared consequently consistent consolidated "
    "currently demand despite due during each effective either even every except factors failure finally following "
    "for from further furthermore generally given he her here his historically how however i if in including "
    "increased increases instead is it its likewise management many moreover most neither net no none nor not "
    "nothing notwithstanding of on once one or other others our over overall pursuant recently regardless results "
    "revenue revenues sales see several she should similarly since some specifically subsequently substantially such "
    "the their then there thereafter therefore these they this those though through throughout thus to together total "
    "under unless until upon various we what when where whether which while who with within without you your"
)
CLOSING = "\"'\u201d\u2019\u00bb)\\]"
OPENING = "\"'\u201c\u2018\u00ab([{"
BULLETS = "\u2022\u25cf\u25aa\u25a0\u2013\u2014-"

# Sentence-ending punctuation, closing marks, a footnote mark, and then space or the end. All marks are matched
# together, so that none is read again.
CANDIDATE = re.compile(
    # A space lost between two inline elements: "results.The".
    r"(?P<lost>(?<=[a-z]{3})\.(?=(?:The|We|Our|In|This|These|As|If|For|It|However|There)\s))"
    rf"|[.!?…]++[{CLOSING}]*+(?:\(\d{{1,2}}\))?"
)
WORDS = re.compile(r"\S")
WORD_BEFORE = re.compile(r"[A-Za-z][A-Za-z.]*$")
NAME_BEFORE = re.compile(r"\b[A-Z][A-Za-z]*$")
FIRST_WORD = re.compile(rf"[{re.escape(OPENING)}{re.escape(BULLETS)}\s]*([A-Za-z]+(?:['\u2019][a-z]+)?)")
# Words whose following number or letter names something.
ENUMERATOR = re.compile(r"\(?(?:\d{1,3}[A-Za-z]?|[A-Za-z]|[ivxIVX]{1,5})(?:\.\d{1,2})*[.)]+")
NUMBERED = re.compile(
    r"(?:items?|notes?|part|exhibits?|schedules?|sections?|articles?)\s+(?:\d{1,3}[A-Ca-c]?|[IVX]{1,4})\.$",
    re.IGNORECASE,
)
TITLE = re.compile(r"[^\w\s]*[A-Z][\w'\u2019-]*,?(?:\s+(?:and|of|the|for|in|to)\b)*\s+[A-Z(]")


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The sentences of text[start:end] as ranges of `text`, in order, without the space between them.

    Together they contain every character that is not white space. A line feed always ends a sentence: it separates the
    rows of a table and blocks. Called with one block at a time, no sentence crosses a block.
    """
    end = len(text) if end is None else min(end, len(text))
    spans: list[tuple[int, int]] = []
    line = start
    while line < end:
        stop = text.find("\n", line, end)
        stop = end if stop < 0 else stop
        _split_line(text, line, stop, spans)
        line = stop + 1
    return spans


def _split_line(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    begin = start
    for found in CANDIDATE.finditer(text, start, end):
        if not found["lost"] and found.end() < end and not text[found.end()].isspace():
            continue
        # A match may look before the requested part, and must not.
        before_part = found.start() - 3 < start and not text[found.end() : found.end() + 1].isspace()
        if found.end() < end and (before_part or not _ends(text, begin, found.start(), found.end(), end)):
            continue
        _add(text, begin, found.end(), spans)
        begin = found.end()
    _add(text, begin, end, spans)


def _add(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if left < len(piece):
        spans.append((start + left, start + len(piece.rstrip())))


def _ends(text: str, begin: int, mark: int, after: int, end: int) -> bool:
    """Whether a sentence from `begin` ends with the mark at text[mark:after]."""
    follows = text[after : min(after + 80, end)].lstrip()
    if not follows:
        return True
    first = follows.lstrip(OPENING)[:1]
    word_match = FIRST_WORD.match(follows)
    word = word_match.group(1) if word_match else ""
    if first.islower() and not word[1:2].isupper():
        # "iPhone" begins a sentence, "and" does not.
        return False
    before = text[max(begin, mark - 40) : mark + 1]
    begins = word.lower() in BEGINNERS and word[:1].isupper()
    if text[mark] in "?…":
        return True
    if text[mark] == "!":
        # A name may end with an exclamation mark, as some shops' do.
        return begins or not NAME_BEFORE.search(before[:-1])
    if mark - begin < 20 and ENUMERATOR.fullmatch(text[begin : mark + 1].strip()):
        # "1. The", "A. We": an enumerator alone is not a sentence.
        return False
    if numbered := NUMBERED.search(before):
        heading = not WORDS.search(text, begin, max(begin, mark - 40) + numbered.start())
        return not heading and (begins or not TITLE.match(follows))
    word_before = WORD_BEFORE.search(before[:-1])
    if not word_before or text[mark + 1 : after].strip("."):
        # A number, bracket or quotation mark is at the end.
        return True
    token = word_before.group().lower()
    capital = word_before.group()[:1].isupper()
    if token in GOES_ON or (capital and token in GOES_ON_CAPITAL):
        return False
    if token in BEFORE_NUMBERS:
        return not first.isdigit()
    # Last: an initial, or an unlisted abbreviation with points.
    open_end = token in MAY_END or (capital and token in MAY_END_CAPITAL) or max(map(len, token.split("."))) == 1
    # A bracket there only says another name: "Example, Inc. (One Place) in 2023".
    return not open_end or (begins and not follows.startswith(("(", "[")))
