"""Which of the passages found are read, and what of a question is searched for."""

from agent.prose.search.narrowing import shared
from agent.prose.search.passages import MOST, OF_PART, Asked, bare, focus_text
from agent.state.references import SubQuery, Topic


def test_it_takes_the_best_of_each_part_in_turn() -> None:
    worth = [[0.9, 0.8, 0.7, 0.1], [0.0, 0.1, 0.2, 0.9]]
    assert shared(worth, 3) == [0, 3, 1]


def test_it_searches_without_the_words_for_the_company_and_its_filing() -> None:
    assert (
        bare("What does the company's 10-K say about tariffs on castings?")
        == "What does say about tariffs on castings"
    )


def test_it_keeps_a_question_of_nothing_else() -> None:
    assert bare("the company") == "the company"


def test_each_part_of_a_compound_question_is_searched_by_its_own_words() -> None:
    queries = (SubQuery(label="tariffs", words=("tariffs",)), SubQuery(label="strikes", words=("labor", "strikes")))
    topic = Topic(text="tariffs and labor strikes", form="explain", items=("1A",), queries=queries)
    assert [focus_text(topic, place) for place in (0, 1)] == ["tariffs", "labor strikes"]


def test_of_several_parts_all_of_it_is_searched_besides_and_more_is_read() -> None:
    queries = (SubQuery(label="coughs", words=("coughs",)), SubQuery(label="colds", words=("colds", "shipped")))
    topic = Topic(text="did coughs and colds ship", form="explain", items=("1A",), queries=queries)
    one = Asked(None, topic, None, ())  # type: ignore[arg-type] # of the question alone
    assert [query.words for query in one.queries] == [
        ("coughs",),
        ("colds", "shipped"),
        ("coughs", "colds", "shipped"),
    ]
    assert one.texts == ["coughs", "colds shipped", "did coughs and colds ship"]
    assert one.most == 2 * OF_PART > MOST


def test_one_part_is_searched_once() -> None:
    topic = Topic(text="coughs", form="explain", items=("1A",), queries=(SubQuery(label="coughs", words=("coughs",)),))
    one = Asked(None, topic, None, ())  # type: ignore[arg-type]
    assert (len(one.queries), one.texts, one.most) == (1, ["coughs"], MOST)
