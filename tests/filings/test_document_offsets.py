"""Offsets of every kind of document are those of its own characters, and the checks see where they are not."""

import lzma
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.bench.text import of_sample
from filings.document.blocks import Page
from filings.document.pdf import PdfLayout, read_printed
from filings.ingest.store_text import numbered
from filings.models.source_kinds import KINDS
from filings.sample import FOLDER
from filings.sections import SourceDocument, read_sections
from tests.support.calls import FORMS, Said
from tests.support.document_offsets import Divided, Tally, check, check_lines
from tests.support.lantern import bodies, bold, document, p, report, table
from tests.support.pdf_files import PdfPage, pdf

SENTENCES = st.lists(
    st.sampled_from(
        [
            "The lamp at Lowfield burns oil.",
            "Not applicable.",
            "Revenue was $1,204.5 million \u2014 up 9%.",
            "\u201cWe hold no oil\u201d, said the keeper.",
            "or",
        ]
    ),
    min_size=1,
    max_size=6,
).map(" ".join)
SEEDS = st.integers(0, 1_000_000).map(str)


def divided(one: SourceDocument, scheme: str) -> Divided:
    return list(numbered(read_sections([one], scheme), lambda: None))


def checked(one: SourceDocument, scheme: str, seed: str = "") -> Tally:
    return check(one, divided(one, scheme), seed)


@cache
def samples() -> dict[str, tuple[SourceDocument, str]]:
    """A document of each kind of the sample, and the scheme that divides it."""
    _, _, [annual, *_] = next(of_sample())
    found = {"10-K": (SourceDocument(*annual), "annual")}
    for kind, name in (("call", "*-call.txt.xz"), ("report", "*.pdf.xz")):
        path = next(FOLDER.glob(f"imports/{name}"))
        found[kind] = SourceDocument(path.stem, "", lzma.decompress(path.read_bytes())), KINDS[kind].scheme
    return found


@pytest.mark.parametrize("kind", ["10-K", "call", "report"])
def test_every_offset_of_the_samples_documents_is_its_own(kind: str) -> None:
    one, scheme = samples()[kind]
    tally = checked(one, scheme)
    assert tally.failures == []
    assert tally.of["citation is found again in its passage"] == 20
    assert ("line's box has its characters" in tally.of) == (kind == "report")


@settings(max_examples=8, deadline=None)
@given(SEEDS, st.sampled_from(["call", "report"]))
def test_any_citation_of_the_samples_documents_is_found_again(seed: str, kind: str) -> None:
    assert checked(*samples()[kind], seed).failures == []


@settings(max_examples=15, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=8), SEEDS)
def test_any_citation_of_a_page_is_found_again(texts: list[str], seed: str) -> None:
    parts = [
        bold(f"Part {number}") + p(text) + table(("Oil", text), ("Wicks", "4")) for number, text in enumerate(texts)
    ]
    assert checked(SourceDocument("lamps.htm", "", document(*parts)), "headings", seed).failures == []


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["Ada Quill", "Bo Marsh", "Operator"]), SENTENCES), min_size=2, max_size=10),
    st.sampled_from(sorted(FORMS)),
    SEEDS,
)
def test_any_citation_of_a_call_is_found_again(said: list[tuple[str, str]], form: str, seed: str) -> None:
    content = FORMS[form]([Said(name, "", (words,)) for name, words in said])
    assert checked(SourceDocument("call", "", content), "call", seed).failures == []


def printed(texts: list[list[str]]) -> bytes:
    """A page for each list of paragraphs, below one running line."""
    pages = []
    for paragraphs in texts:
        page = PdfPage()
        page.put(40, 30, "Lowfield lamps or lights, not applicable to others")
        y = 70.0
        for text in paragraphs:
            y = page.write(40, y, text, 70) + 10
        pages.append(page)
    return pdf(pages)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=1, max_size=4), SEEDS)
def test_any_citation_of_a_pdf_file_is_found_again_where_it_is_printed(texts: list[list[str]], seed: str) -> None:
    one = SourceDocument("lamps.pdf", "", printed(texts))
    assert checked(one, "headings", seed).failures == []


# --- the checks see what is wrong ---


def annual() -> tuple[SourceDocument, Divided]:
    one = SourceDocument("lantern.htm", "10-K", report(bodies()))
    return one, divided(one, "annual")


def broken(found: Divided, **changes: object) -> Divided:
    """The first section with text, changed."""
    place, section = next((place, section) for place, (section, _) in enumerate(found) if len(section.text) > 500)
    return [*found[:place], (replace(section, **changes), found[place][1]), *found[place + 1 :]]  # type: ignore[arg-type] # of its fields


def said(one: SourceDocument, found: Divided) -> set[str]:
    return {line.partition(":")[0] for line in check(one, found).failures}


def test_a_report_whose_offsets_are_its_own_has_no_failures() -> None:
    assert said(*annual()) == set()


def test_text_that_is_not_the_documents_is_seen() -> None:
    one, found = annual()
    text = next(section.text for section, _ in found if len(section.text) > 500)
    assert "section's text is the document's" in said(one, broken(found, text=text.replace("brass", "tin")))


def test_a_page_that_begins_elsewhere_is_seen() -> None:
    one, found = annual()
    assert "page begins where the document's does" in said(one, broken(found, pages=(Page(0, 99),)))


def test_a_passage_that_is_cut_or_moved_is_seen() -> None:
    one, found = annual()
    place, (section, chunks) = next((place, pair) for place, pair in enumerate(found) if len(pair[0].text) > 500)
    short = replace(chunks[0], ranges=((chunks[0].ranges[0][0] + 3, chunks[0].ranges[0][1]), *chunks[0].ranges[1:]))
    changed = [*found[:place], (section, (short, *chunks[1:])), *found[place + 1 :]]
    assert {"passage is of the section's characters", "passages have all of the section"} <= said(one, changed)


def test_a_passage_with_the_words_of_two_speakers_is_seen() -> None:
    one, scheme = samples()["call"]
    section, chunks = next(pair for pair in divided(one, scheme) if len(pair[1]) > 2)
    both = replace(chunks[0], ranges=((chunks[0].ranges[0][0], chunks[2].ranges[-1][1]),))
    assert "passage keeps to one speaker" in said(one, [(section, (both, *chunks[1:]))])


def test_lines_in_other_boxes_and_on_other_pages_are_seen() -> None:
    content = printed([["The lamp burns oil at Lowfield."], ["The wick is of cotton there."]])
    read = read_printed(content)
    one, other = read.pages
    swapped = PdfLayout(read.layout, (replace(one, places=other.places), replace(other, places=one.places)), ())
    tally = Tally()
    check_lines(content, swapped, Random(1), tally)  # noqa: S311 - which pages, not a secret
    assert tally.held["line is of its page's text"] == 0
    # The running line is the same on both.
    assert (tally.held["line's box has its characters"], tally.of["line's box has its characters"]) == (2, 4)
