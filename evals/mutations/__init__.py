"""Corruptions of what the pipeline hands on: nothing false may be shown."""
