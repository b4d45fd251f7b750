"""What a card, a hand and a range is; strength; equity; the suit-canonical index."""
