"""A whole question, read: one query, or a figure and what the text says, each read as a question of its own."""

from collections.abc import Iterator, Sequence
from datetime import date

from agent.numbers.registry.registry import Registry
from agent.query.companies.named_watchlists import Watched
from agent.query.measures.measures_of_parts import is_of_member
from agent.query.nearest.nearest import nearest
from agent.query.reading.asked_question import Lines, Owners
from agent.query.reading.reader import MOST_TOKENS, Reader
from agent.query.reading.source_words import of_sources
from agent.query.tables.changed_table import Open
from agent.query.tables.table_changes import TableChange
from agent.query.tables.table_forms import CHARTS
from agent.query.words.lexicon import Lexicon
from agent.query.words.refused_question import Misread, Read
from agent.query.words.sentence import Part, Sentence
from agent.query.words.spelling import spelled_out
from agent.query.words.word_classes import SIGNS, classes, connecting, formula_words
from agent.refusals.codes import Code
from agent.registrants.registrant_index import Companies
from agent.state.query import Query, Years
from agent.state.question_words import Display, Role
from agent.words.tokens import Token, joined_names, tokenise
from filings.models.source_kinds import SourceKind

# Places tried where a question may be two: people ask one thing and one more.
MOST_CUTS = 8
# Refusals of a half that names no company, where its words are no name.
_UNNAMED = frozenset({Code.NO_COMPANY, Code.UNKNOWN_COMPANY})
# Refusals of a half that asks for something: the other half is answered beside them.
_OF_A_PART = frozenset(
    {
        Code.NON_GAAP, Code.DIMENSIONAL_ONLY, Code.AMBIGUOUS_CONCEPT, Code.CONCEPT_UNKNOWN, Code.PREDICTION, Code.PRICE,
        Code.ADVICE, Code.EXTERNAL_DATA, Code.TRANSCRIPT, Code.INTERIM_PERIOD,
    }
)  # fmt: skip
_HEADS = ("part", "axis", "member")


def read(
    question: str,
    companies: Companies,
    registry: Registry,
    today: date,
    lines: Lines | None = None,
    previous: Query | None = None,
    lists: Sequence[Watched] = (),
    owners: Owners | None = None,
) -> Read:
    """The query of a question, or why there is none; of a question with two halves, one for each of them.

    lines: row labels printed on the companies' statements (agent.query.companies.statement_names.printed); without it, none
    is known.
    previous: the query of the question before, whose company, years and measures stand where this one names none.
    lists: those of companies that whoever asks keeps, which "my companies" names. owners: which companies call a part so
    (agent.query.companies.statement_names.owners), where no company is named; without it, no part names one.
    """
    tokens = spelled_out(question, tokenise(question))
    if not tokens:
        return (Misread(code=Code.EMPTY),)
    if len(tokens) > MOST_TOKENS:
        return (Misread(code=Code.TOO_LONG),)

    def reader(tokens: tuple[Token, ...], before: Query | None) -> Reader:
        return Reader(question, tokens, companies, registry, today, lines, before, lists, owners)

    def read_by(words: tuple[Token, ...]) -> Read:
        return _whole(question, words, previous, reader)

    def of_documents(
        words: tuple[Token, ...], named: Sequence[tuple[int, int]], newest: SourceKind | None
    ) -> Query | Misread:
        return Reader(
            question, words, companies, registry, today, lines, previous, lists, owners, documents=named, newest=newest
        ).read()

    return of_sources(
        question, tokens, nearest(question, tokens, read_by(tokens), read_by, owners), of_documents, read_by
    )


def _whole(question: str, tokens: tuple[Token, ...], previous: Query | None, reader: Open) -> Read:
    """The query of a question, or one for each of its halves; behind another question, also how it changes that one's table."""
    if previous is None:
        return _halves(tokens, previous, reader)
    change = TableChange(question, tokens, previous, reader)
    changed = change.read()
    if isinstance(changed, Query) or (changed and change.certain):
        return (changed,)
    halves = _halves(tokens, previous, reader)
    # "Excluding leases" is of the measure, and takes nothing out of the table.
    asks_figures = any(isinstance(half, Query) and half.rows for half in halves)
    return (changed,) if changed and not asks_figures else halves


