"""Sampled boards of games with buckets, for graphics cards."""
