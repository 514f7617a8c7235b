"""`manage.py ingest AAPL MSFT --years 2015- --forms 10-K,DEF14A`: loads companies' reports from EDGAR."""

import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from filings.edgar import registrants
from filings.edgar.client import Edgar, EdgarError
from filings.ingest import queue
from filings.models import FIRST_YEAR, Company, Ticker
from filings.models.source_kinds import kinds_filed


def read_years(text: str) -> tuple[int | None, int | None]:
    """(first, last) fiscal year of "2015-", "2019-2024", "2021" or "-2018"; raises CommandError."""
    match = re.fullmatch(r"(\d{4})?(-)?(\d{4})?", text.strip())
    first, dash, last = match.groups() if match else (None, None, None)
    if not (first or last) or (last and not dash):
        raise CommandError(f"--years takes 2015-, 2019-2024 or 2021, not {text!r}.")
    begin = int(first) if first else None
    years = begin, int(last) if last else (None if dash else begin)
    if years[0] and years[1] and years[0] > years[1]:
        raise CommandError(f"--years {text} ends before it begins.")
    return years


def read_forms(text: str | None) -> str | None:
    """The keys of the kinds in "10-k,DEF14A", as `Company.forms` has them; None where none are named. Raises
    CommandError.
    """
    if text is None:
        return None
    try:
        found = kinds_filed(name for name in text.split(",") if name.strip())
    except ValueError as error:
        raise CommandError(f"--forms: {error}") from error
    if not found:
        raise CommandError("--forms takes kinds of documents, such as 10-K,10-Q,8-K.")
    return ",".join(kind.key for kind in found)


class Command(BaseCommand):
    help = "Load the reports of companies from EDGAR: filings, facts, statements, text. A second run changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("companies", nargs="+", metavar="TICKER", help="Ticker symbols or CIKs of the companies.")
        parser.add_argument(
            "--years", default=f"{FIRST_YEAR}-", help="Fiscal years to load: 2015- (default), 2019-2024 or 2021."
        )
        parser.add_argument(
            "--forms",
            help="Kinds of documents to load and look for from then on: 10-K, 10-Q, 8-K, DEF14A, 20-F. Default: those "
            "named before for the company, else those of INGEST_FORMS.",
        )
        parser.add_argument("--queue", action="store_true", help="Let the worker load them, and return at once.")

    def handle(self, *args: Any, **options: Any) -> None:
        years, forms = read_years(options["years"]), read_forms(options["forms"])
        wanted, failed = self.find(options["companies"])
        for company in wanted:
            hand = self.hand_over if options["queue"] else self.ingest
            problem = hand(company, years, forms)
            if problem:
                failed.append(problem)
            wanted += [one for one in company.predecessors if one not in wanted]
        if failed:
            raise CommandError(
                "\n".join(
                    [f"{len(failed)} of {max(len(wanted), len(options['companies']))} could not be ingested:", *failed]
                )
            )

    def find(self, texts: list[str]) -> tuple[list[Company], list[str]]:
        """The companies named, and a sentence for each one still unknown after reloading SEC's ticker list."""
        found, unknown, fresh = [], [], False
        for text in texts:
            try:
                if not Ticker.objects.exists():
                    self.read_registrants()
                    fresh = True
                found.append(registrants.find_company(text))
            except registrants.UnknownCompany as error:
                try:
                    if not fresh:
                        self.read_registrants()
                        fresh = True
                    found.append(registrants.find_company(text))
                except (registrants.UnknownCompany, EdgarError) as again:
                    unknown.append(str(again if isinstance(again, registrants.UnknownCompany) else error))
        return found, unknown

    def read_registrants(self) -> None:
        """Store SEC's ticker list. Without it a CIK can still be ingested, so only a missing identity ends the run."""
        try:
            with Edgar() as edgar:
                registrants.store_registrants(edgar.company_tickers())
                registrants.store_foreign_registrants()
        except EdgarError as error:
            if not Ticker.objects.exists():
                raise CommandError(str(error)) from error
            raise

    def hand_over(self, company: Company, years: tuple[int | None, int | None], forms: str | None) -> str:
        if queue.enqueue(company, years, forms):
            self.stdout.write(f"{company}: queued.")
            return ""
        return f"{company}: is already waiting or being ingested."

    def ingest(self, company: Company, years: tuple[int | None, int | None], forms: str | None) -> str:
        """Ingest in this process; returns a sentence if it failed, else an empty text."""
        try:
            outcome = queue.work_at_once(company.pk, years, say=self.stdout.write, forms=forms)
        except KeyboardInterrupt:
            # Record it in the company's row, which would look busy until the next sweep.
            Company.objects.cancel(company.pk)
            raise CommandError(f"{company}: stopped; what is stored so far stays.") from None
        except Exception as error:  # recorded and logged by ingest(); the other companies are still done
            return f"{company}: unexpected {type(error).__name__}: {error}"
        if outcome is None:
            return f"{company}: another worker is ingesting it."
        if outcome.status != Company.Status.DONE:
            return outcome.message
        self.stdout.write(outcome.message)
        return ""
