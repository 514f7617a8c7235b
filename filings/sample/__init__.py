"""A tiny EDGAR: SEC's own paths, each file xz-compressed, read through the same code as EDGAR itself."""

from pathlib import Path

FOLDER = Path(__file__).parent
# The one file that is not from EDGAR: see filings.sample.vectors.
VECTORS = FOLDER / "vectors.f16.xz"
