"""Matches, play at a table, the ACPC protocol, saved hands."""
