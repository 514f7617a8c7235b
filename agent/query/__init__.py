"""From a question to a query: a grammar over data, every word accounted for."""
