"""Three fictional issuers and the source of their annual reports: prose in 10-k.txt, every figure in figures.yaml.

One of them has a quarter too, first-quarter.yaml, and a 10-Q, an 8-K, a proxy statement, a call and a fact sheet.

`manage.py build_sample` renders them as an EDGAR folder would hold them. Nothing in them is of a real company.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
ISSUERS = ("northwind", "larkfield", "calder")
