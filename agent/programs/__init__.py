"""Programs: one decision each, asked of a model. Only workers import what stands here; nothing here decides what is true."""
