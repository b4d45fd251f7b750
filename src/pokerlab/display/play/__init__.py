"""Matches, saved hands, dealers, and the table where a person plays."""
