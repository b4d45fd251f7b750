"""Matches, play at a table, the competition's protocol, saved hands."""
