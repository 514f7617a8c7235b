"""From the words of a question to focused searches: the Items that tell of it, its halves, and filing words for both."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal

from agent.prose.questions.asked_terms import term_of
from agent.prose.questions.change_topics import CHANGES, changes
from agent.prose.text.english import TOPICS
from agent.state.references import SubQuery, Topic
from agent.words.stems import root, roots, words
from agent.words.tokens import stems
from filings.models.source_kinds import ANNUAL, SourceKind
from filings.redline.captions import RISKS
from filings.sections.items import ITEMS

MOST_HALVES = 3
# So many telling words on either side of "and" are two subjects, known or not.
LEAST_APART = 2
MOST_ITEMS = 7

Form = Literal["risks", "explain", "yes_no"]

_TEN_K = "(?:form )?(?:10 k|annual report|annual filing|filing|report|10 k filing|10 k report|annual 10 k)"
_ITEM = re.compile(r"\bitems?\s+(\d{1,2}[ABC]?)\b", re.IGNORECASE)
# Names on both sides of "and" are one subject: "Fabric & Home Care", "Panasonic and CATL cells".
_NAMES = re.compile(r"(?<=[\w'\u2019.] )([A-Z][\w'\u2019.]*)\s+(?:and|&)\s+(?=[A-Z])")
_LISTED = re.compile(r"(?<=\w),\s+(?=(?:[A-Z][\w'\u2019.]*\s?)+\0)")
# Stands for the "and" of words that stay together.
_BINDS = "\0"
_OVERVIEW = SubQuery(label="its business", words=("business", "overview", "company", "products", "services"))

_RESULTS = SubQuery(
    label="how the year went", words=("revenue", "income", "increased", "decreased", "compared", "prior", "year")
)


def overview() -> Topic:
    """What a company is and does, as its filing tells first."""
    text = "What does the company do? Overview of its business, products and services"
    return Topic(text=text, form="explain", items=("1",), implied=("1",), whole=True, queries=(_OVERVIEW,))


def results() -> Topic:
    """How a year went, as the discussion of its results tells first."""
    text = (
        "How did the company perform? Revenue and operating income increased or decreased compared to the prior year"
    )
    return Topic(text=text, form="explain", items=("7", "8"), implied=("7",), queries=(_RESULTS,))


def audit_fees() -> Topic:
    """What the auditor is paid, as Item 14 tells it or a proxy statement."""
    asked = SubQuery(label="audit fees", words=("audit", "fees"))
    return Topic(text="audit fees", form="explain", items=("14",), implied=("14",), named=True, queries=(asked,))


def newest(kind: SourceKind) -> Topic:
    """The newest documents of a kind, each by the sentences it begins with."""
    label = f"latest {kind.called}"
    return Topic(
        text=label, form="explain", items=(), whole=True, newest=True, queries=(SubQuery(label=label, words=()),)
    )


def shape_of(shape: str) -> str:
    """since_report, overview, results, audit_fees or vague, the first that a question is as a whole; else empty.

    shape: its folded words, @c in the place of the company and @p of each period.
    """
    names = ("since_report", "overview", "results", "audit_fees", "vague")
    return next((name for name in names if any(p.search(shape) for p in _shapes(name))), "")


def behind_a_report(words: str) -> bool:
    """Whether folded words name a 10-K behind since or after."""
    return re.search(rf"\b(?:since|after)\b.*\b{_TEN_K}\b", words) is not None


@cache
def _shapes(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern.replace("{10k}", _TEN_K)) for pattern in TOPICS.data["shapes"][name])


def topic_of(question: str) -> Topic | None:
    """What a question asks of a filing's text; None where it names no subject. question: without company and period."""
    text = TOPICS.pattern("lead").sub("", spelled_out(question))
    named = named_items(text)
    told = tuple(_content(_ITEM.sub(" ", text)))
    if asked := changes_asked(text, named):
        return changes(text, *asked)
    if not told and not named:
        return None
    form = form_of(text)
    queries = tuple(halves(text, told)) or (SubQuery(label=" ".join(told) or _items_label(named), words=told),)
    # Risks stand in the list of risk factors; what is done about them stands elsewhere.
    implied = named or (tuple(TOPICS.data["risk_items"]) if form == "risks" else items_of(text))
    items = implied if named or form == "risks" else tuple(dict.fromkeys((*implied, *TOPICS.data["always"])))
    whole = all(is_general(query) for query in queries) and (bool(named) or form == "risks")
    return Topic(
        text=text,
        form=form,
        items=items,
        implied=implied,
        named=bool(named),
        whole=whole,
        queries=queries,
    )


