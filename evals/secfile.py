"""SEC's own files, read without the product's code: what an answer's number is held against."""

import json
import lzma
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from evals.golden import Golden

SAMPLE = Path(settings.BASE_DIR) / "filings" / "sample"


class SecFile:
    """The companyfacts files of a folder in SEC's layout, each file compressed with xz."""

    def __init__(self, root: Path = SAMPLE) -> None:
        self.root = root
        self._facts = lru_cache(maxsize=None)(self._read)

    def holds(self, cik: int, accession: str, name: str, unit: str, start: date, end: date, value: Decimal) -> bool:
        """Whether the file has this very number for tag, unit and period in this accession."""
        return value in self._facts(cik).get((accession, name, unit, start, end), ())

    def disagreement(self, golden: Golden) -> str:
        """What of a golden's pointer and literal do not agree, or empty."""
        for value in golden.values:
            at = value.pointer
            if value.literal.size != abs(value.value):
                return f"{golden.id}: the literal {value.literal.figure} is not {value.value}"
            name, start = f"{at.taxonomy}:{at.tag}", at.start or at.end
            if not self.holds(at.cik, at.accession, name, at.unit, start, at.end, value.value):
                return f"{golden.id}: {name} of {at.accession} is not {value.value} in SEC's file"
        return ""

    def _read(self, cik: int) -> dict[tuple[str, str, str, date, date], set[Decimal]]:
        path = self.root / "api" / "xbrl" / "companyfacts" / f"CIK{cik:010d}.json.xz"
        if not path.is_file():
            # Not of the sample: ingested besides.
            return {}
        data = json.loads(lzma.decompress(path.read_bytes()), parse_float=Decimal, parse_int=Decimal)
        found: dict[tuple[str, str, str, date, date], set[Decimal]] = {}
        for taxonomy, tags in data["facts"].items():
            for tag, entry in tags.items():
                for unit, rows in entry["units"].items():
                    for row in rows:
                        end = date.fromisoformat(row["end"])
                        start = date.fromisoformat(row["start"]) if row.get("start") else end
                        key = (row["accn"], f"{taxonomy}:{tag}", unit, start, end)
                        found.setdefault(key, set()).add(Decimal(row["val"]))
        return found
