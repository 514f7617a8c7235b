"""Which passages of a filing are read for a question."""
