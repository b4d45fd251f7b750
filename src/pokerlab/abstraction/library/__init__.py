"""Bucketing methods for the hands of a round, one per file, loaded through the registry."""
