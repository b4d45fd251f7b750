"""Push or fold, heads-up: values by exact linear programs, independently computed, and cells of published charts."""

# stack in big blinds: the small blind's EV, how often it pushes and how often the big blind calls, in percent
EQUILIBRIA = {
    2: (0.009549, 89.44, 100.0),
    5: (0.056201, 71.48, 62.07),
    9: (-0.025227, 59.88, 40.57),
    15: (-0.127227, 45.65, 28.55),
}

# HoldemResources, "Using the Nash Charts": the largest stack
CHARTED = {("push", "T3s"): 7.7, ("call", "Q2o"): 5.6}

# Schmid 2013, figure 6.1: what stands below it, from the largest stack down; the two ends of the upper span
GAPS = {"63s": (7.1, 5.1, 2.3), "53s": (12.9, 3.8, 2.4), "43s": (10.0, 4.9, 2.2)}

# cells of the figure that the equilibrium does not have: printed, exact
DIFFERENT = {"Q4o, pusher": (7.9, 8.3), "K7o, caller": (12.4, 12.3)}
