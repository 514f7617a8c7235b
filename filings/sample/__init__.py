"""A tiny EDGAR: SEC's own paths, each file xz-compressed, read through the same code as EDGAR itself."""

from pathlib import Path

FOLDER = Path(__file__).parent
# What is no file of EDGAR: see filings.sample.vectors.
VECTORS = FOLDER / "vectors.f16.xz"
