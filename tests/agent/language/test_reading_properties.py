"""Whatever is added to, dropped from or moved in an answered question, it is never read as another figure in silence."""

from itertools import pairwise

import pytest
from agent.language.reading import read
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.numbers import registry as registry_file
from agent.registrants.companies import Companies
from agent.state import Plan

from .conftest import REGISTRANTS, TODAY, told

COMPANIES = Companies.of(REGISTRANTS)
REGISTRY = registry_file.load()

# Questions in words that may be moved, each a unit: a company, a measure, a period, a phrase.
ANSWERED = (
    ("What was", "Apple's", "revenue", "in", "fiscal 2023", "?"),
    ("msft", "net income", "2022"),
    ("How much did", "AMD", "spend on", "R&D", "in", "FY2021", "?"),
    ("Lowe's", "total assets", "FY2023"),
    ("nvidia", "cash", "2023"),
    ("give me", "diluted EPS", "for", "Starbucks", ",", "fiscal 24"),
    ("Amazon", "capital expenditures", "for", "the year ended December 31, 2023"),
    ("Waste Management", "long-term debt", "at the end of", "2022"),
    ("JPMorgan", "net interest income", "last year"),
    ("Visa", "shares outstanding", "FY2024"),
    ("latest", "Apple", "operating cash flow", "in millions"),
    ("Microsoft", "dividends", "FY2023"),
)
# Words that make another question of a question: none may be passed over, wherever it stands.
CONTENT = """
    adjusted average median mean normalized core organic underlying pro-forma non-GAAP recurring nonrecurring gross domestic
    foreign international overseas excluding including except without minus plus less not no before after beginning opening
    cumulative maximum minimum highest lowest largest first second third half double twice per quarterly monthly weekly daily
    interim trailing estimated expected forecast projected budgeted restated unaudited preliminary deferred accrued prepaid
    restricted unrestricted convertible secured unsecured senior subordinated noncurrent taxable rental unrealized residual
    implied intrinsic potential theoretical remaining other another unit comparable same-store like-for-like
    China Europe Japan Germany Americas EMEA California segment division region iPhone iPad AWS Azure Windows Prime
    wearables cloud advertising-revenue subscription licensing hardware software products services employees headcount stores
    customers subscribers users deliveries growth change increase decline trend versus CAGR margin percent ratio
    Q1 Q3 2019 FY2018 1999 500 $5 75% Boeing Toyota Oracleland Zyntro weather poem stock price guidance transcript 10-Q 8-K
    revenue-share goodwill inventory equity tax profit from to between until since by with risk litigation strategy ceo
    euros yen minority unconsolidated discontinued weighted fair par market
""".split()  # noqa: SIM905 - a hundred words are read more easily as text
HARMLESS = (
    "please",
    "exactly",
    "reported",
    "GAAP",
    "the",
    "its",
    "according to its 10-K",
    "tell me",
    "thanks",
    "company",
)

questions = st.sampled_from(ANSWERED)


def figure(words: tuple[str, ...] | list[str]) -> tuple[object, ...] | None:
    """What figure is planned, or None for a refusal and for a question for text."""
    found = read(" ".join(words), COMPANIES, REGISTRY, TODAY)
    return told(found) if isinstance(found, Plan) and any(target.readings for target in found.targets) else None


def inserted(words: tuple[str, ...], place: int, word: str) -> list[str]:
    place %= len(words) + 1
    return [*words[:place], word, *words[place:]]


@pytest.mark.parametrize("words", ANSWERED)
def test_the_questions_are_answered(words):
    assert figure(words) is not None


# One word in so many, other words in the next question.
@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("words", ANSWERED, ids=lambda words: " ".join(words))
def test_an_added_content_word_never_leaves_the_same_figure(words, step):
    asked = figure(words)
    passed_over = [
        " ".join(inserted(words, place, word))
        for word in CONTENT[ANSWERED.index(words) % step :: step]
        for place in range(len(words) + 1)
        if word.lower() not in " ".join(words).lower() and figure(inserted(words, place, word)) == asked
    ]
    assert passed_over == []


@settings(max_examples=50, deadline=None)
@given(words=questions, place=st.integers(0, 9), word=st.sampled_from(HARMLESS))
def test_an_added_harmless_word_changes_nothing(words, place, word):
    assert figure(inserted(words, place, word)) == figure(words)


@settings(max_examples=50, deadline=None)
@given(
    words=questions, places=st.lists(st.tuples(st.integers(0, 9), st.sampled_from(CONTENT)), min_size=2, max_size=3)
)
def test_several_added_words_never_leave_the_same_figure(words, places):
    asked, longer = figure(words), words
    for place, word in places:
        longer = tuple(inserted(longer, place, word))
    added = [word for _, word in places if word.lower() not in " ".join(words).lower()]
    assert not added or figure(longer) != asked


@settings(max_examples=50, deadline=None)
@given(words=questions, order=st.randoms(use_true_random=False))
def test_moved_words_mean_the_same_figure_or_none(words, order):
    moved = list(words)
    order.shuffle(moved)
    assert figure(moved) in (figure(words), None)


@pytest.mark.parametrize("words", ANSWERED, ids=lambda words: " ".join(words))
def test_a_dropped_part_never_leaves_a_figure_of_another_company_or_measure(words):
    symbol, keys, form, when = figure(words)
    for place in range(len(words)):
        found = figure([*words[:place], *words[place + 1 :]])
        assert found is None or found[:2] == (symbol, keys)
        # Without its period the question is about the latest one, and says so.
        assert found is None or found[2:] in ((form, when), ("latest", None))


@settings(max_examples=50, deadline=None)
@given(
    words=questions,
    word=st.text(alphabet=st.characters(categories=("L", "N"), max_codepoint=0x24F), min_size=3, max_size=9),
    place=st.integers(0, 9),
)
def test_an_unknown_word_is_refused(words, word, place):
    """Letters put together by chance are a word we know only where they are also the same figure's word."""
    found = read(" ".join(inserted(words, place, f"zq{word}")), COMPANIES, REGISTRY, TODAY)
    assert not (isinstance(found, Plan) and any(target.readings for target in found.targets))


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(question):
    found = read(question, COMPANIES, REGISTRY, TODAY)
    spans = found.spans
    assert all(question[span.start : span.end] == span.text for span in spans)
    assert all(first.end <= second.start for first, second in pairwise(spans))


@settings(max_examples=50, deadline=None)
@given(words=questions, word=st.sampled_from(CONTENT), place=st.integers(0, 9))
def test_spans_are_those_of_the_question_whatever_becomes_of_it(words, word, place):
    question = " ".join(inserted(words, place, word))
    spans = read(question, COMPANIES, REGISTRY, TODAY).spans
    covered = {place for span in spans for place in range(span.start, span.end)}
    assert all(place in covered for place, character in enumerate(question) if character.isalnum())