def _halves(tokens: tuple[Token, ...], previous: Query | None, reader: Open) -> Read:
    """The query of a question that stands for itself, or one for each of its halves."""
    whole = reader(tokens, previous)
    found = whole.read()
    if isinstance(found, Query) and found.rows and {token.stem for token in tokens} & CHARTS:
        found = found.model_copy(update={"display": Display.CHART})
    if not _may_be_two(whole, found):
        return (found,)
    named = {place for part in whole.sentence.parts if part.named for place in (part.first, part.last)}
    for cut in _cuts(whole):
        anew = _asks_anew(tokens[cut:])
        ended = "?" in whole.wording[tokens[cut - 1].end : tokens[cut].start]
        if not (anew or ended) and {cut - 1, cut} <= named:
            continue  # "why did revenue and net income fall": one list of measures
        if anew and _is_circumstance(tokens[:cut]):
            continue
        first = reader(tokens[:cut], previous).read()
        context = first if isinstance(first, Query) else first.query if first.companies else previous
        if isinstance(first, Query):
            # A company and a year alone only a whole question asks for figures with.
            alone = first.rows and not any(word.role is Role.MEASURE for word in first.words)
            if first.meta or alone:
                continue
        second = _second(whole, cut, tokens[cut:], context, reader)
        if isinstance(first, Misread) and _names_nobody(first) and isinstance(second, Query):
            first = reader(tokens[:cut], second).read()  # "Can it afford its dividend? Coca-Cola payout ratio 2023"
        if _of_a_quarter(found) and not (_of_a_quarter(first) or _of_a_quarter(second)):
            continue  # the quarter stands in the half that asks for no figure, and the figure is asked of it
        if _are_two(first, second) or (anew and _are_texts(first, second)):
            same = not anew or _goes_on(tokens[cut:])
            return _of_one_year(first, second) if same else first, second
    return (found,)


def _names_nobody(half: Misread) -> bool:
    """Whether a half is refused for a company, and has no name of one."""
    return half.code in _UNNAMED and all(one == one.lower() for one in half.words)


def _second(
    whole: Reader, cut: int, tokens: tuple[Token, ...], context: Query | None, reader: Open
) -> Query | Misread:
    """The half behind a cut; where it names nothing of its own, of the part of the company that the first half is about."""
    found = reader(tokens, context).read()
    own = any(part.mention for part in whole.sentence.parts if part.first >= cut)
    asks = isinstance(found, Query) and found.rows and not any(is_of_member(row.measure) for row in found.rows)
    if own or not asks or not (subject := narrower(whole.sentence, cut, whole.lexicon)):
        return found
    of_part = reader((*subject, *tokens), context).read()
    if isinstance(of_part, Misread) or all(is_of_member(row.measure) for row in of_part.rows if not row.mention):
        return of_part
    words = whole.wording[subject[0].start : subject[-1].end]
    return Misread(code=Code.DIMENSIONAL_ONLY, words=(words,), companies=found.companies)


def _of_a_quarter(half: Query | Misread) -> bool:
    return isinstance(half, Misread) and half.code is Code.INTERIM_PERIOD


def _may_be_two(whole: Reader, found: Query | Misread) -> bool:
    """Whether a question names a measure and asks for text besides, or asks two things of the text."""
    if whole.sentence.formula or (isinstance(found, Query) and not found.topics):
        return False
    sentence = whole.sentence
    figures = sentence.measured or sentence.having("named_verb")
    text = sentence.unknown or sentence.having("text", "text_else") or isinstance(found, Query)
    return bool(text) and bool(figures or any(_asks_anew(whole.sentence.tokens[cut:]) for cut in _cuts(whole)))


def _asks_anew(tokens: Sequence[Token]) -> bool:
    """Whether words begin a question: "... and what lawsuit was settled", "... and did it raise prices"."""
    return bool(tokens) and tokens[0].base in connecting("asking anew")


def _is_circumstance(tokens: Sequence[Token]) -> bool:
    """Whether words before a question say when or where: "At the meeting of May 3, what was the outcome"."""
    said = {token.base for token in tokens}
    prepositions = connecting("narrowing") | connecting("other prepositions")
    return tokens[0].base in prepositions and not said & connecting("asking anew")


def _goes_on(tokens: Sequence[Token]) -> bool:
    """Whether words ask for the reason of what was asked before them: "... and why it grew in 2024"."""
    asks = tokens[0].base in connecting("explaining")
    return asks and any(token.base in connecting("pronouns") for token in tokens)


