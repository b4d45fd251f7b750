"""Equities and hand strength."""
