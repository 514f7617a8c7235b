"""Programs: one decision each, made by a language model; code decides what is true.

Only workers import these modules, except `model_settings` and `checks`, which ask no model.
"""
