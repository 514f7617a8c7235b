"""A small list of registrants, and questions read against it without a database."""

from collections.abc import Callable
from datetime import date

import pytest
from agent.language.misread import Misread
from agent.language.reading import read

from agent.numbers import registry as registry_file
from agent.numbers.registry import Registry
from agent.registrants.companies import Companies, Registrant
from agent.state import Plan

TODAY = date(2026, 11, 21)
REGISTRANTS = (
    Registrant(320193, "Apple Inc.", ("AAPL",), former=("APPLE COMPUTER INC",), covered=True),
    Registrant(789019, "MICROSOFT CORP", ("MSFT",), covered=True),
    Registrant(1018724, "AMAZON COM INC", ("AMZN",), covered=True),
    Registrant(19617, "JPMORGAN CHASE & CO", ("JPM", "JPM-PC", "VYLD"), covered=True),
    Registrant(2488, "ADVANCED MICRO DEVICES INC", ("AMD",), covered=True),
    Registrant(60667, "LOWES COMPANIES INC", ("LOW",), covered=True),
    Registrant(823768, "WASTE MANAGEMENT INC", ("WM",), covered=True),
    Registrant(829224, "STARBUCKS CORP", ("SBUX",), covered=True),
    Registrant(1045810, "NVIDIA CORP", ("NVDA",), covered=True),
    Registrant(1403161, "VISA INC.", ("V",), covered=True),
    Registrant(1652044, "Alphabet Inc.", ("GOOGL", "GOOG"), covered=True),
    Registrant(1326801, "Meta Platforms, Inc.", ("META",), former=("Facebook Inc",), covered=True),
    Registrant(1048911, "FEDEX CORP", ("FDX",), covered=True),
    Registrant(2082247, "FedEx Freight Holding Company, Inc.", ("FDXF",)),
    Registrant(1650107, "COCA-COLA EUROPACIFIC PARTNERS plc", ("CCEP",)),
    Registrant(21344, "COCA COLA CO", ("KO",), covered=True),
    Registrant(63908, "MCDONALDS CORP", ("MCD",)),
    Registrant(27419, "TARGET CORP", ("TGT",)),
    Registrant(12927, "BOEING CO", ("BA",)),
    Registrant(80424, "PROCTER & GAMBLE Co", ("PG",)),
    Registrant(732717, "AT&T INC.", ("T", "T-PC")),
    Registrant(1067983, "BERKSHIRE HATHAWAY INC", ("BRK-B", "BRK-A")),
    Registrant(1418121, "Apple Hospitality REIT, Inc.", ("APLE",)),
    Registrant(1477333, "Cloudflare, Inc.", ("NET",)),
    Registrant(749251, "GARTNER INC", ("IT",)),
    Registrant(1090872, "AGILENT TECHNOLOGIES, INC.", ("A",)),
    Registrant(716314, "GRAHAM CORP", ("GHM",)),
    Registrant(104889, "Graham Holdings Co", ("GHC",)),
    Registrant(776901, "INDEPENDENT BANK CORP", ("INDB",)),
    Registrant(39311, "INDEPENDENT BANK CORP /MI/", ("IBCP",)),
    Registrant(27904, "DELTA AIR LINES, INC.", ("DAL",)),
    Registrant(1168455, "Delta Apparel, Inc", ("DLA",)),
    Registrant(85961, "RYDER SYSTEM INC", ("R",)),
    Registrant(715957, "DOMINION ENERGY, INC", ("D",)),
    Registrant(746598, "BRADY CORP", ("BRC",)),
    Registrant(1891101, "BRC Inc.", ("BRCC",)),
    Registrant(1576940, "RE/MAX Holdings, Inc.", ("RMAX",)),
    Registrant(1571123, "Total Return Securities Fund", ("SWZ",)),
    Registrant(1333986, "Eaton Vance Tax-Managed Global Diversified Equity Income Fund", ("EXG",)),
    Registrant(1094517, "TOYOTA MOTOR CORP/", ("TM",), foreign=True),
)

Ask = Callable[[str], Plan | Misread]


@pytest.fixture(scope="session")
def companies() -> Companies:
    return Companies.of(REGISTRANTS)


@pytest.fixture(scope="session")
def registry() -> Registry:
    return registry_file.load()


@pytest.fixture(scope="session")
def ask(companies: Companies, registry: Registry) -> Ask:
    """The plan of a question, or why there is none."""
    return lambda question: read(question, companies, registry, TODAY)


def told(found: Plan | Misread) -> tuple[object, ...]:
    """What was read, in short: (symbol, asserted keys, period form, year or end), or (refusal code,)."""
    if isinstance(found, Misread):
        return (found.code.value,)
    if not found.targets:
        return ("meta", found.meta)
    target = found.targets[0]
    keys = tuple(reading.concept for reading in target.readings if not reading.mention)
    when = target.period.year or (str(target.period.end) if target.period.end else None)
    return (target.company.symbol, keys, target.period.form.value, when)
