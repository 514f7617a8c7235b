"""The nearest question that can be answered, where words are left over that nothing explains."""
