"""Whatever runs from boundary to boundary is shown as it stands; whatever is put into it is not."""

import hashlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent.prose.text.section_text import SectionText
from agent.prose.text.stored_passages import Held
from agent.prose.verification.verify_quotations import Unverified, judge
from agent.state import Claim
from filings.document.blocks import stored_blocks
from filings.document.sentences import sentence_spans
from filings.models import Company, Filing, Section
from tests.support.quotable import lines_of_sentences, read_text

TEXT, BLOCKS = read_text(lines_of_sentences())
SHA256 = hashlib.sha256(TEXT.encode()).hexdigest()
UNITS = [span for block in BLOCKS for span in sentence_spans(TEXT, block.start, block.end)]
RUNS = st.tuples(st.integers(0, len(UNITS) - 1), st.integers(0, 2)).map(
    lambda run: (UNITS[run[0]][0], UNITS[min(run[0] + run[1], len(UNITS) - 1)][1])
)


class InMemory(Held):
    """One section that no database holds, cited whole."""

    def __init__(self) -> None:
        filing = Filing(company=Company(cik=9_999_977_709, name="Halvorsen Optics Inc."), accession="memory")
        section = Section(filing=filing, item="1A", text=TEXT, sha256=SHA256, blocks=stored_blocks(BLOCKS))
        self.held = SectionText(section)
        self.filings, self.chunks, self.passages = {}, {}, ()

    def cited(self, claim: Claim) -> tuple[SectionText, list[Any]]:
        return self.held, [(0, len(TEXT))]


HELD = InMemory()


def judged(start: int, end: int, text: str, quote: str) -> Claim | None:
    claim = Claim(
        target=0,
        text=text,
        quote=quote,
        chunk=1,
        section=1,
        sha256=SHA256,
        start=start,
        end=end,
        cik=1,
        accession="memory",
        item="1A",
    )
    try:
        return judge(claim, HELD, ["Halvorsen"], [], lambda text, quote: 1.0)
    except Unverified:
        return None


@given(RUNS)
def test_a_run_of_whole_sentences_always_passes(run: tuple[int, int]) -> None:
    shown = judged(*run, TEXT[slice(*run)], TEXT[slice(*run)])
    assert shown is not None
    assert shown.verdict == "verbatim"
    assert shown.start <= run[0]
    assert shown.end == run[1]
    assert TEXT[shown.start : shown.end] == shown.quote


@given(RUNS, st.data())
def test_any_inserted_not_fails(run: tuple[int, int], data: st.DataObject) -> None:
    words = TEXT[slice(*run)].split(" ")
    place = data.draw(st.integers(0, len(words)))
    text = " ".join([*words[:place], "not", *words[place:]])
    assert judged(*run, text, TEXT[slice(*run)]) is None
    assert judged(*run, text, text) is None


@given(RUNS, st.data())
def test_a_part_is_never_shown_as_a_whole(run: tuple[int, int], data: st.DataObject) -> None:
    words = TEXT[slice(*run)].split(" ")
    left = data.draw(st.integers(0, len(words) - 1))
    right = data.draw(st.integers(left + 1, len(words)))
    start = run[0] + len(" ".join(words[:left])) + (1 if left else 0)
    part = " ".join(words[left:right])
    assert TEXT[start : start + len(part)] == part
    shown = judged(start, start + len(part), part, part)
    if shown is not None:
        assert HELD.held.bounds.widened(shown.start, shown.end) == (shown.start, shown.end)
