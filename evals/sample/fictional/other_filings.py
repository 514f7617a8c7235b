"""The documents of a fictional issuer's filings other than annual reports: 10-Q, 8-K with its release, proxy."""

from evals.sample.fictional.document import Document, encoded
from evals.sample.fictional.figures import Figures, read_figures
from evals.sample.fictional.inline import Inline, Plain, Tagged
from evals.sample.fictional.issuer import Issuer, OtherFiling
from evals.sample.fictional.source import read_source


def other_documents(issuer: Issuer, filing: OtherFiling) -> tuple[dict[str, tuple[str, bytes]], list[Tagged]]:
    """({filename: (type, content)} in sequence, the numbers tagged). Raises Inconsistent.

    Laid out twice: the first time tells on which page each heading stands.
    """
    figures = read_figures(issuer.folder / filing.figures)
    year = max(figures.ends)
    figures.check([year])
    stem = f"{issuer.prefix}-{filing.period:%Y%m%d}"
    sources = {f"{stem}.htm": (filing.form, filing.source)}
    for kind, source in filing.exhibits.items():
        sources[f"{stem}{kind.replace('-', '').replace('.', '').lower()}.htm"] = (kind, source)
    anchors: dict[str, dict[str, int]] = {name: {} for name in sources}
    for _ in range(2):
        inline = (Inline if filing.cover else Plain)(figures, issuer.cik, year, issuer.prefix)
        made = {
            name: (kind, _document(issuer, filing, inline, name, source, anchors[name]))
            for name, (kind, source) in sources.items()
        }
    return made, inline.tagged


def _document(
    issuer: Issuer, filing: OtherFiling, inline: Inline, name: str, source: str, anchors: dict[str, int]
) -> bytes:
    figures: Figures = inline.figures
    laid = Document(inline, filing.layout, f"{filing.accession}-{name}", anchors)
    body = laid.body(read_source(issuer.folder / source, inline.year, (min(figures.ends), inline.year)))
    hidden = {"EntityCentralIndexKey": f"{issuer.cik:010d}", "AmendmentFlag": "false", **filing.cover}
    header = inline.header(hidden) if filing.cover else ""
    return encoded(inline.head(name.removesuffix(".htm")) + header + body)
