"""A spot: its definition, and how it is played at a table."""
