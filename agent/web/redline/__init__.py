"""The page of what changed in an Item between two years, and its files."""
