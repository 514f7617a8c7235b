"""The floor of the search box: what has to do with the words typed is shown, what is merely nearest is not."""

import pytest
from django.test import Client

from filings.models import Filing, SearchRequest, Synonym
from filings.search import relevance_floor, requests, synonyms
from filings.search.indexing import index_filing
from filings.search.passages import Focus, FoundPassage
from filings.search.words import content_words
from tests.support.sample import Sample
from tests.support.searchable import MadeUp, store

MINILM = "local:all-MiniLM-L6-v2:int8.2"
STOCK = "We repurchased shares of our common stock."


@pytest.fixture
def filing_words(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Filing words of one row, read anew."""
    Synonym.objects.all().delete()
    Synonym.objects.create(phrase="buying back stock", variants=["repurchase of shares"])
    synonyms.active_entries.cache_clear()


def near(asked: str, text: str, cosine: float | None, model: str = MINILM, bm25: float | None = None) -> bool:
    passage = FoundPassage(1, (1,), 1, ((0, len(text)),), 0, 0.1, {}, bm25, cosine)
    return relevance_floor.is_near(passage, text, Focus(asked, tuple(content_words(asked))), model)


@pytest.mark.parametrize(
    ("asked", "cosine", "shown"),
    [
        ("repurchased shares", 0.1, True),  # all of the words stand there
        ("shares of giraffes", 0.31, True),  # half of them, and the meaning agrees
        ("shares of giraffes", 0.29, False),
        ("shares of giraffes", None, False),  # not among the nearest hundred by meaning
        ("purple giraffe", 0.40, False),
        ("purple giraffe", 0.42, True),  # no word, but the meaning is near
    ],
)
def test_words_and_meaning_decide_together(filing_words: None, asked: str, cosine: float | None, shown: bool) -> None:
    assert near(asked, STOCK, cosine) is shown


def test_filing_words_count_for_the_words_they_stand_for(filing_words: None) -> None:
    assert near("buying back stock", "The repurchase of our shares went on.", 0.1)
    assert not near("buying back stock", "Our headquarters are leased.", 0.1)


def test_a_single_word_that_the_index_has_matched_is_there(filing_words: None) -> None:
    assert near("seasonality", "Our business is seasonal.", 0.2, bm25=3.7)
    assert not near("seasonality", "Our business is seasonal.", 0.2)


@pytest.mark.parametrize("model", ["", "openai:text-embedding-3-small"])
def test_without_cosines_that_are_known_words_decide(filing_words: None, model: str) -> None:
    assert near("shares of giraffes", STOCK, 0.1, model)
    assert not near("purple giraffe", STOCK, 0.9, model)


def test_nonsense_finds_nothing_and_names_the_companies_with_text(
    client: Client, filing: Filing, model: MadeUp
) -> None:
    store(filing, ["We depend on a single supplier of wafers."])
    index_filing(filing.pk)
    for words, found in (("purple giraffe", 0), ("supplier of wafers", 1)):
        request = SearchRequest.objects.get(pk=client.post("/search", {"q": words}).url.rsplit("/", 1)[1])
        requests.run(request.pk)
        request.refresh_from_db()
        assert (request.status, len(request.results)) == ("done", found)
        page = client.get(f"/search/{request.pk}").content.decode()
        said = f"Nothing found for <q>{words}</q>"
        assert (said in page) is not found
        assert ('Halden Optics</a>, <span class="nowrap">2025</span>' in page) is not found


def test_the_form_offers_the_companies_with_text_and_no_other(client: Client, sample: Sample) -> None:
    page = client.get("/search").content.decode()
    for cik, words in ((9999999901, "Northwind (fictional)"), (9999999902, "Larkfield (fictional)")):
        assert f'<option value="{cik}">{words}, 2024 to 2025</option>' in page
    assert "Apple" not in page
    assert '<option value="9999999901" selected>' in client.get("/search", {"company": "NWND"}).content.decode()
