"""The companies that a question names, owns, lists, or means as all."""
