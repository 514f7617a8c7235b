import re

import pytest

from agent.numbers.registry import registry
from agent.numbers.registry.concept import SEED_TAGS
from agent.numbers.registry.registry import Condition, Face, Fit, RegistryError, load, normalise, read
from agent.programs import checks

FILE = registry.PATH.read_text()


def edited(old: str, new: str) -> bytes:
    """The registry file with one place changed; the place must exist, or the test would prove nothing."""
    assert FILE.count(old) == 1, f"{FILE.count(old)} places hold {old!r}"
    return FILE.replace(old, new).encode()


# --- the file ---


def test_the_file_is_valid_and_read_once():
    assert load() is load()
    assert re.fullmatch(r"[0-9a-f]{12}", load().version)


def test_its_version_changes_with_any_byte():
    assert read(FILE.encode() + b"\n").version != load().version


@pytest.mark.parametrize(("key", "tags"), SEED_TAGS.items())
def test_a_seed_key_keeps_exactly_its_tags(key, tags):
    assert load().concepts[key].seed
    assert load().concepts[key].tags == tags


def test_every_concept_of_a_primary_statement_accepts_some_label():
    assert [key for key, one in load().concepts.items() if one.statements and not one.accept] == []


def test_every_label_pattern_stands_alone():
    for concept in load().concepts.values():
        for pattern in (*concept.accept, *concept.reject):
            re.compile(pattern)


def test_every_label_pattern_can_match_a_label_as_it_is_compared():
    # Labels are compared in lower case without punctuation: a pattern that wants a comma would never match.
    patterns = [pattern for one in load().concepts.values() for pattern in (*one.accept, *one.reject)]
    assert [pattern for pattern in patterns if re.search(r"[A-Z,;&']", re.sub(r"\\.", "", pattern))] == []


def test_revenue_tries_its_tags_in_the_stated_order():
    names = [candidate.name for candidate in load().concepts["revenue"].candidates[:4]]
    assert names == [
        "us-gaap:Revenues",
        "us-gaap:RevenuesNetOfInterestExpense",
        "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax",
        "us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax",
    ]


def test_a_tag_outside_us_gaap_keeps_its_taxonomy():
    assert load().concepts["shares_out_cover"].names == ("dei:EntityCommonStockSharesOutstanding",)


def test_each_kind_of_fallback_says_when_it_may_be_used():
    def conditions(key):
        return {candidate.name.partition(":")[2]: candidate.condition for candidate in load().concepts[key].candidates}

    assert conditions("net_income")["ProfitLoss"] is Condition.NO_NCI
    assert conditions("net_income")["NetIncomeLossAvailableToCommonStockholdersBasic"] is Condition.NO_PREFERRED
    assert conditions("cash")["CashAndDueFromBanks"] is Condition.ON_FACE
    assert conditions("inventory")["RetailRelatedInventoryMerchandise"] is Condition.ON_FACE
    assert conditions("cost_of_revenue")["CostOfGoodsSold"] is Condition.ABSENT
    assert conditions("ltd_noncurrent")["LongTermDebt"] is Condition.FACE_LABEL
    assert conditions("cash")["CashAndCashEquivalentsAtCarryingValue"] is None


def test_only_the_cash_flow_statement_answers_depreciation_and_amortization():
    concept = load().concepts["depreciation_amortization"]
    assert concept.face is Face.REQUIRED
    assert concept.statements == ("cashflow",)


@pytest.mark.parametrize(
    ("sic", "industries"),
    [
        ("6021", {"bank"}),
        ("6211", {"broker"}),
        ("6331", {"insurer"}),
        ("6324", set()),
        ("3571", set()),
        ("", set()),
        ("n/a", set()),
    ],
)
def test_it_tells_the_industry_by_sic_code(sic, industries):
    assert load().industries_of(sic) == industries


# --- aliases ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("R&D", "r and d"),
        ("  Selling, general   and administrative ", "selling general and administrative"),
        ("Stockholders\u2019 equity", "stockholders equity"),
        ("long-term debt", "long term debt"),
        ("gross margin %", "gross margin percent"),
        ("D/E ratio", "d e ratio"),
    ],
)
def test_aliases_are_compared_as_plain_words(text, words):
    assert normalise(text) == words


def test_an_alias_leads_to_its_key():
    assert load().aliases["r and d spend"] == ("rnd",)
    assert load().aliases["free cash flow"] == ("fcf",)


