"""Search over the text of filings: one protocol, two indexes, one fusion."""
