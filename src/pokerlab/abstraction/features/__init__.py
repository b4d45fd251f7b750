"""What a hand is worth, as numbers that hands are compared by: one file a feature."""
