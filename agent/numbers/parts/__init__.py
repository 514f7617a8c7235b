"""Figures of segments, products and regions, and how they add up."""
