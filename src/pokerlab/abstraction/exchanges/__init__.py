"""Bucketing methods for draw games, one per file: each turns ExchangeCards into ExchangeBuckets."""
