"""pokerlab: an open laboratory for computer poker.

Define a poker game, solve it to a measured distance from equilibrium, turn the solution into a player, and seat
it against other programs or against yourself. Importing this package is cheap: compiled code is loaded only when
something is computed.
"""

__version__ = "0.1.0"
