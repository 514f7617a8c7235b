"""Divides the text of documents into Items and other parts, and verifies each Item."""

from filings.sections.parsed_section import LONGEST_HEADING, ParsedSection, SourceDocument
from filings.sections.schemes import read_sections

__all__ = ["LONGEST_HEADING", "ParsedSection", "SourceDocument", "read_sections"]
