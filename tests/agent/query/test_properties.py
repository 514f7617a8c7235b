"""The order of companies and clauses, case, punctuation and chatter change no query; a word that says something does."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.query.words.lexicon import lexicon_of
from agent.query.words.refused_question import Misread
from agent.query.words.word_classes import classes
from agent.state.query import Query
from tests.agent.query.conftest import asks_figures, asserts_figures, halves_of, query_of
from tests.agent.query.held import REGISTRY

MEASURES = [
    "revenue",
    "net income",
    "gross margin",
    "total assets",
    "free cash flow",
    "R&D",
    "long-term debt",
    "diluted EPS",
    "capex",
]
COMPANIES = ["Apple", "Microsoft", "Amazon", "Starbucks", "Nvidia"]
YEARS = ["2021", "FY2022", "fiscal 2023", "2020-2023", "last 3 years"]
BEFORE = [
    "",
    "Hi, ",
    "Please, ",
    "I'm writing a paper for my class. ",
    "Quick question: ",
    "For our client memo: ",
    "Thanks in advance! ",
]
AFTER = ["", " please", ", thanks!", "?", " Many thanks.", " I need it for my homework."]
FRAMES = [
    "{c} {m} {p}",
    "{m} of {c}, {p}",
    "What was {c}'s {m} for {p}",
    "{p}: {m}, {c}",
    "In {p}, what {m} did {c} report",
]
MARKS = st.sampled_from(["", "?", "!", ".", " ?", "..."])


def slots(question: str, previous: Query | None = None) -> object:
    """What is asked: companies, periods without their words, measures, operations, documents named."""
    first, *rest = halves_of(question, previous)
    if isinstance(first, Misread) or rest:
        return [half.code if isinstance(half, Misread) else half.topics for half in (first, *rest)]
    found = first
    periods = found.periods.model_dump_json(
        exclude={"periods": {"__all__": {"text"}}, "first": {"text"}, "last": {"text"}}
    )
    return (
        sorted(one.cik for one in found.companies),
        periods,
        [row.measure for row in found.rows],
        found.operations,
        found.sources,
    )


plain = st.builds(
    lambda frame, c, m, p: frame.format(c=c, m=m, p=p),
    st.sampled_from(FRAMES), st.sampled_from(COMPANIES), st.sampled_from(MEASURES), st.sampled_from(YEARS),
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(question=plain, before=st.sampled_from(BEFORE), after=st.sampled_from(AFTER))
def test_chatter_changes_nothing(question: str, before: str, after: str):
    assert slots(before + question + after) == slots(question)


@settings(deadline=None, max_examples=100)
@given(question=plain, mark=MARKS, lower=st.booleans())
def test_case_and_marks_change_nothing(question: str, mark: str, lower: bool):
    assert slots((question.lower() if lower else question) + mark) == slots(question)


@settings(deadline=None, max_examples=100)
@given(
    frames=st.tuples(st.sampled_from(FRAMES), st.sampled_from(FRAMES)),
    c=st.sampled_from(COMPANIES), m=st.sampled_from(MEASURES), p=st.sampled_from(YEARS),
)  # fmt: skip
def test_the_order_of_the_parts_changes_nothing(frames: tuple[str, str], c: str, m: str, p: str):
    one, other = (slots(frame.format(c=c, m=m, p=p)) for frame in frames)
    assert one == other


@settings(deadline=None, max_examples=60)
@given(names=st.lists(st.sampled_from(COMPANIES), min_size=2, max_size=4, unique=True), m=st.sampled_from(MEASURES))
def test_the_order_of_companies_changes_nothing(names: list[str], m: str):
    forward, back = (", ".join(listed[:-1]) + f" and {listed[-1]}" for listed in (names, names[::-1]))
    assert slots(f"compare {m} of {forward} 2023") == slots(f"compare {m} of {back} 2023")


@settings(deadline=None, max_examples=150)
@given(question=plain, word=st.from_regex(r"zq[a-z]{4,7}", fullmatch=True), place=st.integers(0, 20))
def test_a_word_nobody_knows_never_leaves_the_plain_figure(question: str, word: str, place: int):
    words = question.split()
    place %= len(words) + 1
    assert not asserts_figures(" ".join((*words[:place], word, *words[place:])))


# Words that make another question of a question: none may be passed over, wherever it stands.
CONTENT = """
    adjusted median normalized core organic underlying pro-forma non-GAAP recurring domestic foreign international overseas
    excluding including except without minus not before after beginning opening maximum half double quarterly monthly
    interim trailing estimated forecast projected budgeted restated unaudited preliminary deferred accrued prepaid
    restricted convertible secured senior subordinated noncurrent taxable rental unrealized residual implied remaining
    another unit comparable same-store like-for-like China Europe Americas EMEA segment division region iPhone AWS Azure
    Prime wearables advertising-revenue subscription licensing hardware software products services employees stores
    customers users deliveries Q1 Q3 75% Zyntro poem transcript 10-Q 8-K revenue-share twice
    risk litigation strategy ceo euros yen minority unconsolidated discontinued weighted fair market
""".split()  # noqa: SIM905 - a hundred words are read more easily as text
# One question a measure of another kind: a flow, a balance, a count, a formula.
ANSWERED = [
    ["What was", "Apple's", "revenue", "in", "fiscal 2023", "?"],
    ["Lowe's", "total assets", "FY2023"],
    ["Visa", "shares outstanding", "FY2024"],
    ["Amazon", "gross margin", "2022"],
    ["give me", "diluted EPS", "for", "Starbucks", ",", "fiscal 24"],
]


@settings(deadline=None, max_examples=200)
@given(words=st.sampled_from(ANSWERED), word=st.sampled_from(CONTENT), place=st.integers(0, 6))
def test_a_word_that_says_something_never_leaves_the_same_query(words: list[str], word: str, place: int):
    place %= len(words) + 1
    question = " ".join((*words[:place], word, *words[place:]))
    assert not asks_figures(question) or slots(question) != slots(" ".join(words))


WORDS = [" ".join(key) for key in [*classes(), *lexicon_of(REGISTRY).names]]
PIECES = [*COMPANIES, *YEARS, "zyx", "iPhone", "3", "$100 billion", "(", ")", ",", "?", "-", "&", "/", "%", "Apple's"]


@settings(deadline=None, max_examples=300)
@given(words=st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(PIECES)), max_size=14))
def test_any_words_are_read_or_refused(words: list[str]):
    assert halves_of(" ".join(words))


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str):
    assert halves_of(text)


@settings(deadline=None, max_examples=100)
@given(question=plain)
def test_every_word_has_its_use(question: str):
    found = query_of(question)
    assert isinstance(found, Query)
    letters = {place for place, letter in enumerate(question) if letter.isalnum()}
    assert letters <= {place for word in found.words for place in range(word.start, word.end)}
