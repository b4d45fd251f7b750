"""Assessments: what players believe at each infoset, and whether they play well there."""
