"""Documents of a fictional issuer that are not filed: a transcript as plain text, a fact sheet as a PDF file."""

from collections.abc import Iterator
from typing import Any

from evals.sample.fictional.figures import Inconsistent, read_figures
from evals.sample.fictional.issuer import Imported, Issuer
from evals.sample.fictional.pdf_file import pdf_file
from evals.sample.fictional.source import Piece, read_source, spelled


def imported(issuer: Issuer, document: Imported) -> bytes:
    """The file, of the kind that its name tells. Raises Inconsistent."""
    ending = document.file.rpartition(".")[2]
    if ending not in {"txt", "pdf"}:
        raise Inconsistent(f"{document.file}: only .txt and .pdf files are made.")
    pieces = list(_pieces(issuer, document))
    return pdf_file(pieces) if ending == "pdf" else "\n\n".join(piece.text for piece in pieces).encode() + b"\n"


def _pieces(issuer: Issuer, document: Imported) -> Iterator[Piece]:
    figures = read_figures(issuer.folder / document.figures)
    year = max(figures.ends)
    for piece in read_source(issuer.folder / document.source, year, (year - 1, year)):
        rows = tuple(spelled(row, figures, year) for row in piece.rows)
        yield Piece(piece.kind, spelled(piece.text, figures, year), rows)


def manifest(issuer: Issuer) -> dict[str, Any]:
    """What a person would write beside each file."""
    return {
        "files": [
            {
                "file": document.file,
                "company": issuer.ticker,
                "kind": document.kind,
                "period": document.period,
                "date": f"{document.date}",
                "title": document.title,
            }
            for document in issuer.imports
        ]
    }
