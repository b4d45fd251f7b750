"""Cards, hands and ranges; hand strength; equity; the suit-canonical index."""
