import pytest
from agent.language.concepts import Measure, measures_of

from agent.numbers import registry as registry_file
from agent.state import Plan
from agent.words.tokens import stems, tokenise

from .conftest import told

REGISTRY = registry_file.load()
MEASURES = measures_of(REGISTRY)
ALIASES = [(alias, key) for key, concept in REGISTRY.concepts.items() for alias in concept.aliases]
TEMPLATES = (
    "What was Apple's {} in fiscal 2023?",
    "aapl {} fy22",
    "latest {} for Microsoft",
    "{} of AMD, 2023",
    "How much {} did Amazon report at December 31, 2023?",
)


@pytest.mark.parametrize(("alias", "key"), ALIASES, ids=lambda value: str(value))
def test_every_alias_of_the_registry_is_read_as_its_measure(ask, alias, key):
    (meaning,) = MEASURES.lexicon.phrases[stems(alias)]
    # Words the registry declares ambiguous have more readings than one.
    expected = MEASURES.keys(meaning.value)
    assert key in expected
    for template in TEMPLATES:
        assert told(ask(template.format(alias)))[1:2] == (expected,), template.format(alias)


@pytest.mark.parametrize("key", list(REGISTRY.metrics))
def test_a_metric_is_never_planned_as_a_concept(ask, key):
    for alias in REGISTRY.metrics[key].aliases:
        assert told(ask(f"Apple {alias} 2023")) in {("ratio",), ("price",)}, alias


@pytest.mark.parametrize("key", list(REGISTRY.concepts))
def test_a_label_is_read_as_its_own_measure(ask, key):
    found = ask(f"Apple {REGISTRY.concepts[key].label} 2023")
    assert isinstance(found, Plan)
    assert key in told(found)[1]


@pytest.mark.parametrize("term", list(REGISTRY.ambiguous_terms))
def test_an_ambiguous_term_is_read_with_all_its_readings_or_refused(ask, term):
    entry = REGISTRY.ambiguous_terms[term]
    found = told(ask(f"Apple {term} 2023"))
    if entry.ask:
        assert found == ("ambiguous_concept",)
    elif entry.concepts:
        assert found[1] == entry.concepts
    else:
        assert found == ("ratio",)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reveneu", "revenue"),
        ("revenu", "revenue"),
        ("inventroy", "inventory"),
        ("recievables", "receivable"),
        ("liabilites", "liability"),
        ("expences", "expense"),
        ("goodwil", "goodwill"),
        ("adjustd", "adjusted"),
        ("revenge", None),  # an English word
        ("inventor", None),
        ("repaired", None),
        ("asset", None),  # known as it is
        ("casch", None),  # fewer than six letters
        ("everue", None),  # another first letter
        ("expanse", None),
    ],
)
def test_it_undoes_one_slip_in_long_words(typed, meant):
    (token,) = tokenise(typed)
    found = MEASURES.corrected(token)
    assert (found.stem if found.slip else None) == meant


def test_a_share_is_no_share_count(ask):
    assert told(ask("Apple share 2023"))[0] != "AAPL"
    assert told(ask("Apple shares 2023"))[:2] == ("AAPL", ("shares_out",))


def test_words_declared_ambiguous_are_nothing_else():
    (meaning,) = MEASURES.lexicon.phrases[("cash",)]
    assert meaning.value == Measure("term", "cash")


def test_the_nearest_measures_are_those_that_sound_alike():
    assert MEASURES.nearest("deferred income")[0] in REGISTRY.concepts
    assert MEASURES.nearest("") == ()
