"""Postflop spots: bet sizes, and reports over many boards."""
