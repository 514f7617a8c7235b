"""Who is named in a question: names, parts of names, tickers, slips; and who is only spelt like an everyday word."""

import pytest

from agent.registrants.mentions import mentions, slips
from agent.registrants.registrant_index import Companies, Registrant
from agent.words.tokens import tokenise
from filings.edgar.registrant_names import short_name
from tests.agent.query.conftest import line_of
from tests.agent.query.held import COMPANIES

VOCABULARY = frozenset({"revenue", "net", "income", "total", "cash", "sales", "growth", "and", "in", "2023"})


def found(companies: Companies, question: str) -> list[tuple[str, ...]]:
    """The symbols each mention may be, weak ones marked."""
    return [
        tuple(companies.registrants[cik].symbols[0] for cik in mention.ciks) + (("weak",) if mention.weak else ())
        for mention in mentions(companies, tokenise(question), VOCABULARY)
    ]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Apple Inc.", "Apple"),
        ("MICROSOFT CORP", "Microsoft"),
        ("BOEING CO", "Boeing"),
        ("CVS HEALTH Corp", "CVS Health"),
        ("PROGRESSIVE CORP/OH/", "Progressive"),
        ("The Kroger Co.", "Kroger"),
        ("Merck & Co., Inc.", "Merck"),
        ("Eaton Corp plc", "Eaton"),
        ("BANK OF AMERICA CORP /DE/", "Bank of America"),
        ("AT&T INC.", "AT&T"),
        ("Apple Hospitality REIT, Inc.", "Apple Hospitality REIT"),
        ("", ""),
    ],
)
def test_it_shortens_names_as_people_say_them(name, short):
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Apple's revenue", [("AAPL",)]),
        ("apple revenue", [("AAPL",)]),
        ("apples revenue", [("AAPL",)]),
        ("AAPL revenue", [("AAPL",)]),
        ("aapl revenue", [("AAPL",)]),
        ("Apple, Inc. revenue", [("AAPL",)]),
        ("Apple Computer revenue", [("AAPL",)]),
        ("Apple Hospitality revenue", [("APLE",)]),
        ("Apple (AAPL) revenue", [("AAPL",), ("AAPL",)]),
        ("Lowe's revenue", [("LOW",)]),
        ("lowes revenue", [("LOW",)]),
        ("Lowes Companies Inc revenue", [("LOW",)]),
        ("McDonald\u2019s revenue", [("MCD",)]),
        ("mcdonalds corporation revenue", [("MCD",)]),
        ("JP Morgan revenue", [("JPM",)]),
        ("J.P. Morgan Chase & Co.'s revenue", [("JPM",)]),
        ("P&G revenue", [("PG",)]),
        ("Procter and Gamble revenue", [("PG",)]),
        ("AT&T revenue", [("T",)]),
        ("Google revenue", [("GOOGL",)]),
        ("GOOG revenue", [("GOOGL",)]),
        ("Facebook revenue", [("META",)]),
        ("BRK.B revenue", [("BRK-B",)]),
        ("BRKB revenue", [("BRK-B",)]),
        ("Berkshire revenue", [("BRK-B",)]),
        ("$V revenue", [("V",)]),
        ("V revenue", [("V", "weak")]),
        ("v revenue", []),
        ("LOW sales", [("LOW", "weak")]),
        ("low sales", []),
        ("target revenue", [("TGT", "weak")]),
        ("RE/MAX revenue", [("RMAX",)]),
        ("CIK 320193 revenue", [("AAPL",)]),
        ("0000320193 revenue", [("AAPL",)]),
        ("320193 revenue", []),
        ("Graham revenue", [("GHM", "GHC")]),
        ("Independent Bank Corp revenue", [("INDB", "IBCP")]),
        ("Delta revenue", [("DAL", "DLA", "weak")]),
        ("Delta Air Lines revenue", [("DAL",)]),
        ("BRC revenue", [("BRC", "BRCC")]),
        ("total revenue", []),
        ("Total revenue", []),
        ("BANK OF APPLE", [("AAPL",)]),
    ],
)
def test_it_finds_who_is_named(question, expected):
    assert found(COMPANIES, question) == expected


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("Microsft", "MSFT"),
        ("Starbuks", "SBUX"),
        ("Waste Managment", "WM"),
        ("Advanced Micro Devises", "AMD"),
        ("Nividia", "NVDA"),
        ("Aple", None),  # fewer than six letters
        ("targets", None),  # an everyday word
        ("Graham", None),  # a name that exists is no slip
        ("icrosoft", None),  # another first letter
    ],
)
def test_it_undoes_one_slip_in_long_names(question, symbol):
    tokens = tokenise(question)
    expected = [] if symbol is None else [symbol]
    meant = slips(COMPANIES, tokens, range(len(tokens)))
    assert [COMPANIES.registrants[mention.ciks[0]].symbols[0] for mention in meant] == expected


def test_it_never_chooses_between_two_names_one_letter_away():
    index = Companies.of([Registrant(1, "Marlen Corp", ("MA1",)), Registrant(2, "Marlin Corp", ("MA2",))])
    assert slips(index, tokenise("Marlyn"), [0]) == []


def test_a_covered_company_wins_its_exact_name_over_a_holding_of_the_same_name():
    plain = Registrant(1, "Graham Corp", ("GHM",), covered=True)
    index = Companies.of([plain, Registrant(2, "Graham Holdings Co", ("GHC",))])
    assert found(index, "Graham revenue") == [("GHM",)]


