"""The home page: the user's last answers and companies, or example questions for newcomers."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Max, Q
from django.db.models.functions import Lower

from accounts.identity import Identity
from agent.models import Run
from agent.models.watchlist import WatchedCompany, Watchlist
from agent.numbers.registry import registry
from agent.refusals import query_text
from agent.refusals.grammar import listed, possessive
from agent.steps import deps
from filings.edgar.registrant_names import everyday_name
from filings.models import Company, CompanyQuerySet, Filing
from filings.models.source_kinds import ANNUAL, CALL, CURRENT, NEWS, PROXY, QUARTERLY, REPORT
from filings.web import company_directory

MOST = 6
# Answers of a person from which on no examples are offered.
LAST_ANSWERS = 5
# Companies of a person that are listed.
OWN_COMPANIES = 8


class Kind(StrEnum):
    """The kind of an example; one of each is offered, in this order, a balance only where no text is loaded, and those of
    other documents than 10-Ks where one is.
    """

    FIGURE = "A figure"
    TREND = "A trend"
    RATIO = "A ratio"
    COMPARISON = "A comparison"
    GROWTH = "Growth"
    TEXT = "In the filing's words"
    BALANCE = "A balance"
    QUARTERLY = "In a 10-Q"
    RELEASE = "In an earnings release"
    PROXY = "In a proxy statement"
    CALL = "On an earnings call"
    REPORT = "In an imported file"
    NEWS = "In the news"


@dataclass(frozen=True)
class Example:
    """A question, offered while the companies it names are covered, and for text while the text is loaded."""

    kind: Kind
    question: str
    ciks: tuple[int, ...] = ()


# Which documents tell what an example asks.
TOLD_IN = {
    Kind.TEXT: ANNUAL,
    Kind.QUARTERLY: QUARTERLY,
    Kind.RELEASE: CURRENT,
    Kind.PROXY: PROXY,
    Kind.CALL: CALL,
    Kind.REPORT: REPORT,
    Kind.NEWS: NEWS,
}
# The first of a kind that can be asked is offered.
KNOWN = (
    Example(Kind.FIGURE, "What was Apple's R&D spend in FY2024?", (320193,)),
    Example(Kind.FIGURE, "NVIDIA revenue in fiscal 2024", (1045810,)),
    Example(Kind.FIGURE, "Microsoft net income in fiscal 2024, in billions", (789019,)),
    Example(Kind.TREND, "How did Apple's gross margin move in five years?", (320193,)),
    Example(Kind.TREND, "NVIDIA revenue CAGR 2019-2024", (1045810,)),
    Example(Kind.RATIO, "NVIDIA R&D as a percentage of revenue in fiscal 2025", (1045810,)),
    Example(Kind.RATIO, "Apple free cash flow margin in fiscal 2024", (320193,)),
    Example(Kind.COMPARISON, "Compare the operating margins of Apple and Microsoft, 2022 to 2024", (320193, 789019)),
    Example(Kind.COMPARISON, "Which of AMD and NVIDIA spent more on R&D in fiscal 2024?", (2488, 1045810)),
    Example(Kind.GROWTH, "How much did Amazon's revenue grow in fiscal 2024?", (1018724,)),
    Example(Kind.GROWTH, "JPMorgan total assets growth in fiscal 2024", (19617,)),
    Example(Kind.TEXT, "What supply risks did Northwind Instruments disclose in fiscal 2025?", (9999999901,)),
    Example(Kind.TEXT, "What are Northwind's critical accounting estimates in fiscal 2025?", (9999999901,)),
    Example(Kind.TEXT, "What risks does Calder Power Systems disclose about work stoppages?", (9999999903,)),
    Example(Kind.QUARTERLY, "When will the FDA decide on LH-401, according to Larkfield's 10-Q?", (9999999902,)),
    Example(
        Kind.RELEASE,
        "How many patients of the LH-417 trial have been enrolled, says Larkfield's press release?",
        (9999999902,),
    ),
    Example(
        Kind.PROXY,
        "How was the yearly bonus of Larkfield's officers measured, says the proxy statement?",
        (9999999902,),
    ),
    Example(Kind.CALL, "On the earnings call, will Larkfield close El Paso?", (9999999902,)),
    Example(Kind.REPORT, "Where does Galway's electricity come from, says Larkfield's fact sheet?", (9999999902,)),
)


# Kinds of other documents than 10-Ks.
OTHERS = frozenset(kind for kind, told in TOLD_IN.items() if told is not ANNUAL)


def examples() -> list[Example]:
    """One example of each kind about covered companies: a known one, or else one composed of common measures.

    Fewer than six only where no figure is loaded, and more where other documents than 10-Ks are. All of them have an
    answer, or a passage that has it.
    """
    ciks = {cik for one in KNOWN for cik in one.ciks}
    held = set(Company.objects.covered().filter(cik__in=ciks).values_list("cik", flat=True))
    read = set(Filing.objects.searched().filter(company__cik__in=ciks).values_list("company__cik", "source"))
    found: dict[Kind, Example] = {}
    for one in KNOWN:
        told = TOLD_IN.get(one.kind)
        if held.issuperset(one.ciks) and (told is None or any((cik, told.key) in read for cik in one.ciks)):
            found.setdefault(one.kind, one)
    if len(found.keys() - OTHERS) < MOST:
        for one in composed():
            found.setdefault(one.kind, one)
    if len(found.keys() - OTHERS) > MOST:
        del found[Kind.BALANCE]
    if name := with_news():
        found[Kind.NEWS] = Example(Kind.NEWS, f"What is the latest news about {name}?")
    return [found[kind] for kind in Kind if kind in found]


def with_news() -> str:
    """The company that the newest news is about, by its everyday name; empty where none is held."""
    held = Filing.objects.searched().filter(source=NEWS.key, company__in=Company.objects.askable())
    newest = held.order_by("-filed", "-pk").values_list("company__cik", "company__name").first()
    return everyday_name(*newest) if newest else ""


def composed() -> Iterator[Example]:
    """Examples about the first covered companies, in the SEC's order, on measures that every filer reports."""
    for name, year in newest(1, chunks_stored__gt=0):
        yield Example(Kind.TEXT, f"What risks does {name} disclose in fiscal {year}?")
    asked = newest(2, facts_stored__gt=0)
    if not asked:
        return
    name, year = asked[0]
    whose = possessive(name)
    income, assets, cash, ratio = (
        query_text.named(key, registry.load()) for key in ("net_income", "total_assets", "cash", "roa")
    )
    yield Example(Kind.FIGURE, f"What was {whose} {income} in fiscal {year}?")
    yield Example(Kind.TREND, f"How did {whose} {assets} move in five years?")
    yield Example(Kind.RATIO, f"{whose} {ratio} in fiscal {year}")
    if len(asked) > 1:
        both = min(last for _, last in asked)
        yield Example(Kind.COMPARISON, f"Compare the {income} of {listed([one for one, _ in asked])} in fiscal {both}")
    else:
        yield Example(Kind.COMPARISON, f"{whose} {income} and {assets} in fiscal {year}")
    yield Example(Kind.GROWTH, f"How much did {whose} {assets} grow in fiscal {year}?")
    yield Example(Kind.BALANCE, f"{whose} {cash} in fiscal {year}")


