"""Analyses of strategies: exploitability, beliefs, counter-strategies, thinning."""
