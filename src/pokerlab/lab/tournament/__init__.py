"""What chips are worth, and the last players of a tournament."""
