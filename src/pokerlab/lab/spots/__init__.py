"""Spots over many boards, and locks."""