def changes_asked(text: str, named: Sequence[str]) -> tuple[str, tuple[str, ...], bool] | None:
    """The Item of which a question asks what changed in it; what became of its passages, or of its risks, that are asked
    for: added, removed, reworded, or all of them; and whether it names the Item: of a whole 10-K it is the risk factors.
    None where it asks something else, or of a part of the Item.

    named: the Items that it names.
    """
    asked, apart = roots(text), TOPICS.pattern("apart")
    titled = [key for key, item in ITEMS.items() if roots(item.title) <= asked]
    items = tuple(named or ([RISKS] if asked & TOPICS.rooted("risk_words") else titled))
    is_named = bool(items)
    of_report = any(word in text.lower() for word in ANNUAL.words)
    if not is_named and (of_report or (apart.search(text) and asked & TOPICS.rooted("disclosing"))):
        items = (RISKS,)
    if len(items) != 1 or TOPICS.pattern("why").search(text):
        return None
    kinds = tuple(kind for kind in CHANGES if any(roots(phrase) <= asked for phrase in TOPICS.data[kind]))
    if not (kinds or TOPICS.pattern("changed").search(text) or apart.search(text)):
        return None
    names = roots(" ".join((ITEMS[items[0]].title, *TOPICS.data["named"].get(items[0], ()))))
    lists = (*CHANGES, "changed", "before", "disclosing", *(("risk_words",) if items == (RISKS,) else ()))
    known = general().union(names, *(TOPICS.rooted(name) for name in lists))
    told = roots(" ".join(_content(_ITEM.sub(" ", apart.sub(" ", text)))))
    return (items[0], kinds or CHANGES, is_named) if told <= known else None


def spelled_out(text: str) -> str:
    """A question with its abbreviations in full, as a filing writes them."""
    for short, full in TOPICS.data["abbreviations"].items():
        text = re.sub(rf"(?<![\w&]){short}(?![\w&])", full, text, flags=re.IGNORECASE)
    return text


def is_general(query: SubQuery) -> bool:
    """Whether a part of a question says nothing of what is asked but its kind: "the main risks"."""
    return all(one in general() for one in telling(query.words))


def form_of(text: str) -> Form:
    """Which sentences answer: the filing's list of risks, the deciding sentence, or those that explain."""
    told = roots(text)
    risky = bool(told & TOPICS.rooted("risk_words"))
    if TOPICS.pattern("yes_no").search(text) and not (risky and told & TOPICS.rooted("disclosing")):
        return "yes_no"
    return "risks" if risky and not re.match(r"\W*(?:why|how)\b", text, re.IGNORECASE) else "explain"


def kind_of(topic: Topic) -> str:
    """What a question asks for, which decides how sure a sentence must be that answers it: amount, yes_no, why, list, the
    question word itself (how, who, when, where, what), or subject where it has none.
    """
    if topic.amount:
        return "amount"
    if topic.form == "yes_no":
        return "yes_no"
    if TOPICS.pattern("why").search(topic.text):
        return "why"
    asked = TOPICS.pattern("asks").match(topic.text)
    if asked is None:
        return "subject"
    if asked["list"]:
        return "list"
    return "who" if asked["word"].lower().startswith("who") else asked["word"].lower()


def named_items(text: str) -> tuple[str, ...]:
    """Items that a question names itself, by number or by title, in SEC's order."""
    found = {number.upper() for number in _ITEM.findall(text) if number.upper() in ITEMS}
    folded = _folded(text)
    for item, titles in TOPICS.data["named"].items():
        if any(f" {_folded(title).strip()} " in folded for title in titles):
            found.add(item)
    return tuple(item for item in ITEMS if item in found)


def items_of(text: str) -> tuple[str, ...]:
    """The Items that tell of what is asked, the likeliest first."""
    found = dict.fromkeys(item for row in _told_by("items", text) for item in row["items"])
    if TOPICS.pattern("reason").search(text):
        found = dict.fromkeys(("7", *found))
    return tuple(found)[:MOST_ITEMS]


def asks_of_years(text: str) -> bool:
    """Whether a question asks of other years too: since when, compared with what, or it names one."""
    return bool(_folded_words("ever") & set(stems(text))) or bool(re.search(r"\b(?:19|20)\d\d\b", text))


