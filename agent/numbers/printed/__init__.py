"""Figures that no element tags: read from the tables that documents print."""
