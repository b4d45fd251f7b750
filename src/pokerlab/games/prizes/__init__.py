"""The value of tournament chips: finishing places, prizes, deals, bounties."""
