"""Prose: passages of the filing, the sentences that answer, and the guards that let them pass."""
