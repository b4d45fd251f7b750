"""Ways of bucketing games in which cards are exchanged, one a file: each gives ExchangeCards their ExchangeBuckets."""
