"""Which fact of one filing answers a concept, and how it is cited."""