def test_words_with_several_readings_say_so():
    ambiguous = load().ambiguous
    assert ambiguous["shares outstanding"].concepts == ("shares_out", "shares_out_cover")
    assert ambiguous["total debt"].metrics == ("total_debt_all:balance_sheet",)
    assert ambiguous["profit"].ask


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("short-term debt", "short_term_borrowings"),
        ("long-term debt", "ltd_noncurrent"),
        ("stockholders' equity", "equity_incl_nci"),
        ("Total shareholders\u2019 equity", "equity_incl_nci"),
    ],
)
def test_what_a_balance_sheet_prints_under_the_same_words_is_shown_beside(words, printed):
    assert load().ambiguous[normalise(words)].mention_if_differs == (printed,)


# --- labels ---


@pytest.mark.parametrize(
    ("key", "label", "fit"),
    [
        ("revenue", "Total net sales", Fit.ACCEPTED),
        ("revenue", "REVENUES (Note 3)", Fit.ACCEPTED),
        ("revenue", "Revenues, net of interest expense", Fit.ACCEPTED),
        ("revenue", "Cost of revenues", Fit.REJECTED),
        ("revenue", "Deferred revenue", Fit.REJECTED),
        ("revenue", "Products", Fit.REJECTED),
        ("revenue", "Widget rentals", Fit.UNKNOWN),
        ("cost_of_revenue", "Cost of goods sold", Fit.ACCEPTED),
        ("cost_of_revenue", "Cost of sales (exclusive of depreciation)", Fit.ACCEPTED),
        ("cost_of_revenue", "Total costs and expenses", Fit.REJECTED),
        ("cost_of_revenue", "Total operating expenses", Fit.REJECTED),
        ("gross_profit", "Gross margin", Fit.ACCEPTED),
        ("rnd", "Research & development, net", Fit.ACCEPTED),
        ("rnd", "Technology and content", Fit.REJECTED),
        ("rnd", "Technology and infrastructure", Fit.REJECTED),
        ("rnd", "Acquired in-process research and development", Fit.REJECTED),
        ("rnd", "Research and development, excluding acquired in-process research and development", Fit.ACCEPTED),
        ("costs_and_expenses", "Total costs and expenses", Fit.ACCEPTED),
        ("costs_and_expenses", "Total operating expenses", Fit.UNKNOWN),
        ("interest_expense", "Interest expense", Fit.ACCEPTED),
        ("interest_expense", "Interest expense, net of capitalized interest of $5", Fit.ACCEPTED),
        ("interest_expense", "Interest expense, net", Fit.REJECTED),
        ("interest_expense", "Net interest expense", Fit.REJECTED),
        ("interest_expense", "Interest income", Fit.REJECTED),
        ("pretax_income", "(Loss) income before provision for income taxes", Fit.ACCEPTED),
        ("pretax_income", "Earnings before interest and income taxes", Fit.REJECTED),
        ("net_income", "Net (loss) income", Fit.ACCEPTED),
        ("net_income", "Net income attributable to Acme Corporation", Fit.ACCEPTED),
        ("net_income", "Net income attributable to noncontrolling interests", Fit.REJECTED),
        ("net_income", "Net income including noncontrolling interests", Fit.REJECTED),
        ("net_income", "Net income available to common stockholders", Fit.REJECTED),
        ("net_income_common", "Net income available to common stockholders", Fit.ACCEPTED),
        ("eps_diluted", "Diluted (in dollars per share)", Fit.ACCEPTED),
        ("eps_diluted", "Basic (in dollars per share)", Fit.REJECTED),
        ("eps_diluted", "Diluted, from discontinued operations", Fit.REJECTED),
        ("eps_basic", "Basic and diluted", Fit.ACCEPTED),
        ("shares_diluted_wa", "Weighted-average shares used in computing net loss per share, diluted", Fit.ACCEPTED),
        ("dividends_per_share", "Cash dividends declared per common share", Fit.ACCEPTED),
        ("dividends_per_share", "Dividends paid at a quarterly amount of $0.25 per share", Fit.REJECTED),
        ("cash", "Cash & cash equivalents", Fit.ACCEPTED),
        ("cash", "Cash, cash equivalents and restricted cash", Fit.UNKNOWN),
        ("cash", "Cash and cash equivalents, end of year", Fit.REJECTED),
        ("inventory", "Merchandise inventories", Fit.ACCEPTED),
        ("inventory", "Finished goods", Fit.REJECTED),
        ("accounts_payable", "Accounts payable", Fit.ACCEPTED),
        ("accounts_payable", "Accounts payable and accrued liabilities", Fit.REJECTED),
        ("deferred_revenue_current", "Deferred revenue, current portion", Fit.ACCEPTED),
        ("deferred_revenue_current", "Customer deposits", Fit.REJECTED),
        ("deferred_revenue_current", "Deferred revenue, noncurrent", Fit.REJECTED),
        ("ltd_current", "Current portion of long-term debt", Fit.ACCEPTED),
        ("ltd_current", "Long-term debt, net of current portion", Fit.REJECTED),
        ("ltd_noncurrent", "Long-term debt, net of current portion", Fit.ACCEPTED),
        ("ltd_noncurrent", "Current portion of long-term debt", Fit.REJECTED),
        ("ltd_noncurrent", "Debt maturing within one year", Fit.REJECTED),
        ("equity", "Total shareholders\u2019 equity", Fit.ACCEPTED),
        ("equity", "Total liabilities and shareholders\u2019 equity", Fit.REJECTED),
        ("cfo", "Net cash provided by (used in) operating activities", Fit.ACCEPTED),
        ("cfo", "Net cash provided by financing activities", Fit.REJECTED),
        ("capex", "Purchases of property, plant and equipment", Fit.ACCEPTED),
        ("capex", "Proceeds from sales of property and equipment", Fit.REJECTED),
        ("depreciation_amortization", "Depreciation and amortization", Fit.ACCEPTED),
        ("depreciation_amortization", "Depreciation, amortization and other", Fit.UNKNOWN),
        ("dividends_paid", "Dividends paid to preferred stockholders", Fit.REJECTED),
        ("dividends_paid", "Cash dividends paid", Fit.ACCEPTED),
        ("share_repurchases", "Repurchases of common stock", Fit.ACCEPTED),
        ("taxes_paid", "Cash paid for income taxes, net", Fit.ACCEPTED),
        ("taxes_paid", "Income taxes", Fit.UNKNOWN),
        ("shares_diluted_wa", "Outstanding options having no dilutive effect", Fit.REJECTED),
        ("restructuring", "Restructuring charges/other", Fit.ACCEPTED),
        ("net_income_incl_nci", "Net income attributable to Acme Corporation", Fit.REJECTED),
        ("net_income_incl_nci", "Net income before attribution to noncontrolling interests", Fit.ACCEPTED),
        ("other_income", "Other income (expense), net", Fit.ACCEPTED),
        ("other_income", "Total non-operating income (expense)", Fit.UNKNOWN),
        ("other_income", "Total other expense, net", Fit.UNKNOWN),
        ("total_assets", "", Fit.UNKNOWN),
    ],
)
def test_a_printed_label_is_accepted_rejected_or_unknown(key, label, fit):
    assert load().concepts[key].fit(label) is fit


