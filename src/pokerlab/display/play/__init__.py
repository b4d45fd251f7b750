"""Matches, saved hands, dealers, and the table where humans play."""
