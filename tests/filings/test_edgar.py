"""Downloads: validated, retried, kept, and never fetched twice where they cannot change."""

import email.utils
import time
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from filings.edgar.client import Edgar, Invalid, NotFound, NotIdentified, Unavailable, check_json
from filings.edgar.raw_files import RawStore
from filings.models import RawFile
from tests.support.edgar import Filer, LocalEdgar, Report, filer
from tests.support.local_server import Fault

LIST = r"submissions/CIK"
TICKERS = "files/company_tickers.json"


class PatientEdgar(Edgar):
    """Notes how long it would have slept, and does not."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.slept: list[float] = []
        super().__init__(*args, **kwargs)

    def sleep(self, seconds: float) -> None:
        self.beat()
        if seconds > 0.05:  # the limiter's own pauses are a thousandth of a second here
            self.slept.append(seconds)


def tickers(source: Edgar) -> list[str]:
    return [row.symbol for row in source.company_tickers()]


@pytest.mark.parametrize("identity", ["", "Jane Roe", "jane@example.com", "   ", "Jane jane@roe@example.com"])
def test_it_asks_for_a_name_and_an_address(edgar: LocalEdgar, settings: Settings, identity: str) -> None:
    settings.EDGAR_IDENTITY = identity
    with pytest.raises(NotIdentified, match="EDGAR_IDENTITY"):
        Edgar()
    assert edgar.requests == []


def test_it_says_so_when_edgar_refuses_the_identity(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.faults = [Fault(TICKERS, status=403, body=b"Undeclared Automated Tool")]
    with PatientEdgar() as source, pytest.raises(NotIdentified, match="refuses the identity"):
        source.company_tickers()
    assert edgar.asked(TICKERS) == [403]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(TICKERS, times=2, status=503),
        Fault(TICKERS, times=2, status=429),
        Fault(TICKERS, times=2, status=403, body=b"Request Rate Threshold Exceeded"),
        Fault(TICKERS, times=2, status=200, body=b"<html>Request Rate Threshold Exceeded</html>"),
        Fault(TICKERS, times=2, truncate=20),
    ],
    ids=["503", "429", "403 for the rate", "a page with 200", "cut"],
)
def test_it_tries_again_until_edgar_answers(edgar: LocalEdgar, widgets: Filer, fault: Fault) -> None:
    edgar.faults = [fault]
    with PatientEdgar() as source:
        assert tickers(source) == ["TWIDG"]
        assert len(source.slept) == 2
    assert len(edgar.asked(TICKERS)) == 3


def test_it_tries_again_after_silence(edgar: LocalEdgar, widgets: Filer, settings: Settings) -> None:
    settings.EDGAR_TIMEOUT = 0.2
    edgar.faults = [Fault(TICKERS, delay=0.6)]
    with PatientEdgar() as source:
        assert tickers(source) == ["TWIDG"]
        assert len(source.slept) == 1


def test_it_tries_a_cut_submission_again(edgar: LocalEdgar, widgets: Filer) -> None:
    report = widgets.reports[0]
    whole = edgar.files[widgets.container_path(report)]
    edgar.faults = [Fault(r"\.txt", status=200, body=whole[:-30])]
    with PatientEdgar() as source:
        container = source.filing_documents(widgets.cik, widgets.accession(report))
        assert len(source.slept) == 1
    assert [document.filename for document in container.documents] == ["exhibit.htm", "twi-20221231.htm"]


def test_it_waits_longer_each_time(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.faults = [Fault(TICKERS, times=4, status=503)]
    with PatientEdgar() as source:
        source.company_tickers()
        assert source.slept[3] > source.slept[0]
        # Exponential from one second, with up to a second of jitter.
        for pause, least in zip(source.slept, (1, 2, 4, 8), strict=True):
            assert least <= pause <= least + 1


@pytest.mark.parametrize(("asked", "least", "most"), [("7", 7, 8), ("86400", 100, 120), ("soon", 0.5, 2.1)])
def test_it_waits_as_long_as_edgar_asks_within_reason(
    edgar: LocalEdgar, widgets: Filer, asked: str, least: float, most: float
) -> None:
    edgar.faults = [Fault(TICKERS, status=429, headers={"Retry-After": asked})]
    with PatientEdgar() as source:
        source.company_tickers()
        assert least <= source.slept[0] <= most


def test_it_understands_a_date_to_wait_for(edgar: LocalEdgar, widgets: Filer) -> None:
    at = email.utils.format_datetime(datetime.fromtimestamp(time.time() + 40, UTC), usegmt=True)
    edgar.faults = [Fault(TICKERS, status=503, headers={"Retry-After": at})]
    with PatientEdgar() as source:
        source.company_tickers()
        assert 35 <= source.slept[0] <= 41


def test_it_gives_up_with_a_retryable_error(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.faults = [Fault(TICKERS, times=99, status=503)]
    with PatientEdgar() as source, pytest.raises(Unavailable, match="503") as caught:
        source.company_tickers()
    assert caught.value.retryable
    assert len(edgar.asked(TICKERS)) == Edgar.attempts
    assert not RawFile.objects.exists()


def test_it_stops_waiting_when_the_beat_says_so(edgar: LocalEdgar, widgets: Filer) -> None:
    class StopError(Exception):
        pass

    def beat() -> None:
        if edgar.requests:
            raise StopError

    edgar.faults = [Fault(TICKERS, times=99, status=503, headers={"Retry-After": "100"})]
    with Edgar(beat=beat) as source, pytest.raises(StopError):
        source.company_tickers()
    assert len(edgar.asked(TICKERS)) == 1


def test_it_does_not_ask_again_for_what_is_not_there(edgar: LocalEdgar, widgets: Filer) -> None:
    with PatientEdgar() as source:
        assert source.submissions(42) is None
        assert source.companyfacts(42) is None
        with pytest.raises(NotFound):
            source.filing_documents(42, "0000000042-24-000001")
    assert [status for _, status in edgar.requests] == [404, 404, 404]


def test_it_never_follows_a_redirect_to_another_host(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.faults = [Fault(TICKERS, status=302, headers={"Location": "http://elsewhere.example/tickers.json"})]
    with PatientEdgar() as source, pytest.raises(Invalid, match=r"elsewhere\.example"):
        source.company_tickers()


def test_it_follows_a_redirect_on_the_same_host(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.put("files/moved.json", edgar.files[TICKERS])
    edgar.faults = [Fault(TICKERS, status=301, headers={"Location": "/files/moved.json"})]
    with PatientEdgar() as source:
        assert tickers(source) == ["TWIDG"]


def test_it_stops_following_a_circle(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.faults = [Fault(TICKERS, times=99, status=302, headers={"Location": f"/{TICKERS}"})]
    with PatientEdgar() as source, pytest.raises(Invalid, match="circle"):
        source.company_tickers()


def test_it_fetches_a_container_once_for_ever(edgar: LocalEdgar, widgets: Filer) -> None:
    accession = widgets.accession(widgets.reports[0])
    for _ in range(2):
        with Edgar() as source:
            assert source.filing_documents(widgets.cik, accession).form == "10-K"
    assert edgar.asked(r"\.txt") == [200]


def test_it_asks_whether_a_list_has_changed(edgar: LocalEdgar, widgets: Filer) -> None:
    for reports in (3, 3, 4):
        if reports == 4:
            widgets.reports.append(Report(datetime(2025, 12, 31, tzinfo=UTC).date()))
            widgets.publish(edgar)
        with Edgar() as source:
            submissions = source.submissions(widgets.cik)
            assert submissions is not None
            assert len(submissions.filings) == reports
    assert edgar.asked(LIST) == [200, 304, 200]


def test_it_fetches_again_what_was_damaged_on_disk(edgar: LocalEdgar, widgets: Filer) -> None:
    accession = widgets.accession(widgets.reports[0])
    store = RawStore()
    for damage in (b"not xz at all", None):
        with Edgar() as source:
            source.filing_documents(widgets.cik, accession)
        path = store.path(RawFile.objects.get(url__endswith=".txt").sha256)
        if damage:
            path.write_bytes(damage)
        else:
            path.unlink()
    with Edgar() as source:
        source.filing_documents(widgets.cik, accession)
    assert edgar.asked(r"\.txt") == [200, 200, 200]


def test_it_notices_bytes_of_another_file_under_a_name(edgar: LocalEdgar, widgets: Filer) -> None:
    with Edgar() as source:
        first, second = (
            source.filing_documents(widgets.cik, widgets.accession(report)).accession for report in widgets.reports[:2]
        )
        store = RawStore()
        paths = [store.path(RawFile.objects.get(url__contains=accession).sha256) for accession in (first, second)]
        paths[0].write_bytes(paths[1].read_bytes())
        assert source.filing_documents(widgets.cik, first).accession == first
    assert edgar.asked(f"{first}.txt") == [200, 200]


def test_it_keeps_nothing_that_was_not_whole(edgar: LocalEdgar, widgets: Filer, data_dir) -> None:
    edgar.faults = [Fault(r"\.txt", times=99, truncate=50)]
    with PatientEdgar() as source, pytest.raises(Unavailable):
        source.filing_documents(widgets.cik, widgets.accession(widgets.reports[0]))
    assert not RawFile.objects.exists()
    assert not list(data_dir.glob("raw/*/*"))


def test_it_refuses_the_container_of_another_filing(edgar: LocalEdgar, widgets: Filer) -> None:
    first, second = widgets.reports[:2]
    edgar.put(widgets.container_path(first), widgets.container(second))
    with Edgar() as source, pytest.raises(Invalid, match=widgets.accession(second)):
        source.filing_documents(widgets.cik, widgets.accession(first))


def test_it_refuses_the_list_of_another_registrant(edgar: LocalEdgar, widgets: Filer) -> None:
    edgar.put("submissions/CIK0000000042.json", widgets.submissions())
    with Edgar() as source, pytest.raises(Invalid, match="are of CIK"):
        source.submissions(42)


@pytest.mark.parametrize("accession", ["../../secret", "0000320193-24-00012", ""])
def test_it_makes_no_path_of_a_wrong_accession(edgar: LocalEdgar, accession: str) -> None:
    with Edgar() as source, pytest.raises(Invalid, match="accession"):
        source.filing_documents(1, accession)
    assert edgar.requests == []


def test_it_reads_older_pages_and_survives_a_missing_one(edgar: LocalEdgar, widgets: Filer) -> None:
    record, older = widgets.submissions(), filer(2012).submissions()["filings"]["recent"]
    pages = [
        {"name": "CIK9000000001-submissions-001.json", "filingFrom": "2012-01-01", "filingTo": "2013-12-31"},
        {"name": "CIK9000000001-submissions-002.json", "filingFrom": "2010-01-01", "filingTo": "2012-12-31"},
        {"name": "CIK9000000001-submissions-003.json", "filingFrom": "1999-01-01", "filingTo": "2001-12-31"},
    ]
    record["filings"]["files"] = pages
    edgar.put(f"submissions/CIK{widgets.cik:010d}.json", record)
    edgar.put(f"submissions/{pages[0]['name']}", older)
    with Edgar() as source:
        submissions = source.submissions(widgets.cik, filed_since=2010)
    assert submissions is not None
    assert [filing.filed.year for filing in submissions.filings] == [2025, 2024, 2023, 2013]
    assert submissions.missing_pages == (pages[1]["name"],)
    assert edgar.asked("submissions-003") == []


def test_a_submission_may_close_the_envelope_of_former_years_after_its_end(edgar: LocalEdgar, widgets: Filer) -> None:
    report = widgets.reports[0]
    edgar.put(
        widgets.container_path(report),
        b"-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\n\n"
        + widgets.container(report)
        + b"-----END PRIVACY-ENHANCED MESSAGE-----\n",
    )
    with Edgar() as source:
        assert len(source.filing_documents(widgets.cik, widgets.accession(report)).documents) == 2


@pytest.mark.parametrize(("content", "error"), [(b" <html>", Unavailable), (b'{"a": ', Invalid), (b"", Invalid)])
def test_it_knows_json_from_what_is_not(content: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        check_json(content)


@pytest.mark.parametrize("slowly", ["body", "headers"])
def test_it_gives_up_a_file_that_trickles_in(
    edgar: LocalEdgar, widgets: Filer, settings: Settings, slowly: str
) -> None:
    settings.EDGAR_FILE_DEADLINE = 1.0
    edgar.faults = [Fault(TICKERS, times=99, trickle=slowly)]
    beats: list[float] = []
    with Edgar(beat=lambda: beats.append(time.monotonic())) as source:
        with pytest.raises(Unavailable, match=r"did not send /files/company_tickers.json within 1 s"):
            source.company_tickers()
        # It is not tried again: no time is left of the file's.
        assert edgar.asked(TICKERS) == [200]
        # The next is asked of the same server as if nothing had been.
        assert source.submissions(widgets.cik)
    assert len(beats) > 1


def test_the_time_of_a_file_is_of_all_its_tries_together(
    edgar: LocalEdgar, widgets: Filer, settings: Settings
) -> None:
    settings.EDGAR_FILE_DEADLINE = 60.0
    edgar.faults = [Fault(TICKERS, times=99, status=503, headers={"Retry-After": "100"})]
    with PatientEdgar() as source:
        with pytest.raises(Unavailable, match="503"):
            source.company_tickers()
        assert source.slept == []
    assert edgar.asked(TICKERS) == [503]


def test_a_file_larger_than_any_is_not_even_received(
    edgar: LocalEdgar, widgets: Filer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.edgar.client.MAX_BYTES", 10)
    edgar.faults = [Fault(TICKERS, times=99, trickle="body")]
    with PatientEdgar() as source, pytest.raises(Invalid, match="larger than 10 bytes"):
        source.company_tickers()
    assert edgar.asked(TICKERS) == [200]


def test_of_an_error_the_beginning_is_read(edgar: LocalEdgar, widgets: Filer) -> None:
    limited = b"Request Rate Threshold Exceeded" + b" " * 5_000_000
    edgar.faults = [Fault(TICKERS, status=403, body=limited)]
    with PatientEdgar() as source:
        assert tickers(source) == ["TWIDG"]
        edgar.faults = [Fault(LIST, status=403, body=b" " * 50_000 + b"rate")]
        with pytest.raises(NotIdentified):
            source.submissions(widgets.cik)
