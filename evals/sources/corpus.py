"""Loads the documents that the questions of this folder ask about: from ../shared, through the doors that people use.

python -m evals.sources.corpus [TICKER ... | calls]

10-Qs, 8-Ks with their releases, proxy statements and each company's newest 10-K come from a local EDGAR, calls by the
import. A second run loads what is missing.
"""

import csv
import json
import lzma
import os
import sys
from collections.abc import Iterator
from datetime import date
from typing import Any

import django
from django.db.models.functions import Length

from evals.sources.check import FORMS, questions

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from evals import mirror
from filings.edgar.client import Edgar
from filings.edgar.registrants import find_company, store_registrants
from filings.importing.document_fields import DocumentFields, ImportRefused
from filings.importing.importing import import_document
from filings.ingest import queue
from filings.models import Company, Filing
from filings.models.source_kinds import ANNUAL, CALL, kind_of_form

SHARED = FORMS.parent
# Companies of calls that the SEC's list does not name get keys behind all of its own.
FIRST_OWN_CIK = 9_000_000_000
COLUMNS = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument")


def listed() -> dict[int, list[dict[str, str]]]:
    """The rows of the forms' list by CIK."""
    found: dict[int, list[dict[str, str]]] = {}
    with (FORMS / "forms.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(int(row["cik"]), []).append(row)
    return found


def local_edgar() -> Any:
    """The local EDGAR of ../shared, which also lists the forms that SEC's lists there end before, and names exhibits."""
    serve, forms = mirror.serving(), listed()
    types = {(row["accession"], row["primary_doc"]): row["document_type"] for rows in forms.values() for row in rows}

    class WithForms(serve.Edgar):  # type: ignore[misc, name-defined]
        def read(self, path: str) -> Any:
            found = super().read(path)
            if found is None or not path.startswith("submissions/CIK"):
                return found
            record = json.loads(found[0])
            recent = record["filings"]["recent"]
            held = set(recent["accessionNumber"])
            for row in forms.get(int(record["cik"]), ()):
                if row["accession"] not in held and row["document_type"] == row["form"]:
                    told = (row["accession"], row["form"], row["filed"], row["period"], row["primary_doc"])
                    named = dict(zip(COLUMNS, told, strict=True)) | {
                        "items": "2.02,9.01" if row["form"] == "8-K" else ""
                    }
                    for name, column in recent.items():
                        # What nobody reads, such as the size, is that of another filing.
                        column.append(named.get(name, column[0] if column else ""))
            return json.dumps(record).encode(), found[1]

        def submission(self, cik: int, accession: str) -> Any:
            found = super().submission(cik, accession)
            if found is None:
                return None
            text = found[0].decode()
            for (of, name), kind in types.items():
                if of == accession:
                    head, mark, rest = text.partition(f"\n<FILENAME>{name}\n")
                    before, _, sequence = head.rpartition("<TYPE>")
                    text = f"{before}<TYPE>{kind}\n{sequence.partition(chr(10))[2]}{mark}{rest}" if mark else text
            return text.encode(), found[1]

    return WithForms((SHARED / "edgar/mirror", FORMS / "mirror"))


def ingest(symbols: list[str]) -> Iterator[str]:
    """Each company's forms, and its newest 10-K; where releases of it are asked about, which print the figures of fourth
    quarters, those of 2022 and after. Says what was loaded.
    """
    if not Company.objects.exists():
        with Edgar() as edgar:
            store_registrants(edgar.company_tickers())
    rows = [row for rows in listed().values() for row in rows]
    ciks = {row["ticker"]: row["cik"] for row in rows}
    released = {row["ticker"] for row in rows if row["form"] == "8-K"}
    for symbol in symbols:
        company = find_company(ciks.get(symbol, symbol))
        first = 2022 if symbol in released else 2025
        for years, forms in (((first, None), "10-K,10-Q,8-K,DEF 14A,20-F"), ((2015, None), "10-Q,8-K,DEF 14A,20-F")):
            Company.objects.cancel(company.pk)
            Company.objects.enqueue(company.pk, years, forms)
            outcome = queue.work(company.pk)
            yield outcome.message if outcome else f"{company} is held by another worker."


def import_calls() -> Iterator[str]:
    """The calls of ../shared that questions ask about."""
    asked = SHARED / "questions/sources/calls.jsonl"
    documents = {row["document"]: row for row in map(json.loads, asked.read_text(encoding="utf-8").splitlines())}
    for number, (name, row) in enumerate(sorted(documents.items())):
        named = Company.objects.filter(name__istartswith=row["company"].split(" of ")[0])
        company = named.order_by(Length("name"), "cik").first()
        if company is None:
            company, _ = Company.objects.get_or_create(
                cik=FIRST_OWN_CIK + number, defaults={"name": row["company"], "active": True}
            )
        year, quarter = row["period"].split("Q")
        fields = DocumentFields(company, CALL, int(year), int(quarter))
        content = (SHARED / "transcripts" / name).read_bytes()
        for given in (
            fields,
            DocumentFields(company, CALL, int(year), int(quarter), day_after(int(year), int(quarter))),
        ):
            try:
                yield f"{import_document(content, name, given).filing}"
                break
            except ImportRefused as refused:
                if refused.field != "date" or given is not fields:
                    yield f"{name}: {refused.field}: {refused.why}"


def import_unlisted(symbols: list[str]) -> Iterator[str]:
    """The forms of companies that the local EDGAR does not list, as files that a person brings."""
    for cik, rows in listed().items():
        for row in rows:
            kind = kind_of_form(row["form"])
            asked = row["ticker"] in symbols or (not row["ticker"] and row["form"] == "20-F")
            if not asked or kind is None or kind is ANNUAL or row["form"].endswith("/A"):
                continue
            if Filing.objects.filter(accession=row["accession"], chunks_stored__gt=0).exists():
                continue
            company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": row["company"]})
            content = lzma.decompress((FORMS / "mirror" / f"{row['mirror_path']}.xz").read_bytes())
            period = date.fromisoformat(row["period"]) if row["period"] else None
            quarter = (period.month - 1) // 3 + 1 if period and kind.span == "quarter" else None
            day = date.fromisoformat(row["filed"])
            year = period.year if period and kind.span != "day" else None
            # The document tells its period, in the company's own calendar where a 10-K of it is held.
            stated = DocumentFields(company, kind, day=day)
            for fields in (stated, DocumentFields(company, kind, year, quarter, day)):
                try:
                    yield f"{import_document(content, row['primary_doc'], fields).filing}"
                    break
                except ImportRefused as refused:
                    if refused.field != "period" or fields is not stated:
                        yield f"{row['accession']}: {refused.field}: {refused.why}"


def day_after(year: int, quarter: int) -> date:
    """The day after which the calls of a calendar quarter are held, for those that name none."""
    return date(year + quarter // 4, (3 * quarter) % 12 + 1, 28)


def main(symbols: list[str]) -> int:
    if not FORMS.is_dir():
        sys.stderr.write("../shared/forms is not there: nothing is loaded.\n")
        return 0
    named = symbols or list(dict.fromkeys(row.ticker for row in questions() if row.ticker))
    named = [] if symbols == ["calls"] else named
    with local_edgar() as server, mirror.pointed(server.url, INGEST_RECENT_YEARS=30, INGEST_FILING_DEADLINE=0):
        for line in ingest(named):
            print(line, flush=True)
        if not symbols or not named:
            for line in (*import_calls(), *import_unlisted([row.ticker for row in questions() if row.ticker])):
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