TOTALS = [
    "Total revenues",
    "Gross profit",
    "Operating income",
    "Net income",
    "Total assets",
    "Total liabilities",
    "Total current assets",
    "Total current liabilities",
    "Total liabilities and stockholders' equity",
    "Inventories",
    "Goodwill",
    "Net cash provided by operating activities",
    "Net cash used in investing activities",
    "Net cash used in financing activities",
]


@pytest.mark.parametrize("label", TOTALS)
def test_a_plain_total_is_accepted_by_one_measure_only(label):
    fitting = {key for key, one in load().concepts.items() if one.fit(label) is Fit.ACCEPTED}
    # With no noncontrolling interest the two net incomes are one line.
    assert len(fitting - {"net_income_incl_nci"}) == 1


# --- faults ---


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    tags: [Assets]\n", "    tags: [Assets, AssetsNet]\n", r"concepts\.total_assets\.tags: a seed key keeps"),
        (
            "    tags: [Goodwill]\n",
            "    tags: [good will]\n",
            r"concepts\.goodwill\.tags\.0: 'good will' is not a tag",
        ),
        ("    tags: [Goodwill]\n", "    tags: []\n", r"concepts\.goodwill\.tags: "),
        ("    tags: [Goodwill]\n", "    tags: [Goodwill]\n    colour: red\n", r"concepts\.goodwill\.colour: "),
        (
            "    tags: [Goodwill]\n",
            "    tags: [Goodwill, Goodwill]\n",
            r"concepts\.goodwill\.tags: us-gaap:Goodwill list",
        ),
        ("    tags: [Goodwill]\n", "    tags: [Goodwill]\n    tags: [Assets]\n", r"line \d+: 'tags' is written twice"),
        ("    aliases: [goodwill]\n", "    aliases: [goodwill, inventories]\n", r"aliases: 'inventories' means"),
        (
            "    aliases: [goodwill]\n",
            "    aliases: [goodwill, '-']\n",
            r"concepts\.goodwill\.aliases: an alias without",
        ),
        ('["revenue - cost_of_revenue"]', '["revenue -"]', r"concepts\.gross_profit\.derive\.0: .* at position 9"),
        ('["revenue - cost_of_revenue"]', '["revenue - costs"]', r"concepts\.gross_profit\.derive: nothing is called"),
        ('["revenue - cost_of_revenue"]', '["revenue - fcf"]', r"concepts\.gross_profit\.derive: nothing is called"),
        ('expr: "cfo - capex"', 'expr: "cfo - fcf_margin"', r"metrics\.fcf\.expr: defined by itself"),
        ('expr: "cfo / net_income"', 'expr: "dpo:never / cfo"', r"metrics\.earnings_quality\.expr: nothing is called"),
        (
            "beside: including_accrued",
            "beside: excluding",
            r"concepts\.accounts_payable\.beside: 'excluding' is not in",
        ),
        (
            '"total_assets == liabilities_and_equity"',
            '"total_assets"',
            r"identities\.0\.expr: 'total_assets' compares",
        ),
        ('"total_assets == liabilities_and_equity"', '"assets == debt"', r"identities\.BS1: no concept 'assets'"),
        ("{id: BS7,", "{id: BS1,", r"identities\.BS1\.id: used twice"),
        (
            "profit: {concepts: [gross_profit,",
            "profit: {concepts: [profits,",
            r"ambiguous_terms\.profit: no concept 'prof",
        ),
        ("format: 1", "format: 2", r"format: "),
        (
            "[bank, insurer, broker]",
            "[bank, insurer, casino]",
            r"concepts\.gross_profit\.not_meaningful_for: no industry",
        ),
        ("(total )?gross (", "(total )?Gross (", r"concepts\.gross_profit\.accept\.0: .* has capitals"),
        (
            "wider: '\\bother current assets\\b'",
            "wider: '\\bother (current assets\\b'",
            r"concepts\.other_current_assets\.wider: .* is not a regular expression",
        ),
        (
            "(total )?gross (",
            "(total )?gross ((",
            r"concepts\.gross_profit\.accept: .* is not a regular expression",
        ),
    ],
)
def test_a_fault_is_named_by_key_and_field(old, new, message):
    with pytest.raises(RegistryError, match=message):
        read(edited(old, new))


