"""Kinds of answers that need more than one sentence beside the question: causes, lists, definitions, changes."""
