"""What each measure is: the registry, its concepts, its formulas and their units."""
