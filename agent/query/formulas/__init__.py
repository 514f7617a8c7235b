"""Formulas that a question gives, and those of the registry that they may be."""
