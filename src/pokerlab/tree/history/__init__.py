"""The history form: any finite game, one entry per history."""
