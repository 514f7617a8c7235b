"""More companies that are held, and some that are only registered, for questions that name two."""

from dataclasses import replace

from agent.registrants.companies import Companies, Registrant
from tests.agent.language.conftest import REGISTRANTS

_HELD = {27419, 80424, 732717, 1067983, 63908}
WIDER = Companies.of(
    [
        *(replace(one, covered=one.covered or one.cik in _HELD) for one in REGISTRANTS),
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
