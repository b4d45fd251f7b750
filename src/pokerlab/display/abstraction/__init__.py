"""Buckets of hands."""
