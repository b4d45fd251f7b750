"""Small games of the literature on refinements, as Gambit writes them."""

from __future__ import annotations

# Selten's horse: Osborne and Rubinstein, "A course in game theory", 1994, figure 225.1. The equilibria are (C, c, L
# with at most 1/4), which are sequential, and (D, c with at least 1/3, L), which are not: player 2 should play d.
HORSE = """EFG 2 R "Selten's horse" { "1" "2" "3" }
""
p "" 1 1 "one" { "C" "D" } 0
p "" 2 1 "two" { "c" "d" } 0
t "" 1 "" { 1 1 1 }
p "" 3 1 "three" { "L" "R" } 0
t "" 2 "" { 4 4 0 }
t "" 3 "" { 0 0 1 }
p "" 3 1 0
t "" 4 "" { 3 3 2 }
t "" 5 "" { 0 0 0 }
"""

# Guess the ace: Miltersen and Sorensen, "Computing a quasi-perfect equilibrium of a two-player game", 2010. Player 1
# stops, or lets player 2 guess whether the top card of a deck is the ace of spades, for 1000 if right. The value is 0
# whatever player 2 would guess; a sensible player 2 guesses that it is another card.
GUESS_THE_ACE = """EFG 2 R "Guess the ace" { "1" "2" }
""
p "" 1 1 "offer" { "stop" "play" } 0
t "" 1 "" { 0 0 }
c "" 1 "" { "ace of spades" 1/52 "another" 51/52 } 0
p "" 2 1 "guess" { "ace" "other" } 0
t "" 2 "" { -1000 1000 }
t "" 3 "" { 0 0 }
p "" 2 1 0
t "" 3
t "" 2
"""
