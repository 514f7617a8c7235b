"""The cells of a table: a measure computed for one company and period."""
