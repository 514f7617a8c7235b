"""Compared forms of words: tokens of a question, roots of a text."""
