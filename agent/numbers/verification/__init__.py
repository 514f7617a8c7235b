"""Verifies a table against the database before it is shown."""
