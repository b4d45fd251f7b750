"""Monte-Carlo CFR: walks that sample part of a history tree."""
