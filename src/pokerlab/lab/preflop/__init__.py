"""Push or fold, roll-outs, hand strength and von Neumann poker."""
