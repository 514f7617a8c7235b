"""Finds the registrants that a text names."""
