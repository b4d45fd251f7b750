"""CFR-BR: a player minimises regret against an opponent who always plays a best response."""
