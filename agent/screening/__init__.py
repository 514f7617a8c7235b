"""All covered companies by their annual figures: kept, ranked, filtered."""
