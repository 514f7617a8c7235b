"""What changed in a section between two filings: passages aligned by headings and sentences, verbatim."""
