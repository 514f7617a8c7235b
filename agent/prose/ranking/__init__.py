"""How well each sentence answers."""
