"""A small list of registrants, held and only registered, the registry and a day: what questions are read against."""

from dataclasses import replace
from datetime import date

from agent.numbers.registry import registry as registry_file
from agent.registrants.registrant_index import Companies, Registrant

TODAY = date(2026, 11, 21)
REGISTRY = registry_file.load()
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
COMPANIES = Companies.of(REGISTRANTS)

_HELD = {27419, 80424, 732717, 1067983, 63908}
WIDER = Companies.of(
    [
        *(replace(one, covered=one.covered or one.cik in _HELD) for one in REGISTRANTS),
        Registrant(1467858, "General Motors Co", ("GM",), covered=True),
        Registrant(40545, "GENERAL ELECTRIC CO", ("GE",), covered=True),
        Registrant(1321655, "Palantir Technologies Inc.", ("PLTR",), covered=True),
        Registrant(1618921, "Walgreens Boots Alliance, Inc.", (), covered=True),
        Registrant(320187, "NIKE, Inc.", ("NKE",), covered=True),
        Registrant(97476, "TEXAS INSTRUMENTS INC", ("TXN",), covered=True),
        Registrant(1318605, "Tesla, Inc.", ("TSLA",), covered=True),
        Registrant(72971, "WELLS FARGO & COMPANY/MN", ("WFC",), covered=True),
        Registrant(1874178, "Rivian Automotive, Inc. / DE", ("RIVN",)),
        Registrant(1046179, "TAIWAN SEMICONDUCTOR MANUFACTURING CO LTD", ("TSM",), foreign=True),
        Registrant(1667011, "Arteris, Inc.", ("AIP",)),
        Registrant(1500881, "enCore Energy Corp.", ("EU",)),
        Registrant(947263, "TORONTO DOMINION BANK", ("TD",)),
        Registrant(1364250, "Douglas Emmett Inc", ("DEI",)),
    ]
)
