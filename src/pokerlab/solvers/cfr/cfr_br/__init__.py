"""CFR-BR: a player that minimises regret against one who always plays a best response."""
