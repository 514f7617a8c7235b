"""Which registrants a text names."""
