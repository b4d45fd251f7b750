"""What tournament chips are worth: finishing places, prizes, deals, bounties."""
