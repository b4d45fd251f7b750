"""Counter-strategies: games in which an opponent is in part held to a strategy that is known of them."""
