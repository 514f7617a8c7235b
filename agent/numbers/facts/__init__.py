"""Which fact of one filing answers a concept, how it is cited and rendered, and why there is none."""