def newest(most: int, **held: int) -> list[tuple[str, int]]:
    """The first companies that can be asked about, by everyday name, each with its newest fiscal year.

    held: conditions on their filings.
    """
    filings = Filing.objects.answering().filter(company__active=True, **held).order_by("company")
    found = filings.values_list("company__cik", "company__name").annotate(last=Max("fiscal_year"))[:most]
    return [(everyday_name(cik, name), last) for cik, name, last in found]


def last_answers(identity: Identity) -> list[Run]:
    """The user's newest answered runs, without their answers; none for a newcomer, and then without a database query."""
    answered = Run.objects.visible_to(identity).filter(outcome=Run.Outcome.ANSWERED)
    return list(answered.order_by("-created").defer("answer", "taken")[:LAST_ANSWERS])


@dataclass(frozen=True)
class OwnCompanies:
    """Companies that somebody watches or has asked about: those shown, by name, and how many more."""

    shown: CompanyQuerySet
    more: int


def own_companies(identity: Identity) -> OwnCompanies | None:
    """Those asked about last, then others that are watched; None for a newcomer."""
    if identity.user is None and identity.visitor is None:
        return None
    runs = Run.objects.visible_to(identity).exclude(company="").order_by()
    asked = dict(runs.values_list("company").annotate(last=Max("created")))
    watched = WatchedCompany.objects.filter(watchlist__in=Watchlist.objects.visible_to(identity)).values("cik")
    own = Company.objects.askable().filter(Q(cik__in=watched) | Q(name__in=asked)).values_list("pk", "name")
    newest = sorted(own, key=lambda one: (one[1] in asked, asked.get(one[1])), reverse=True)
    shown = [pk for pk, _ in newest[:OWN_COMPANIES]]
    return OwnCompanies(company_directory.askable().filter(pk__in=shown), len(newest) - len(shown))


def open_to_visitors() -> list[str]:
    """Names of the covered companies that can be asked about without an account; empty where these are all of them."""
    ciks = deps.open_to_visitors()
    if ciks is None:
        return []
    held = Company.objects.covered().order_by(Lower("name")).values_list("cik", "name")
    names = [everyday_name(cik, name) for cik, name in held if cik in ciks]
    return names if len(names) < len(held) else []
