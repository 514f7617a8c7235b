"""How the text of each kind of document is divided: one row a scheme, named by the rows of the kinds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from filings.sections.by_items import by_items
from filings.sections.current_report import by_items_and_exhibits
from filings.sections.form_items import ANNUAL, FOREIGN, QUARTERLY
from filings.sections.own_headings import by_own_headings
from filings.sections.parsed_section import ParsedSection, SourceDocument, layout_of

Documents = Sequence[SourceDocument]


@dataclass(frozen=True)
class Scheme:
    """`read` divides the documents of one filing; `exhibits` are the beginnings of the types it reads besides the
    primary document's.
    """

    read: Callable[[Documents], tuple[ParsedSection, ...]]
    exhibits: tuple[str, ...] = ()

    def reads(self, document: SourceDocument) -> bool:
        return not document.is_exhibit or document.type.upper().startswith(self.exhibits)


def _foreign(documents: Documents) -> tuple[ParsedSection, ...]:
    """A 20-F by its Items. A 40-F has none: its exhibits are the annual report of another country's form."""
    if any(document.type.upper().startswith("40-F") for document in documents):
        return by_own_headings(documents)
    return by_items([document for document in documents if not document.is_exhibit], FOREIGN)


def _call(documents: Documents) -> tuple[ParsedSection, ...]:
    from filings.sections.call import read_call

    read = ((document, layout) for document in documents if (layout := layout_of(document)))
    return next((read_call(layout, document.filename) for document, layout in read), ())


SCHEMES: Mapping[str, Scheme] = {
    "annual": Scheme(partial(by_items, form=ANNUAL), ("EX-13",)),
    "quarterly": Scheme(partial(by_items, form=QUARTERLY)),
    "current": Scheme(by_items_and_exhibits, ("EX-99",)),
    "foreign": Scheme(_foreign, ("EX-99",)),
    "headings": Scheme(by_own_headings),
    "call": Scheme(_call),
}


def read_sections(documents: Iterable[SourceDocument], scheme: str = "annual") -> tuple[ParsedSection, ...]:
    """The sections of one filing or imported document: its Items or parts, then text outside them.

    `documents` are in the container's order; those that the scheme does not read are left out.
    """
    way = SCHEMES[scheme]
    return way.read([document for document in documents if way.reads(document)])