def test_an_alias_of_admin_names_a_company():
    index = Companies.of([Registrant(1, "Northwind Instruments Corp", ("NWI",), aliases=("Nordwind",))])
    assert found(index, "nordwind revenue") == [("NWI",)]


def test_near_names_prefer_covered_companies():
    assert COMPANIES.near("Telsa") == ()
    assert [company.symbol for company in COMPANIES.near("Mikrosoft")] == ["MSFT"]


def test_a_reference_has_the_names_people_use():
    company = COMPANIES.get(60667)
    assert (company.short, company.symbol, company.covered) == ("Lowe's", "LOW", True)
    assert COMPANIES.get(1) is None
    assert [company.short for company in COMPANIES.examples()] == ["Apple", "Microsoft", "Amazon"]


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("V revenue 2023", "V"),
        ("LOW net sales fiscal 2023", "LOW"),
        ("target revenue 2023", "TGT"),
        ("boeing revenue fy23", "BA"),
        ("BA revenue", "BA"),
        ("Lowe's (LOW) revenue fy2023", "LOW"),
    ],
)
def test_a_word_is_a_company_where_it_can_be_nothing_else(question, symbol):
    assert line_of(question).split(" | ")[0] == symbol


@pytest.mark.parametrize(
    "question",
    ["low net sales fiscal 2023", "all revenue 2023", "it revenue 2023", "now revenue 2023"],
)
def test_a_word_that_only_looks_like_a_ticker_is_none(question):
    assert " | " not in line_of(question)


def test_the_letters_of_a_measure_are_no_tickers():
    assert line_of("How much did AMD spend on R&D in FY2021?") == "AMD | FY2021 | rnd"


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("Why was FedEx Freight revenue down in FY2025?", "FDX"),
        ("Is FedEx Freight being spun off?", "FDX"),
        ("What are the risks of FedEx Freight Holding Company?", "FDXF"),
        ("What are the risks of Coca-Cola Europacific?", "CCEP"),
        ("What are the risks of Apple Hospitality?", "APLE"),
    ],
)
def test_a_segment_is_part_of_the_held_company_and_a_whole_name_is_another(question, symbol):
    assert line_of(question).split(" | ")[0] == symbol


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("what is AIP at Palantir", "PLTR"),
        ("EU rules on AT&T", "T"),
        ("target DEI policies", "TGT"),
        ("What does Target earn from its credit card deal with TD?", "TGT"),
        ("how is GE exposed to BA production cuts", "GE"),
        ("wba opioid accrual", "Walgreens"),
    ],
)
def test_a_held_company_is_meant_by_its_letters_and_by_its_everyday_word(question, symbol):
    assert line_of(question).split(" | ")[0] == symbol


@pytest.mark.parametrize("question", ["graham revenue fy22", "Delta revenue 2023", "Independent Bank Corp revenue"])
def test_a_name_that_several_have_is_told_as_one(question):
    assert line_of(question).startswith("ambiguous_company")


@pytest.mark.django_db
def test_a_new_name_or_ticker_is_noticed():
    from filings.models import Company, Ticker

    company = Company.objects.create(cik=99999902, name="Westwind Lanterns Corp")
    ticker = Ticker.objects.create(company=company, symbol="NWIX")
    assert found(Companies.current(), "Westwind Lanterns revenue") == [("NWIX",)]
    Company.objects.filter(pk=company.pk).update(name="Southwind Tools Corp")
    assert found(Companies.current(), "Southwind Tools revenue") == [("NWIX",)]
    Ticker.objects.filter(pk=ticker.pk).update(symbol="SWTX9")
    assert found(Companies.current(), "Southwind Tools revenue") == [("SWTX9",)]


@pytest.mark.django_db
def test_the_tables_are_not_looked_at_before_every_question(monkeypatch):
    from filings.models import Company

    monkeypatch.setattr("agent.registrants.registrant_index.FRESH", 3600.0)
    Companies.forget()
    before = Companies.current()
    Company.objects.create(cik=99999903, name="Westwind Instruments Corp")
    assert Companies.current() is before
    Companies.forget()
    assert Companies.current().get(99999903) is not None


@pytest.mark.django_db
def test_the_index_follows_the_tables():
    from filings.models import Company, Ticker

    before = Companies.current()
    assert Companies.current() is before
    company = Company.objects.create(cik=99999901, name="Northwind Instruments Corp")
    Ticker.objects.create(company=company, symbol="NWIX")
    after = Companies.current()
    assert after is not before
    assert found(after, "NWIX revenue") == [("NWIX",)]
    assert not after.get(99999901).covered
    Company.objects.filter(pk=company.pk).update(facts_stored=12, aliases=["Nordwind Test"])
    assert Companies.current().get(99999901).covered
    assert found(Companies.current(), "Nordwind Test revenue") == [("NWIX",)]


@pytest.mark.django_db
def test_the_index_sees_one_company_switched_off_while_another_is_switched_on():
    from filings.models import Company

    Company.objects.create(cik=99999901, name="Northwind Instruments Corp", facts_stored=12)
    Company.objects.create(cik=99999902, name="Southwind Tools Corp", facts_stored=12, active=False)
    assert Companies.current().get(99999901).covered
    for cik, active in ((99999901, False), (99999902, True)):
        Company.objects.filter(cik=cik).update(active=active)
    now = Companies.current()
    assert (now.get(99999901).covered, now.get(99999902).covered) == (False, True)
