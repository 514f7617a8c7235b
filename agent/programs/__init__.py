"""Programs: one decision each, asked of a model; nothing here decides what is true.

Only workers import what stands here, but for `model_settings` and `checks`, which ask no model.
"""