@pytest.mark.parametrize("source", [b"", b"[]", b"concepts: [", b"\xff\xfe"])
def test_what_is_no_registry_at_all_is_refused(source):
    with pytest.raises(RegistryError):
        read(source)


def test_a_missing_seed_key_is_named():
    renamed = edited("\n  rnd:\n", "\n  research:\n").replace(b'"rnd / revenue"', b'"research / revenue"')
    with pytest.raises(RegistryError, match=r"concepts\.research\.seed: not a key of the seed whitelist"):
        read(renamed)
    with pytest.raises(RegistryError, match=r"concepts\.rnd: missing, it is a seed key"):
        read(renamed.replace(b"label: Research and development expense\n    seed: true", b"label: Research"))


@pytest.fixture
def another_file(tmp_path, monkeypatch):
    """Points the registry at a copy; the cache is emptied before and after."""

    def use(content: bytes) -> None:
        path = tmp_path / "registry.yaml"
        path.write_bytes(content)
        monkeypatch.setattr(registry, "PATH", path)
        load.cache_clear()

    yield use
    load.cache_clear()


def test_the_system_check_passes_on_the_shipped_file():
    assert checks.check_registry() == []


def test_the_system_check_refuses_an_invalid_file(another_file):
    another_file(edited("    tags: [Goodwill]\n", "    tags: [good will]\n"))
    [error] = checks.check_registry()
    assert error.id == "agent.E001"
    assert "concepts.goodwill.tags.0" in error.msg
    assert "registry.yaml" in error.hint


def test_the_system_check_refuses_a_file_that_is_not_there(another_file, tmp_path):
    another_file(b"")
    (tmp_path / "registry.yaml").unlink()
    load.cache_clear()
    assert [error.id for error in checks.check_registry()] == ["agent.E001"]
