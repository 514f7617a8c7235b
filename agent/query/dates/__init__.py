"""Days, years and parts of years as words tell them."""