def _cuts(whole: Reader) -> Iterator[int]:
    """Where clauses begin, then behind words that join."""
    sentence, tokens = whole.sentence, whole.sentence.tokens
    clauses = [clause.parts[0].first for clause in sentence.clauses[1:]]
    # Not inside a name: "selling and marketing expense", "Good & Gather".
    known = {place for part in sentence.parts if part.named for place in (part.first, part.last)}
    names = {place for place in joined_names(tokens) if known.isdisjoint((place, place + 1))}
    single = (part for part in sentence.parts if len(part.tokens) == 1 and part.first not in names)
    joints = [part.last for part in single if part.says("joining halves")]
    # "I mean" goes on with the same.
    end = next((part.first for part in sentence.parts if sentence.text(part).lower() == "i mean"), len(tokens))
    # A verb behind whoever asks begins nothing: "I would", "you can".
    places = (place for place in dict.fromkeys((*clauses, *joints)) if 0 < place < end)
    found = [place for place in places if tokens[place - 1].base not in connecting("asked to answer")]
    # "Debt (with leases) over equity": what stands behind the brackets goes on with the figure before them.
    found = [place for place in found if formula_words().get((tokens[place].base,)) not in SIGNS]
    yield from found[:MOST_CUTS]


def _of_one_year(first: Query | Misread, second: Query | Misread) -> Query | Misread:
    """The first half; of the year of the second, where only that names one: "risks and revenue 2023"."""
    if not isinstance(first, Query) or not isinstance(second, Query) or not isinstance(second.periods, Years):
        return first
    named = any(word.role is Role.PERIOD for word in first.words)
    return first if named else first.model_copy(update={"periods": second.periods})


def _are_texts(first: Query | Misread, second: Query | Misread) -> bool:
    """Whether both halves ask for text, each naming a subject of its own."""
    if isinstance(first, Misread) or isinstance(second, Misread):
        return False
    again = (first.topics, first.companies) == (second.topics, second.companies)
    texts = all(half.topics and not half.rows for half in (first, second))
    return texts and not again and all(one.words for half in (first, second) for one in half.topics[0].queries)


def _is_slight(half: Query) -> bool:
    """Whether text is asked for with one word that no question for text is asked with: "could you do footwear"."""
    topics = [one for one in half.topics if not (one.whole or one.named)]
    words = [word for one in topics for query in one.queries for word in query.words]
    told = [token for one in topics for token in tokenise(one.text)]
    if any(one.kind == "text" for token in told for one in classes().get((token.stem,), ())):
        return False
    asking = connecting("explaining") | connecting("interrogative") - {"do"}
    return len(words) == 1 and asking.isdisjoint(token.base for token in told)


def _are_two(first: Query | Misread, second: Query | Misread) -> bool:
    """Whether one half asks for figures and the other for text, or is refused for what it asks."""
    for text, other in ((first, second), (second, first)):
        if isinstance(text, Query) and (text.topics or text.particulars) and not text.rows and _asks_figures(other):
            return not (text.unheld or (text is second and _is_slight(text)))
    return False


def _asks_figures(half: Query | Misread) -> bool:
    if isinstance(half, Query):
        return bool(half.rows)
    return half.code in _OF_A_PART and bool(half.words or half.measures)


def narrower(sentence: Sentence, cut: int, lexicon: Lexicon) -> tuple[Token, ...]:
    """The words before a cut that name a part of the company, or something called a part; empty where none do.

    "How did Comcast's theme parks do? Revenue growth" is asked of the theme parks, and "the risks in China, and revenue"
    of the whole: only what the company's name governs, or what is said to do well or badly, is what the question is about.
    """
    parts = [part for part in sentence.parts if part.first < cut]
    words = {token.base for token in sentence.tokens[:cut]}
    performs = "how" in words and bool(words & connecting("performing"))  # "how is it doing"
    for run in _runs(parts, everywhere=performs):
        tokens = [token for part in run for token in part.tokens]
        sizes = range(len(tokens), 0, -1)
        named = (tokens[at : at + size] for size in sizes for at in range(len(tokens) - size + 1))
        if found := next((one for one in named if lexicon.part(tuple(token.stem for token in one))), None):
            return tuple(found)
        if any(part.unknown for part in run) and (performs or any(part.has(*_HEADS) for part in run)):
            return tuple(tokens)
    return ()


def _runs(parts: Sequence[Part], *, everywhere: bool) -> Iterator[list[Part]]:
    """Runs of words that may name a part: behind a company, before "at" and a company, or everywhere."""
    run: list[Part] = []
    behind = False
    for place, part in enumerate(parts):
        if part.unknown or part.has(*_HEADS):
            behind = behind or (not run and place > 0 and parts[place - 1].mention is not None)
            run.append(part)
            continue
        company = any(one.mention for one in parts[place + 1 : place + 2])
        if run and (behind or everywhere or (company and part.match and not part.named)):  # "at", "of"
            yield run
        run, behind = [], False
    if run and (behind or everywhere):
        yield run
