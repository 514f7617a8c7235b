"""Search over the text of filings, with one of two indexes: SQLite on this machine, or Elasticsearch."""
