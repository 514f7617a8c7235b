"""Truths of goldens, computed a second way."""
