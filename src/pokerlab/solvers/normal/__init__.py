"""Learning in the normal form."""
