"""A spot: what it is, and how it is played at a table."""