def is_of_item(topic: Topic, place: int) -> bool:
    """Whether one part of a question asks of nothing but the Item that its words imply first, or names it."""
    if topic.named:
        return True
    item = topic.implied[0]
    rows = [row for row in TOPICS.data["items"] if row["items"][0] == item]
    told = roots(" ".join([ITEMS[item].title, *(phrase for row in rows for phrase in row["words"])]))
    return roots(" ".join(topic.queries[place].words)) <= told | general()


def sources_of(text: str, *, interim: bool) -> tuple[str, ...]:
    """The kinds of documents that tell of what is asked, the likeliest first. interim: of a part of a year."""
    told = _told_by("sources", text)
    found = dict.fromkeys(kind for row in told for kind in row["sources"])
    if any("only" in row for row in told):
        return tuple(found)
    return tuple(dict.fromkeys((*found, *TOPICS.data["interim_sources" if interim else "yearly_sources"])))


def is_of_year(text: str) -> bool:
    """Whether a bare year beside what is asked is the fiscal year told of, and not the one in which a document came out."""
    found = _told_by("sources", text)
    return bool(found) and all(row.get("told") == "year" for row in found)


def _told_by(table: str, text: str) -> list[dict[str, Any]]:
    """The rows of a table of subjects, in its order, of which a phrase stands in a text."""
    told = roots(text)
    return [row for phrases, row in _subjects(table) if any(phrase <= told for phrase in phrases)]


def halves(text: str, content: Sequence[str]) -> Iterator[SubQuery]:
    """The two or three subjects of a compound question; nothing where it has one."""
    if term_of(text):
        return  # "product and distribution costs" may be one
    parts = questions(text, content) or subjects(text, content)
    told = [_content_of(part, content) for part in parts]
    if not parts or TOPICS.pattern("of_somebody").search(parts[-1]):
        return
    # "Cybersecurity and competition risks": what the last part says of all is said of each.
    shared = tuple(word for word in dict.fromkeys((*told[0], *told[-1])) if roots(word) & TOPICS.rooted("risk_words"))
    if TOPICS.pattern("plural").search(parts[-1]):
        shared = (*shared, *told[0])  # "How many workers has it and are they organised"
    for place, part in enumerate(told):
        own = tuple(word for word in part if word not in shared or (place == 0 and word in told[0]))
        if own:
            yield SubQuery(label=" ".join(own), words=tuple(dict.fromkeys((*own, *shared))))


def questions(text: str, content: Sequence[str]) -> list[str]:
    """The questions that stand one behind the other; none where one goes on about the one before, or asks of nothing."""
    parts = TOPICS.pattern("anew").split(text)
    if not 2 <= len(parts) <= MOST_HALVES or any(TOPICS.pattern("back").search(part) for part in parts[1:]):
        return []
    return parts if all(len(_deciding(_content_of(part, content))) >= LEAST_APART for part in parts) else []


def subjects(text: str, content: Sequence[str]) -> list[str]:
    """The subjects that are listed in one question; none where there is one."""
    pieces = TOPICS.pattern("and").split(_bound(text))
    parts = [part.replace(_BINDS, " and ") for part in pieces[::2] if part.strip()]
    if not 2 <= len(parts) <= MOST_HALVES:
        return []
    told = [_content_of(part, content) for part in parts]
    known = all(has_subject(" ".join(part)) for part in told)
    return parts if all(told) and (known or _are_apart(parts, told, pieces[1])) else []


def _bound(text: str) -> str:
    """A question in which the "and" of words that stay together parts nothing."""
    if sum(word.islower() for word in text.split()) > 2:  # not where every word has a capital
        text = _NAMES.sub(rf"\1{_BINDS}", text)
        text = _LISTED.sub(_BINDS, text)
    for phrase in _joined():
        text = phrase.sub(
            lambda hit: re.sub(r"(?:,|\s+(?:and|&))(?:\s+|$)", _BINDS, hit.group(), flags=re.IGNORECASE), text
        )
    return text


@cache
def _joined() -> tuple[re.Pattern[str], ...]:
    """The words that stay together, each as it is found in a question."""

    def found(phrase: str) -> re.Pattern[str]:
        words = r"[\W_]+".join(r"(?:and|&)" if word == "and" else re.escape(word) for word in phrase.split())
        return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)

    return tuple(found(phrase) for phrase in TOPICS.data["joined"])


