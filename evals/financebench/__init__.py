"""The public questions of FinanceBench, asked and judged."""
