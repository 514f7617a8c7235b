"""A question read under certain companies: from its words to the query that they make, or the refusal."""
