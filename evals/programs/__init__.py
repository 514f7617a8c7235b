"""What programs are compiled and judged by: examples and metrics made of the tuning half of the goldens."""
