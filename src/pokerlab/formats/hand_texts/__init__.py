"""Hands of hold'em as other programs write them, read into one kind of record: poker sites' texts, the IRC database."""