def _are_apart(parts: Sequence[str], told: Sequence[Sequence[str]], joint: str) -> bool:
    """Whether two parts of which not both name a known subject are two all the same.

    Behind a comma, or where the second begins as the first does ("of ... and of ..."), each needs a telling word; else
    two. What goes on about the first ("and how long has she done it", "and what could go wrong") is none.
    """
    if len(parts) != 2 or TOPICS.pattern("goes_on").search(parts[1]) or TOPICS.pattern("back").search(parts[1]):
        return False
    apart = bool(TOPICS.pattern("mirrored").match(parts[1])) or "," in joint or ";" in joint
    least = 1 if apart else LEAST_APART
    return all(len(_deciding(part)) >= least for part in told)


def _deciding(told: Sequence[str]) -> list[str]:
    """The telling words but verbs that ask for a reason."""
    causing = {root(word) for word in _folded_words("causing")}
    return [word for word in telling(told) if word not in causing]


def has_subject(text: str) -> bool:
    """Whether words name a subject of a 10-K, risk by itself not counted."""
    told = roots(text)
    return any(
        phrase <= told
        for phrases, _ in _subjects("items")
        for phrase in phrases
        if not phrase <= TOPICS.rooted("risk_words") | roots("factor")
    )


def telling(asked: Sequence[str]) -> tuple[str, ...]:
    """The words of a search that say what is asked, in the compared form, general ones left out where others are left."""
    told = tuple(dict.fromkeys(word.root for text in asked for word in words(text)))
    return tuple(one for one in told if one not in TOPICS.rooted("general")) or told


def causing() -> frozenset[str]:
    """Verbs behind "what" that ask for a reason, folded."""
    return _folded_words("causing")


def general() -> frozenset[str]:
    """Words that say how much is asked and not of what, in the compared form."""
    return TOPICS.rooted("general")


def content_roots(text: str) -> frozenset[str]:
    """What a heading or the words of a search name, in the compared form: without words of asking, and without general
    ones where others are left.
    """
    told = frozenset(word for typed in _content(text) for word in roots(typed))
    return told - general() or told


def _content(text: str) -> Iterator[str]:
    """The words of a question that are looked for, as typed."""
    asking = _folded_words("asking") | TOPICS.rooted("stating")
    found = list(re.finditer(r"[^\W_]+(?:['\u2019.][^\W_]+)*", text))
    plain = [re.sub(r"['\u2019](?:s|m|ve|d|re|ll)?$", "", match.group()) for match in found]
    folded = [word.lower() for word in plain]
    named = sum(word[:1].islower() for word in plain) > 1  # not where every word has a capital
    for place, word in enumerate(plain):
        idle = folded[place] in asking or root(word) in asking
        behind = bool(place) and found[place - 1].group() != plain[place - 1]  # "Nvidia's deal"
        if not idle or (
            place and folded[place] in _folded_words("double") and (behind or _is_meant(word, folded, place, named))
        ):
            yield word


def _is_meant(word: str, folded: Sequence[str], place: int, named: bool) -> bool:
    """Whether a word of asking is one of the subject here: "State Aid", "One Medical", "the US", "long-term", "its name"."""
    if folded[place - 1 : place + 1] == ["the", "company"]:
        return False
    if folded[place] == "deal":  # "how does it deal with ..." is the verb
        return folded[place + 1 : place + 2] != ["with"]
    pair = f"{folded[place - 1]} {folded[place]}", " ".join(folded[place : place + 2])
    return (named and word[:1].isupper()) or any(phrase in TOPICS.data["pairs"] for phrase in pair)


@cache
def _folded_words(name: str) -> frozenset[str]:
    """The folded words of one list."""
    return frozenset(stem for phrase in TOPICS.data[name] for stem in stems(phrase))


def _content_of(part: str, content: Sequence[str]) -> tuple[str, ...]:
    """The content words that stand in a part of the question."""
    return tuple(word for word in content if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", part))


def _items_label(items: Sequence[str]) -> str:
    return ", ".join(ITEMS[item].label for item in items)


def _folded(text: str) -> str:
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.lower().replace('&', ' and ').replace(chr(39), '')))} "


@cache
def _subjects(table: str) -> tuple[tuple[tuple[frozenset[str], ...], dict[str, Any]], ...]:
    return tuple(
        (tuple(found for phrase in row["words"] if (found := roots(spelled_out(phrase)))), row)
        for row in TOPICS.data[table]
    )
