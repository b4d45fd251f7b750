"""The history form: any finite game, one entry a history."""
